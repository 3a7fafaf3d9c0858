package extractive

import (
	"fmt"
	"slices"
	"strings"

	"lectern/shared/chat/model"
	"lectern/shared/chat/model/extractive/cell"
	"lectern/shared/chat/model/extractive/origin"
	"lectern/shared/chat/model/extractive/query"
	"lectern/shared/chat/model/extractive/reason"
	"lectern/shared/chat/model/extractive/refusal"
	"lectern/shared/chat/model/extractive/verdict"
	"lectern/shared/message"
	"lectern/shared/message/passage"
	"lectern/shared/text/sentence"
	"lectern/shared/text/terms"
)

// What is said without material: where there is none, and where the question has no words by
// which it could be searched.
const (
	noMaterial = "I answer from documents, and this conversation has none. Send one with the question (a document block), or ingest documents and " +
		"let me search them (a tool of type semantic_search_v1)."
	noWords = "Please ask in words: I look them up in the documents."
)

// composeAll writes the answer of several questions: what answers them, and then which of
// them nothing does.
func composeAll(req *model.Request, parts []part) string {
	var said []string
	var quoted []*candidate
	for _, p := range parts {
		fresh := slices.DeleteFunc(slices.Clone(p.found), func(c *candidate) bool {
			return p.found[0].count == "" &&
				slices.ContainsFunc(quoted, func(o *candidate) bool { return o.passage == c.passage && o.start == c.start })
		})
		if len(fresh) > 0 {
			said = append(said, compose(req, p.question, fresh, nil))
			quoted = append(quoted, fresh...)
		}
	}
	if len(said) == 0 {
		q, asked := parts[0].question, make([]string, len(parts))
		for i, p := range parts {
			asked[i] = p.text
		}
		q.text = strings.Join(asked, " ")
		return decline(req, q, nil)
	}
	for _, p := range parts {
		if len(p.found) == 0 {
			said = append(said, refusal.In(p.text).Of(p.text))
		}
	}
	return strings.Join(said, "\n\n")
}

// compose writes the answer: the chosen sentences verbatim, each followed by the id
// of its passage if citations are requested.
func compose(req *model.Request, q question, chosen, ranked []*candidate) string {
	if len(chosen) == 0 {
		return decline(req, q, ranked)
	}
	var out strings.Builder
	for i, c := range chosen {
		p := req.Passages[c.passage]
		if i > 0 {
			out.WriteString(between(p.Text, chosen[i-1], c))
		}
		if c.count != "" {
			out.WriteString(c.count + "\n\n")
		}
		out.WriteString(passage.Defused(c.said(), req.Passages))
		if req.Cite && p.Citable {
			out.WriteString(" [" + p.ID + "]")
		}
	}
	return out.String()
}

// between returns the separator of two quotations: those of one passage share a
// line, unless the first is a list item or a table row.
func between(text string, before, c *candidate) string {
	switch {
	case before.passage != c.passage || before.end > c.start:
		return "\n\n"
	case strings.Contains(text[before.end:c.start], "\n") && (c.item > 0 || !sentence.Marked(before.text)):
		return "\n"
	}
	return " "
}

// said returns a sentence as the answer has it: verbatim, in one line if it was wrapped, with
// the term of its entry, a row with its columns' names.
func (c *candidate) said() string {
	switch {
	case c.brief != "":
		return c.brief
	case c.names != "" && c.under != "":
		return strings.TrimSuffix(c.under, ":") + ": " + cell.Restated(c.names, c.text)
	case c.names != "":
		return cell.Restated(c.names, c.text)
	case c.form > 0:
		return strings.Join(cell.Split(c.text), ": ")
	case c.code:
		return c.text
	}
	text := c.text
	if strings.Contains(text, "\n") {
		text = strings.Join(strings.Fields(text), " ")
	}
	if c.under != "" {
		text = strings.TrimSuffix(c.under, ":") + ": " + text
	}
	return text
}

// decline explains why there is no answer. Where a sentence comes near the question,
// it is offered as such.
func decline(req *model.Request, q question, ranked []*candidate) string {
	if failed := failures(req); failed != "" && q.results {
		return "The tool could not help: " + failed
	}
	if len(req.Passages) == 0 && !q.results {
		if slices.ContainsFunc(req.Tools, func(t model.Tool) bool { return t.Server && query.Takes(t.InputSchema) }) {
			return noWords
		}
		return noMaterial
	}
	say := refusal.In(q.text)
	if len(ranked) == 0 {
		if why := refusal.Missed(req.Messages[len(req.Messages)-1].Content); why != "" { // such as a collection that is not there
			return say.Of(q.text) + " " + passage.Defused(why, req.Passages)
		}
		return say.Of(q.text)
	}
	missing := q.lacking(ranked[0])
	offers := len(missing) > 0
	missing = slices.DeleteFunc(missing, func(word string) bool { // of what stands elsewhere
		stem := q.stem(word)
		return slices.ContainsFunc(ranked, func(c *candidate) bool { return slices.Contains(c.stems, stem) })
	})
	if !ranked[0].comesNear() || !offers || asks(ranked[0].text) || len(ranked[0].text) > blockBytes ||
		len(ranked[0].parsed) < offeredWords {
		return say.Of(q.text)
	}
	p := req.Passages[ranked[0].passage]
	text := say.Of(q.text)
	if len(missing) > 0 {
		text = say.Without(q.joined(missing))
	}
	text += " " + say.Nearest + "\n\n" + passage.Defused(ranked[0].said(), req.Passages)
	if req.Cite && p.Citable {
		text += " [" + p.ID + "]"
	}
	return text
}

// offered is the cover of the question from which a sentence is offered although it
// does not answer.
const offered = .4

// offeredMeaning is the cosine from which half of that is enough.
const offeredMeaning = .4

// nearMeaning is the cosine from which its words do not count.
const nearMeaning = .45

// comesNear reports whether a sentence that does not answer is offered: not where nothing speaks for it but words.
func (c *candidate) comesNear() bool {
	if c.hopeless() {
		return false
	}
	return c.cover >= offered || c.compared && (c.cosine >= offeredMeaning && c.cover >= offered/2 || c.cosine >= nearMeaning)
}

// hopeless reports whether a sentence was judged and does not answer.
func (c *candidate) hopeless() bool { return c.odds != 0 && !verdict.May(c.odds) }

// offeredWords is how many words it has at least.
const offeredWords = 4

// mostLacking is how many missing words an answer names.
const mostLacking = 8

// lacking returns the words of the question that stand neither in a sentence nor around it, the first ones of many.
func (q *question) lacking(c *candidate) []string {
	var list []string
	for k, have := range c.have {
		if have < present && !frames[q.words[k]] && len(list) < mostLacking {
			list = append(list, q.words[k])
		}
	}
	return list
}

// joined returns words of the question as it writes them, those that follow each other there as one.
func (q *question) joined(words []string) (list []string) {
	for i, word := range words {
		word = q.written(word)
		if n := len(list); i > 0 && strings.Contains(q.query, list[n-1]+" "+word) {
			list[n-1] += " " + word
			continue
		}
		list = append(list, word)
	}
	return list
}

// written returns a word as the question writes it.
func (q *question) written(word string) string {
	for _, w := range terms.Words(q.query) {
		if w.Text == word {
			return q.query[w.Start:w.End]
		}
	}
	return word
}

// failures returns the texts of failed tool results in the last turn.
func failures(req *model.Request) string {
	if len(req.Messages) == 0 {
		return ""
	}
	var parts []string
	for _, b := range req.Messages[len(req.Messages)-1].Content {
		if r, ok := b.(*message.ToolResult); ok && r.IsError {
			for _, inner := range r.Content.Blocks {
				if t, ok := inner.(*message.Text); ok {
					parts = append(parts, t.Text)
				}
			}
		}
	}
	return strings.Join(parts, "; ")
}

// reasoning describes, for a thinking block, what the model is about to do.
func reasoning(req *model.Request, q question, sentences int) string {
	asked := strings.Join(q.words, ", ")
	if asked == "" {
		asked = "nothing in particular"
	}
	switch {
	case sentences > 0:
		return fmt.Sprintf("The question is about: %s. Of %d passages at hand, %d sentences fit it best; I quote these.", asked,
			len(req.Passages), sentences)
	case len(req.Passages) > 0:
		return fmt.Sprintf("The question is about: %s. None of the %d passages at hand speaks of it.", asked, len(req.Passages))
	}
	return fmt.Sprintf("The question is about: %s. I look at which tools and material are at hand.", asked)
}

// withoutReasons notes sentences that tell that something is so, and neither themselves nor by what follows them why, where that is asked.
func withoutReasons(list []*candidate, q question) {
	if !q.why {
		return
	}
	done := q.stems[len(q.stems)-1] // what was done stands last: "Why was the path closed?"
	tells := func(c *candidate) bool { return slices.Contains(c.stems, done) }
	part := func(text string) bool {
		return slices.ContainsFunc(terms.Words(text), func(w terms.Word) bool { return q.stem(w.Text) == done })
	}
	for i, c := range list {
		if c.row || c.code || c.heading || !tells(c) && !(c.refers && i > 0 && tells(list[i-1])) {
			continue // what does not tell that it is so may tell why
		}
		var next []string
		for k := i + 1; k <= i+nearbyMost && k < len(list) && list[k].passage == c.passage && list[k].section == c.section; k++ {
			next = append(next, list[k].text)
		}
		c.other = c.other || !reason.Tells(c.text, next, part)
	}
}

// reasonFor returns the sentence near an answer to "why" that gives the reason, where that does
// not: the next one that does, else the one that follows.
func reasonFor(list, chosen []*candidate, q question) []*candidate {
	last := chosen[len(chosen)-1]
	if !reason.Asked.In(q.text) || last.row || last.code ||
		slices.ContainsFunc(chosen, func(c *candidate) bool { return reason.Given.In(c.text) }) {
		return nil
	}
	var next []*candidate
	for i := last.at + 1; i <= last.at+nearbyMost && i < len(list); i++ {
		c := list[i]
		if c.passage != last.passage || c.section != last.section || c.heading || c.row || c.code || len(last.text)+len(c.text) > blockBytes {
			break
		}
		if reason.Given.In(c.text) {
			return []*candidate{c}
		}
		if next == nil {
			next = []*candidate{c}
		}
	}
	return next
}

// instructing matches what tells how something is done.
var instructing = form(`(?i)\byou (?:can|could|must|may|should|need|have to)\b|\b(?:use|using|press|click|choose|select)\b|` +
	`\b(?:can|could|may|must) be [^.]{0,60}\bby \w+ing\b`)

// wayScore is the score of a sentence that tells how something is done, at least, as a share of that of the best one, which does not.
const wayScore = .85

// wayElsewhere is the same of a sentence that stands in another section.
const wayElsewhere = .87

// way returns the sentence that answers a question for a way: the steps beside the best one, or one that tells how, where that
// does not.
func way(ranked, list []*candidate, best *candidate, passages []passage.Passage, q question) *candidate {
	if !q.how || best.row || best.item > 0 {
		return best
	}
	next := ranked[:min(nextWay, len(ranked))]
	var steps []*candidate
	for _, c := range next {
		before := passages[c.passage].Text[max(0, c.start-stepBytes):c.start]
		if c.item > 0 && c.passage == best.passage && c.section == best.section && matchesForm(stepMark, before) {
			steps = append(steps, c)
		}
	}
	if len(steps) > 1 && answers(steps[0], q) {
		return steps[0]
	}
	tells := func(c *candidate) bool {
		if c.row {
			return doesIt(c, q)
		}
		return c.parsed[0].Text == "to" || imperatives[c.parsed[0].Text] || matchesForm(presents, c.text) || matchesForm(instructing, c.text) ||
			announces(c)
	}
	if tells(best) || len(entry(list, best, q)) > 0 {
		return best
	}
	named := func(c *candidate) bool { // has what names things in the best one
		for k, name := range q.names {
			if name && best.self[k] >= present && c.self[k] < present {
				return false
			}
		}
		return true
	}
	for _, c := range next {
		least := wayScore
		if c.passage != best.passage || c.section != best.section {
			least = wayElsewhere
		}
		if c.score >= least*best.score && (c.row || sentence.Marked(c.text)) && named(c) && tells(c) && answers(c, q) {
			return c
		}
	}
	return best
}

// doesIt reports whether a row has a cell that begins with what the question wants to do, as a list of keys or commands has.
func doesIt(c *candidate, q question) bool {
	m := wayForm.Get().FindStringSubmatch(q.text)
	if m == nil {
		return false
	}
	verb := q.stem(strings.ToLower(m[1]))
	return slices.ContainsFunc(cell.Split(c.text), func(v string) bool {
		words := terms.Words(v)
		return len(words) > 1 && q.stem(words[0].Text) == verb
	})
}

const (
	nextWay   = 6  // sentences among which one that tells how is looked for
	stepBytes = 16 // before a step, in which its number stands
)

// stepMark matches the number before a step.
var stepMark = form(`(?:^|\n)\s*\d{1,2}[.)]\s+$`)

// demonstrated matches what ends with something that the sentence before names, such as
// "these devices".
var demonstrated = form(`(?i)\b(?:this|these|such) (?:\pL+ )?\pL+\W*$`)

// pointing matches how a sentence begins that says something of what the one before says: "This ensures that", not "This device".
var pointing = form(`^(?:So |And |But )?(?:[Tt]his|[Tt]hat|[Tt]hese|[Tt]hose) (?:also |then |only |usually )?(?:is|are|was|were|will|` +
	`would|can|could|may|might|must|should|does|did|has|have|ensures?|means?|allows?|lets?|makes?|prevents?|gives?|helps?|causes?|happens?|appl(?:y|ies)|includes?|works?|takes?|` +
	`requires?|keeps?|shows?|avoids?|leads?|saves?|enables?|turns?)\b`)

// argued matches how a sentence begins that gives the reason of what the one before says, or the other side of it.
var argued = form(`^(?:In (?:this|that) case|In theory|The reason|However|But|Actually|Otherwise|Therefore|Thus|Hence|So|This means|That is why|For this reason|` +
	`As a result|Because of this|Instead|Daher|Deshalb|Darum|Sonst|Andernfalls|Allerdings|Jedoch|Denn)[ ,]`)

// antecedent returns the sentence before an answer that stands for what is asked with a
// pronoun alone: "The suite uses this network type." Nil where it says all by itself.
func antecedent(list, chosen []*candidate, q question) *candidate {
	c := chosen[0]
	points := matchesForm(pointing, c.text) && q.kind == anything
	if c.row || c.record || c.item > 0 || c.code || c.at == 0 || (q.how || q.list) && !points || c.fits {
		return nil
	}
	argues := (q.why || matchesForm(deciding, q.text)) && matchesForm(argued, c.text)
	if !argues && !points && (len(chosen) > 1 || !matchesForm(demonstrated, c.text)) {
		return nil
	}
	b := list[c.at-1]
	if b.passage != c.passage || b.section != c.section || b.heading || b.row || b.item > 0 || b.code || b.title ||
		len(b.text)+len(c.text) > moreBytes {
		return nil
	}
	return b
}

// Questions for a yes or a no, and sentences that say it.
var (
	deciding = form(`(?i)^\s*(?:is|are|was|were|do|does|did|can|could|may|must|should|will|would|has|have|ist|sind|kann|darf|muss|gibt|est-ce|peut|puis)\b`)
	decision = form(`(?i)^(?:yes|no|ja|nein|oui|non|sí)\b`)
)

// decided puts before an answer the yes or the no that its section begins with.
func decided(list, chosen []*candidate, q question) []*candidate {
	if !matchesForm(deciding, q.text) || chosen[0].row || chosen[0].item > 0 {
		return chosen
	}
	first := chosen[0].at
	for first > 0 && list[first-1].passage == chosen[0].passage && list[first-1].section == chosen[0].section && !list[first-1].heading {
		first--
	}
	if first == chosen[0].at || chosen[0].at-first > nearbyMost || !matchesForm(decision, list[first].text) {
		return chosen
	}
	return append([]*candidate{list[first]}, chosen...)
}

// continued returns the sentence that goes on in the paragraph of an answer which has no value of a kind that is asked for:
// what was decided, why, or what comes of it often stands there.
func continued(list, chosen []*candidate, q question) []*candidate {
	c := chosen[len(chosen)-1]
	alone := len(chosen) == 1 || len(chosen) == 2 && chosen[0].title // below the title of an entry
	if c.given || !alone || c.row || c.record || c.code || c.title || c.heading || asks(c.text) || c.at+1 >= len(list) ||
		c.fits && q.kind != anything || c.tellsValue(q) || q.defines != "" || q.list && c.item > 0 {
		return nil
	}
	o := list[c.at+1]
	if leadsOn(list, o.at) && !q.list && !q.how && !matchesForm(neededForm, q.text) {
		return nil // into what is not asked for
	}
	if o.passage != c.passage || o.section != c.section || o.heading || o.row || o.code || o.opens || o.item != c.item ||
		len(o.parsed) < proseWords || len(c.text)+len(o.text) > moreBytes {
		return nil
	}
	return []*candidate{o}
}

// completed returns sentences with what the last of them leads into.
func completed(chosen, list []*candidate, follows func(i int) bool) []*candidate {
	last := chosen[len(chosen)-1]
	if at := last.at; leadsOn(list, at) && follows(at+1) {
		return append(chosen[:len(chosen)-1:len(chosen)-1], run(list, at, len(last.text)+factBytes, follows)...)
	}
	return chosen
}

// followed returns an answer with what its last sentence leads into, or with the rest of a list that is led into and that it breaks
// off.
func followed(chosen, list []*candidate) []*candidate {
	last := len(chosen) - 1
	for last > 0 && chosen[last].item > 0 && chosen[last-1].at+1 == chosen[last].at {
		last--
	}
	c := chosen[last]
	if c.row || c.code {
		return chosen
	}
	whole := completed(chosen[:last+1:last+1], list, func(i int) bool {
		return i < len(list) && list[i].passage == c.passage && list[i].section == c.section && !list[i].heading && !list[i].title
	})
	if len(whole) > len(chosen) {
		return whole
	}
	return chosen
}

// neededForm matches questions for what somebody needs for something.
var neededForm = form(`(?i)\bwhat (?:do|does|will|would|must) (?:\w+ ){1,3}?(?:need|require|take)\b|\b(?:needed|required|necessary)\b`)

// tellsValue reports whether a sentence has a value of the type that is asked for, who somebody is apart.
func (c *candidate) tellsValue(q question) bool {
	return q.needs != nothing && q.needs != aSomebody && c.has
}

// contextSentences is how many sentences an answer has at most that one is added to for its context.
const contextSentences = 2

// inContext returns an answer with what its first sentence is read with, in a document that came with the question: the
// sentence before, which a pronoun at its beginning stands for, and the one after it that begins with a pronoun for it;
// where it has the date or the amount that is asked for, it says all by itself.
func inContext(list, chosen []*candidate, q question) []*candidate {
	c, size := chosen[0], 0
	for _, o := range chosen {
		size += len(o.text)
	}
	near := func(at int) *candidate {
		if at < 0 || at >= len(list) || slices.Contains(chosen, list[at]) || size+len(list[at].text) > givenBytes {
			return nil
		}
		o := list[at]
		if o.passage != c.passage || o.section != c.section || o.heading || o.row || o.code || o.item != c.item || len(o.parsed) < proseWords {
			return nil
		}
		return o
	}
	if !c.given { // where it lacks what is asked for, which the next sentence tells of it
		if after := near(c.at + 1); after != nil && after.refers && after.fits && !c.fits && q.kind != anything && len(chosen) == 1 {
			return append(chosen, after)
		}
		return chosen
	}
	said := c.fits && (q.kind == moment || q.kind == quantity) || c.tellsValue(q)
	if said || c.row || c.record || c.heading || c.code || c.title {
		return chosen
	}
	if after := near(c.at + 1); after != nil && after.refers && len(chosen) <= contextSentences {
		chosen = slices.Insert(chosen, 1, after)
		size += len(after.text)
	}
	if before := near(c.at - 1); before != nil && c.refers {
		chosen = slices.Insert(chosen, 0, before)
	}
	return chosen
}

// unsetForm matches questions for what is so where nobody has set it otherwise, unsetTold sentences that tell.
var (
	unsetForm = form(`(?i)\bdefaults?\b|\bout of the box\b|\b(?:unless|if not) (?:told|configured|set|said|asked) otherwise\b|\bunset\b|\bleave (?:it|that) (?:alone|as it is)\b|\b(?:if|when|unless|where|while)\b[^?]{0,60}\b(?:not|nothing|no|neither|none|never|nobody)\b[^?]{0,40}` +
		`\b(?:set|chang\w*|defined|given|specified|configured|named?)\b|\b(?:change|set|name|specify|give|define|configure) (?:nothing|no|none)\b|voreingestellt|voreinstellung`)
	unsetTold = form(`(?i)\bdefaults?\b|\bfactory settings?\b|\bpreset\b|\bif (?:none|neither|not|nothing|no)\b|\botherwise\b|voreingestellt|voreinstellung`)
)

const unsetSentences = 3 // after one about something within which its default stands

// unset returns what tells, behind a sentence about something, what that is where nobody has set it; nil without, and where that
// is not asked for.
func (c *candidate) unset(list []*candidate, q question) []*candidate {
	if !matchesForm(unsetForm, q.text) || matchesForm(unsetTold, c.text) {
		return nil
	}
	same := func(i int) bool {
		return i < len(list) && list[i].passage == c.passage && list[i].section == c.section && !list[i].heading
	}
	within := unsetSentences
	if c.labels(list) {
		within = 2 * unsetSentences // labels are sentences, too
	}
	for i := c.at + 1; i <= c.at+within && same(i) && (list[i].term == c.term || c.labels(list)); i++ {
		if !matchesForm(unsetTold, list[i].text) {
			continue
		}
		valued := func(k int) bool { return k <= i || k == i+1 && announces(list[i]) && same(k) } // "Default value:"
		return run(list, min(i, c.at+nearbyMost), blockBytes, valued)
	}
	return nil
}

// labels reports whether a sentence stands below a label of a form, as "Type of value:", where others of the same thing follow.
func (c *candidate) labels(list []*candidate) bool {
	return c.term >= 0 && strings.HasSuffix(strings.TrimSpace(list[c.term].text), ":")
}

// labelled returns the paragraphs of one document that begin with what the question asks
// for, as the actions and decisions of minutes do: "Decision: …".
func labelled(list []*candidate, passages []passage.Passage, q question) []*candidate {
	found := map[string][]*candidate{}
	most := ""
	for _, c := range list {
		label, _, ok := strings.Cut(c.text, ":")
		words := terms.Words(label)
		if !ok || c.heading || c.row || !c.opens && c.item == 0 || len(words) != 1 || q.index(words[0].Text) < 0 {
			continue
		}
		line := *c
		line.item = max(c.item, 1)
		in := origin.Document(passages[c.passage])
		found[in] = append(found[in], &line)
		if len(found[in]) > len(found[most]) {
			most = in
		}
	}
	all := found[most]
	if len(all) == 0 {
		return nil
	}
	return unrepeated(run(all, 0, blockBytes, func(i int) bool { return i < len(all) }))
}
