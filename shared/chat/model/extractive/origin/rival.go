package origin

import (
	"regexp"
	"slices"
	"strings"

	"lectern/shared/chat/model/extractive/amount"
	"lectern/shared/message/passage"
	"lectern/shared/text/terms"
)

// Rivals tells, by document and word of a question, which names of the question are those of another document of the kind: of one that
// is called by all names of the question which this one is called by, and by more, where this one has another name or number in that
// place: the manual of "Corva 24" beside that of "Corva 30", the railway museum beside the maritime one. Called tells by which words of
// the question a document is called, names which of these are names.
func Rivals(passages []passage.Passage, called map[string][]bool, words []string, names []bool) map[string][]bool {
	if len(called) < 2 {
		return nil // there is no other
	}
	titles := map[string][]string{}
	for _, p := range passages {
		in := Document(p)
		titles[in] = append(append(titles[in], p.Title, p.ArtifactID), p.Headings[:min(1, len(p.Headings))]...)
	}
	var out map[string][]bool
	for in, mine := range called {
		for _, theirs := range called {
			less := false
			var more []int
			for k, name := range names {
				switch {
				case !name || mine[k] && theirs[k]:
				case mine[k]:
					less = true
				case theirs[k] && instead(titles[in], mine, words, k):
					more = append(more, k)
				}
			}
			if less || len(more) == 0 {
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

// instead reports whether titles that have the word beside word k of a question have another name in the place of that: before the word
// that follows it, "maritime" before "museum", or, of a number, another one behind the word before it.
func instead(titles []string, mine []bool, words []string, k int) bool {
	number := strings.ContainsAny(words[k][:1], "0123456789")
	for _, title := range titles {
		list := terms.Words(title)
		for i := 1; i < len(list); i++ {
			first, second := list[i-1].Text, list[i].Text
			switch {
			case k+1 < len(words) && mine[k+1] && terms.Stem(second) == terms.Stem(words[k+1]):
				if !terms.Stop("", first) && terms.Stem(first) != terms.Stem(words[k]) {
					return true
				}
			case number && k > 0 && mine[k-1] && first == words[k-1]:
				if strings.ContainsAny(second[:1], "0123456789") && second != words[k] {
					return true
				}
			}
		}
	}
	return false
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

// year matches what is a year rather than a number of something; date the names of months, which have days.
var (
	year = regexp.MustCompile(`^(?:1[5-9]|20)\d\d$`)
	date = regexp.MustCompile(`(?i)^(?:` + amount.Months + `)$`)
)

// Siblings tells which documents are called by a name of a question with another number than that has, where what is at hand of them does
// not speak of that one: the notes on version 5.2, of 5.3.
func Siblings(passages []passage.Passage, question string) map[string]bool {
	out := map[string]bool{}
	for _, m := range numbered.FindAllStringSubmatch(question, -1) {
		form, err := regexp.Compile(`(?i)\b` + regexp.QuoteMeta(m[1]) + `[ _-]?v?(\d+(?:\.\d+)*)`)
		if err != nil || year.MatchString(m[2]) || date.MatchString(m[1]) {
			continue
		}
		texts := Texts(passages)
		for _, p := range passages {
			name := strings.Join(append([]string{p.Title, p.ArtifactID}, p.Headings[:min(1, len(p.Headings))]...), "\n")
			other := slices.ContainsFunc(form.FindAllStringSubmatch(name, -1), func(m []string) bool { return !year.MatchString(m[1]) })
			if in := Document(p); other && !tells(form, name+"\n"+texts[in], m[2]) {
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
