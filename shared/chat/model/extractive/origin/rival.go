package origin

import (
	"regexp"
	"slices"
	"strings"

	"lectern/shared/message/passage"
)

// Rivals tells, by document and word of a question, which names of the question are those of another document of the kind: of one that
// is called by all names of the question which this one is called by, and by more, as the manual of "Corva 24" is beside that of
// "Corva 30". Called tells by which words of the question a document is called, names which of these are names.
func Rivals(called map[string][]bool, names []bool) map[string][]bool {
	var out map[string][]bool
	for in, mine := range called {
		for _, theirs := range called {
			shared, less := false, true
			var more []int
			for k, name := range names {
				switch {
				case mine[k] && theirs[k]:
					shared = true
				case name && mine[k]:
					less = false
				case name && theirs[k]:
					more = append(more, k)
				}
			}
			if !shared || !less || len(more) == 0 {
				continue
			}
			if out == nil {
				out = map[string][]bool{}
			}
			if out[in] == nil {
				out[in] = make([]bool, len(names))
			}
			for _, k := range more {
				out[in][k] = true
			}
		}
	}
	return out
}

// Texts returns what is at hand of each document, in small letters, with what it is called.
func Texts(passages []passage.Passage) map[string]string {
	texts := map[string]string{}
	for _, p := range passages {
		texts[Document(p)] += strings.ToLower(strings.Join(append([]string{"", p.Title, p.ArtifactID, p.Text}, p.Headings...), "\n"))
	}
	return texts
}

// numbered matches a name with a number or a version in a question: "Corva 24", "Quillbase 5.3".
var numbered = regexp.MustCompile(`(\p{Lu}[\pL-]+) (\d+(?:\.\d+)*)\b`)

// Siblings tells which documents are called by a name of a question with another number than that has, where what is at hand of them does
// not speak of that one: the notes on version 5.2, of 5.3.
func Siblings(passages []passage.Passage, question string) map[string]bool {
	out := map[string]bool{}
	for _, m := range numbered.FindAllStringSubmatch(question, -1) {
		form, err := regexp.Compile(`(?i)\b` + regexp.QuoteMeta(m[1]) + `[ _-]?v?(\d+(?:\.\d+)*)`)
		if err != nil {
			continue
		}
		texts := Texts(passages)
		for _, p := range passages {
			name := strings.Join(append([]string{p.Title, p.ArtifactID}, p.Headings[:min(1, len(p.Headings))]...), "\n")
			if in := Document(p); form.MatchString(name) && !tells(form, name+"\n"+texts[in], m[2]) {
				out[in] = true
			}
		}
	}
	return out
}

// tells reports whether a text has a name with a number, or with a version of it.
func tells(form *regexp.Regexp, text, number string) bool {
	return slices.ContainsFunc(form.FindAllStringSubmatch(text, -1), func(m []string) bool {
		return m[1] == number || strings.HasPrefix(m[1], number+".") || strings.HasPrefix(number, m[1]+".")
	})
}
