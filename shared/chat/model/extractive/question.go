package extractive

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lectern/shared/chat/model"
	"lectern/shared/chat/model/extractive/amount"
	"lectern/shared/chat/model/extractive/beside"
	"lectern/shared/chat/model/extractive/reason"
	"lectern/shared/chat/model/extractive/wording"
	"lectern/shared/message"
	"lectern/shared/text/sentence"
	"lectern/shared/text/terms"
)

// question is the question of the last user turn.
type question struct {
	text    string            // of the last user turn
	query   string            // text, completed by the turn before if it refers to it
	earlier []string          // the turns that complete it, the latest first
	stems   []string          // of the query's meaningful words, each once
	words   []string          // the same words, folded, parallel to stems
	forms   map[string]string // other stems → the stem of the query that they count as
	kind    kind
	defines string                 // what a question like "what is X" asks the definition of; folded, empty otherwise
	acronym string                 // at the beginning of what a definition is asked of, as WAL in "WAL mode"; folded
	weights []float64              // of the words, by their rarity in the material
	proper  map[string]bool        // words that are names in the material, where a name is asked for
	focus   []bool                 // by stem: it names what is asked for, as "price" in "the price of a pallet"
	exact   bool                   // all of these have to be there
	carried []bool                 // by stem: it stands in earlier turns only; nil without such
	passing []bool                 // by stem: of these, only in turns that lean on others themselves
	names   []bool                 // by stem: it is a name or a number
	codes   []bool                 // by stem: it is the name of a program's part, such as an option; nil without one
	small   []bool                 // by stem: it is written small in a German question that has nouns; nil without such
	things  []bool                 // by stem: it names a thing that the question is about, as "cat" in "for a cat"
	denied  []bool                 // by stem: the question asks for what is not so
	ids     []bool                 // by stem: it is the number of something, as 30 in "exit code 30"; nil without one
	alike   []other                // words that mean nearly what words of the question do
	phrased []bool                 // by stem: it is the verb of a phrase, such as "look after"; nil without one
	spelt   map[int]*regexp.Regexp // by stem: how texts write it otherwise; see otherwise
	naming  bool                   // it asks what something is called
	bent    bool                   // its language is not English, so that words have many endings
	why     bool                   // it asks for a reason
	how     bool                   // it asks for a way to do something
	needs   need                   // what an answer has to have
	unit    *regexp.Regexp         // where an amount or a time is asked for: what may tell it
	priced  []bool                 // by stem: it names what a price is asked of; nil without
	counts  bool                   // it asks how many things there are
	list    bool                   // it asks for several things of a kind
	parts   bool                   // it asks for several things
	results bool                   // the last turn has tool results
	rounds  int                    // of tool calls since the question
	deed    int                    // its word for what was done, or may be, as an index; -1 without
	beside  beside.Question        // by which some sentences tell something else
	stemmer *terms.Stemmer
}

// kind is the sort of answer that the question asks for.
type kind int

const (
	anything kind = iota
	person
	place
	moment
	quantity
	symbol // a name of a program's, such as a function or an option
	summary
)

// leaning words refer to an earlier turn.
var leaning = map[string]bool{"it": true, "its": true, "he": true, "his": true, "him": true, "she": true, "her": true, "they": true,

	"their": true, "them": true, "this": true, "that": true, "these": true, "those": true, "there": true}

// leaningGerman are the same in German, as they are written: "Sie" is who is spoken to.
var leaningGerman = wordSet(`er sie ihm ihn ihnen ihre ihren ihrem ihrer sein seine seinen seinem seiner dessen deren dort davon dafür dazu dabei darauf daran darin`)

// questionOf returns the question of a request, by what asks of its turns.
func questionOf(req *model.Request, stemmer *terms.Stemmer, asks func(turn string) string) question {
	q := question{stemmer: stemmer}
	var earlier []string
	earliest := "" // the earliest turn so far: it may refer to the one before
	for i := len(req.Messages) - 1; i >= 0; i-- {
		m := req.Messages[i]
		if m.Role != message.RoleUser {
			continue
		}
		turns, results := userTurns(m.Content)
		for i, text := range turns {
			turns[i] = asks(text)
		}
		if i == len(req.Messages)-1 {
			q.results = results
		}
		if results && q.text == "" {
			q.rounds++
		}
		stop := false
		for _, text := range slices.Backward(turns) {
			if q.text == "" {
				q.text, earliest = text, text
				continue
			}
			if stop = !leans(earliest) || len(earlier) == carriedTurns; stop {
				break
			}
			earlier = append(earlier, text)
			earliest = text
		}
		if stop {
			break
		}
	}
	return q.asking(earlier)
}

// asking completes a question whose text is known, by the turns before that it may
// refer to, the latest first.
func (q question) asking(earlier []string) question {
	bare := wording.Plain(ends(q.text, readOfQuery))
	q.query, q.earlier = bare, earlier
	if strings.Contains(q.query, ".") {
		q.query = dotted.Get().ReplaceAllStringFunc(q.query, undotted)
	}
	for _, text := range earlier {
		q.query = clip(text, 300) + " " + q.query
	}
	text := wording.Asked(contracted.Get().ReplaceAllString(ends(bare, askedBytes), "$1 is"))
	if q.kind = kindOf(text); q.kind == summary {
		if m := aboutForm.Get().FindStringSubmatch(q.query); m != nil {
			q.query = m[1] + m[2] + m[3]
		}
		q.query = cmp.Or(strings.TrimSpace(summaryForm.Get().ReplaceAllString(q.query, " ")), q.query)
	}
	q.defines = definedBy(text)
	q.acronym = acronymOf(text, q.defines)
	q.bent = !terms.May(q.query, "en")
	q.needs, q.unit = asksFor(text, q.kind)
	q.how, q.list, q.parts = matchesForm(howForm, text), asksList(text), matchesForm(partsForm, text)
	q.stems, q.words = q.meaningful(q.query)
	if len(earlier) > 0 {
		own, _ := q.meaningful(q.text)
		subject, _ := q.meaningful(earlier[len(earlier)-1])
		for _, stem := range q.stems {
			carried := !slices.Contains(own, stem)
			q.carried, q.passing = append(q.carried, carried), append(q.passing, carried && !slices.Contains(subject, stem))
		}
	}
	q.inflect()
	q.focus, q.exact = q.focused(text)
	words := terms.Words(q.query)
	q.names, q.ids, q.spelt = q.named(words), q.numbered(), q.otherwise(words)
	q.naming, q.why, q.counts = matchesForm(namingForm, text), reason.Asked.In(text), amount.CountsThings(text)
	q.denied, q.things = q.negated(words), q.thingsOf(words)
	q.priced, q.codes, q.small = q.pricedOf(text), q.coded(words), q.writtenSmall(words)
	q.beside, q.deed = beside.Of(text), q.index(q.deedOf(text))
	q.alike = q.others(words)
	return q
}

// contracted matches what asks with a short form: "When's the fair?"
var contracted = form(`(?i)\b(who|what|when|where|how|why)['’]s\b`)

const (
	askedBytes  = 2000     // of a text that is looked at for what it asks
	readOfQuery = 16 << 10 // whose words are looked for: with every word each sentence is compared
)

// ends returns the beginning and the end of a text longer than most bytes, where its
// question stands.
func ends(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := text[len(text)-most/2:]
	return clip(text, most/2) + "\n" + strings.ToValidUTF8(end, "")
}

// carriedTurns is how many turns before may say what a question refers to.
const carriedTurns = 3

// named reports which words of the question are names or numbers: those with a digit
// first, a capital letter inside a sentence, or an underscore. Numbers that somebody tells of
// himself before he asks are none: "The bill is 600 pounds. Can I pay later?"
func (q *question) named(words []terms.Word) []bool {
	names := make([]bool, len(q.stems))
	told := q.told()
	toldAt := func(at int) bool {
		return slices.ContainsFunc(told, func(s sentence.Span) bool { return s.Start <= at && at < s.End })
	}
	for _, w := range words {
		first, _ := utf8.DecodeRuneInString(q.query[w.Start:])
		if strings.Contains(q.query[w.Start:w.End], "_") || unicode.IsDigit(first) && !toldAt(w.Start) || unicode.IsUpper(first) && w.Text != "i" && !sentence.Opens(q.query, w.Start) {
			if k := q.index(w.Text); k >= 0 && !(q.bent && (frames[w.Text] || q.focus[k])) { // all German nouns have capitals
				names[k] = true
			}
		}
	}
	return names
}

// toldMost is how many sentences may tell something before a question.
const toldMost = 8

// told returns the sentences of the question that tell something before what it asks.
func (q *question) told() (list []sentence.Span) {
	last := strings.LastIndexByte(q.query, '?')
	for s := range sentence.All(q.query[:last+1]) {
		if !asks(q.query[s.Start:s.End]) && len(list) < toldMost {
			list = append(list, s)
		}
	}
	return list
}

// coded reports which words of the question are written as programs write names: --dry-run, max_size; nil if none is.
func (q *question) coded(words []terms.Word) []bool {
	var codes []bool
	for _, w := range words {
		text := q.query[w.Start:w.End]
		if k := q.index(w.Text); k >= 0 && !w.Part && (strings.HasPrefix(text, "--") || strings.Contains(text, "_")) {
			if codes == nil {
				codes = make([]bool, len(q.stems))
			}
			codes[k] = true
		}
	}
	return codes
}

// thingsOf reports which words of the question name a thing that it is about: those that an article or a
// preposition begins, what is asked for, measures and adjectives that compare aside.
func (q *question) thingsOf(words []terms.Word) []bool {
	things := make([]bool, len(q.stems))
	left, subject := 0, false // of the thing at hand, and whether its verb comes behind it
	does := slices.ContainsFunc(words, func(w terms.Word) bool { return auxiliaries[w.Text] })
	for i, w := range words {
		if w.Start < len(q.query)-len(q.text) || w.Part {
			continue
		}
		if thingStarts[w.Text] {
			left, subject = thingWords, i > 0 && auxiliaries[words[i-1].Text]
			continue
		}
		k := q.index(w.Text)
		if after := q.query[w.End:]; k >= 0 && (strings.HasPrefix(after, "'s ") || strings.HasPrefix(after, "’s ")) {
			left = thingWords // what somebody's it is
			continue
		}
		if left == 0 || k < 0 || relations[w.Text] {
			left = 0
			continue
		}
		if left--; i > 0 && words[i-1].Text == "in" && phrases[w.Text] {
			left = 0 // "in charge of"
			continue
		}
		if frames[w.Text] || measures[w.Text] || vague[w.Text] || isNumberWord(w.Text) || isDateWord(w.Text) || bodies[w.Text] ||
			unicode.IsDigit(rune(w.Text[0])) || strings.HasSuffix(w.Text, "est") || strings.HasSuffix(w.Text, "er") {
			continue
		}
		// "what does a day ticket cost", "if it breaks down", "how long will the batteries hold at Millbrook"
		verb := does && i == len(words)-1 || i+1 < len(words) && (particles[words[i+1].Text] ||
			subject && left < thingWords-1 && afterVerbs[words[i+1].Text])
		things[k] = !q.focus[k] && !verb
		if q.bent && capital(q.query[w.Start:]) {
			left = 0 // a noun ends what names a thing: "wird die Tonne abgeholt"
		}
	}
	return things
}

// thingStarts are words with which what names a thing begins, and thingWords is how many it has at most.
var thingStarts = wordSet(`a an the for of at in from my our your ein eine einen einem einer eines der die das den dem des für von im am bei zum zur beim vom`)

const thingWords = 3

// phrases are words that name nothing after "in" without an article.
var phrases = wordSet("charge case order addition advance general total front favour favor spite terms")

// bodies are words for who or what a whole document is of.
var bodies = wordSet(`practice company firm office branch store shop site clinic surgery centre center department team organisation organization
	association club society school business customer customers employee employees staff worker workers firma büro filiale praxis
	betrieb verein schule kunde kunden mitarbeiter unternehmen hotel museum library restaurant hostel foundation charity studio gym`)

// auxiliaries put the verb of a question at its end.
var auxiliaries = wordSet("do does did can could must should will would may might shall kann können muss müssen darf soll")

// relations are prepositions that are no stop words: what names a thing ends before one.
var relations = wordSet(`around across along among amongst behind below beneath beside besides beyond despite inside near onto outside past
	throughout toward towards upon within via per`)

// particles are words that belong to the verb before them.
var particles = wordSet("down up off out away back")

// afterVerbs are words that follow a verb rather than what names a thing.
var afterVerbs = wordSet("in at on to into onto from with without before after until during over per by")

// numberedForm matches what has a number by which it is told from others.
var numberedForm = form(`(?i)\b(?:code|error|exit|status|chapter|room|invoice|case|order|version|release|figure|table|port|line|item|phase|step|level|gate|bay|` +

	`week|lot|floor|ticket|signal|option|rule|class|grade|zone|platform|lift|boiler|truck|machine)\s+(?:(?:code|status|number|no\.?|nr\.?)\s+)?#?(\d[\w-]*)\b`)

// numbered reports which words of the question are such numbers; nil if none is.
func (q *question) numbered() []bool {
	var ids []bool
	for _, m := range numberedForm.Get().FindAllStringSubmatch(q.text, -1) {
		if ids == nil {
			ids = make([]bool, len(q.stems))
		}
		for _, w := range terms.Words(m[1]) {
			if k := q.index(w.Text); k >= 0 && !w.Part {
				ids[k] = true
			}
		}
	}
	return ids
}

// Questions for what something is called, and sentences that tell.
var (
	namingForm = form(`(?i)\b(?:called|known as|named|termed|referred to as|nicknamed)\s*\?*\s*$|\b(?:another|other|different|alternative) (?:terms?|names?|words?) (?:for|of)\b|` +
		`\b(?:synonym|nickname|alias)(?:e?s)? (?:for|of)\b|\banother way (?:of|to) (?:refer|say|call|nam)\w*\b|\bwhat (?:is|are|was|were) .{1,60} (?:called|known as|named|termed)\b|\b(?:term|name|word) for\b`)
	namedForm = form(`(?i)\b(?:called|known as|named|termed|referred to as|nicknamed|dubbed|abbreviated|a\.k\.a\.|or simply)|\([“"]?\pL[^()]{1,30}\)|[“"]\pL[^“”"]{1,40}[”"]`)
)

// focusForms match what a question names as the thing that it asks for. An exact one is
// a property of something, like "price" in "the price of a pallet", all of whose words
// have to be there; the others may only say what kind of thing the answer is.
var focusForms = []struct {
	form  *pattern
	exact bool
}{
	{form(`\bof\s+(?:\p{Lu}[\w.-]*\s+){0,2}\p{Lu}[\w.-]*['’]s\s+([\w-]+)\s*\?*\s*$`), true},
	{form(`(?i)\bwhat(?:'s|\s+is|\s+are|\s+was|\s+were)\s+(?:the|an?|our|my|your)\s+((?:[\w'-]+\s+){0,3}?[\w'-]+)\s+(?:of|for|per)\b`), true},
	{form(`\b(?:[Ww]hat|[Ww]ho|[Ww]hich)(?:'s|\s+is|\s+are|\s+was|\s+were)\s+(?:the\s+\w+|(?:\p{Lu}[\w.-]*\s+){0,3}?\p{Lu}[\w.-]*)['’]s\s+((?:[\w-]+\s+){0,2}?[\w-]+)\s*\?*\s*$`), true},
	{form(`(?i)\b(?:what|who|which)(?:'s|\s+is|\s+are|\s+was|\s+were|\s+did)\s+(?:the|an?|our|my|your)\s+((?:[\w'-]+\s+){0,3}?[\w'-]+)\s+(?:of|for|in|on|at|to|from|with|per)\b`), false},
	{form(`(?i)\b(?:what|who|which)(?:'s|\s+is|\s+are|\s+was|\s+were)\s+(?:the|our|my|your)\s+((?:[\w'-]+\s+){0,2}?[\w'-]+)\s*\?*\s*$`), false},
	{form(`(?i)\bhow\s+many\s+(?:days|hours|weeks|months|years|kinds|types|sorts|units|items|pieces)\s+of\s+((?:[\w'-]+\s+)?[\w'-]+)\s+` + auxiliary), true},
	{form(`(?i)\bhow\s+many\s+(people|persons|children|men|women|[\w'-]+[^s\W]s)\s+\w+\s+(?:in|at|on|into|onto|from|to|through)\b`), false},
	{form(`(?i)\bhow\s+many\s+((?:[\w'-]+\s+)?[\w'-]+)\s+` + auxiliary), false},
	{form(`(?i)\b(?:which|what)\s+((?:[\w'-]+\s+)?[\w'-]+)\s+(?:is|are|was|were|do|does|did|has|have|had|can|must|will|covers?|applies|won|uses?|holds?|goes|runs|comes|takes|leaves)\b`), false},
	{form(`(?i)\bhow\s+much\s+(?:is|are|was|were)\s+(?:the|an?|our|my|your)\s+((?:[\w'-]+\s+)?[\w'-]+)\b`), true},
	{form(`(?i)\b(?:how\s+much|what)\s+(?:do|does|did|will|would)\s+(?:[\w'-]+\s+){0,3}?([\w'-]+)\s+costs?\b`), true},
	{form(`(?i)\bhow\s+much\s+([\w'-]+)\s`), true},
	{form(`(?i)\bwhat\s+(?:do|does|did)\s+(?:the|an?|our|my|your)\s+((?:[\w'-]+\s+)?[\w'-]+)\s+\w`), false},
	{form(`(?i)\b(?:wie|was)\s+(?:lautet|ist|heißt|hoch\s+ist|lang\s+ist|war)\s+(?:der|die|das|unsere?|ihre?)\s+([\pL\d-]+)\s+(?:der|des|von|vom|für|in|im|bei|pro)\s`), true},
	{form(`(?i)\bquel(?:le)?s?\s+(?:est|sont)\s+(?:les?|la|l['’])\s*([\pL-]+)\s+(?:des?|du|d['’])`), true},
	{form(`(?i)\bwie\s+viele\s+([\pL\d-]+)\s`), false},
	{form(`\b[Ww]ie\s+viel\s+(\p{Lu}[\pL-]+)\s`), false},
	{form(`\b[Ww]ie\s+(?:hoch|groß|lang|teuer|schwer)\s+(?:ist|sind|waren?)\s+(?:der|die|das|unsere?|ihre?)\s+(?:\p{Ll}+\s+){0,2}(\p{Lu}[\pL\d-]+)\s`), false},
	{form(`(?i)\bwie\s+(?:hoch|groß|lang|teuer|schwer)\s+(?:ist|sind|waren?)\s+(?:der|die|das|unsere?|ihre?)\s+([\pL\d-]+)\s`), false},
	{form(`(?i)^\W*(?:is|are|was|were)\s+there\s+(?:an?\s+|any\s+|some\s+)?(?:[\w'-]+\s+){0,2}?([\w'-]+)(?:\s+(?:in|at|on|for|near|to|from|of|with|nearby|here)\b|\s*\?*\s*$)`), false},
	{form(`(?i)\bhow\s+(?:long|much|high)\s+is\s+the\s+((?:[\w'-]+\s+)?[\w'-]+)\b`), true},
	{form(`^\W*(?:the\s+)?((?:[\p{Ll}-]+\s+)?[\p{Ll}-]+)\s+(?:of|for)\s+(?:the\s+|our\s+)?\p{Lu}[^?,;]*\s*\?*\s*$`), true}, // boiling point of X
}

const auxiliary = `(?:are|is|do|does|did|have|has|had|were|was|can|will|may|must|of|in|per)\b`

// focused reports which words of the question say what is asked for, and whether all of
// them have to be there.
func (q *question) focused(text string) (focus []bool, exact bool) {
	focus = make([]bool, len(q.stems))
	for _, f := range focusForms {
		m := f.form.Get().FindStringSubmatch(text)
		if m == nil {
			continue
		}
		for _, w := range terms.Words(m[1]) {
			if k := q.index(w.Text); k >= 0 && !frames[w.Text] && !measures[w.Text] && !vague[w.Text] && !isNumberWord(w.Text) &&
				!(q.needs == aPrice && isDateWord(w.Text)) {
				focus[k] = true
			}
		}
		return focus, f.exact
	}
	return focus, false
}

// userTurns returns the turns that a user message holds: those of clients that send one
// after the other without answers are joined, as texts that are questions. A message with
// only material has none.
func userTurns(c message.Content) (turns []string, results bool) {
	for _, b := range c {
		switch b := b.(type) {
		case *message.Text:
			if !material(b.Text) {
				turns = append(turns, b.Text)
			}
		case *message.ToolResult:
			results = true
		}
	}
	if slices.ContainsFunc(turns, func(text string) bool { return !asks(text) }) {
		turns = append(turns[:0], strings.Join(turns, "\n"))
	}
	for i, text := range turns {
		turns[i] = strings.TrimSpace(text)
	}
	return slices.DeleteFunc(turns, func(text string) bool { return text == "" }), results
}

// wrote reports whether a message has what the user wrote.
func wrote(c message.Content) bool {
	return slices.ContainsFunc(c, func(b message.Block) bool {
		t, ok := b.(*message.Text)
		return ok && !material(t.Text) && strings.TrimSpace(t.Text) != ""
	})
}

// material recognises the texts that the engine makes of documents and search
// results.
func material(s string) bool {
	return strings.HasPrefix(s, "<document index=") && strings.HasSuffix(s, "</document>") ||
		strings.HasPrefix(s, "<search_result title=") && strings.HasSuffix(s, "</search_result>")
}

// leans reports whether a question refers to the one before it.
func leans(text string) bool {
	list := terms.Words(text)
	lang := terms.Of(text)
	meaningful := 0
	for i, w := range list {
		if i < 12 && (leaning[w.Text] || lang == "de" && leaningGerman[text[w.Start:w.End]]) {
			return true
		}
		if !terms.Stop("", w.Text) && !terms.Stop(lang, w.Text) {
			meaningful++
		}
	}
	return meaningful <= 1 || meaningful <= goesOnWords && matchesForm(continues, text)
}

// continues matches how a question begins that goes on from the one before, of so few words.
var continues = form(`(?i)^\W*(?:and|und|et|y|e|(?:and |but )?(?:what|how) about)\s`)

const goesOnWords = 3

// meaningful returns the stems and words that are not stop words, each once, or all
// words if every word is a stop word.
func (q *question) meaningful(text string) (stems, words []string) {
	list := terms.Words(text)
	lang := terms.Of(text)
	for _, keepStops := range []bool{false, true} {
		seen := map[string]bool{}
		verb, whole := separated(text, list, lang)
		for i, w := range list {
			if i == verb {
				w.Text = whole
			}
			if verb >= 0 && i == len(list)-1 {
				continue // its first syllable
			}
			if w.Part || !keepStops && (terms.Stop(lang, w.Text) || terms.Stop("", w.Text)) {
				continue
			}
			if stem := q.stem(w.Text); !seen[stem] {
				seen[stem] = true
				stems, words = append(stems, stem), append(words, w.Text)
			}
		}
		if len(stems) > 0 {
			break
		}
	}
	return stems, words
}

// stem returns the stem of a word, mapped to the query's stem that it counts as.
func (q *question) stem(word string) string {
	s := q.stemmer.Stem([]byte(word))
	if own, ok := q.forms[s]; ok {
		return own
	}
	return s
}

// index returns which of the query's words a word counts as; -1 if none.
func (q *question) index(word string) int { return slices.Index(q.stems, q.stem(word)) }

// inflect maps stems of other forms of the query's words to the query's stems.
func (q *question) inflect() {
	lang := terms.Of(q.query)
	q.forms = nil // of another text
	for i, word := range q.words {
		for _, form := range terms.Forms(lang, word) {
			if s := q.stem(form); !slices.Contains(q.stems, s) {
				if q.forms == nil {
					q.forms = map[string]string{}
				}
				q.forms[s] = q.stems[i]
			}
		}
	}
}

// aboutForm matches a question for what a document is about, or what is in it.
var aboutForm = form(`(?i)\bwhat(?:'s| is| was) (?:the |this |that |our |my )?(.{0,60}\b(?:` + writings + `)\b.{0,60}?) about\s*\??\s*$|` +

	`\bwhat(?:'s| is| does) (?:(?:the |this |that |our |my )?(.{0,60}\b(?:` + writings + `)) (?:say|contain|cover)|` +
	`in (?:the |this |that |our |my )(.{0,60}\b(?:` + writings + `)))\s*\??\s*$`)

const writings = `e-?mail|mail|letter|memo|message|document|report|minutes|meeting|contract|agreement|policy|presentation|slides|paper|article|file|note|` +

	`text|leaflet|brochure|manual|handbook`

// summaryForm matches what asks for a summary; the rest says of what.
var summaryForm = form(`(?i)\b(?:(?:can|could|would) you |please |give me |write |make |i need )*(?:an? |the )?(?:short |brief |quick )?(?:summari[sz]e|summary|overview|(?:main|key) points|describe|tl;dr)(?: me)?(?: (?:of|about|on|for))?(?: the)?\b`)

// frames are words that frame a question and say little about its subject.
var frames = wordSet(`use used using do make made get got have find mean means meaning name named names call called many much kind kinds
	type types way ways possible need needs want happen happens work works exist exists available explain describe tell list show give given
	define purpose difference example examples long large big high old number set way thing things one ones good best allow allowed say says
	see period periods setting settings like anything nothing something everything somebody anybody really towards thanks thank please
	topic topics factor factors section sections part parts scale process processes tool tools goal goals source sources word words term terms
	group groups person people man woman men women place places area areas region regions event events reason reasons cause causes result
	results effect effects method methods system systems member members title role job country countries city cities state states year years
	date time day days language languages company companies organization organizations body element elements material materials object
	objects substance substances compound compounds estimate culture cultures concept idea ideas item items form forms field fields issue
	issues problem problems aspect aspects feature features function functions class classes category categories sort amount percentage
	percent main primary major usual other else common typical currently today first last second third different approximately
	lautet lauten heisst heissen gibt gab viel viele vielen sitzt sitzen steht stehen liegt liegen geht gehen kommt kommen macht machen
	compare compares higher lower cheaper dearer bigger smaller stuff exactly proportion actually still already
	mache nimmt nehmen braucht brauchen brauche findet finden finde bedeutet bedeuten gilt gelten passiert passieren geschieht wende
	wenden wendet erreiche erreichen erreicht verwenden verwendet benutzen nutzen hoch hohe gross grosse oft weit alt herr frau person
	personen leute menschen ort stelle zeit tag tage tagen datum jahr jahre jahren monat monate monaten woche wochen uhr anzahl menge art arten
	unterschied unterschiede platz platze weise mal fall falle teil teile sache sachen moglichkeit ingredient ingredients zutat zutaten`)

// frameWeight is the weight of such a word, as a share of that of others.
const frameWeight = .35

// measures are words for what a number says by itself: an answer need not repeat them.
var measures = wordSet(`size length height width weight depth distance speed rate age capacity population temperature frequency
	duration density square mile miles kilometer kilometers kilometre kilometres meter meters metre metres`)

// vague are words that name no thing by themselves: they say which of several values is
// asked for, or in what form.
var vague = wordSet(`default maximum minimum max min average total overall exact initial final full whole annual yearly monthly weekly daily
	extra more less new old current normal usual regular ordinary standard people persons folks leute leuten personen menschen
	step steps procedure instructions details information rule rules requirement requirements`)

// definition matches questions for what something is.
var definition = form(`(?i)^\s*(?:what(?:'s| is| are| does)|was (?:ist|sind)|define|qu'est-ce que)\s+(?:an?\s+|the\s+|ein(?:e)?\s+)?(.{2,60}?)(?:\s+(?:mean|stand for|in|for|of)\b.*)?\s*\??\s*$`)

// whoForm matches questions for who somebody is.
var whoForm = form(`^\s*(?i:who(?:'s| is| was)|wer (?:ist|war))\s+((?:\p{Lu}[\pL.'’-]*\s?){1,4})(?:(?:and|und)\s.*)?\s*\??\s*$`)

// bareName matches a question that is the name of an option, a variable or a code alone.
var bareName = form("^(?:--?[A-Za-z][\\w-]*|[A-Za-z]+[-_.]\\w[\\w.-]*|[A-Z]{2,}\\d*|\\w+\\(\\))$")

// explanation matches questions for what something is that begin otherwise.
var explanation = form(`(?i)^\s*(?:(?:please |can you |could you )?(?:explain|tell me|describe)(?: to me)?,? what|.{0,40}\bwhat(?:'s| is| are) meant by|what do(?:es)? (?:[\w-]+ ){1,3}mean by|what (?:counts|qualifies) as)\s+(?:an?\s+|the\s+)?` +

	`(.{2,40}?)(?:\s+(?:is|are|means?)\b.*)?\s*[?.]?\s*$`)

func definedBy(text string) string {
	if m := explanation.Get().FindStringSubmatch(text); m != nil && len(strings.Fields(m[1])) <= 4 {
		return strings.ToLower(strings.Trim(m[1], ` "'`+"`"))
	}
	if m := whoForm.Get().FindStringSubmatch(text); m != nil {
		return strings.ToLower(strings.TrimSpace(m[1]))
	}
	bare := strings.TrimSpace(text)
	if program, option, ok := strings.Cut(bare, " "); ok && strings.HasPrefix(option, "-") && !strings.HasPrefix(program, "-") {
		bare = option // ls --color
	}
	if matchesForm(bareName, bare) {
		return strings.ToLower(bare)
	}
	m := definition.Get().FindStringSubmatch(text)
	if m == nil || len(strings.Fields(m[1])) > 4 {
		return ""
	}
	subject := strings.ToLower(strings.Trim(m[1], ` "'`+"`"))
	if kind, name, ok := strings.Cut(subject, " "); ok && namedKinds[kind] {
		return name // "the directory /srv"
	}
	return subject
}

// acronymOf returns the acronym that a subject of two words begins with.
func acronymOf(text, subject string) string {
	acronym, _, two := strings.Cut(subject, " ")
	if !two || len(acronym) < 2 || strings.Contains(subject[len(acronym)+1:], " ") || !strings.Contains(text, strings.ToUpper(acronym)) ||
		strings.ToUpper(acronym) == acronym {
		return ""
	}
	return acronym
}

// namedKinds are words that stand before a name to say what has it.
var namedKinds = wordSet(`directory folder file command function option flag variable parameter setting package module class method keyword
	operator term word concept field column table tool program project form der die das ordner datei befehl begriff wort`)
