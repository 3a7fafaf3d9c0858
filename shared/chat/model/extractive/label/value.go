package label

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"lectern/shared/chat/model/extractive/cell"
	"lectern/shared/text/terms"
)

// maxValue is how long the text of a field is at most, in bytes.
const maxValue = 200

// String returns the text of a field.
func (t *Text) String(f Field) (string, bool) {
	w := f.words()
	for _, v := range t.best(w) {
		if len(v) <= maxValue && cell.Filled(v) {
			return v, true
		}
	}
	for _, w := range []wanted{w, f.words("number", "id", "code", "reference")} {
		for _, s := range t.segments { // invoice number INV-99, invoice INV-99
			i := s.after(w)
			if i < 0 || i+1 >= len(s.words) {
				continue
			}
			rest, _, _ := strings.Cut(strings.TrimLeft(s.text[s.words[i].End:], " .:#"), " ")
			if rest = strings.Trim(rest, ".,;:!?()"); identifies(rest) {
				return rest, true
			}
		}
	}
	return "", false
}

// identifies reports whether a word may be the number of something: it has digits, and is
// neither a day nor a short number.
func identifies(word string) bool {
	return strings.ContainsFunc(word, unicode.IsDigit) && len(cell.Days(word)) == 0 &&
		(len(word) > 2 || strings.ContainsFunc(word, unicode.IsLetter))
}

// List returns the items of a field.
func (t *Text) List(f Field) []string {
	for _, v := range t.best(f.words()) {
		var list []string
		for part := range strings.SplitSeq(strings.ReplaceAll(v, " and ", ","), ",") {
			if part = strings.TrimSpace(part); part != "" && cell.Filled(part) {
				list = append(list, part)
			}
		}
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// Number returns the number of a field, one that is taken.
func (t *Text) Number(f Field, taken func(float64) bool) (float64, bool) {
	w := f.words()
	for _, v := range t.best(w) {
		for _, n := range Numbers(v) {
			if taken(n.Value) {
				return n.Value, true
			}
		}
		if n, ok := Spelt[strings.ToLower(v)]; ok && taken(n) {
			return n, true
		}
	}
	best, value, units := 0, 0.0, map[float64]bool{}
	for _, s := range t.segments {
		for _, n := range s.numbers {
			score, unit := s.near(w, n)
			if unit && score == 0 {
				units[n.Value] = true // the field has other words too, which do not stand here
			}
			if score > best && taken(n.Value) {
				best, value = score, n.Value
			}
		}
	}
	if best == 0 && len(units) == 1 {
		for n := range units {
			return n, taken(n)
		}
	}
	return value, best > 0
}

// maxApart is how many words may stand between a field and its number.
const maxApart = 4

// near scores a number by the words of the field around it; unit reports whether one of
// them stands directly beside it, as in "71.5 kg".
func (s *segment) near(w wanted, n Number) (score int, unit bool) {
	before, after := -1, len(s.words) // the words beside the number
	for i, word := range s.words {
		if word.End <= n.Start {
			before = i
		}
		if word.Start >= n.End && i < after {
			after = i
		}
	}
	named := map[string]bool{}
	for _, stem := range s.stems {
		if w.core[stem] {
			named[stem] = true
		}
	}
	beside := ""
	if after < len(s.words) && strings.Trim(s.text[n.End:s.words[after].Start], " -") == "" && w.core[s.stems[after]] {
		beside = s.stems[after]
	} else if glued := s.glued(n); w.core[glued] {
		beside = glued
	}
	if beside != "" {
		delete(named, beside)
		if len(w.core) == 1 || len(named) > 0 {
			return 50 + 10*len(named), true
		}
		return 0, true
	}
	for word := range w.core { // a unit of the name need not stand in the text
		if units[word] && len(w.core) > 1 {
			delete(named, word)
			if len(named) == len(w.core)-1 && s.apart(w, before) <= maxApart && !s.measured(n, after) {
				return 20 - s.apart(w, before), false
			}
		}
	}
	if apart := s.apart(w, before); len(named) == len(w.core) && len(named) > 0 && apart <= maxApart {
		return 30 - apart, false
	}
	return 0, false
}

// glued is the unit that is written directly after a number, or the sign before it.
func (s *segment) glued(n Number) string {
	end := n.End
	for end < len(s.text) && (s.text[end] >= 'a' && s.text[end] <= 'z' || s.text[end] >= 'A' && s.text[end] <= 'Z') {
		end++
	}
	if unit := s.text[n.End:end]; unit != "" {
		return alias(strings.ToLower(unit))
	}
	for _, sign := range []string{"€", "$", "£"} {
		if strings.HasSuffix(strings.TrimRight(s.text[:n.Start], " "), sign) || strings.HasPrefix(strings.TrimLeft(s.text[n.End:], " "), sign) {
			return alias(sign)
		}
	}
	if strings.HasPrefix(strings.TrimLeft(s.text[n.End:], " "), "%") {
		return alias("%")
	}
	return ""
}

// measured reports whether a unit stands after a number.
func (s *segment) measured(n Number, after int) bool {
	return s.glued(n) != "" || after < len(s.words) && strings.TrimSpace(s.text[n.End:s.words[after].Start]) == "" && units[s.stems[after]]
}

var units = map[string]bool{"kg": true, "g": true, "km": true, "m": true, "cm": true, "mm": true, "euro": true, "dollar": true,
	"pound": true, "percent": true, "hour": true, "minut": true, "minute": true,
	"second": true, "day": true, "year": true, "month": true, "week": true}

// apart counts the words between the nearest word of the field and a number after it.
func (s *segment) apart(w wanted, before int) int {
	for i := before; i >= 0; i-- {
		if w.core[s.stems[i]] {
			return before - i
		}
	}
	return maxApart + 1
}

// Date returns the day of a field as year-month-day.
func (t *Text) Date(f Field) (string, bool) {
	w := f.words("date", "day", "datetime", "time", "at", "on")
	for _, v := range t.best(w) {
		for _, d := range cell.Days(v) {
			if iso := d.ISO(); iso != "" {
				return iso, true
			}
		}
	}
	only := map[string]bool{}
	for _, s := range t.segments {
		days := cell.Days(s.text)
		if len(days) == 0 {
			continue
		}
		if i := s.after(w); i >= 0 {
			days = append(cell.Days(s.text[s.words[i].End:]), days...)
			if iso := days[0].ISO(); iso != "" {
				return iso, true
			}
		}
		for _, d := range days {
			only[d.ISO()] = true
		}
	}
	if len(w.core) == 0 && len(only) == 1 {
		for iso := range only {
			return iso, iso != ""
		}
	}
	return "", false
}

var (
	negated = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:not|never|no|without|nicht|kein\w*|ne|pas|non|nie)\b|n['’]t\b`)
	})
	open = sync.OnceValue(func() *regexp.Regexp { // neither yes nor no
		return regexp.MustCompile(`(?i)\b(?:if|whether|unless|must|should|shall|will|would|may|might|can|could|to be|until|when|once)\b`)
	})
)

// Bool reports whether the text says yes or no of a field.
func (t *Text) Bool(f Field) (yes, ok bool) {
	w := f.words("is", "has", "was", "are", "does")
	for _, v := range t.best(w) {
		first, _, _ := strings.Cut(v, " ")
		if yes, ok := cell.Affirmed(strings.Trim(first, ".,;:!")); ok && cell.Filled(v) {
			return yes, true
		}
		if strings.EqualFold(first, "not") {
			return false, true
		}
	}
	said, denied := false, false
	for _, s := range t.segments {
		text := strings.TrimSpace(s.text)
		if asksForm().MatchString(text) || strings.Contains(text, ":") || open().MatchString(text) {
			continue
		}
		not := negated().MatchString(text)
		if s.after(w) >= 0 {
			said, denied = said || !not, denied || not
		}
		denied = denied || len(w.core) == 1 && !not && slices.ContainsFunc(s.words, func(word terms.Word) bool { return opposes(w, word.Text) })
	}
	return said, said != denied
}

// opposites are words that deny others without a prefix.
var opposites = map[string]string{"closed": "open", "open": "closed", "disabled": "enabled", "off": "on", "absent": "present",
	"empty": "full", "false": "true", "failed": "passed", "rejected": "accepted", "married": "single", "single": "married"}

// opposes reports whether a word says the opposite of the one word of a field: unpaid of
// paid, closed of open.
func opposes(w wanted, word string) bool {
	if other, ok := opposites[word]; ok && w.core[alias(other)] {
		return true
	}
	for _, prefix := range []string{"un", "in", "dis", "non"} {
		if rest, ok := strings.CutPrefix(word, prefix); ok && len(rest) > 2 && w.core[alias(rest)] {
			return true
		}
	}
	return false
}

// Option returns which of the options the text says of a field; -1 for none.
func (t *Text) Option(f Field, options []string) int {
	for _, v := range t.best(f.words()) {
		if i := within(v, options); i >= 0 {
			return i
		}
	}
	return -1
}

// Mentioned returns which of the options the text has, as a word of its own that is no
// name of a value and not negated; -1 for none.
func (t *Text) Mentioned(options []string) int {
	for _, s := range t.segments {
		text := s.text
		if at := strings.LastIndexByte(text, ':'); at >= 0 {
			text = text[at:]
		}
		if i := within(text, options); i >= 0 && !negated().MatchString(text) {
			return i
		}
	}
	return -1
}

// within returns the option that stands first in a text, in whole words; -1 for none.
func within(text string, options []string) int {
	low := strings.ToLower(text)
	best, first := -1, len(low)
	for i, option := range options {
		want := strings.ToLower(strings.ReplaceAll(option, "_", " "))
		if want == "" {
			continue
		}
		for at, from := 0, 0; ; from = at + len(want) {
			if at = strings.Index(low[from:], want); at < 0 {
				break
			}
			at += from
			next, _ := utf8.DecodeRuneInString(low[at+len(want):])
			whole := !joined(low[:at]) && !unicode.IsLetter(next) && !unicode.IsDigit(next)
			if whole && (at < first || at == first && len(want) > len(options[best])) {
				best, first = i, at
			}
			if whole {
				break
			}
		}
	}
	return best
}

// Spelt are numbers in words. It omits "one", which is more often a pronoun.
var Spelt = map[string]float64{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
	"nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
	"hundred": 100, "thousand": 1000}
