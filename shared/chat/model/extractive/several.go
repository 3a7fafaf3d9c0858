package extractive

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"lectern/shared/chat/model/extractive/cell"
	"lectern/shared/chat/model/extractive/line"
	"lectern/shared/chat/model/extractive/origin"
	"lectern/shared/chat/model/extractive/price"
	"lectern/shared/chat/model/extractive/sheet"
	"lectern/shared/chat/model/extractive/talk"
	"lectern/shared/message/passage"
	"lectern/shared/text/sentence"
	"lectern/shared/text/spelling"
	"lectern/shared/text/terms"
)

// questions returns the questions of a turn that has several, which are answered one after
// the other; none of a turn that has one. A question may refer to the one before it. What is
// said besides belongs to the question that follows, or else to the last.
func (q *question) questions() []question {
	const most = 8 // of one turn that are answered one by one
	texts := questionsIn(q.text)
	if len(texts) < 2 || len(texts) > most {
		return nil
	}
	list := make([]question, len(texts))
	for i := range texts {
		at, earlier := i, []string(nil)
		for ; at > 0 && leans(texts[at]) && len(earlier) < carriedTurns; at-- {
			earlier = append(earlier, texts[at-1])
		}
		if at == 0 && leans(texts[0]) {
			earlier = append(earlier, q.earlier[:min(len(q.earlier), carriedTurns-len(earlier))]...)
		}
		list[i] = question{stemmer: q.stemmer, text: texts[i], results: q.results, rounds: q.rounds}.asking(earlier)
	}
	return list
}

// questionsIn returns the texts of the questions of a turn, without small talk; none where these
// are not told from what else is said.
func questionsIn(text string) []string {
	if len(text) > askedBytes || strings.Count(text, "?") < 2 {
		return nil
	}
	var list []string
	begin := 0
	for i := range len(text) {
		if text[i] != '?' || i+1 < len(text) && !strings.ContainsRune(" \n\r\t", rune(text[i+1])) {
			continue // inside an address or a quotation
		}
		if one := withoutTalk(text[begin : i+1]); strings.Trim(one, "? ") != "" {
			list = append(list, one)
		}
		begin = i + 1
	}
	if rest := withoutTalk(text[begin:]); rest != "" && len(list) > 0 {
		list[len(list)-1] += " " + rest
	}
	return list
}

// withoutTalk returns a text without the small talk that it begins with.
func withoutTalk(text string) string {
	for s := range sentence.All(text) {
		if _, ok := talk.Reply(text[s.Start:s.End], false); !ok {
			return strings.TrimSpace(text[s.Start:])
		}
	}
	return ""
}

// joint stands between two questions of one sentence.
var joint = form(`(?i),?\s+(?:and|und|et|y|e)\s+((?:when|who|whom|where|why|what|which|how|wann|wer|wo|warum|was|welche[rsmn]?|wie|quand|qui|où|pourquoi|` +
	`combien|comment|cuándo|quién|dónde|cuánto|qué)\s.{4,})$`)

// wholeForm matches a question that is one without what is joined to it.
var wholeForm = form(`(?i)^\W*(?:how (?:much|many|long|old|far|big|often) (?:is|are|do|does|did|was|were|can|will|must|should)|(?:what|who|when|where)(?:'s|’s| is| are| was| were| do| does| did| will)) `)

// clauses returns the two questions of a sentence that asks two, the second of which
// may be about the subject of the first; none where it asks one.
func (q *question) clauses() []question {
	if q.kind == summary || len(q.text) > askedBytes {
		return nil
	}
	at := joint.Get().FindStringSubmatchIndex(q.text)
	if at == nil {
		return nil
	}
	first, second := q.text[:at[0]], q.text[at[2]:]
	one := question{stemmer: q.stemmer, text: first}.asking(nil)
	two := question{stemmer: q.stemmer, text: second}.asking([]string{first})
	if len(one.words) < enoughWords && !(len(one.words) > 0 && matchesForm(wholeForm, first)) || !slices.Contains(two.carried, false) {
		return nil
	}
	return []question{one, two}
}

// contrasts match questions that ask about two things in comparison, and what these are.
var contrasts = []*pattern{
	form(`(?i)\bdifferen(?:ces?|t)\s+(?:in\s+.{2,40}?\s+)?between\s+(?:the\s+)?(.+?)\s+and\s+(?:the\s+)?(.+?)(?:\s+(?:in|of|for|on|with|at|under|when)\s+.*)?\s*\??$`),
	form(`(?i)\bhow\s+(?:do|does|did)\s+(?:the\s+)?(.+?)\s+(?:and|differ\s+from)\s+(?:the\s+)?(.+?)(?:\s+(?:differ|compare)\b.*|\s+(?:in|on)\s+.*)?\s*\??$`),
	form(`(?i)\b(?:what|how\s+\w+)\s+(?:do|does|did)\s+(?:the\s+)?(.+?)\s+and\s+(?:the\s+)?(.+?)\s+(?:each\s+)?(?:cost|weigh|measure|need|use|last|take|hold|have)\b.*\??$`),
	form(`(?i)^\s*(?:which|what|who|where|is|are|does|do)\b.*(?:,|:|\bis|\bare)\s+(?:(?:at|in|on|with|from)\s+)?(?:the\s+)?(.{2,60}?)\s+or\s+` +
		`(?:(?:at|in|on|with|from)\s+)?(?:the\s+)?(.{2,60}?)\s*\??$`),
	form(`(?i)^\s*(?:do|does|did|is|are|has|have|can|will)\s+(?:the\s+)?(.{2,40}?)\s+or\s+(?:the\s+)?(.{2,40}?)\s+(?:needs?|takes?|costs?|ha(?:ve|s)|lasts?|weighs?|uses?|` +
		`opens?|closes?|comes?|starts?|finish(?:es)?|arrives?|requires?|gets?|contains?|holds?|runs?|bakes?|cooks?|pays?|earns?|cheaper|faster|longer|bigger|older|heavier|newer)\b.*$`),
	form(`(?i)^\s*(?:do|does|did|is|are|was|were|has|have|will|can)\s+(?:the\s+)?(.{2,40}?)\s+(?:\w+\s+)?(?:more|less|fewer|longer|\w{3,}er)\s+(?:\S.{0,40}?\s)?than\s+(?:the\s+)?(.{2,40}?)\s*\??$`),
	form(`(?i)^\s*(?:is|are|was|were|do|does|did|has|have|will|can)\b.*\b(?:\w{3,}er|more|less|worse)\s+(?:\S+\s+){0,3}?(?:in|at|on|for|with|from|by|under)\s+(?:the\s+)?(.{2,40}?)\s+or\s+` +
		`(?:(?:in|at|on|for|with|from|by|under)\s+)?(?:the\s+)?(.{2,40}?)\s*\??$`),
	form(`(?i)\bunterschied\w*\s+(?:.{0,40}\s)?zwischen\s+(?:de[rnm]\s+|einem\s+|einer\s+)?(.+?)\s+und\s+(?:de[rnm]\s+|einem\s+|einer\s+)?(.+?)\s*\??$`),
	form(`(?i)^\s*(?:was|wer|welche[rsmn]?|wo)\b.*(?:,|:|\bist|\bsind|\bkostet)\s+(?:(?:bei|in|im|am|mit)\s+)?(?:de[rnm]\s+|die\s+|das\s+)?(.{2,60}?)\s+oder\s+` +
		`(?:(?:bei|in|im|am|mit)\s+)?(?:de[rnm]\s+|die\s+|das\s+)?(.{2,60}?)\s*\??$`),
	form(`(?i)^\s*(?:the\s+)?(.{2,60}?)\s+or\s+(?:the\s+)?(.{2,60}?)\s*[,:–-]\s*(?:which|what|who)\b`),
	form(`(?i)\bcompare\s+(?:the\s+)?(.+?)\s+(?:and|with|to)\s+(?:the\s+)?(.+?)\s*[.?]?$`),
	form(`(?i)^\s*(?:the\s+)?(.{2,60}?)\s+(?:vs\.?|versus)\s+(?:the\s+)?(.{2,60}?)\s*\??$`),
}

// differs matches questions for what tells two things apart, rather than which of them
// has more of something.
var (
	differs     = form(`(?i)\bdiffer(?:s|ed|ing|ent|ently)?\b|\bdifferences?\b(?: (?:between|of|to|from)\b|\W*$)`)
	differsFrom = form(`(?i)\bdiffers?\s+from\b`)
)

// sides returns, by stem, which words of a question tell the two things from each other
// that it compares; nil if it compares none.
func (q *question) sides() (one, other []string) {
	for _, f := range contrasts {
		m := f.Get().FindStringSubmatch(q.text)
		if m == nil {
			continue
		}
		stems := func(text string) (list []string) {
			for _, w := range terms.Words(text) {
				if k := q.index(w.Text); k >= 0 && !w.Part && !frames[w.Text] {
					list = append(list, q.stems[k])
				}
			}
			return list
		}
		thing, _, _ := strings.Cut(m[1], " of ") // "the brass valve of the pump" differs from "the steel one"
		if !matchesForm(differsFrom, q.text) {
			thing = m[1]
		}
		first, second := stems(thing), stems(m[2])
		without := func(list, from []string) []string {
			return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(from, s) })
		}
		if one, other = without(first, second), without(second, first); len(one) > 0 && len(other) > 0 {
			return one, other
		}
	}
	return nil, nil
}

// contrasted returns, for a question that compares two things, what is said of the one and
// of the other, in one document; none where one of them is not spoken of by itself.
func contrasted(ranked, list []*candidate, passages []passage.Passage, q question) []*candidate {
	one, other := q.sides()
	if one == nil {
		return nil
	}
	if names := ranked[0].names; ranked[0].row && names != "" && containsAll(stemsOf(names, q), one) && containsAll(stemsOf(names, q), other) {
		return nil // the best row has a column of each
	}
	both := hasAll(ranked[0], list, one) && hasAll(ranked[0], list, other)
	if both && !matchesForm(differs, q.text) {
		return nil // the best sentence speaks of both
	}
	if row := ofSide(ranked, list, one, other, func(c *candidate) bool { return c.row }); row != nil && !matchesForm(differs, q.text) {
		another := ofSide(ranked, list, other, one, func(c *candidate) bool {
			return c.row && c.names == row.names && origin.Document(passages[c.passage]) == origin.Document(passages[row.passage])
		})
		if another != nil && max(row.cover, another.cover) >= rowCover {
			return []*candidate{row, another}
		}
	}
	first := ofSide(ranked, list, one, other, func(*candidate) bool { return true })
	if first == nil {
		return nil
	}
	second := ofSide(ranked, list, other, one, func(c *candidate) bool {
		return origin.Document(passages[c.passage]) == origin.Document(passages[first.passage])
	})
	least := halfCover
	if first.record {
		least = sideCover
	}
	if second == nil || max(first.cover, second.cover) < least || both && !defined(list, first, one) && !defined(list, second, other) {
		return nil
	}
	return append(side(list, first), side(list, second)...)
}

// stemsOf returns the stems of a text.
func stemsOf(text string, q question) (list []string) {
	for _, w := range terms.Words(text) {
		list = append(list, q.stem(w.Text))
	}
	return list
}

// defined reports whether a sentence says what something is: it opens the entry of that, or begins with it.
func defined(list []*candidate, c *candidate, words []string) bool {
	return c.term >= 0 && c.at == c.term+1 && containsAll(list[c.term].stems, words) ||
		!c.parsed[0].Part && containsAll(c.stems[:min(len(c.stems), len(words)+1)], words)
}

// rowCover is the cover from which a row is about one of two things of its table.
const rowCover = .35

// longTimes are spans of time that are no days.
var longTimes = wordSet("year years hour hours month months week weeks jahr jahre jahren monat monate monaten woche wochen stunde stunden century")

// sideCover is the cover from which a record, which has no words of its neighbours, is about
// one of two things.
const sideCover = .3

// side returns a sentence about one of two things with the rest of a short paragraph.
func side(list []*candidate, c *candidate) []*candidate {
	if c.row {
		return []*candidate{c}
	}
	at := c.at
	return run(list, at, factBytes, func(i int) bool {
		return i < len(list) && list[i].passage == c.passage && list[i].term == c.term && !list[i].opens && !list[i].heading && !list[i].row
	})
}

// ofSide returns the best sentence that has the words of one thing and not those of the
// other: what opens its entry, or else begins with it, if there is one.
func ofSide(ranked, list []*candidate, words, others []string, fit func(*candidate) bool) *candidate {
	var begins, best *candidate
	for _, c := range ranked {
		if asks(c.text) || !fit(c) || !hasAll(c, list, words) || hasAll(c, list, others) || isTerm(list, c.at) {
			continue
		}
		entry := c.term >= 0 && c.at == c.term+1 && containsAll(list[c.term].stems, words)
		if entry && !strings.ContainsAny(list[c.term].text, "({=") { // and not one of code
			return c
		}
		if best == nil {
			best = c
		}
		if begins == nil && defined(list, c, words) {
			begins = c
		}
	}
	return cmp.Or(begins, best)
}

// hasAll reports whether a sentence has all words, itself or in the term of its entry.
func hasAll(c *candidate, list []*candidate, words []string) bool {
	return !slices.ContainsFunc(words, func(s string) bool {
		return !slices.Contains(c.stems, s) && (c.term < 0 || !slices.Contains(list[c.term].stems, s))
	})
}

func containsAll(stems, words []string) bool {
	return !slices.ContainsFunc(words, func(s string) bool { return !slices.Contains(stems, s) })
}

// pricedOf reports which words of the question name what a price is asked of; nil where it asks for none, or of nothing.
func (q *question) pricedOf(text string) (priced []bool) {
	if q.needs != aPrice {
		return nil
	}
	for thing, whole := range price.Things(text) {
		for _, w := range terms.Words(thing) {
			k := q.index(w.Text)
			if k < 0 || w.Part || frames[w.Text] && !whole || measures[w.Text] || vague[w.Text] || isNumberWord(w.Text) || isDateWord(w.Text) ||
				price.Paid[w.Text] {
				continue
			}
			if priced == nil {
				priced = make([]bool, len(q.stems))
			}
			priced[k] = true
		}
		if priced != nil {
			return priced
		}
	}
	return nil
}

// tellsPrice reports whether a sentence behind another one may tell the price of what that is about: it refers to it, names it
// as well, or begins with a word for prices or with the price.
func (c *candidate) tellsPrice(q question) bool {
	if c.refers || c.row || c.item > 0 || len(c.parsed) == 0 {
		return true
	}
	for _, w := range c.parsed[:min(priceWithin, len(c.parsed))] {
		if price.Paid[w.Text] || unicode.IsDigit(rune(w.Text[0])) {
			return true
		}
	}
	return slices.ContainsFunc(c.stems, func(stem string) bool {
		k := slices.Index(q.stems, stem)
		return k >= 0 && (q.priced == nil || q.priced[k])
	})
}

const priceWithin = 3 // words at the beginning of a sentence

// ofSomebody are the needs whose values are of somebody or something by name.
var ofSomebody = map[need]bool{aPhone: true, anAddress: true, aDay: true, aTime: true, aLimit: true, aPerson: true}

// opens reports whether a question asks when something opens or closes.
func opens(q question) bool { return q.unit != nil && matchesForm(openForm, q.text) }

// openForm matches that.
var openForm = form(`(?i)\b(?:open|opens|opening|close|closes|closing|shut|shuts|geöffnet|öffnet|öffnungszeit\pL*|schließt)\b`)

// ofPlace are those of them that a whole document may be about.
var ofPlace = map[need]bool{aMoment: true, aTime: true, aLimit: true, aPerson: true}

// pricedShare is the share of what a price is asked of that has to be there.
const pricedShare = .6

// ofWhom reports whether a sentence tells what is asked of the thing or the person that it is asked of: the price of another
// thing beside it is none, and neither is the telephone of another person.
func (c *candidate) ofWhom(q question) bool {
	for i, w := range c.parsed[:min(pronounWords, len(c.parsed))] {
		if pronouns[w.Text] && !strings.HasPrefix(w.Text, "dies") && (i == 0 || !capital(c.text[w.Start:])) {
			return true // it is about what stands before
		}
	}
	has, of := 0.0, 0.0
	for k := range q.stems {
		switch {
		case c.topic[k], q.priced != nil && c.scope != nil && c.scope[k]:
		case q.priced != nil && q.priced[k],
			(ofSomebody[q.needs] && !(c.given && q.needs == aPerson) || q.needs == aMoment && opens(q)) && q.names[k] &&
				!(ofPlace[q.needs] && c.scope != nil && c.scope[k]) && !isDateWord(q.words[k]) &&
				!unicode.IsDigit(rune(q.words[k][0])) && !shownBy[q.needs][q.words[k]] && !isLabel(c.text):
			if of++; c.self[k] >= present && !(q.priced != nil && q.bent && c.self[k] < bentShare) { // a part of a compound is another thing
				has++
			}
		}
	}
	return has >= pricedShare*of
}

const labelWords = 3

// isLabel reports whether a sentence names what it tells at its beginning, as lines of an address do.
func isLabel(text string) bool {
	at := strings.Index(text, ": ")
	return at > 0 && !line.Signed.In(text) && strings.Count(text[:at], " ") < labelWords
}

// gone reports which things of a question stand nowhere in what is at hand of a document, by what stands in it; nil without such.
func (q *question) gone(within []float64) (gone []bool) {
	for k, thing := range q.things {
		if thing && within[k] < present && !q.names[k] {
			if gone == nil {
				gone = make([]bool, len(q.things))
			}
			gone[k] = true
		}
	}
	return gone
}

// labelIs reports whether a line begins with what the question asks for, as in "Guest: Ann Lee".
func labelIs(c *candidate, q question) bool {
	if !isLabel(c.text) {
		return false
	}
	k := slices.Index(q.stems, c.stems[0])
	return k >= 0 && q.focus[k] && strings.HasPrefix(c.text[c.parsed[0].End:], ": ")
}

// telling returns the rows that have the most of the question's words: "which rooms are
// free" asks for those that say so, not for all.
func telling(rows []*candidate, q question) []*candidate {
	most, found := 0, []*candidate{}
	for _, c := range rows {
		n := 0
		for k, stem := range q.stems {
			if !frames[q.words[k]] && slices.Contains(c.stems, stem) {
				n++
			}
		}
		if n > most {
			most, found = n, found[:0]
		}
		if n == most {
			found = append(found, c)
		}
	}
	return found
}

// arbitrary reports whether the best row answers a question for an extreme that was not
// computed, as another of its table would.
func arbitrary(ranked []*candidate, q question) bool {
	best := ranked[0]
	asked := sheet.Extreme(q.text)
	if asked == "" || !best.row || best.computed || len(ranked) < 2 || strings.Contains(strings.ToLower(best.names+best.text), asked) {
		return false
	}
	return slices.ContainsFunc(ranked[1:min(nextBest, len(ranked))], func(next *candidate) bool {
		return next.row && next.names == best.names && next.score >= tieShare*best.score
	})
}

// keyIs reports whether the first cell of a row, or what a line leads from, has no other words than the question.
func keyIs(c *candidate, q question) bool {
	if !c.row || c.heading {
		return false
	}
	key, _, ok := sentence.Leader(c.text)
	if !ok {
		if c.header < 0 {
			return false
		}
		key = cell.Split(c.text)[0]
	}
	return q.says(key, false)
}

// fields returns the cells of a row with the names of their columns, or of a record; none of any other sentence.
func (c *candidate) fields() (names, values []string) {
	switch {
	case c.record:
		return cell.Fields(c.text)
	case c.row && !c.heading && c.header >= 0 && c.names != "":
		names, values = cell.Split(c.names), cell.Split(c.text)
		n := min(len(names), len(values))
		return names[:n], values[:n]
	}
	return nil, nil
}

// cellIs reports whether the question names a row by its key and a column by its name: the cell is what it asks for; exact where that
// name tells a month, a year or a number. Void says that such cells are empty.
func cellIs(c *candidate, q question) (is, exact, void bool) {
	if c.record && !q.says(cell.KeyOf(c.text), true) {
		return false, false, false
	}
	names, values := c.fields()
	if len(names) == 0 || !q.says(values[0], true) {
		return false, false, false
	}
	for j, name := range names[1:] {
		if q.says(name, false) {
			filled := cell.Filled(values[j+1])
			is, exact, void = is || filled, exact || filled && strings.ContainsAny(name, "0123456789"), true
		}
	}
	return is, exact, void && !is
}

// namedCell returns the place of the one record whose key and column the question names; 0 without.
func namedCell(ranked []*candidate, q question) (at int) {
	found := 0
	for i, c := range ranked {
		if !c.record {
			continue
		}
		if is, _, _ := cellIs(c, q); is {
			at, found = i, found+1
		}
	}
	if found > 1 {
		return 0
	}
	return at
}

// narrow notes what of a wide row the answer says: the cells that the question names, with the first.
func (c *candidate) narrow(q question) {
	names, values := c.fields()
	c.brief = cell.Narrowed(names, values, func(name string) bool { return q.says(name, false) })
}

// isNamedIn reports whether the question says all of a cell at the beginning of a row that has several words, such as a person's name, or
// its key.
func isNamedIn(c *candidate, q question) bool {
	if keyIs(c, q) {
		return true
	}
	values := cell.Split(c.text)
	return c.header >= 0 && slices.ContainsFunc(values[:min(keyCells, len(values))], func(v string) bool {
		return len(strings.Fields(v)) > 1 && q.says(v, true)
	})
}

// keyCells is how many cells at the beginning of a row may say what it is about.
const keyCells = 3

// says reports whether a text has no other words than the question, or others of nearly the same meaning, marks of sections aside.
func (q *question) says(text string, nearly bool) bool {
	if m := cell.MonthIn(text); m.Year > 0 && m.Text == text {
		o := cell.MonthIn(q.text)
		return m.Year == o.Year && m.Month == o.Month
	}
	said := false
	for _, w := range terms.Words(text) {
		stem := q.stem(w.Text)
		switch {
		case w.Part || terms.Stop("", w.Text) || nearly && (len(w.Text) == 1 || titles[w.Text]):
		case q.index(w.Text) >= 0, nearly && slices.ContainsFunc(q.alike, func(o other) bool { return o.stem == stem }):
			said = true
		default:
			return false
		}
	}
	return said
}

// skipped returns how many words a sentence has that belong to the mark before it.
func (c *candidate) skipped() int {
	begin := len(c.text) - len(line.Unnumbered(c.text))
	return max(0, slices.IndexFunc(c.parsed, func(w terms.Word) bool { return w.Start >= begin }))
}

// ofHeading are the needs that a heading may tell for what stands below it: the day of a programme, the version of a list of changes.
var ofHeading = map[need]bool{aVersion: true, aYear: true, aDay: true, aMoment: true, aTime: true}

// Headings that tell of what version or of which day something is.
var (
	versionHead = form(`(?i)\b(?:version|release) v?\d|\bv\d+\.\d|\b\d+\.\d+(?:\.\d+)?\b.*(?:` + months + `|\d{4})`)
	dayHead     = form(`(?i)\b\d{1,2}(?:st|nd|rd|th|\.)? (?:of )?(?:` + months + `|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|\b(?:` + months + `) \d{1,2}\b|\b\d{4}-\d\d-\d\d\b|` +
		`\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:mon|diens|donners|frei|sams|sonn)tag\b|\bmittwoch\b`)
)

// headedOwn is the share of the question that a sentence has itself, at least, for which a heading tells the rest.
const headedOwn = .45

// headed notes that the nearest heading above a sentence which tells of a day or a version has what is asked for: the answer
// says it, too.
func (c *candidate) headed(list []*candidate, headings []string, q question) {
	if c.own < headedOwn || c.heading {
		return
	}
	tells := func(text string) bool {
		switch q.needs {
		case aVersion:
			return matchesForm(versionHead, text)
		case aYear:
			return matchesForm(year, line.Unnumbered(text))
		case aTime:
			return matchesForm(timeOfDay, line.Unnumbered(text))
		}
		return matchesForm(dayHead, line.Unnumbered(text))
	}
	level := maxLevel
	for i := c.at - 1; i >= 0 && list[i].passage == c.passage && level > 1; i-- {
		h := list[i]
		if !h.heading || h.row || h.level >= level {
			continue
		}
		level = h.level
		if tells(h.text) {
			c.has, c.fits, c.under = true, true, h.text
			return
		}
	}
	for _, text := range slices.Backward(headings) {
		if tells(text) {
			c.has, c.fits, c.under = true, true, text
			return
		}
	}
}

// maxLevel is above the level of every heading.
const maxLevel = 7

// inUnit reports whether a sentence has what may tell what is asked for, such as an amount of a unit, or a row a column of it.
func inUnit(c *candidate, unit *regexp.Regexp) bool {
	return unit == nil || unit.MatchString(c.text) ||
		slices.ContainsFunc(strings.Fields(c.names), func(word string) bool { return unit.MatchString("1 " + strings.Trim(word, "()[],;:")) })
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// program reports whether a text is of a program rather than of words.
func (c *candidate) program() bool { return strings.ContainsAny(c.text, "{}") }

// goesOn reports whether a word of an English question goes on with a name of plain words that the word before it begins, as
// "Middle East": where one is missed, both are.
func (q *question) goesOn(k int) bool {
	return k > 0 && q.names[k] && q.names[k-1] && !q.bent && spelling.English(q.words[k]) && spelling.English(q.words[k-1]) &&
		strings.Contains(strings.ToLower(q.query), q.words[k-1]+" "+q.words[k])
}
