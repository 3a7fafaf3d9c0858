package wording

import (
	"strings"

	"lectern/shared/database/plainsql/lexicon"
)

// At returns the number of words of a phrase if it stands at i; 0 if it does not.
func At(tokens []Token, i int, phrase string) int {
	words := strings.Fields(phrase)
	if i+len(words) > len(tokens) {
		return 0
	}
	for k, w := range words {
		if !tokens[i+k].Is(w) {
			return 0
		}
	}
	return len(words)
}

// NameAt returns how many tokens at i spell the name of a table or column, in words or as written; 0
// if they do not.
func NameAt(tokens []Token, i int, name string) int {
	if i < len(tokens) && (tokens[i].Kind == Word || tokens[i].Kind == Quoted) && strings.EqualFold(tokens[i].Text, name) {
		return 1
	}
	words := lexicon.Parts(name)
	if len(words) == 0 || i+len(words) > len(tokens) {
		return 0
	}
	for k, w := range words {
		t := tokens[i+k]
		if t.Kind != Word && t.Kind != Number || lexicon.Stem(t.Low) != w {
			return 0
		}
	}
	return len(words)
}

// Operators are the phrases of comparisons, and their signs in SQL.
var Operators = []struct{ Phrase, Sign string }{
	{"greater than or equal to", ">="}, {"less than or equal to", "<="}, {"at least", ">="}, {"at most", "<="}, {"up to", "<="},
	{"no more than", "<="}, {"no less than", ">="},
	{"greater than", ">"}, {"more than", ">"}, {"higher than", ">"}, {"larger than", ">"}, {"bigger than", ">"}, {"later than", ">"},
	{"over", ">"}, {"above", ">"}, {"after", ">"}, {">", ">"}, {">=", ">="},
	{"less than", "<"}, {"lower than", "<"}, {"smaller than", "<"}, {"fewer than", "<"}, {"earlier than", "<"}, {"under", "<"},
	{"below", "<"}, {"before", "<"}, {"<", "<"}, {"<=", "<="},
	{"since", ">="}, {"equal to", "="}, {"equals", "="}, {"=", "="},
}
