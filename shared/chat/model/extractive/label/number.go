package label

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"lectern/shared/chat/model/extractive/cell"
	"lectern/shared/text/terms"
)

// Number is a number that a text has in digits.
type Number struct {
	Value      float64
	Start, End int // in bytes; the sign belongs to it
}

var digitsForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d(?:[\d.,]*\d)?`) })

// monthForm matches the beginning of a month's name, English or German.
var monthForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)\p{L}*$`)
})

// Numbers returns the numbers of a text in order. Digits within an identifier, a date, a
// time or a version are none, and a hyphen is a sign only where nothing stands before it.
func Numbers(text string) []Number {
	var list []Number
	dayEnd := -1 // of a number that is a day of a month before it
	for _, m := range digitsForm().FindAllStringIndex(text, -1) {
		start, end := m[0], m[1]
		before, after := text[:start], text[end:]
		sign, alone := signBefore(before)
		month, year := monthIn(before, after)
		switch {
		case year && dayEnd >= 0 && strings.Trim(text[dayEnd:start], ", ") == "":
			continue
		case month:
			dayEnd = end
			continue
		case !alone || !endsNumber(after):
			continue
		}
		if n, ok := cell.Number(text[start:end]); ok {
			if sign > 0 {
				n = -n
			}
			list = append(list, Number{n, start - sign, end})
		}
	}
	return list
}

// All returns the numbers of a text, those in words too, in order.
func All(text string) []Number {
	list := Numbers(text)
	for _, word := range terms.Words(text) {
		if n, ok := Spelt[word.Text]; ok {
			list = append(list, Number{n, word.Start, word.End})
		}
	}
	slices.SortStableFunc(list, func(a, b Number) int { return cmp.Compare(a.Start, b.Start) })
	return list
}

// monthIn reports whether a month stands beside a number, and whether the number may be
// the year of a day before it.
func monthIn(before, after string) (month, year bool) {
	last, next := "", ""
	if f := strings.Fields(clipLeft(before)); len(f) > 0 && strings.HasSuffix(before, " ") {
		last = strings.Trim(f[len(f)-1], ".,")
	}
	rest := strings.TrimLeft(after, ".")
	for _, suffix := range []string{"st", "nd", "rd", "th"} {
		if cut, ok := strings.CutPrefix(rest, suffix); ok {
			rest = cut
			break
		}
	}
	rest, _ = strings.CutPrefix(rest, " of")
	if f := strings.Fields(clipRight(rest)); len(f) > 0 && strings.HasPrefix(rest, " ") {
		next = strings.Trim(f[0], ".,")
	}
	return monthForm().MatchString(last) || monthForm().MatchString(next), true
}

const nearBytes = 32

func clipLeft(s string) string  { return strings.ToValidUTF8(s[max(0, len(s)-nearBytes):], "") }
func clipRight(s string) string { return strings.ToValidUTF8(s[:min(len(s), nearBytes)], "") }

// signBefore returns the bytes of a minus sign at the end of what stands before digits;
// alone is false where the digits go on something else.
func signBefore(before string) (sign int, alone bool) {
	r, size := utf8.DecodeLastRuneInString(before)
	switch {
	case size == 0:
		return 0, true
	case unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_/.:,", r) && joined(before[:len(before)-size]):
		return 0, false
	case r != '-' && r != '−':
		return 0, r != '_' && r != '/'
	}
	p, _ := utf8.DecodeLastRuneInString(before[:len(before)-size])
	if unicode.IsLetter(p) || unicode.IsDigit(p) || p == '-' || p == ')' {
		return 0, false // INV-99, 2026-12-04, 3-5
	}
	return size, true
}

// joined reports whether something stands directly before a mark.
func joined(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// outOf matches the rest of 4.5/5.
var outOf = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:5|10|100)(?:[^\d/.]|[./]?$|\.\s)`) })

// endsNumber reports whether what follows digits lets them be a number: a unit may follow
// directly, other digits, letters and digits, or the rest of a date may not.
func endsNumber(after string) bool {
	letters := 0
	for rest := after; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		if rest = rest[size:]; unicode.IsLetter(r) {
			if letters++; letters > unitLetters {
				return false
			}
			continue
		}
		next, _ := utf8.DecodeRuneInString(rest)
		switch {
		case unicode.IsDigit(r), r == '_':
			return false
		case letters == 0 && r == '/' && outOf().MatchString(rest):
			return true
		case letters == 0 && strings.ContainsRune("-/:.–", r) && unicode.IsDigit(next):
			return r == '–'
		case letters == 0 && r == '-' && unicode.IsLetter(next):
			return true // a 5-year plan
		}
		break
	}
	return letters != len("th") || !slices.Contains([]string{"st", "nd", "rd", "th"}, after[:len("th")])
}

// unitLetters is how many letters of a unit stand directly after its number at most.
const unitLetters = 3
