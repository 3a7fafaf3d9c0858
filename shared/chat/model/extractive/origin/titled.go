package origin

import (
	"slices"
	"strings"

	"lectern/shared/chat/model/extractive/lazy"
	"lectern/shared/text/terms"
)

// titled matches a name behind what it is of: MV Kestrel Sound, Mr Keel, Hotel Astoria.
var titled = lazy.New(`\b(M\.?[VSY]|SS|HMS|RMS|Dr|Mr|Mrs|Ms|Miss|Prof|Professor|Herrn?|Frau|Hotel|Villa|Camp|Lake|Mount|Fort|Schloss|Haus)\.? (\p{Lu}[\pL'’-]+(?: \p{Lu}[\pL'’-]+)*)`)

// Titled returns the names with what they are of that a text has, in the words that terms are of.
func Titled(text string) (names [][]string) {
	for _, m := range titled.Get().FindAllStringSubmatch(text, -1) {
		name := []string{strings.ToLower(strings.TrimSuffix(m[1], "n"))}
		for _, w := range terms.Words(m[2]) {
			name = append(name, w.Text)
		}
		names = append(names, name)
	}
	return names
}

// Others returns the last words of the names that are asked for in whose place a text has others of the kind, such as another ship. A
// text that has a word of the name has no other.
func Others(asked [][]string, text string) (words []string) {
	if len(asked) == 0 {
		return nil
	}
	list := Titled(text)
	for _, a := range asked {
		other := slices.ContainsFunc(list, func(n []string) bool { return n[0] == a[0] })
		same := slices.ContainsFunc(terms.Words(text), func(w terms.Word) bool { return slices.Contains(a[1:], w.Text) })
		if other && !same {
			words = append(words, a[len(a)-1])
		}
	}
	return words
}
