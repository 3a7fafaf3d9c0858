// Package formula writes formulas and raised text in one line, as they are typed: 2^31,
// (a+b)/2, √(x), x_i. A formula whose characters merely follow each other says something
// else, such as 231.
package formula

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Node is an element of a formula in MathML, or of one of Office.
type Node struct {
	Name  string            // without prefix; empty for text
	Text  string            // of a text
	Attrs map[string]string // those that matter; may be nil
	Kids  []Node
}

// Raise returns what to write for raised text that follows before; false where nothing tells
// the two apart, as in "1st", or it is the mark of a note.
func Raise(before, raised string) (string, bool) {
	raised = strings.TrimSpace(raised)
	last, _ := utf8.DecodeLastRuneInString(before)
	if !isExponent(raised) {
		return raised, false
	}
	digits := strings.Trim(raised, "0123456789") == ""
	switch {
	case unicode.IsDigit(last):
		if isOrdinal(raised) {
			return raised, false
		}
		if digits && isYear(before) {
			return " " + raised, true // the mark of a note, but not part of the year
		}
	case unicode.IsLetter(last):
		base := lastLetters(before)
		word := utf8.RuneCountInString(base) > 1 && !inFormula(before, base)
		switch {
		case Unit(before) && (raised == "2" || raised == "3"): // km2 is how it is typed
			return raised, false
		case word && !isSigned(raised), isOrdinal(raised) && raised != "e" && raised != "a":
			return raised, false
		}
	case last == ')' || last == ']':
		if digits && !operators(before) {
			return raised, false
		}
	default:
		return raised, false
	}
	return "^" + group(raised), true
}

// maxExponent limits what may be an exponent, in bytes.
const maxExponent = 16

func isExponent(s string) bool {
	if s == "" || len(s) > maxExponent || strings.HasSuffix(s, ",") || strings.HasSuffix(s, ")") && !strings.HasPrefix(s, "(") {
		return false
	}
	named := strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	return named && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+-−–.,/*()·", r)
	})
}

// isSigned reports whether s begins with a minus, which no mark of a note does.
func isSigned(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return strings.ContainsRune("-−–", r)
}

// inFormula reports whether a few letters at the end of a text follow a sign, as in E=mc.
func inFormula(text, letters string) bool {
	r, _ := utf8.DecodeLastRuneInString(text[:len(text)-len(letters)])
	return utf8.RuneCountInString(letters) <= 3 && strings.ContainsRune("=+*/·×^", r)
}

func isOrdinal(s string) bool {
	switch strings.ToLower(s) {
	case "st", "nd", "rd", "th", "er", "ère", "re", "e", "ème", "eme", "o", "a", "os", "as", "º", "ª", "tm", "sm", "me":
		return true
	}
	return false
}

// isYear reports whether a text ends with a year, which nobody raises to a power.
func isYear(s string) bool {
	n := len(s)
	return n >= 4 && (s[n-4:n-2] == "19" || s[n-4:n-2] == "20") && strings.Trim(s[n-4:], "0123456789") == "" &&
		(n == 4 || strings.IndexByte("0123456789.,", s[n-5]) < 0)
}

// lastLetters returns the letters at the end of a text.
func lastLetters(s string) string {
	s = s[max(0, len(s)-32):]
	return s[strings.LastIndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })+1:]
}

// Unit reports whether a text ends with a unit of length: "5 m", "per km".
func Unit(text string) bool {
	switch lastLetters(text) {
	case "mm", "cm", "dm", "km", "ft", "yd", "mi":
		return true
	case "m":
		number := strings.TrimRight(text[:len(text)-1], " \u00a0\u202f")
		last, _ := utf8.DecodeLastRuneInString(number)
		return unicode.IsDigit(last)
	}
	return false
}

// operators reports whether the brackets at the end of a text hold a formula.
func operators(text string) bool {
	text = text[max(0, len(text)-64):]
	open := strings.LastIndexAny(text, "([")
	return open >= 0 && strings.ContainsAny(text[open:], "+-−–=/*·×^") && !strings.Contains(text[open:], " ")
}

// group puts brackets around what is not one number or name.
func group(s string) string {
	if s == "" || isAtom(strings.TrimLeft(s, "-−–+")) {
		return s
	}
	return atom(s)
}

// atom puts brackets around a base or an operand that has signs.
func atom(s string) string {
	if isAtom(s) || s[0] == '(' && closes(s) == len(s) {
		return s
	}
	return "(" + s + ")"
}

func isAtom(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("._∞∂%∑∏∫", r)
	})
}

// closes returns where the bracket that s begins with is closed.
func closes(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

func power(base, exponent string) string {
	if exponent == "" {
		return base
	}
	if strings.Trim(exponent, "′″'*†") == "" {
		return base + exponent
	}
	if !strings.Contains(base, "_") {
		base = atom(base)
	}
	return base + "^" + group(exponent)
}

func indexed(base, index string) string {
	if index == "" {
		return base
	}
	return base + "_" + group(index)
}

func fraction(over, under string) string {
	if over == "" || under == "" {
		return over + under
	}
	if strings.ContainsAny(under, "0123456789") && strings.Trim(under, "0123456789.") != "" {
		return atom(over) + "/(" + under + ")" // 1/(2a), not half of a
	}
	return atom(over) + "/" + atom(under)
}

func root(degree, of string) string {
	if degree != "" && degree != "2" {
		return "√[" + degree + "](" + of + ")"
	}
	return "√(" + of + ")"
}

// invisible are operators without a sign.
var invisible = strings.NewReplacer("\u2061", "", "\u2062", "", "\u2063", "", "\u2064", "")

// tidy returns text as one line without invisible operators.
func tidy(s string) string { return strings.Join(strings.Fields(invisible.Replace(s)), " ") }

// all joins what f writes of nodes.
func all(nodes []Node, f func(*Node) string) string {
	var b strings.Builder
	for i := range nodes {
		b.WriteString(f(&nodes[i]))
	}
	return b.String()
}
