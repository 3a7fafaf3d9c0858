package filter

import (
	"fmt"
	"slices"
	"strings"

	"lectern/shared/fault"
	"lectern/shared/knowledge/index"
	"lectern/shared/text/terms"
)

// Clause holds for a list of keywords if any of its tests does for any
// keyword; with Not, if none does.
type Clause struct {
	Not bool
	Any []Test
}

// Test is one test of a keyword. Exactly one of Equal, Infix and a range
// (Prefix with From or To) is set.
type Test struct {
	Equal string // the keyword itself

	Prefix string // begins with Prefix, and then
	Infix  string // has Infix somewhere after it; or
	From   string // is at least From, or above it with FromOpen; "" is no bound
	To     string // is at most To, or below it with ToOpen; "" is no bound
	// From and To include the prefix.
	FromOpen, ToOpen bool
}

// Compile turns conditions into clauses, all of which must hold.
//
// ==: the value is there, alone or in a list; a list or object compares as a
// whole; null is a missing or empty value. != is its opposite, so a missing
// key fulfils it. in and nin take a list: any of the values, or none of them.
// > < >= <= take a number, a string (by bytes), or an RFC 3339 time or date
// (by instant); a list fulfils them if an element does; a missing key never.
// contains: a list has the element, or a string has the substring; of several
// values, all. text_match: all words of the value occur in the string or
// list, whatever their case and accents. is_empty: true (the default): the
// key is missing, or null, "", [] or {}; false: it is not.
//
// Errors are fault.Invalid with one problem for every unusable condition, at
// ["metadata_filter", position, key].
func Compile(conditions []index.Condition) ([]Clause, error) {
	var clauses []Clause
	var problems []fault.Problem
	for i, c := range conditions {
		list, why := compile(clean(c.Key), c)
		if why != "" {
			problems = append(problems, fault.Problem{
				Loc:  []any{"metadata_filter", i, c.Key},
				Msg:  fmt.Sprintf("metadata filter on %q: %s", c.Key, why),
				Type: "value_error",
			})
			continue
		}
		clauses = append(clauses, list...)
	}
	if problems != nil {
		return nil, fault.Problems(problems)
	}
	return clauses, nil
}

func compile(key string, c index.Condition) (list []Clause, why string) {
	if key == "" {
		return nil, "the key is empty"
	}
	switch c.Operator {
	case "", "==":
		return one(equal(key, c.Value))
	case "!=":
		return negated(equal(key, c.Value))
	case "in", "nin":
		values, ok := values(c.Value)
		if !ok {
			return nil, "operator " + c.Operator + " needs a list"
		}
		either := Clause{}
		for _, v := range values {
			eq, why := equal(key, v)
			if why != "" || eq.Not {
				return nil, "operator " + c.Operator + " needs a list of strings, numbers or booleans"
			}
			either.Any = append(either.Any, eq.Any...)
		}
		if c.Operator == "nin" {
			either.Not = true
		}
		return []Clause{either}, ""
	case ">", "<", ">=", "<=":
		return one(compare(key, c.Operator, c.Value))
	case "contains":
		return contains(key, c.Value)
	case "text_match":
		return textMatch(key, c.Value)
	case "is_empty":
		want, ok := c.Value.(bool)
		if !ok && c.Value != nil {
			return nil, "operator is_empty needs true, false or nothing"
		}
		there := Clause{Any: []Test{{Equal: keyword(key, isThere, "")}}}
		there.Not = c.Value == nil || want
		return []Clause{there}, ""
	}
	return nil, fmt.Sprintf("unknown operator %q", c.Operator)
}

func one(c Clause, why string) ([]Clause, string) {
	if why != "" {
		return nil, why
	}
	return []Clause{c}, ""
}

func negated(c Clause, why string) ([]Clause, string) {
	c.Not = !c.Not
	return one(c, why)
}

func equal(key string, value any) (Clause, string) {
	switch v := value.(type) {
	case nil:
		return Clause{Not: true, Any: []Test{{Equal: keyword(key, isThere, "")}}}, ""
	case bool:
		return Clause{Any: []Test{{Equal: keyword(key, isBool, fmt.Sprint(v))}}}, ""
	case string:
		if v == "" {
			return Clause{Not: true, Any: []Test{{Equal: keyword(key, isThere, "")}}}, ""
		}
		return Clause{Any: []Test{{Equal: keyword(key, isString, text(v))}}}, ""
	case []string:
		return equal(key, anys(v))
	case []any:
		if len(v) == 0 {
			return equal(key, nil)
		}
		return Clause{Any: []Test{{Equal: keyword(key, isWhole, digest(v))}}}, ""
	case map[string]any:
		if len(v) == 0 {
			return equal(key, nil)
		}
		return Clause{Any: []Test{{Equal: keyword(key, isWhole, digest(v))}}}, ""
	}
	if n, ok := number(value); ok {
		return Clause{Any: []Test{{Equal: keyword(key, isNumber, n)}}}, ""
	}
	return Clause{}, fmt.Sprintf("a value of type %T cannot be compared", value)
}

func compare(key, operator string, value any) (Clause, string) {
	var bound, kind string
	if s, ok := value.(string); ok && s != "" {
		kind, bound = isString, text(s)
		if at, ok := instant(s); ok {
			kind, bound = isTime, at
		}
	} else if n, ok := number(value); ok {
		kind, bound = isNumber, n
	} else {
		return Clause{}, "operator " + operator + " needs a number, a string, or an RFC 3339 time"
	}
	t := Test{Prefix: keyword(key, kind, "")}
	switch operator {
	case ">", ">=":
		t.From, t.FromOpen = t.Prefix+bound, operator == ">"
	default:
		t.To, t.ToOpen = t.Prefix+bound, operator == "<"
	}
	return Clause{Any: []Test{t}}, ""
}

func contains(key string, value any) ([]Clause, string) {
	list, ok := values(value)
	if !ok {
		list = []any{value}
	}
	if len(list) == 0 {
		return nil, "operator contains needs a value"
	}
	var clauses []Clause
	for _, v := range list {
		c, why := equal(key, v)
		if why != "" || c.Not {
			return nil, "operator contains needs strings, numbers or booleans"
		}
		if s, ok := v.(string); ok && len(s) <= MaxValue {
			c = Clause{Any: []Test{{Prefix: keyword(key, isString, ""), Infix: s}}}
		}
		clauses = append(clauses, c)
	}
	return clauses, ""
}

func textMatch(key string, value any) ([]Clause, string) {
	s, ok := value.(string)
	if !ok {
		return nil, "operator text_match needs a string"
	}
	var clauses []Clause
	terms.Scan(s, func(word []byte, _, _ int, part bool) {
		if !part {
			clauses = append(clauses, Clause{Any: []Test{{Equal: keyword(key, isWord, string(word))}}})
		}
	})
	if len(clauses) == 0 {
		return nil, "operator text_match needs a string with at least one word"
	}
	return clauses, ""
}

func values(value any) ([]any, bool) {
	switch v := value.(type) {
	case []any:
		return v, true
	case []string:
		return anys(v), true
	}
	return nil, false
}

// Match reports whether all clauses hold for keywords, which Encode made.
func Match(clauses []Clause, keywords []string) bool {
	for _, c := range clauses {
		if c.holds(keywords) == c.Not {
			return false
		}
	}
	return true
}

func (c Clause) holds(keywords []string) bool {
	for _, t := range c.Any {
		if t.Equal != "" {
			if _, ok := slices.BinarySearch(keywords, t.Equal); ok {
				return true
			}
			continue
		}
		from, _ := slices.BinarySearch(keywords, t.Prefix)
		for _, k := range keywords[from:] {
			if !strings.HasPrefix(k, t.Prefix) {
				break
			}
			if t.inside(k) {
				return true
			}
		}
	}
	return false
}

func (t Test) inside(k string) bool {
	switch {
	case t.Infix != "":
		return strings.Contains(k[len(t.Prefix):], t.Infix)
	case t.From != "":
		return k > t.From || k == t.From && !t.FromOpen
	default:
		return k < t.To || k == t.To && !t.ToOpen
	}
}
