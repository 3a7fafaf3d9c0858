package rest

import (
	"slices"

	"lectern/shared/fault"
)

// Page selects a page of a list of ids by exclusive cursors, of which at most one
// may be set. With before, the page ends just before the cursor. more reports
// further ids in the direction of paging. An unknown cursor is Malformed.
func Page(ids []string, after, before *string, limit int) (from, to int, more bool, err error) {
	if after != nil && before != nil {
		return 0, 0, false, fault.New(fault.Malformed, "after_id and before_id cannot be used together")
	}
	at := func(name, id string) (int, error) {
		i := slices.Index(ids, id)
		if i < 0 {
			return 0, fault.New(fault.Malformed, "%s: no item has the id %q", name, id)
		}
		return i, nil
	}
	switch {
	case after != nil:
		i, err := at("after_id", *after)
		if err != nil {
			return 0, 0, false, err
		}
		from = i + 1
	case before != nil:
		i, err := at("before_id", *before)
		if err != nil {
			return 0, 0, false, err
		}
		return max(0, i-limit), i, i > limit, nil
	}
	to = min(len(ids), from+limit)
	return from, to, to < len(ids), nil
}
