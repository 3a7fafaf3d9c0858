package lexicon

import (
	"strings"
	"unicode"

	"lectern/shared/text/spelling"
)

// Letters of what is short for a word.
const (
	leastShort = 2
	mostShort  = 6
	shortBegin = 4 // of one that a word begins with
)

// Abbreviates reports whether a part of a name is short for a word: the word begins with it, as arrivals do with
// "arr", or it has letters of the word without vowels in their order, as "bkfst" has of breakfast.
func Abbreviates(part, word string) bool {
	if len(part) < leastShort || len(part) > mostShort || len(word) < len(part)+2 || part[0] != word[0] {
		return false
	}
	if len(part) == leastShort && (len(word) < 5 || nonShort[part]) {
		return false
	}
	begins := len(part) <= shortBegin && !strings.HasSuffix(part, "e") && strings.HasPrefix(word, part)
	if !begins && (strings.ContainsAny(part[1:], "aeiouyäöü") || !inOrder(part, word)) {
		return false
	}
	return shortNames[part] || !spelling.English(part)
}

// Branded reports whether a word has a capital letter inside, as a name that somebody made up, for which nothing is short.
func Branded(word string) bool {
	lower := strings.IndexFunc(word, unicode.IsLower)
	return lower >= 0 && strings.LastIndexFunc(word, unicode.IsUpper) > lower
}

// nonShort are two letters that are short for nothing, or for more than what begins with them.
var nonShort = Set("no nr id in an am at to of on or so we be by do go he if is it me my up us as der die das im um zu ab da es er ob wo ja so m2 kg km cm mm ml eur gbp usd pm vs st nd rd th")

// shortNames are abbreviations that are words, too.
var shortNames = Set("pos ins sub reg cat arr dep mem cond est exp max min temp med prof rep res rec tot val var vet vol inc int inv adv bal bed dist cust pop gen obj pay com comm cons sal")

// inOrder reports whether a word has the letters of another in their order.
func inOrder(letters, word string) bool {
	for _, c := range letters {
		at := strings.IndexRune(word, c)
		if at < 0 {
			return false
		}
		word = word[at+1:]
	}
	return true
}

// Coded returns the one of the values, if these are codes, that is meant by a word: "FWD" by forwards, "GK" by
// goalkeepers; empty for another word.
func Coded(values []string, word string) string {
	value, codes := "", 0
	for _, v := range values {
		if len(v) < 2 || len(v) > mostCode || strings.ToUpper(v) != v && len(v) > 2 || strings.ContainsAny(v, "0123456789 .-/") {
			continue
		}
		codes++
		low := strings.ToLower(v)
		if len(word) < len(low)+2 || low[0] != word[0] || !inOrder(low, word) ||
			!strings.HasPrefix(word, low) && strings.ContainsAny(low[1:], "aeiouäöü") {
			continue
		}
		if value != "" {
			return ""
		}
		value = v
	}
	if 3*codes < 2*len(values) {
		return ""
	}
	return value
}

const mostCode = 4 // letters

// Words for men and women.
var (
	Women = Set("woman women female females girl girls lady ladies frau frauen mädchen weiblich weibliche weiblichen")
	Men   = Set("man men male males boy boys gentleman gentlemen mann männer männern junge jungen männlich männliche männlichen")
)

// Sexed returns the one of the values, if these are of men and women, that a word speaks of; empty for another word.
func Sexed(values []string, word string) string {
	if !Women[word] && !Men[word] || len(values) > 4 {
		return ""
	}
	value := ""
	for _, v := range values {
		low := strings.ToLower(v)
		switch {
		case Women[low] || low == "f" || low == "w":
			if Women[word] {
				value = v
			}
		case Men[low] || low == "m":
			if Men[word] {
				value = v
			}
		case low != "x" && low != "d" && low != "divers" && low != "other":
			return ""
		}
	}
	return value
}

// Shortened are how values are abbreviated.
var Shortened = map[string]string{"math": "mathematics", "maths": "mathematics", "mathe": "mathematik", "bio": "biology biologie",
	"admin": "administration", "dev": "development", "info": "informatik",
	"reli": "religion", "reps": "representatives", "apps": "applications"}
