package extractive

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"lectern/shared/chat/model"
	"lectern/shared/chat/model/extractive/amount"
	"lectern/shared/chat/model/extractive/cell"
	"lectern/shared/chat/model/extractive/letter"
	"lectern/shared/chat/model/extractive/line"
	"lectern/shared/chat/model/extractive/origin"
	"lectern/shared/chat/model/extractive/parallel"
	"lectern/shared/chat/model/extractive/reason"
	"lectern/shared/message/passage"
	"lectern/shared/text/document"
	"lectern/shared/text/sentence"
	"lectern/shared/text/terms"
)

const (
	bentLetters = 4   // of a word whose endings may differ, outside English
	bentEnding  = 3   // letters that an ending may have
	bentShare   = .8  // of a question's word with another ending
	partLetters = 5   // of a word that may be part of a compound
	partShare   = .7  // of a question's word that is
	present     = .5  // from which a word of the question counts as there
	judged      = 12  // sentences that are compared with the question by meaning
	nearbyMost  = 2   // sentences on each side that count as context
	scopeShare  = .8  // of a question's word that stands in a heading above
	titleShare  = .85 // of one that stands in the title of the document
	headerShare = .9  // of one that stands in the header of a table, for its rows
)

// candidate is a sentence of the material.
type candidate struct {
	at         int // in the list of all
	passage    int // in the request's list
	start, end int
	stems      []string
	parsed     []terms.Word
	text       string
	given      bool         // as a document with the question, not found by a search
	names      string       // of a row's columns
	level      int          // of a heading, from 1; 0 for others
	heading    bool         // a heading, which answers nothing by itself
	section    int          // counts headings; sentences of one section have the same
	row        bool         // of a table, or a line that leads to a value by dots
	record     bool         // an item that names its values, as a row
	item       int          // of a list, counted from 1; sentences of one item have the same, 0 for others
	code       bool         // a line of code
	parted     *cell.Parted // a row that tabs, semicolons or commas part
	opens      bool         // begins a paragraph
	head       bool         // of the lines above the first sentence of a plain document: its name, its sender, its date
	title      bool         // a line by itself without an end mark, such as a term or a signature
	term       int          // the line with the term of its entry, as an index of the list; -1 without
	form       int          // which it is a row of, as the index of its first row and one; 0 for others
	intro      int          // what introduces the lines that lead to values, as an index of the list; -1 without, and for others
	header     int          // the row with the names of the columns, as an index of the list; -1 without

	own      float64   // share of the question's words, by weight, that it has itself
	cover    float64   // the same with its headings, its title and its neighbours
	lacking  int       // names and numbers of the question that its document has not, or a row itself
	have     []float64 // by the question's words: how much of it stands in it or around it
	topic    []bool    // by the question's words: all of its document is about it
	scope    []bool    // by the question's words: it is one of those by which the document is called
	core     float64   // share of the other ones, by weight, that stand in it or around it, or that it comes near; 1 without such
	told     float64   // the same without words that say what kind of thing the answer is
	self     []float64 // by the question's words: how much of it stands in it, or in what it is said with
	gone     []bool    // by the question's words: it is a thing that stands nowhere in its document; nil without such
	beside   bool      // a thing of the question is gone, and nothing that it has comes near
	lost     bool      // a word for what is asked for is neither in it nor around it, and nothing that it has comes near
	modified bool      // such a thing tells another word of the question from others of its kind, as in "paternity leave"
	untold   int       // things of the question that neither a row nor what stands above it names
	uncoded  bool      // the name of a program's part that the question has stands neither in it nor around it
	roll     bool      // it tells who was there, and of the question has at most names
	strange  int       // names and numbers of the question that stand neither in it nor around it
	soft     float64   // share of the question's words, by weight, that it has or comes near
	missed   float64   // share of the words for what is asked for that it neither has nor comes near
	without  float64   // share of the words of the question, by weight, that it neither has nor comes near
	aside    bool      // a thing of the question is among these
	meant    float64   // what of its score is by meaning
	lead     float64   // of the best one's score over the next, as a share
	alike    []int     // words of the question that it has others for
	likened  float64   // what of its cover these are
	astray   bool      // what is asked for stands neither in it nor around it
	cosine   float64   // to the question
	odds     float64   // the log odds that it answers the question, by a model that reads both together
	spoken   float64   // how near its words come to the question's
	compared bool      // by its meaning
	listed   bool      // first of a list whose heading names what is asked for
	ranges   *amount.Ranges
	computed bool    // the row that an extreme is asked of
	count    string  // what the answer says before it: how many rows there are
	under    string  // the term that the answer says with it
	brief    string  // what the answer says of a wide row
	refers   bool    // begins with a pronoun for what the sentence before is about
	referred float64 // share of the question's words, by weight, that the sentence has which it refers to
	fits     bool    // it has the kind of value that is asked for
	inPrices bool    // a row of a list of prices
	has      bool    // it has what an answer needs, or what follows it has
	other    bool    // it is about another thing than that which the question names
	worth    float64 // what its score counts, of questions and fragments less
	score    float64
}

// selectSentences returns the sentences that can answer, best first, and all in the order of the material; none if nothing matches.
func selectSentences(ctx context.Context, req *model.Request, asked *question, meaning Meaning) (ranked, list []*candidate, err error) {
	q := *asked
	list = candidates(req.Passages, q)
	if len(list) == 0 || q.kind == summary || len(q.stems) == 0 {
		return nil, list, nil
	}
	if q.proper = nil; q.kind == person || q.needs == aName || q.needs == aPerson {
		q.proper = properNames(list)
	}
	q.weights = score(list, req.Passages, q)
	asked.weights, asked.proper = q.weights, q.proper // an answer is chosen by them, too
	provide(list, req.Passages, q)
	otherThings(list, req.Passages, q)
	ranked = withoutHeadings(list)
	byScore := func(a, b *candidate) int { return cmp.Compare(b.score, a.score) }
	slices.SortStableFunc(ranked, byScore)
	if meaning != nil {
		if err := compareAll(ctx, ranked, list, req.Passages, q, meaning); err != nil {
			return nil, nil, err
		}
		slices.SortStableFunc(ranked, byScore)
	}
	leading(ranked, q)
	if at := namedCell(ranked, q); at > 0 {
		ranked = slices.Insert(slices.Delete(slices.Clone(ranked), at, at+1), 0, ranked[at])
	}
	if row := extreme(list, req.Passages, q); row != nil {
		row.computed = true
		ranked = slices.Insert(ranked, 0, row)
	}
	return ranked, list, nil
}

func candidates(passages []passage.Passage, q question) []*candidate {
	var list []*candidate
	section, item := 0, 0
	for i, p := range passages {
		section++
		header, last := -1, -1 // of the table at hand, and its last row
		code, end := false, 0
		if p.Columns != "" { // their names, as if they stood before
			c := &candidate{at: len(list), passage: i, text: p.Columns, section: section, header: -1, intro: -1, term: -1, row: true, heading: true,
				opens: true, given: p.Kind == passage.Document}
			if c.take(q); len(c.parsed) > 0 {
				header, last = len(list), len(list)
				list = append(list, c)
			}
		}
		all, levels, rows := sentences(p.Text, p.Columns)
		for _, s := range all {
			if strings.HasPrefix(p.Text[s.Start:], fence) {
				code = !code
				continue
			}
			gap := p.Text[end:s.Start]
			end = s.End
			c := &candidate{at: len(list), passage: i, start: s.Start, end: s.End, text: p.Text[s.Start:s.End],
				level: levelAt(p.Text, s.Start), header: -1, intro: -1, given: p.Kind == passage.Document}
			c.level = max(c.level, levels[s.Start], boldAt(p.Text, s))
			for ; len(rows) > 0 && rows[0].Start <= s.Start; rows = rows[1:] {
				if rows[0].Start == s.Start {
					c.parted = &rows[0]
				}
			}
			c.heading = c.level > 0
			c.code = code
			c.opens = strings.Contains(gap, "\n\n") || len(list) == 0 || list[len(list)-1].passage != i
			if c.take(q); len(c.parsed) == 0 {
				continue
			}
			if c.heading {
				section++
			}
			c.section = section
			switch {
			case itemAt(p.Text, s.Start):
				item++
				c.item = item
			case len(list) > 0 && list[len(list)-1].passage == i &&
				(!strings.Contains(p.Text[list[len(list)-1].end:s.Start], "\n") || indented(p.Text, s.Start)):
				c.item = list[len(list)-1].item // goes on in the line, or in a line below it
			}
			if c.row = strings.HasPrefix(c.text, "|"); c.row {
				if last >= 0 && document.Ruled(p.Text[list[last].end:c.start]) {
					header = last
				} else if last < 0 || strings.Contains(p.Text[list[last].end:c.start], "\n\n") {
					header = -1
				}
				c.header, last = header, len(list)
			} else {
				header, last = -1, -1
				if _, _, c.row = sentence.Leader(c.text); c.row && len(list) > 0 {
					c.leads(list[len(list)-1])
				}
			}
			c.record = isRecord(c)
			list = append(list, c)
		}
	}
	tabulated(list, passages, q)
	boxed(list, passages, q)
	forms(list)
	heads(list, passages)
	for i, c := range list {
		if c.header >= 0 {
			list[c.header].heading = true // a header is no row
			c.names = list[c.header].text
		}
		c.title = c.opens && (i+1 == len(list) || list[i+1].opens) && !c.heading && !c.row && !c.code && c.item == 0 && titled(c.text)
	}
	entries(list, passages)
	namedEntries(list)
	return list
}

// take parses the words of a candidate's text.
func (c *candidate) take(q question) {
	c.parsed = terms.Words(c.text)
	c.stems = make([]string, len(c.parsed))
	for i, w := range c.parsed {
		c.stems[i] = q.stem(w.Text)
		if full := cell.MonthBefore(c.parsed, i); full != "" && q.index(full) >= 0 {
			c.stems[i-1] = q.stem(full)
		}
	}
	c.refers = refers(c.parsed)
}

const (
	stepsAfter = 5 // sentences between a heading and its first step
	fence      = "```"
	titleBytes = 80 // of a line that may be a title
)

// withoutHeadings returns the sentences that can answer; headings only if there is
// nothing else.
func withoutHeadings(list []*candidate) []*candidate {
	rest := slices.DeleteFunc(slices.Clone(list), func(c *candidate) bool { return c.heading })
	if len(rest) == 0 {
		return slices.Clone(list)
	}
	return rest
}

// itemAt reports whether the marker of a list item stands before an offset.
func itemAt(text string, at int) bool {
	marker := strings.TrimSpace(text[strings.LastIndexByte(text[:at], '\n')+1 : at])
	switch {
	case marker == "-", marker == "*", marker == "+", marker != "" && sentence.Bullet(marker) == len(marker):
		return true
	case marker == "":
		return sentence.Bullet(text[at:]) > 0
	}
	if len(marker) == 2 && marker[1] == ')' && marker[0] >= 'a' && marker[0] <= 'z' {
		return true
	}
	digits := strings.TrimRight(marker, ".)")
	return digits != marker && strings.Trim(digits, "0123456789") == ""
}

// levelAt returns the level of the Markdown heading that an offset stands in; 0
// where it does not.
func levelAt(text string, at int) int {
	return document.HeadingLevel(strings.TrimLeft(text[strings.LastIndexByte(text[:at], '\n')+1:], " "))
}

// Weights of a sentence's score.
const (
	ownWeight      = .45
	coverWeight    = .35
	fitWeight      = .10
	nameWeight     = .20 // of a name, where one is asked for
	priorWeight    = .2  // of the passage's own score, as a share of the best one
	spokenWeight   = .75 // of how near the words of the sentence come to the question's, above spokenLeast
	nearWeight     = .25 // of how near all of it comes
	otherWeight    = .6  // the same in addition, where words find nothing
	referredWeight = .5  // of the question's words that the sentence before has, which a pronoun stands for
	defineWeight   = .65
	subjectWeight  = .2  // of a sentence about what a definition is asked of
	openingWeight  = .25 // of a question's words in the heading, for the sentence that opens its section
	listWeight     = .3  // for the first of a list whose heading names what is asked for
	citableWeight  = .001
	instructWeight = .15
	keyWeight      = .15 // of a row whose key is nothing but what the question names
	scopeOwn       = 1.2 // of what the words of a question that name the document count for each of its sentences
	titleWorth     = .8  // a line that is a title
	fragment       = .7  // three words or fewer, which say little
	otherNumber    = .6  // about another number than that which the question names
	cutOff         = .8  // the end of a sentence that the passage before has
	aboveLetter    = .5  // who sent it to whom, and when
	otherLanguage  = .8  // than the question's
	contents       = .3  // a line of a table of contents
	unsaid         = .6  // a line that only names what the question asks about
	unanswered     = .1  // a question that nothing or another question follows, as in a table of contents
)

// score rates every sentence by the weight of the question's words in it and, less,
// around it, by the kind of value asked for, and by its passage's rank. It returns the
// weights.
func score(list []*candidate, passages []passage.Passage, q question) []float64 {
	weights, unknown := weigh(list, q)
	subjects := q.subjects(passages)
	total := 0.0
	for _, w := range weights {
		total += w
	}
	if total == 0 {
		return weights
	}
	hits := make([][]float64, len(list)) // by sentence and question word, 0..1
	parallel.Each(len(list), func(i int) {
		list[i].fits = fits(list[i], q)
		hits[i] = matches(list[i], q, unknown)
	})
	top := 0.0
	for _, p := range passages {
		top = max(top, p.Score)
	}
	within := documentsHits(list, hits, passages, q)
	openings, titles := openingHits(passages, q), titlesOf(list, passages)
	called, topics := callings(list, passages, openings, q), topicsOf(list, hits, passages, q)
	referred := referredHits(list, hits)
	inForm, beside := formsHits(list, hits), sections(list, passages, q)
	var in string          // the document of the passage
	var there []float64    // what stands in what is at hand of that
	var gone []bool        // the things that stand nowhere in it
	var titled []float64   // the same without what stands at the beginning of the document
	var document []float64 // what stands in the title and the headings of the passage
	var above []int        // the headings around a sentence, outermost first
	var foreign bool       // the passage is in another language than the question
	for i, c := range list {
		if i == 0 || list[i-1].passage != c.passage {
			in = origin.Document(passages[c.passage])
			there, gone = within[in], q.gone(within[in])
			document, above = documentHits(passages[c.passage], q), nil
			foreign = inOtherLanguage(passages[c.passage].Text, q)
			hold(document, carriedHits(there, q), titleShare)
			titled = slices.Clone(document)
			hold(document, openings[in], openingShare)
		}
		around := surroundings(list, hits, document, inForm[c.form], above, i)
		if c.heading && !c.row {
			for len(above) > 0 && list[above[len(above)-1]].level >= c.level {
				above = above[:len(above)-1]
			}
			above = append(above, i)
		}
		named, found, missing := false, false, false // what is asked for
		c.scope, c.topic, c.gone = called[in], topics[in], gone
		otherwise := false // it is about another number of the kind
		for k, w := range weights {
			have := max(hits[i][k], around[k])
			own, self := c.itself(hits, above, document, titled, k, q)
			c.self = append(c.self, self)
			c.own += w * own / total
			c.referred += w * max(0, referred[i][k]-own) / total
			c.cover += w * have / total
			c.have = append(c.have, have)
			if have < present && !(q.goesOn(k) && c.have[k-1] < present) {
				absent := there[k] < present
				others := beside[c.section]
				c.miss(q, k, hits[i], absent, k < len(others) && others[k], subjects != nil && subjects[k])
			}
			c.other = c.other || (c.row || c.record) && own < present && c.contrary(q, k)
			otherwise = otherwise || q.ids != nil && q.ids[k] && own < present &&
				!slices.ContainsFunc(above, func(h int) bool { return hits[h][k] >= present })
			if q.focus[k] {
				named, found, missing = true, found || have >= present, missing || have < present
			}
		}
		c.core, c.told = c.coreOf(c.have, weights, q)
		c.allow(weights, hits[i], total, q)
		c.astray = named && (!found || q.exact && missing)
		c.roll = isRoll(c, hits[i], q)
		c.score = ownWeight*c.own + coverWeight*c.cover + referredWeight*c.referred + kindScore(list, i, q) +
			headingScore(list, i, hits, weights, total, q)
		if top > 0 {
			c.score += priorWeight * passages[c.passage].Score / top
		}
		if passages[c.passage].Citable {
			c.score += citableWeight // of two that say the same
		}
		c.worth = worth(list, i, q)
		if otherwise {
			c.worth *= otherNumber
		}
		if c.item > 0 && !c.row && titles[titleIn(passages[c.passage], c.text)] {
			c.worth *= contents
		}
		if foreign && !c.row {
			c.worth *= otherLanguage
		}
		c.score *= c.worth
	}
	return weights
}

// kindScore rates a sentence by the kind of answer that is asked for: a value, a way, a
// name, a definition.
func kindScore(list []*candidate, i int, q question) (score float64) {
	c := list[i]
	switch {
	case c.fits && q.kind == symbol:
		score += nameWeight
	case c.fits:
		score += fitWeight
	}
	if q.how {
		score += instructs(c, q)
	}
	if !q.how && keyIs(c, q) {
		score += keyWeight
	}
	if q.kind == person && c.fits && labelIs(c, q) {
		score += defineWeight
	}
	if c.noted(q) {
		score += defineWeight
	}
	if q.why && reason.Given.In(c.text) {
		score += fitWeight
	}
	if q.naming && matchesForm(namedForm, c.text) {
		score += nameWeight
	}
	switch {
	case q.acronym != "" && defines(c.text, q.acronym):
		score += defineWeight
	case q.defines == "":
	case defines(c.text, q.defines), c.term >= 0 && c.term == i-1 && c.isNamed(list, q.defines):
		score += defineWeight
	case belowTerm(list, i, q.defines):
		score += defineWeight / 2
	case begins(c.text, q.defines):
		score += subjectWeight
	}
	return score
}

// headingScore rates a sentence that stands directly below a heading by what of the
// question that has, and notes one that begins the list which the heading names.
func headingScore(list []*candidate, i int, hits [][]float64, weights []float64, total float64, q question) float64 {
	c, head := list[i], i-1
	if c.header >= 0 && head == c.header {
		head--
	}
	for q.how && c.item > 0 && head > max(0, i-stepsAfter) && list[head].section == c.section && list[head].item == 0 && !list[head].heading {
		head-- // over what leads to the first step
	}
	if head < 0 || !list[head].heading || list[head].row || list[head].passage != c.passage {
		return 0
	}
	score := openingWeight * share(hits[head], weights, total)
	if (q.list || q.how && (c.item > 0 || announces(c))) && asked(list[head], q) {
		c.listed = true
		score += listWeight
	}
	return score
}

// worth returns what the score of a sentence counts: less of fragments, questions, and
// heads of letters.
func worth(list []*candidate, i int, q question) float64 {
	c, out := list[i], 1.0
	if (i == 0 || list[i-1].passage != c.passage) && !c.given && !c.row && !c.code && line.GoesOn.In(c.text) {
		out *= cutOff
	}
	if letter.Head.In(c.text) && !letter.Asked.In(q.text) {
		out *= aboveLetter
	}
	if line.Contents.In(c.text) || titled(c.text) && line.Numbered.In(c.text) {
		out *= contents
	}
	if line.OnlyNames(c.text, q.text) {
		out *= unsaid
	}
	if asks(c.text) && (i+1 == len(list) || list[i+1].passage != c.passage || asks(list[i+1].text) || c.item > 0 && list[i+1].item > 0 ||
		line.Numbered.In(list[i+1].text) && !sentence.Marked(list[i+1].text)) {
		out *= unanswered
	}
	switch {
	case len(c.parsed) < 4 && !c.row:
		out *= fragment
	case c.title && !c.fits && !c.row && capital(c.text):
		out *= titleWorth
	}
	return out
}

// inOtherLanguage reports whether a text is in another language than the question, which
// is told of questions that are not in English alone: code looks like many a language.
func inOtherLanguage(text string, q question) bool {
	if !q.bent {
		return false
	}
	asked, given := terms.Of(q.query), terms.Of(text)
	return asked != "" && given != "" && asked != given
}

// instructs rates how a sentence begins, for a question that asks for a way: "To
// plot a function", with a word of the question, or an imperative, against a remark
// that something else comes first.
func instructs(c *candidate, q question) float64 {
	switch first := c.parsed[0].Text; {
	case first == "to":
		return 2 * instructWeight * purpose(c, q)
	case asides[first], matchesForm(exempts, c.text):
		return -instructWeight
	case imperatives[first], matchesForm(presents, c.text):
		return instructWeight
	}
	return 0
}

const purposeWords = 8 // from the beginning of a sentence that may say what it is for

// purpose returns how much of the purpose that a sentence begins with, as in "To plot a
// function, …", is the question's.
func purpose(c *candidate, q question) float64 {
	said, asked, end := 0.0, 0.0, c.parsed[0].End
	for i, w := range c.parsed {
		if i > 0 && said > 0 && prepositions[w.Text] {
			break // how, where or when follows
		}
		if i == 0 || w.Part || terms.Stop("", w.Text) {
			continue
		}
		if i >= purposeWords || imperatives[w.Text] || w.Start > end && strings.ContainsAny(c.text[end:w.Start], ",:;") {
			break
		}
		end = w.End
		said++
		alike := func(word string) bool { return likeness(word, w.Text) > 0 }
		if slices.Contains(q.stems, c.stems[i]) || slices.ContainsFunc(q.words, alike) {
			asked++
		}
	}
	if asked == 0 {
		return 0
	}
	return .5 + .5*asked/said
}

// presents matches how a sentence begins that says what a part of a program does.
var presents = form(`^The (?:[\w.=-]+ ){1,3}(?:command|function|option|statement|operator|method|button|menu|setting|builtin|keyword)\b`)

// exempts matches how a sentence begins that says when something does not happen.
var exempts = form(`(?i)^(?:[\w-]+ ){1,3}(?:does|do|did|will|is|are) not\b`)

var (
	asides       = wordSet("if note when this these however otherwise because for in some sometimes")
	prepositions = wordSet("at by from in into on to using via when while with")
	imperatives  = wordSet("use run type call press click enter set select choose add open go")
)

// asked reports whether a heading says nothing but what the question asks for.
func asked(heading *candidate, q question) bool {
	named := false
	for i, w := range heading.parsed {
		if w.Part || terms.Stop("", w.Text) || unicode.IsDigit(rune(w.Text[0])) || collections[w.Text] {
			continue
		}
		if !slices.Contains(q.stems, heading.stems[i]) {
			return false
		}
		named = true
	}
	return named
}

// collections are words of a heading for what stands below it.
var collections = wordSet("list table overview liste tabelle übersicht")

// share is the weight of the question's words that are hit, as a share of all.
func share(hits, weights []float64, total float64) float64 {
	sum := 0.0
	for k, w := range weights {
		sum += w * hits[k]
	}
	return sum / total
}

// asks reports whether a sentence is a question, the tags of a page behind it aside.
func asks(text string) bool {
	text = strings.TrimRight(strings.TrimSpace(text), "*_ ")
	for strings.HasSuffix(text, ">") && strings.Contains(text, "<") {
		text = strings.TrimSpace(text[:strings.LastIndexByte(text, '<')])
	}
	return strings.HasSuffix(text, "?") || line.Asks(text)
}
