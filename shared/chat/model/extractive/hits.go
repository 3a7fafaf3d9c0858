package extractive

import (
	"slices"
	"strings"
	"unicode"

	"lectern/shared/chat/model/extractive/cell"
	"lectern/shared/message/passage"
	"lectern/shared/text/document"
	"lectern/shared/text/terms"
)

// hold raises, by question word, what is held by a share of what is hit.
func hold(held, hits []float64, share float64) {
	for k, v := range hits {
		held[k] = max(held[k], share*v)
	}
}

// documentHits returns, by question word, how much of it stands in the title and the
// name of a passage's document and in the headings above the passage.
func documentHits(p passage.Passage, q question) []float64 {
	out := make([]float64, len(q.stems))
	hold(out, wordsIn(p.Title, q), titleShare)
	name := wordsIn(p.ArtifactID, q)
	for k, carried := range q.carried {
		if carried {
			name[k] = 0 // the subject of earlier questions stands in what is said of it
		}
	}
	hold(out, name, titleShare)
	for _, h := range p.Headings {
		hold(out, wordsIn(h, q), scopeShare)
	}
	return out
}

// openingShare is how much of a name counts that the beginning of a document has, such as
// the parties of a contract; openingBytes is how long that is.
const (
	openingShare = .7
	openingBytes = 300
)

// itemForm matches items of lists, severalForm three names or more that are listed, and presentForm lines that tell who
// was there.
var (
	itemForm    = form(`^\s*(?:[-*+•]|\d+[.)])\s`)
	severalForm = form(listedName + `(?:, ` + listedName + `)+,? (?:and|or|und|oder|et|y) ` + listedName)
	presentForm = form(`(?i)^\W*(?:present|attend\w*|participants?|apologies|absent|anwesend|teilnehmer\w*|présents?|asistentes)\b`)
)

// listedName matches a name with what is said of it in brackets.
const listedName = `\p{Lu}[\pL'’-]+(?: \p{Lu}[\pL'’-]+)*(?: \([^()]{1,40}\))?`

// openingHits returns, by document, which names of the question stand at its beginning,
// numbers and days, lists, rows, who wrote to whom and who was there aside. How somebody is
// reached is said with the name itself.
func openingHits(passages []passage.Passage, q question) map[string][]float64 {
	if !slices.Contains(q.names, true) || q.needs == aPhone || q.needs == anAddress {
		return nil
	}
	out := map[string][]float64{}
	for _, p := range passages {
		if p.Start > 0 {
			continue
		}
		hits := make([]float64, len(q.stems))
		ruled := false // within a table, below the names of its columns
		for line := range strings.Lines(clip(p.Text, openingBytes)) {
			row := strings.HasPrefix(line, "|")
			if ruled = row && (ruled || document.Ruled(line)); ruled {
				continue
			}
			if !matchesForm(letterhead, line) && !matchesForm(presentForm, line) && !matchesForm(itemForm, line) {
				line = severalForm.get().ReplaceAllString(line, " ") // of several places each thing is of one
				hold(hits, wordsIn(line, q), 1)
			}
		}
		for k, word := range q.words {
			if !q.names[k] || isDateWord(word) || strings.ContainsFunc(word, unicode.IsDigit) {
				hits[k] = 0
			}
		}
		out[documentOf(p)] = hits
	}
	return out
}

// documentsHits returns, by document and question word, how much of it stands anywhere in
// what is at hand of the document.
func documentsHits(list []*candidate, hits [][]float64, passages []passage.Passage, q question) map[string][]float64 {
	out := map[string][]float64{}
	for i, c := range list {
		in := documentOf(passages[c.passage])
		if out[in] == nil {
			out[in] = make([]float64, len(q.stems))
		}
		hold(out[in], hits[i], 1)
	}
	return out
}

// carriedHits returns of what stands in a document what only earlier turns have: the
// subject of a conversation is that of the document which it is about.
func carriedHits(within []float64, q question) []float64 {
	out := make([]float64, len(q.carried))
	for k, carried := range q.carried {
		if carried {
			out[k] = within[k]
		}
	}
	return out
}

// surroundings returns, by question word, how much of it stands around a sentence:
// in its document's title and headings, in the rows of its form, in the headings above
// it, in its table's header, and in its neighbours, unless it is a row, whose neighbours are about other
// things.
func surroundings(list []*candidate, hits [][]float64, document, form []float64, above []int, i int) []float64 {
	c := list[i]
	out := slices.Clone(document)
	hold(out, form, formShare)
	for _, j := range above {
		hold(out, hits[j], scopeShare)
	}
	if c.header >= 0 {
		hold(out, hits[c.header], headerShare)
		if b := c.header - 1; b >= 0 && list[b].passage == c.passage && !list[b].row {
			hold(out, hits[b], scopeShare) // what introduces the table
		}
	}
	if c.row || c.record {
		return out
	}
	if c.term >= 0 {
		hold(out, hits[c.term], headerShare)
	}
	for d := 1; d <= nearbyMost; d++ {
		for _, j := range []int{i - d, i + d} {
			if j >= 0 && j < len(list) && list[j].passage == c.passage && list[j].section == c.section && !list[j].row {
				hold(out, hits[j], .8-.2*float64(d))
			}
		}
	}
	return out
}

// formsHits returns, by form and question word, how much of it stands in the form's rows, all of which are about
// one thing.
func formsHits(list []*candidate, hits [][]float64) map[int][]float64 {
	out := map[int][]float64{}
	for i, c := range list {
		if c.form == 0 {
			continue
		}
		if out[c.form] == nil {
			out[c.form] = make([]float64, len(hits[i]))
		}
		hold(out[c.form], hits[i], 1)
	}
	return out
}

// formShare is how much of a question's word counts that another row of a form has.
const formShare = .6

// aboutTable returns, by question word, how much of it stands in the names of a table's
// columns and in the headings and the title above it.
func aboutTable(list []*candidate, p passage.Passage, q question, header int, names string) []float64 {
	about := documentHits(p, q)
	hold(about, wordsIn(names, q), 1)
	for i := header - 1; i >= 0 && list[i].passage == list[header].passage; i-- {
		if list[i].heading && !list[i].row || i >= header-nearbyMost {
			hold(about, wordsIn(list[i].text, q), scopeShare)
		}
	}
	return about
}

// wordsAre returns 1 where a text has a word of this stem, else 0.
func wordsAre(text, stem string, q question) float64 {
	if slices.ContainsFunc(terms.Words(text), func(w terms.Word) bool { return q.stem(w.Text) == stem }) {
		return 1
	}
	return 0
}

// isRecord reports whether a candidate is an item that names its values.
func isRecord(c *candidate) bool {
	if c.item == 0 || c.row || !strings.Contains(c.text, "; ") {
		return false
	}
	names, _ := cell.Record(c.text)
	return len(names) > 0
}

// pronouns stand for what was named before, at the beginning of a sentence.
var pronouns = wordSet(`it its he his him she her they their them this these those such both er sie dieser diese dieses seine ihre
	il elle ils elles cette ces este esta estos estas`)

const pronounWords = 3 // from the beginning of a sentence, one of which may be a pronoun

// refers reports whether a sentence begins with a pronoun.
func refers(parsed []terms.Word) bool {
	return slices.ContainsFunc(parsed[:min(pronounWords, len(parsed))], func(w terms.Word) bool { return pronouns[w.Text] })
}

// referredShare is how much of a question's word counts that stands in the sentence which
// a pronoun refers to.
const referredShare = .8

// referredHits returns the hits of each sentence with those of what it refers to.
func referredHits(list []*candidate, hits [][]float64) [][]float64 {
	out := make([][]float64, len(list))
	for i, c := range list {
		out[i] = hits[i]
		if b := i - 1; c.refers && b >= 0 && list[b].passage == c.passage && list[b].section == c.section && !list[b].heading && !list[b].row {
			out[i] = slices.Clone(hits[i])
			hold(out[i], out[b], referredShare)
		}
	}
	return out
}

// wordsIn returns, by question word, whether a text has it.
func wordsIn(text string, q question) []float64 {
	hits := make([]float64, len(q.stems))
	for _, w := range terms.Words(text) {
		if k := q.index(w.Text); k >= 0 {
			hits[k] = 1
		}
	}
	return hits
}

// forms notes the tables that are forms, whose rows have no names of columns.
func forms(list []*candidate) {
	for from := 0; from < len(list); from++ {
		h := list[from].header
		if h < 0 || h+1 != from {
			continue
		}
		to, rows := from, [][]string{cell.Split(list[h].text)}
		for ; to < len(list) && list[to].header == h; to++ {
			rows = append(rows, cell.Split(list[to].text))
		}
		if !cell.Form(rows) {
			continue
		}
		for _, c := range list[h:to] {
			c.header, c.form = -1, h+1
		}
		from = to - 1
	}
}
