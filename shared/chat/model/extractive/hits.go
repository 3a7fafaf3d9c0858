package extractive

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lectern/shared/chat/model/extractive/cell"
	"lectern/shared/chat/model/extractive/doer"
	"lectern/shared/chat/model/extractive/label"
	"lectern/shared/chat/model/extractive/letter"
	"lectern/shared/chat/model/extractive/origin"
	"lectern/shared/chat/model/extractive/price"
	"lectern/shared/message/passage"
	"lectern/shared/text/document"
	"lectern/shared/text/sentence"
	"lectern/shared/text/spelling"
	"lectern/shared/text/terms"
)

// hold raises what is held of each word by a share of what is hit.
func hold(held, hits []float64, share float64) {
	for k, v := range hits {
		held[k] = max(held[k], share*v)
	}
}

// documentHits returns, by question word, how much of it a passage's document and headings have in their names.
func documentHits(p passage.Passage, q question) []float64 {
	out := make([]float64, len(q.stems))
	hold(out, wordsIn(withoutEnding(p.Title), q), titleShare)
	name := wordsIn(withoutEnding(p.ArtifactID), q)
	for k, carried := range q.carried {
		if carried {
			name[k] = 0 // the subject of earlier questions stands in what is said of it
		}
	}
	hold(out, name, titleShare)
	for _, h := range label.Over(p.Text, p.Headings) {
		hold(out, wordsIn(h, q), scopeShare)
		hold(out, nearlyIn(h, q), scopeShare)
	}
	return out
}

// subjects tells which words of an English question are no words but names that a document is called by, as programs are:
// who asks writes them small, too. Nil without such.
func (q *question) subjects(passages []passage.Passage) (out []bool) {
	if q.bent {
		return nil
	}
	for _, p := range passages {
		for _, name := range []string{p.Title, p.ArtifactID} {
			for k, hit := range wordsIn(withoutEnding(name), *q) {
				if word := q.words[k]; hit == 0 || len(word) < bentLetters || spelling.English(word) || q.carried != nil && q.carried[k] {
					continue
				}
				if out == nil {
					out = make([]bool, len(q.words))
				}
				out[k] = true
			}
		}
	}
	return out
}

// miss notes that a word of the question stands neither in a sentence nor around it: absent, in all of its document;
// elsewhere, below a heading beside its own; subject, as the name of a program that another document is about.
func (c *candidate) miss(q question, k int, hits []float64, absent, elsewhere, subject bool) {
	values := c.row || c.record
	switch {
	case q.needs == aPrice && isDateWord(q.words[k]): // prices are of no day, but where that is said
	case !q.names[k]:
		if subject && absent {
			c.lacking++
		}
	case values || !q.bySurname(c, hits, k):
		c.strange++
		if values || absent || elsewhere {
			c.lacking++
		}
	}
	c.uncoded = c.uncoded || q.codes != nil && q.codes[k]
	modifies := k+1 < len(q.words) && c.scope != nil && c.scope[k+1] // "clock" of "the clock museum", where the museum is meant
	if values && q.things[k] && !modifies && !c.topic[k] && !(q.needs == aPrice && price.Paid[q.words[k]]) && !c.prose() {
		c.untold++
	}
	c.other = c.other || c.contrary(q, k)
}

// allow notes what of a sentence's cover is by other words than the question's, and that a row which a code tells from all
// others lacks nothing.
func (c *candidate) allow(weights, hits []float64, total float64, q question) {
	for _, k := range c.alike {
		c.likened += weights[k] * hits[k] / total
	}
	if c.row && c.lacking+c.untold > 0 && c.keyed(q) {
		c.lacking, c.untold = 0, 0
	}
}

// keyed reports whether a row begins with a code that the question names, such as E18, which tells it from all others.
func (c *candidate) keyed(q question) bool {
	first := strings.ToLower(cell.Split(c.text)[0])
	return strings.ContainsAny(first, "0123456789") && strings.ContainsFunc(first, unicode.IsLetter) && slices.Contains(q.words, first)
}

// withoutEnding returns a document's name without what says in which format it is.
func withoutEnding(name string) string {
	if at := strings.LastIndexByte(name, '.'); at > 0 && len(name)-at <= endingBytes && at+1 < len(name) && unicode.IsLower(rune(name[at+1])) {
		return name[:at]
	}
	return name
}

const endingBytes = 6 // of a file's name, with its point

// openingShare is how much of a name counts that the beginning of a document has, such as
// the parties of a contract; openingBytes is how long that is, startsWithin how long a title before it.
const (
	openingShare = .7
	openingBytes = 300
	startsWithin = 120 // before which a passage begins that is the first one: below a title
)

// itemForm matches items of lists, severalForm three names or more that are listed, and doer.Present lines that tell who
// was there.
var (
	itemForm    = form(`^\s*(?:[-*+•]|\d+[.)])\s`)
	severalForm = form(listedName + `(?:, ` + listedName + `)+,? (?:and|or|und|oder|et|y) ` + listedName)
	subjectForm = form(`^(?:Subject|Betreff): `)
)

// isRoll reports whether a sentence tells who was there, which is not asked, and has nothing of
// the question but names.
func isRoll(c *candidate, hits []float64, q question) bool {
	if other, unasked := doer.Rolls(q.text, c.text); other || !unasked {
		return other
	}
	for k, hit := range hits {
		if hit >= present && (q.bent || !q.names[k]) && !isDateWord(q.words[k]) {
			return false
		}
	}
	return true
}

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
		if p.Start > startsWithin {
			continue
		}
		hits := make([]float64, len(q.stems))
		ruled := false // within a table, below the names of its columns
		for line := range strings.Lines(clip(p.Text, openingBytes)) {
			row := strings.HasPrefix(line, "|")
			if ruled = row && (ruled || document.Ruled(line)); ruled {
				continue
			}
			if (!letter.Head.In(line) || matchesForm(subjectForm, line)) && !matchesForm(doer.Present, line) && !matchesForm(itemForm, line) {
				line = severalForm.Get().ReplaceAllString(line, " ") // of several places each thing is of one
				hold(hits, wordsIn(line, q), 1)
			}
		}
		beginning := strings.ToLower(clip(p.Text, openingBytes))
		for k, word := range q.words {
			digits := strings.ContainsFunc(word, unicode.IsDigit)
			if digits && k+1 < len(q.words) && q.names[k+1] && hits[k+1] > 0 && strings.Contains(beginning, word+" "+q.words[k+1]) {
				continue // of a house
			}
			if !q.names[k] || isDateWord(word) || digits {
				hits[k] = 0
			}
		}
		out[origin.Document(p)] = hits
	}
	return out
}

// documentsHits returns, by document and question word, how much of it stands anywhere in
// what is at hand of the document.
func documentsHits(list []*candidate, hits [][]float64, passages []passage.Passage, q question) map[string][]float64 {
	out := map[string][]float64{}
	for i, c := range list {
		in := origin.Document(passages[c.passage])
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
	if c.intro >= 0 {
		hold(out, hits[c.intro], scopeShare)
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

// sections tells, by section and question word, whether a section beside it in its document has a name of the question in
// its heading, as the places have that a page describes one after the other: what is said below another heading is
// about another place. Nil without such names.
func sections(list []*candidate, passages []passage.Passage, q question) map[int][]bool {
	if q.bent || !slices.Contains(q.names, true) {
		return nil
	}
	type heading struct {
		above string // the path of the headings above it, the document first
		hits  []float64
	}
	paths := map[int][]heading{} // by section
	named := map[string][]bool{} // by the path above headings: names that one of them has
	for _, c := range list {
		if paths[c.section] != nil || c.row && c.heading {
			continue
		}
		p := passages[c.passage]
		above, path := origin.Document(p), []heading{}
		for _, text := range p.HeadingsAt(min(c.end+1, len(p.Text))) {
			h := heading{above, wordsIn(text, q)}
			if named[above] == nil {
				named[above] = make([]bool, len(q.stems))
			}
			for k, hit := range h.hits {
				named[above][k] = named[above][k] || hit > 0 && q.names[k]
			}
			above += "\n" + text
			path = append(path, h)
		}
		paths[c.section] = path
	}
	out := map[int][]bool{}
	for section, path := range paths {
		out[section] = make([]bool, len(q.stems))
		for _, h := range path {
			if slices.Contains(h.hits, 1) {
				continue // what is asked is below it
			}
			for k := range h.hits {
				out[section][k] = out[section][k] || named[h.above][k]
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

// A value of a record that says something by itself, as an answer in a list of questions does, is so long, and one of so
// few.
const (
	proseBytes  = 50
	proseFields = 3
)

// prose reports whether a record has a value that says something by itself.
func (c *candidate) prose() bool {
	if !c.record {
		return false
	}
	names, values := cell.Record(c.text)
	for _, v := range values {
		if len(names) <= proseFields && len(v) >= proseBytes && strings.Count(v, " ") >= proseWords {
			return true
		}
	}
	return false
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

// nearlyLetters are of a word at least that stands in a heading with a letter more or less.
const nearlyLetters = 7

// nearlyIn returns, by question word that is none of English, whether a text has it with a letter wrong, missing or added.
func nearlyIn(text string, q question) []float64 {
	hits := make([]float64, len(q.stems))
	for _, w := range terms.Words(text) {
		for k, word := range q.words {
			if len(word) >= nearlyLetters && len(w.Text) >= nearlyLetters && word != w.Text && terms.Distance(word, w.Text, 1) <= 1 &&
				!(spelling.English(word) && !q.bent) {
				hits[k] = 1
			}
		}
	}
	return hits
}

// wordsIn returns, by question word, whether a text has it.
func wordsIn(text string, q question) []float64 {
	hits := make([]float64, len(q.stems))
	words := terms.Words(text)
	for _, w := range words {
		if k := q.index(w.Text); k >= 0 {
			hits[k] = 1
		}
	}
	for k, word := range q.words {
		if hits[k] == 0 && joined(word, words) {
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

// bySurname reports whether a sentence calls somebody or something by the second word of a
// name alone of which a word of the question is the first.
func (q *question) bySurname(c *candidate, hits []float64, first int) bool {
	second := first + 1
	if second >= len(q.names) || !q.names[second] || hits[second] < 1 || len(q.query) > askedBytes {
		return false
	}
	if name := q.written(q.words[first]) + " " + q.written(q.words[second]); !strings.Contains(q.query, name) {
		return false
	}
	for i, w := range c.parsed {
		if w.Text != q.words[second] || i == 0 || !capital(c.text[w.Start:]) {
			continue
		}
		before := c.parsed[i-1]
		if titles[before.Text] || !capital(c.text[before.Start:]) || sentence.Opens(c.text, before.Start) && terms.Stop("", before.Text) {
			return true
		}
	}
	return false
}

// capital reports whether a text begins with a capital letter.
func capital(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(first)
}

// titles stand before the names of people.
var titles = wordSet("mr mrs ms miss dr prof professor herr frau madame monsieur mme sir señor señora")

// weigh returns the rarity of each question word in the material, and which words
// the material lacks.
func weigh(list []*candidate, q question) (weights []float64, unknown []bool) {
	weights, unknown = make([]float64, len(q.stems)), make([]bool, len(q.stems))
	for k, stem := range q.stems {
		n := 0
		for _, c := range list {
			if slices.Contains(c.stems, stem) {
				n++
			}
		}
		weights[k] = math.Log(1 + (float64(len(list))+.5)/(float64(n)+.5))
		if n == 0 {
			weights[k] = math.Log(1 + float64(len(list)))
			unknown[k] = true
		}
		if frames[q.words[k]] && !q.paired(list, k) && (q.phrased == nil || !q.phrased[k]) {
			weights[k] *= frameWeight
		}
		if q.passing != nil && q.passing[k] {
			weights[k] *= passingWeight
		}
	}
	balance(weights, q.carried)
	return weights, unknown
}

// placed are words of a place in an order, which make a thing of their own with the next one.
var placed = wordSet("first second third last")

// paired reports whether a word of the question is of a pair with a place in an order that the material has, too: "first
// class" says more than its words do.
func (q *question) paired(list []*candidate, k int) bool {
	for _, at := range []int{k - 1, k} {
		if at < 0 || at+1 >= len(q.words) || !placed[q.words[at]] || !strings.Contains(strings.ToLower(q.query), q.words[at]+" "+q.words[at+1]) {
			continue
		}
		for _, c := range list {
			for i := 1; i < len(c.stems); i++ {
				if c.stems[i-1] == q.stems[at] && c.stems[i] == q.stems[at+1] {
					return true
				}
			}
		}
	}
	return false
}

// passingWeight is the weight of what was asked between a conversation's subject and the
// question, as a share of that of others.
const passingWeight = .3

// carriedShare is what the words of earlier turns weigh at most, as a share of the
// question's own.
const carriedShare = .6

// balance lets the words of earlier turns, the subject of a question that refers to
// them, count less than its own.
func balance(weights []float64, carried []bool) {
	own, earlier := 0.0, 0.0
	for k, c := range carried {
		if c {
			earlier += weights[k]
		} else {
			own += weights[k]
		}
	}
	if own *= carriedShare; own == 0 || earlier <= own {
		return
	}
	for k, c := range carried {
		if c {
			weights[k] *= own / earlier
		}
	}
}

// leads notes what introduces a line that leads to a value by dots, by the candidate before it.
func (c *candidate) leads(before *candidate) {
	switch {
	case before.passage != c.passage || before.section != c.section || before.heading:
	case before.row:
		c.intro = before.intro
	default:
		c.intro = before.at
	}
}

// indented reports whether the line of an offset is, as lines of a list's item are.
func indented(text string, at int) bool {
	line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	return len(line) >= 2 && strings.Trim(line, " \t`") == "" && strings.HasPrefix(line, " ")
}

// namedRow is the cover from which a row tells what is asked for that has all names of the question itself.
const namedRow = .55

// tells reports whether a row of a table with a header has a name of the question, and what stands in it or above it all
// others, and most of the rest.
func (c *candidate) tells(q question) bool {
	if !c.row || c.names == "" || c.astray || c.strange > 0 || c.untold > 0 || c.cover < namedRow || q.denied != nil {
		return false
	}
	named := false
	for k, name := range q.names {
		if name && c.self[k] < present {
			return false
		}
		named = named || name && slices.Contains(c.stems, q.stems[k])
	}
	return named
}
