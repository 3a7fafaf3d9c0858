package diskobject

import (
	"slices"
	"strings"
)

const runKeys = 512

// keySet is an ordered set of strings: runs of up to runKeys sorted keys, in
// order. No run is empty.
type keySet struct{ runs [][]string }

// fill replaces the set's content with the keys of m.
func (s *keySet) fill(m map[string]entry) {
	all := make([]string, 0, len(m))
	for k := range m {
		all = append(all, k)
	}
	slices.Sort(all)
	s.runs = nil
	for run := range slices.Chunk(all, runKeys/2) {
		s.runs = append(s.runs, slices.Clone(run))
	}
}

// run returns the index of the run that holds key, or would.
func (s *keySet) run(key string) int {
	i, found := slices.BinarySearchFunc(s.runs, key, func(r []string, k string) int { return strings.Compare(r[0], k) })
	if !found && i > 0 {
		i--
	}
	return i
}

func (s *keySet) add(key string) {
	if len(s.runs) == 0 {
		s.runs = [][]string{{key}}
		return
	}
	i := s.run(key)
	at, found := slices.BinarySearch(s.runs[i], key)
	if found {
		return
	}
	r := slices.Insert(s.runs[i], at, key)
	s.runs[i] = r
	if len(r) > runKeys {
		s.runs[i] = slices.Clip(slices.Clone(r[:runKeys/2]))
		s.runs = slices.Insert(s.runs, i+1, slices.Clone(r[runKeys/2:]))
	}
}

func (s *keySet) remove(key string) {
	if len(s.runs) == 0 {
		return
	}
	i := s.run(key)
	at, found := slices.BinarySearch(s.runs[i], key)
	if !found {
		return
	}
	s.runs[i] = slices.Delete(s.runs[i], at, at+1)
	if len(s.runs[i]) == 0 {
		s.runs = slices.Delete(s.runs, i, i+1)
	}
}

// list returns up to limit keys with the prefix, above after, in order.
func (s *keySet) list(prefix, after string, limit int) []string {
	from := max(prefix, after)
	var out []string
	if len(s.runs) == 0 {
		return nil
	}
	for _, r := range s.runs[s.run(from):] {
		at, _ := slices.BinarySearch(r, from)
		for _, k := range r[at:] {
			if k == after {
				continue
			}
			if !strings.HasPrefix(k, prefix) {
				if k > prefix {
					return out
				}
				continue
			}
			if len(out) == limit {
				return out
			}
			out = append(out, k)
		}
	}
	return out
}
