package extractive

import (
	"slices"
	"strings"

	"lectern/shared/chat/model/extractive/letter"
	"lectern/shared/chat/model/extractive/origin"
	"lectern/shared/chat/model/extractive/verdict"
	"lectern/shared/message/passage"
	"lectern/shared/text/sentence"
)

// Lengths of an answer, in bytes.
const (
	factBytes     = 220 // of the sentences about a fact
	blockBytes    = 700 // of a list, of steps, or of what follows a question or a colon
	moreBytes     = 480 // of these with a further sentence
	moreScore     = .6  // of a further sentence, as a share of the best one's score
	moreWhole     = .7  // the same where that has nearly all of the question's words: wholeOwn
	wholeOwn      = .8
	moreElsewhere = .8  // the same in another document
	moreGiven     = .5  // the same in a document that came with the question, which is about it
	givenBytes    = 750 // of its sentences about a fact

	nextBest  = 4   // sentences from which one may stand in for a best one that does not answer
	nextScore = .85 // its score at least, as a share of the best one's
	// nextFitting is the same where the best one cannot answer, whatever it says.
	nextFitting = .7

	manySentences = 4 // from which an answer gets no further one
)

// quotes returns what answers the question, in the order of the answer; none if the
// material does not.
func quotes(ranked, list []*candidate, passages []passage.Passage, q question) []*candidate {
	switch {
	case len(list) == 0:
		return nil
	case q.kind == summary || len(q.stems) == 0:
		return lead(list, passages, q)
	case len(ranked) == 0:
		return nil
	}
	if named := numberedSection(list, passages, q); len(named) > 0 {
		return unrepeated(named)
	}
	best := ranked[0]
	if best.computed {
		return ranked[:1:1]
	}
	if arbitrary(ranked, q) {
		return nil
	}
	if best.row || best.record || !answers(best, q) {
		rows, meant := counted(list, passages, q)
		if len(rows) > 0 || meant && (best.row || best.record) {
			return rows
		}
	}
	if both := contrasted(ranked, list, passages, q); len(both) > 0 {
		return withTerms(unrepeated(both), list)
	}
	if q.list {
		if found := labelled(list, passages, q); len(found) > 1 {
			return found
		}
	}
	lacks := best.lacks(q)
	for _, c := range ranked[1:min(nextBest, len(ranked))] {
		fits := c.score >= nextScore*ranked[0].score ||
			lacks && c.strange == 0 && c.score >= nextFitting*ranked[0].score && c.missed <= ranked[0].missed+nearMissed
		if !answers(best, q) && fits && answers(c, q) && !c.otherOne(ranked[0], q) {
			best = c
		}
	}
	if !answers(best, q) {
		if near := inOtherWords(ranked, q); near != nil {
			return withTerms(extent(list, near, q), list)
		}
		return nil
	}
	best = way(ranked, list, best, passages, q)
	chosen := extent(list, best, q)
	chosen = append(entry(list, chosen[0], q), chosen...)
	if named := antecedent(list, chosen, q); named != nil {
		chosen = append([]*candidate{named}, chosen...)
	}
	chosen = followed(append(chosen, continued(list, chosen, q)...), list)
	if more := len(chosen); more < manySentences || q.parts {
		if chosen = append(chosen, rest(ranked, list, chosen, passages, q)...); len(chosen) == more {
			chosen = append(chosen, reasonFor(list, chosen, q)...)
		}
	}
	chosen = inContext(list, chosen, q)
	return withTerms(unrepeated(decided(list, chosen, q)), list)
}

// entryLines is how many lines of code may name an entry.
const entryLines = 4

// entry returns the lines that name what a sentence describes, where it opens the
// text of an entry, as in a manual: its term, title or signature.
func entry(list []*candidate, c *candidate, q question) []*candidate {
	at := c.at
	within := func(i int) bool { return i >= 0 && list[i].passage == c.passage }
	last := at - 1
	names := q.kind == anything || q.kind == symbol
	if !c.opens || c.row || c.item > 0 || c.title || !names && (c.fits || !within(last) || !list[last].title || !list[last].fits) {
		return nil // a value is asked for, which neither tells
	}
	if within(last) && list[last].heading && !list[last].row {
		last-- // such as "Description"
	}
	if !within(last) {
		return nil
	}
	if list[last].title {
		return list[last : last+1 : last+1]
	}
	first := last + 1
	for within(first-1) && list[first-1].code {
		first--
	}
	if first > last || last-first >= entryLines || within(first-1) && strings.HasSuffix(strings.TrimSpace(list[first-1].text), ":") {
		return nil
	}
	return slices.Clone(list[first : last+1])
}

// tells weighs what speaks for a sentence being an answer, and against it.
type tells struct {
	near    float64 // its meaning, 0..1
	soft    float64 // words of the question that it has or comes near
	missed  float64 // words for what is asked for that it neither has nor comes near
	lacking float64 // each name or number that its document has not, up to manyNames
	strange float64 // each that stands neither in it nor around it, up to manyNames
	exact   float64 // a property is asked for that is not there
	fits    float64 // it has the kind of value that is asked for
	unfit   float64 // it has not
	words   float64 // that the question is long, up to manyWords
	lead    float64 // of its score over the next one's
	given   float64 // the client sent the material with the question, which likely has the answer
	least   float64 // the sum from which it is one
}

// Fitted by logistic regression over questions with and without an answer in their
// documents, for sentences that no model judges (others: verdict.Signs): where the
// material has little of a question's words, and where it has many. What a document is
// given for is likelier to stand there the more of the question's words it has; by 397
// questions to XQuAD's paragraphs, their own refuse .018 of them, others of the same article .665.
var (
	littleTells = tells{near: 1.86, soft: 1.57, missed: -1.10, lacking: -2.16, strange: .33, exact: -1.26, fits: -.16, unfit: -.89,
		words: .95, lead: 2.42, given: .9, least: 2.39}
	manyTells = tells{near: 1.68, soft: 3.21, missed: -1.08, lacking: -1.24, strange: -.94, exact: -1.32, fits: .36, unfit: -1.04,
		words: .62, lead: 2.16, given: 1.8, least: 2.71}
)

// The same of sentences that are not compared by meaning.
const (
	coverTells  = 1.79
	astrayTells = -1.08
	exactTells  = -1.9
	wordsTell   = .97
	nameTells   = -1.2
	unfitTells  = -.6
	answerLeast = .715
	givenLeast  = .255
)

const (
	mostLead  = .5  // from which a larger lead says no more
	halfCover = .45 // from which a sentence has many of the question's words
	manyWords = 8
	manyNames = 2
)

// withoutMost is the share of a question for a way, by weight, from which a sentence without it, and without a thing that
// it names, tells of how something else is done: of 499 right answers to six sets three go with it, of 174 wrong ones nine.
const withoutMost = .4

// answers reports whether a sentence answers the question: what is asked about stands
// in or around it, or it means nearly the same.
func answers(c *candidate, q question) bool {
	asked, exact, void := cellIs(c, q)
	switch {
	case void:
		return false
	case (exact || c.noted(q)) && c.lacking == 0 && !c.other:
		return true
	}
	if verdict.Sure(c.odds) && c.lacking == 0 && !c.other && !c.uncoded && (q.needs == nothing || c.has) {
		return true
	}
	if c.lacks(q) || max(c.core, c.told) < coreLeast && !c.computed && !c.given && !asked {
		return false
	}
	if q.counts && c.astray && !c.compared && !c.computed && !c.given {
		return false // it counts something else
	}
	steps := q.how && c.strange == 0 && announces(c) && purpose(c, q) == 1
	if (c.listed && c.cover >= offered || asked || c.tells(q) || steps) && c.lacking == 0 {
		return true
	}
	if (c.row || c.record) && q.denied != nil && c.affirms(q) {
		return false // it says of something that it is so
	}
	if c.untold > 0 && !c.computed {
		return false
	}
	if (c.row || c.record) && (c.lacking > 0 || c.astray && (q.exact || q.kind == person)) {
		return false // it is about something else of the kind
	}
	if c.compared {
		return comparedAnswers(c, q) && !(q.how && !c.given && c.nearness() < sameNear && (c.aside && c.without > withoutMost || c.otherDeed(q)))
	}
	if c.odds != 0 {
		return false // judged, and not worth comparing
	}
	least := answerLeast
	if c.given {
		least = givenLeast
	}
	sure := coverTells*c.cover + wordsTell*q.length() + nameTells*float64(min(c.lacking, manyNames))
	switch {
	case c.astray && q.exact:
		sure += exactTells
	case c.astray:
		sure += astrayTells
	}
	if q.kind == moment && !c.fits && !c.given {
		sure += unfitTells // without a time
	}
	return sure >= least
}

// lacks reports whether a sentence cannot answer whatever it says: it has no value of the kind that is asked for, or
// is about another thing.
func (c *candidate) lacks(q question) bool {
	if q.needs == aPerson && c.compared && (c.missed >= missedOffice || c.row && c.missed > missedInRow) {
		return true // it is of another office
	}
	if c.undone(q) {
		return true // when something else was done
	}
	if c.compared && !c.given && (c.missed >= missedAll && q.needs == aName || c.lost && q.exact && c.nearness() < sameNear) {
		return true // it tells of nothing of the kind
	}
	if q.needs != nothing && (!c.has || c.elsewhere(q) || !c.ofWhom(q)) {
		return true
	}
	return c.other || c.uncoded || c.roll || q.beside.Tells(c.text, c.names, c.row || c.record) ||
		letter.Head.In(c.text) && !letter.Asked.In(q.text) ||
		c.head && q.defines == "" && (q.kind == anything && q.needs == nothing || c.core < headCore)
}

// elsewhere reports whether a value is measured of something else than the question names.
func (c *candidate) elsewhere(q question) bool {
	return c.beside && !c.given && measuring[q.needs] && (c.modified || c.nearness() < sameNear)
}

// sameNear is how near a sentence comes to the question, at least, that has a thing of it in other words.
const sameNear = .72

// headCore is the share of what is asked from which the lines above a letter tell it.
const headCore = .5

// How much of an office a sentence does without, at least, that tells who has another one, and a row.
const missedOffice, missedInRow = .65, .5

// missedAll is how much of what is asked for a sentence does without, at least, that has nothing of it.
const missedAll = .9

// measuring are the needs whose values are of a thing that the question names: events are told in many words.
var measuring = map[need]bool{anAmount: true, anAge: true, aBound: true, aPrice: true, anAddress: true, aPhone: true, aTime: true,
	aLimit: true, aSpan: true, aDay: true}

// comparedAnswers is answers for a sentence that was compared by meaning.
func comparedAnswers(c *candidate, q question) bool {
	if q.counts && c.missed > countMissed || c.exactly() < fewWords && c.program() {
		return false // it counts something else, or is code
	}
	if c.odds != 0 {
		return verdict.Signs{
			Given: c.given, Odds: c.odds, Near: c.nearness(), Soft: c.soft, Core: c.core, Without: c.without, Words: q.length(),
			Lead: min(c.lead, mostLead), Lacking: min(c.lacking, manyNames), Strange: min(c.strange, manyNames), Astray: c.astray && q.exact,
			Fits: q.kind != anything && c.fits, Valued: q.needs != nothing,
			Amount: amounts[q.needs] && !c.row, Row: c.row, Permits: c.permits(q),
		}.Answer()
	}
	t := manyTells
	if c.exactly() < halfCover {
		t = littleTells
	}
	sure := t.near*c.nearness() + t.soft*c.soft + t.missed*c.missed + t.lacking*float64(min(c.lacking, manyNames)) +
		t.strange*float64(min(c.strange, manyNames)) + t.words*q.length() + t.lead*min(c.lead, mostLead)
	if c.astray && q.exact {
		sure += t.exact
	}
	switch {
	case q.kind == anything:
	case c.fits:
		sure += t.fits
	case q.needs == nothing || !c.has:
		sure += t.unfit
	}
	if c.given {
		sure += t.given
	}
	if c.permits(q) {
		sure += permitTells
	}
	return sure >= t.least-c.relaxed(q)
}

// amounts are the needs for amounts.
var amounts = map[need]bool{anAmount: true, aPrice: true, anAge: true, aYear: true}

// relaxed is what a sentence that means much of what is asked, or has it in its words or others, may lack of the sum from which
// it is an answer. Of 1190 questions to XQuAD's paragraphs it lets 24 more be answered, of 84 without an answer three.
func (c *candidate) relaxed(q question) float64 {
	if q.needs != nothing && c.exactly() < valueCover {
		return 0 // of values, the meaning of the rest tells little
	}
	if c.nearness() >= meansMuch || c.soft >= meansMuch {
		return meantTells
	}
	return 0
}

const (
	meansMuch  = .4
	meantTells = .9
	valueCover = .425
)

// countMissed is how much of what is counted a sentence does without, at least, that counts something else.
const countMissed = .9

// length returns how long a question is, 0..1 of manyWords.
func (q *question) length() float64 { return min(1, float64(len(q.words))/manyWords) }

// Limits of an answer in other words than the question's.
const (
	fewWords    = .36 // cover of a question that the material has other words for
	fewOwn      = .2  // of it in the sentence that says it in these
	sameMeaning = .47 // cosine of an answer to it
	enoughWords = 2   // meaningful words from which a question says enough to be compared
	withoutAll  = .75 // share of the question that it neither has nor comes near, from which only its field is the same
	otherWords  = .15 // cover from which the material has the question's words, and would have that for what it asks for
)

// inOtherWords returns the sentence whose meaning is nearest to the question's, where
// the material has few of its words; nil if none is near. A question with names or
// numbers is not answered without them.
func inOtherWords(ranked []*candidate, q question) *candidate {
	if slices.Contains(q.names, true) || len(q.words) < enoughWords || ranked[0].exactly() >= fewWords {
		return nil
	}
	near := &candidate{}
	for _, c := range ranked[:min(judged, len(ranked))] {
		if c.compared && c.cosine > near.cosine && !c.row {
			near = c
		}
	}
	if near.cosine < sameMeaning || near.exactly() >= fewOwn || near.other || q.needs != nothing && !near.has || near.without > withoutAll ||
		near.astray && max(near.exactly(), ranked[0].exactly()) > otherWords {
		return nil
	}
	return near
}

// extent returns the sentence with what belongs to it: the entry under a question,
// what a colon announces, the steps of a how-to, the items of its list.
func extent(list []*candidate, best *candidate, q question) []*candidate {
	at := best.at
	follows := func(i int) bool {
		return i >= 0 && i < len(list) && list[i].passage == best.passage && list[i].section == best.section && !list[i].heading &&
			(i <= at || !list[i].title || i == at+1 && announces(list[at]))
	}
	text := strings.TrimSpace(best.text)
	switch {
	case best.row && best.listed && q.list:
		rows := telling(run(list, at, len(list)*blockBytes, func(i int) bool { return follows(i) && list[i].row }), q)
		return run(rows, 0, blockBytes, func(i int) bool { return i < len(rows) })
	case best.row, best.record && !q.list:
		return []*candidate{best}
	case asks(text) && follows(at+1):
		return run(list, at+1, blockBytes/2, func(i int) bool { return follows(i) && !asks(list[i].text) && !list[i].row })
	case leadsOn(list, at) && follows(at+1):
		return announced(list, at, follows)
	case best.title && !best.fits && q.kind == anything && follows(at+1) && sentence.Marked(list[at+1].text):
		return run(list, at+1, factBytes, func(i int) bool { return follows(i) && !list[i].opens })
	case isTerm(list, at):
		return run(list, at+1, factBytes, func(i int) bool { return follows(i) && list[i].term == at })
	case q.list && best.item == 0 && follows(at+1) && strings.HasSuffix(list[at+1].text, ":") && follows(at+2):
		return append([]*candidate{best}, announced(list, at+1, follows)...)
	case q.list && counts(list, at) && follows(at+1):
		return announced(list, at, follows)
	case best.item > 0 && (q.list || q.how || best.own < itemOwn*best.cover):
		from := at
		for from > 0 && list[from-1].item > 0 && list[from-1].passage == best.passage && list[from-1].section == best.section {
			from--
		}
		for list[at].start-list[from].start > blockBytes/2 {
			from++ // a long list: from the items before the one that fits
		}
		if b := list[max(0, from-1)]; follows(from-1) && strings.HasSuffix(strings.TrimSpace(b.text), ":") {
			from-- // it announces the list
		}
		return run(list, from, blockBytes, func(i int) bool { return follows(i) && (i <= at || list[i].item > 0) })
	case q.defines != "" && belowTerm(list, at, q.defines):
		return run(list, at, factBytes*2, follows)
	case q.list && best.item == 0 && follows(at+1) && list[at+1].refers && has(best, isNumberWord):
		return run(list, at, blockBytes, func(i int) bool { return follows(i) && i <= at+1 })
	case q.how:
		return completed(run(list, at, factBytes*2, follows), list, follows)
	}
	through := func(is func(c *candidate) bool) []*candidate { // to what it is followed by; nil without such
		for i := at + 1; i <= at+nearbyMost && follows(i); i++ {
			if is(list[i]) {
				return run(list, at, blockBytes, func(k int) bool { return k <= i })
			}
		}
		return nil
	}
	if told := best.unset(list, q); told != nil {
		return append([]*candidate{best}, told...)
	}
	if q.needs != nothing && !provides(best, q) {
		if whole := through(func(c *candidate) bool { return provides(c, q) }); whole != nil {
			return whole
		}
	}
	if q.kind != anything && !best.fits {
		if b := at - 1; best.refers && follows(b) && list[b].fits { // it tells of whom the sentence before names
			return run(list, b, blockBytes, func(i int) bool { return i <= at })
		}
		if whole := through(func(c *candidate) bool { return c.fits }); whole != nil {
			return whole
		}
	}
	return run(list, at, factBytes, func(i int) bool {
		return i <= at || follows(i) && len(text) < factBytes/2 && !sentence.Marked(list[i].text)
	})
}

// itemOwn is the share of what a list's item has of the question with what is around it,
// below which the list, of which the heading speaks, is asked for rather than the item.
const itemOwn = .4

// proseWords is how many words a sentence has at least that is no line of something else.
const proseWords = 5

// announces reports whether a sentence leads into what follows it: it ends in a colon,
// or without a mark before a command.
func announces(c *candidate) bool {
	text := strings.TrimSpace(c.text)
	return strings.HasSuffix(text, ":") || !c.row && !c.code && !c.heading && len(c.parsed) >= proseWords &&
		matchesForm(unfinished, text)
}

// counts reports whether a sentence says how many things come in the list below it.
func counts(list []*candidate, at int) bool {
	return at+1 < len(list) && list[at].item == 0 && list[at+1].item > 0 && list[at+1].passage == list[at].passage &&
		has(list[at], func(word string) bool { return isNumberWord(word) || word == "following" || word == "some" })
}

// unfinished matches how a sentence ends that a command or a value completes.
var unfinished = form(`(?i)\b(?:using|with|by|run|type|enter|is|are|use|as|to|via|command|either|following)$`)

// announced returns a sentence that leads into something with what follows it; of a list
// whose items say much, the first sentence of each.
func announced(list []*candidate, at int, follows func(i int) bool) []*candidate {
	var items []int // where they begin
	size, last := 0, at
	for i := at + 1; follows(i) && i-last <= asideSentences; i++ {
		size += len(list[i].text)
		if list[i].item == 0 {
			continue
		}
		if last = i; len(items) == 0 || list[i].item != list[i-1].item {
			items = append(items, i)
		}
	}
	if len(items) < 2 || size <= moreBytes {
		return run(list, at, blockBytes, follows)
	}
	out := []*candidate{list[at]}
	size = len(list[at].text)
	for _, i := range items {
		if size += len(list[i].text); size > blockBytes {
			break
		}
		out = append(out, list[i])
	}
	return out
}

// asideSentences is how many sentences may stand between two items of a list.
const asideSentences = 4

// run returns sentences from a place on, the first of them always, while they fit. In line
// it would make extent twice as large.
//
//go:noinline
func run(list []*candidate, from, most int, follows func(i int) bool) []*candidate {
	var out []*candidate
	size := 0
	for i := from; i == from || follows(i); i++ {
		if size += len(list[i].text); size > most && len(out) > 0 {
			break
		}
		out = append(out, list[i])
	}
	return out
}

// rest returns a sentence for the part of the question that the chosen ones do not
// answer, and one that is nearly as good as the best where the answer is short.
func rest(ranked, list, chosen []*candidate, passages []passage.Passage, q question) []*candidate {
	have := make([]bool, len(q.stems))
	size := 0
	for _, c := range chosen {
		size += len(c.text)
		for k, stem := range q.stems {
			have[k] = have[k] || slices.Contains(c.stems, stem)
		}
	}
	least, most := moreScore*ranked[0].score, moreBytes
	if ranked[0].given {
		least, most = moreGiven*ranked[0].score, givenBytes
	}
	if ranked[0].own >= wholeOwn {
		least = moreWhole * ranked[0].score
	}
	if q.defines != "" && !q.parts && defines(chosen[0].text, q.defines) {
		return nil // it says what that is
	}
	var out []*candidate
	for _, c := range ranked[1:min(judged, len(ranked))] {
		if c.other || c.record && !answers(c, q) || isTerm(list, c.at) ||
			slices.ContainsFunc(chosen, func(o *candidate) bool { return o.text == c.text }) ||
			size+len(c.text) > most || c.row && chosen[0].header == c.header && (q.list || isNamedIn(chosen[0], q) && !isNamedIn(c, q)) {
			continue
		}
		fresh := 0
		for k, stem := range q.stems {
			if !have[k] && !frames[q.words[k]] && slices.Contains(c.stems, stem) {
				fresh++
			}
		}
		enough := least
		if origin.Document(passages[c.passage]) != origin.Document(passages[chosen[0].passage]) {
			if inOtherLanguage(passages[c.passage].Text, q) && !inOtherLanguage(passages[chosen[0].passage].Text, q) {
				continue
			}
			enough = max(enough, moreElsewhere*ranked[0].score)
		}
		if q.parts && fresh > 0 && answers(c, q) || c.score-referredWeight*c.referred >= enough {
			inList := c.item > 0 && c.passage == chosen[0].passage && c.section == chosen[0].section
			if leadsOn(list, c.at) || q.list && (inList || counts(list, c.at)) {
				return append(out, extent(list, c, q)...)
			}
			return append(out, c)
		}
	}
	return out
}

// unrepeated leaves out what was said before.
func unrepeated(chosen []*candidate) []*candidate {
	var out []*candidate
	for _, c := range chosen {
		if !slices.ContainsFunc(out, func(o *candidate) bool { return o.text == c.text }) {
			out = append(out, c)
		}
	}
	return out
}

// Questions that ask for ways, for lists, and for several things.
var (
	howForm  = form(`(?i)\bhow (?:do|can|to|should|would|could|must)\b|\b(?:what|which) (?:keys?|buttons?|shortcuts?) (?:do|does|should|must|can|to|shows?|opens?|closes?|starts?|stops?|quits?|deletes?|moves?|marks?|sends?|prints?|lets?|takes?|brings?|scrolls?|saves?|turns?|switch(?:es)?)\b|\bwelche taste|\bwhat (?:do|should|must|can|shall) [\w\s]{1,40}?\bdo\b|\bwhat to do\b|\bsteps?\b|\bwie (?:kann|mache?|muss|installier)|\bwie \pL+ (?:man|ich|wir)\b|\bcomment (?:faire|puis)`)
	listForm = form(`(?i)\bwhat are\b|\bwhat happens (?:in|during|at|on)\b|\b(?:what|which) \w+s (?:does|do|did) [^?]{2,60}? (?:name|list|mention|describe|contain|include|set out)\b|\bwhat (?:\w+ )?\w+s (?:are|were) (?:not |never |also |usually )?\w+(?:ed|en|d)\b|\b(?:ingredients|zutaten)\b|\bwhat (?:\w+ ){1,3}are there\b|\bwelche (?:\pL+ ){1,3}gibt es\b|(?:^\W*|\b(?:please|you|to|me|and|an?|full|complete|short) )list\b|\bname (?:all|the)\b|\bsteps\b|\ball\b|\bwhat (?:do|should|must|can|shall|will|would) (?:\w+ ){1,5}?(?:(?:have|need) to )?(?:bring|pack|take along|take with|have (?:\w+ )?with|hand in|provide)\b|` +
		`\bwas (?:muss|müssen|soll|sollen|sollte|sollten|brauche|brauchen)\b[^?]*\b(?:mitbringen|mitnehmen|einpacken|dabeihaben|vorlegen)\b`)
	manyForm  = form(`(?i)\bwhich (?:\w+ ){0,2}\w+s\b(?: (\w+))?`)
	partsForm = form(`(?i)\b(?:and|und|et|y)\s+(?:when|who|what|which|where|how|why|wann|wer|was|wo|wie)\b|\b(?:advantages|pros) and\b|\b(?:differ|compare|versus|vs)\b|\band what\b|\band the\b`)
)

// determiners follow a verb: "which key marks a feed" asks for one key.
var determiners = wordSet("a an the my your our his her its their this that these those every each all one")

// asksList reports whether a text asks for several things of a kind.
func asksList(text string) bool {
	m := manyForm.Get().FindStringSubmatch(text)
	return matchesForm(listForm, text) || m != nil && !determiners[strings.ToLower(m[1])]
}

func matchesForm(form *pattern, text string) bool { return form.Get().MatchString(text) }
