// Package extractive is the built-in model: it answers with the best sentences of
// the material, quoted verbatim and cited, and says so when there is none. It needs
// no weights and no network and is deterministic.
//
// It calls the service's search tools with the question before it answers, fills the
// schemas of forced calls and structured answers from the conversation, and calls a
// client tool only if forced to.
package extractive

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"lectern/shared/chat/model"
	"lectern/shared/chat/model/extractive/cell"
	"lectern/shared/chat/model/extractive/output"
	"lectern/shared/chat/model/extractive/pasted"
	"lectern/shared/chat/model/extractive/query"
	"lectern/shared/chat/model/extractive/sheet"
	"lectern/shared/chat/model/extractive/talk"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/message"
	"lectern/shared/message/passage"
	"lectern/shared/text/spelling"
	"lectern/shared/text/terms"
)

// ID is the model's id.
const ID = "extractive"

// Entry is the catalog entry of the built-in model.
func Entry(meaning Meaning, tables sheet.Asker) model.Entry {
	return model.Entry{
		Info: model.Info{
			ID: ID, DisplayName: "Built-in extractive model", Created: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
			MaxTokens: 32000, MaxInputTokens: 200000,
			Can: model.Capabilities{PDF: true, Citations: true, Verbatim: true, StructuredOutputs: true, Thinking: true, Adaptive: true,
				Fields: []string{"seed"}}, // it is deterministic
		},
		Model:    New(meaning, tables),
		Upstream: ID,
	}
}

// Meaning compares a question with texts.
type Meaning interface {
	embedding.Comparer

	// Understands reports whether a question may be in a language that the embedder understands.
	Understands(question string) bool
}

// Model is the built-in model. Safe for concurrent use.
type Model struct {
	stemmer *terms.Stemmer
	meaning Meaning
	tables  sheet.Asker         // nil: tables are read by rules over their rows alone
	long    *semaphore.Weighted // the size of the long requests that are decided
}

// New makes the model. Without meaning, sentences are compared with the question by their words alone. With an asker, as package reckon
// has it, it computes over the tables of the material.
func New(meaning Meaning, tables sheet.Asker) *Model {
	return &Model{new(terms.Stemmer), meaning, tables, semaphore.NewWeighted(decidedAtOnce)}
}

// Stream answers one turn.
func (m *Model) Stream(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		w := output.To(ctx, yield, req.MaxTokens)
		if err := m.answer(ctx, req, w); err != nil && !w.Stopped() {
			yield(model.Event{}, err)
		}
	}
}

// reply is what a turn says.
type reply struct {
	thought string // empty unless thinking was asked for
	calls   []search
	text    string         // where there are no calls
	meta    map[string]any // of the text
}

// answer decides what the turn is and writes it. While it is written, which may take
// as long as the client reads, nothing else of the turn is held.
func (m *Model) answer(ctx context.Context, req *model.Request, w *output.Writer) error {
	r, err := m.decide(ctx, req)
	if err != nil {
		return err
	}
	w.Think(req, r.thought)
	for _, c := range r.calls {
		w.Call(c.name, c.input)
	}
	if len(r.calls) > 0 {
		w.Stop(message.StopToolUse)
		return nil
	}
	w.Text(r.text, r.meta)
	return nil
}

const (
	// longRequest is the size from which a request counts among those that are decided at once.
	longRequest = 16 << 10
	// decidedAtOnce is the size of them all. A text takes some thirty times its size while
	// its words are looked at.
	decidedAtOnce = 4 << 20
)

// size is how much text a request has.
func size(req *model.Request) int64 {
	n := 0
	for _, m := range req.Messages {
		for _, b := range m.Content {
			if t, ok := b.(*message.Text); ok {
				n += len(t.Text)
			}
		}
	}
	for i := range req.Passages {
		n += len(req.Passages[i].Text)
	}
	return int64(n)
}

func (m *Model) decide(ctx context.Context, req *model.Request) (r reply, err error) {
	if n := min(size(req), decidedAtOnce); n >= longRequest {
		if err := m.long.Acquire(ctx, n); err != nil {
			return r, err
		}
		defer m.long.Release(n)
	}
	if c := req.Choice.Type; c == "tool" || c == "any" {
		q := questionOf(req, m.stemmer, wholeTurn)
		if t, ok := forced(req, q); ok {
			input, err := fillTool(t.InputSchema, q)
			r.thought, r.calls = thought(req, q, 0), []search{{t.Name, input}}
			return r, err
		}
	}
	sent, slight := req, false
	var q question
	if req.Format != nil {
		q = questionOf(req, m.stemmer, wholeTurn)
	} else {
		q = parted(req, m.stemmer)
		req, slight = withTold(req)
	}
	calls, err := m.searches(ctx, req, q)
	if err != nil {
		return r, err
	}
	if len(calls) > 0 {
		r.thought, r.calls = thought(req, q, 0), calls
		return r, nil
	}
	if said, ok := talk.Reply(q.text, bare(req)); ok && req.Format == nil {
		r.thought, r.text = thought(req, q, 0), said
		return r, nil
	}
	var parts []part
	var found, ranked []*candidate
	if several := q.questions(); several != nil {
		parts, found, err = m.findAll(ctx, req, several)
	} else {
		q = q.mended(req.Passages)
		found, ranked, err = m.find(ctx, req, q)
	}
	if err != nil {
		return r, err
	}
	if again := q.askedAgain(req); len(found) > 0 && again != nil && !covers(found, q, again) && found[0].nearness() < sameNear {
		found = nil // what it was searched again for is not there either
	}
	if len(found) == 0 {
		if calls := searchesAgain(req, q, ranked); len(calls) > 0 {
			r.thought, r.calls = thought(req, q, 0), calls
			return r, nil
		}
	}
	if len(found) == 0 && slight {
		req, ranked = sent, nil // as if nothing had been told
	}
	r.thought = thought(req, q, len(found))
	if req.Format != nil {
		r.text, err = fillAnswer(formatOf(req), q, found, req.Passages...)
		return r, err
	}
	if len(found) == 0 {
		if r.text = passage.Defused(told(req), req.Passages); r.text != "" {
			return r, nil
		}
	}
	if len(found) == 0 && (len(req.Passages) > 0 || q.results) {
		r.meta = map[string]any{"nothing_relevant": true}
	}
	if parts != nil {
		r.text = composeAll(req, parts)
	} else {
		r.text = compose(req, q, found, ranked)
	}
	return r, nil
}

// slightBytes is how much is told at least that is refused like a document.
const slightBytes = 60

// withTold returns a request with the texts that its turns and its system prompt hold besides what they ask, as material that
// cannot be cited: those that say so, and all where there is no other. Slight is a little that does not say so.
func withTold(req *model.Request) (out *model.Request, slight bool) {
	alone := alone(req)
	var told []string
	marked := false
	for _, s := range req.System {
		told = append(told, pasted.Given(s.Text)...)
		marked = marked || len(told) > 0
	}
	asking := len(req.Messages) - 1 // the turn that asks
	for asking > 0 && (req.Messages[asking].Role != message.RoleUser || !wrote(req.Messages[asking].Content)) {
		asking--
	}
	for i, m := range req.Messages {
		if m.Role != message.RoleUser {
			continue
		}
		turns, _ := userTurns(m.Content)
		for _, text := range turns {
			p := pasted.Split(text)
			switch {
			case p.Marked, alone && len(p.Told) > 0:
				told, marked = append(told, p.Told...), marked || p.Marked
			case alone && i < asking && !asks(text) && len(strings.Fields(text)) >= enoughTold:
				told = append(told, text)
			}
		}
	}
	if len(told) == 0 {
		return req, false
	}
	more, size := *req, 0
	more.Passages = slices.Clip(req.Passages)
	for _, text := range told {
		size += len(text)
		marked = marked || cell.PartedIn(text, "") != nil // a table is material, however short
		more.Passages = append(more.Passages, passage.Passage{Text: text})
	}
	return &more, alone && !marked && size < slightBytes
}

// alone reports whether a request has neither material nor a tool that searches some.
func alone(req *model.Request) bool {
	return len(req.Passages) == 0 && !slices.ContainsFunc(req.Tools, func(t model.Tool) bool { return t.Server && query.Takes(t.InputSchema) })
}

// enoughTold is how many words an earlier turn has at least that tells something.
const enoughTold = 3

// parted returns the question of a request without what its turn tells besides.
func parted(req *model.Request, stemmer *terms.Stemmer) question {
	alone := alone(req)
	return questionOf(req, stemmer, func(text string) string { return askedIn(text, alone) })
}

// wholeTurn is all that a turn says.
func wholeTurn(turn string) string { return turn }

// askedIn returns what a turn asks: without the text that it says it is asked of, and the questions of a letter.
func askedIn(text string, alone bool) string {
	p := pasted.Split(text)
	switch {
	case p.Asked != "" && (p.Marked || alone && len(p.Told) > 0):
		return p.Asked
	case pasted.Long(text) && len(p.Told) > 0:
		return pasted.Questions(text)
	}
	return text
}

// searchedBytes is how much of a question is searched for: it is sent as the input of a call.
const searchedBytes = 800

// toldBytes is how much of a client's tools is repeated as the answer.
const toldBytes = 500

// told returns what the client's own tools said in the last turn, if that is all the turn has
// and short: they were called for it, whatever words it has. Empty for anything else.
func told(req *model.Request) string {
	n := len(req.Messages)
	if n < 2 || wrote(req.Messages[n-1].Content) {
		return ""
	}
	var parts []string
	for _, b := range req.Messages[n-1].Content {
		r, ok := b.(*message.ToolResult)
		if !ok || r.IsError {
			continue
		}
		called := slices.IndexFunc(req.Messages[n-2].Content, func(b message.Block) bool {
			call, ok := b.(*message.ToolUse)
			return ok && call.ID == r.ToolUseID &&
				slices.ContainsFunc(req.Tools, func(t model.Tool) bool { return t.Name == call.Name && !t.Server })
		})
		if called < 0 {
			return ""
		}
		for _, inner := range r.Content.Blocks {
			if t, ok := inner.(*message.Text); ok && strings.TrimSpace(t.Text) != "" {
				parts = append(parts, strings.TrimSpace(t.Text))
			}
		}
	}
	if said := strings.Join(parts, "\n"); len(said) <= toldBytes {
		return said
	}
	return ""
}

// bare reports whether there is neither a document with the question nor a turn before it.
func bare(req *model.Request) bool {
	asked := 0
	for _, m := range req.Messages {
		if m.Role == message.RoleUser && wrote(m.Content) {
			asked++
		}
	}
	return asked == 1 && !slices.ContainsFunc(req.Passages, func(p passage.Passage) bool { return p.Kind != passage.Artifact })
}

// part is what answers one of several questions.
type part struct {
	question
	found []*candidate // in the order of the answer
}

// findAll answers each of several questions, and returns besides all sentences that do.
func (m *Model) findAll(ctx context.Context, req *model.Request, several []question) (parts []part, found []*candidate, err error) {
	for _, one := range several {
		p := part{question: one.mended(req.Passages)}
		if p.found, _, err = m.find(ctx, req, p.question); err != nil {
			return nil, nil, err
		}
		parts, found = append(parts, p), append(found, p.found...)
	}
	return parts, found, nil
}

// find returns the sentences that answer a question, in the order of the answer; where none
// does, all that came near, best first. Two questions of one sentence are answered one after
// the other.
func (m *Model) find(ctx context.Context, req *model.Request, q question) (found, ranked []*candidate, err error) {
	for _, clause := range q.clauses() {
		ranked, list, err := selectSentences(ctx, req, &clause, m.meaning)
		if err != nil {
			return nil, nil, err
		}
		chosen, _, err := m.chosen(ctx, ranked, list, req, clause)
		if err != nil {
			return nil, nil, err
		}
		if len(chosen) == 0 {
			found = nil
			break
		}
		found = append(found, chosen...)
	}
	if len(found) > 0 {
		return unrepeated(found), nil, nil
	}
	ranked, list, err := selectSentences(ctx, req, &q, m.meaning)
	if err != nil {
		return nil, nil, err
	}
	return m.chosen(ctx, ranked, list, req, q)
}

// chosen returns what answers a question: what a statement finds in a table, or else sentences. Where its cell is empty, its row is near.
func (m *Model) chosen(ctx context.Context, ranked, list []*candidate, req *model.Request, q question) ([]*candidate, []*candidate, error) {
	found, spare, void, err := m.reckoned(ctx, list, req.Passages, q, freely)
	switch {
	case err != nil:
		return nil, nil, err
	case void != nil:
		return nil, []*candidate{void}, nil
	case len(found) == 0:
		if found = withoutOthers(quotes(ranked, list, req.Passages, q), q); len(found) == 0 {
			found = spare
		}
	}
	if len(found) == 0 && searchesAgain(req, q, ranked) == nil {
		if found, spare, _, err = m.reckoned(ctx, list, req.Passages, q, broadly); err != nil {
			return nil, nil, err
		}
		found = append(found, spare...) // one of them
	}
	for _, c := range found {
		c.narrow(q)
	}
	return found, ranked, nil
}

// search is a call of one of the service's search tools.
type search struct {
	name  string
	input message.Object
}

// searches returns the calls to make before answering, one per question and service tool
// that takes a query; none if the turn has tool results already. For a summary the document
// that was found is then looked for by its title, which finds the whole of it; for what is
// computed over a table, the rest of that by the names of its columns.
func (m *Model) searches(ctx context.Context, req *model.Request, q question) ([]search, error) {
	if len(req.Tools) == 0 {
		return nil, nil
	}
	var queries []string
	switch {
	case req.Choice.Type == "none" || len(q.stems) == 0:
	case q.results && q.kind == summary && q.rounds == 1:
		if title := titleMeant(req.Passages, q); title != "" {
			queries = []string{title}
		}
	case q.results && q.rounds == 1:
		table, artifact, err := m.restOfTable(ctx, req.Passages, q)
		if table == "" || err != nil {
			return nil, err
		}
		return callsOf(req, artifact, table), nil
	case q.results:
	case req.Choice.DisableParallel:
		queries = []string{ends(q.query, searchedBytes)}
	default:
		for _, one := range q.questions() {
			queries = append(queries, one.query)
		}
		if queries == nil {
			queries = []string{q.query}
		}
		for i, text := range queries {
			queries[i] = withDays(withGuesses(ends(text, searchedBytes)))
		}
	}
	return callsOf(req, "", queries...), nil
}

// searchesAgain returns the calls to make where nothing that was found answers: for the words
// that what comes nearest has not. Others, such as the name of the firm that all documents are
// of, may have stood in their way.
func searchesAgain(req *model.Request, q question, ranked []*candidate) []search {
	if !q.results || q.rounds != 1 || req.Choice.Type == "none" || len(ranked) == 0 {
		return nil
	}
	missing := q.lacking(ranked[0])
	if len(missing) == 0 || len(missing) == len(q.words) {
		return nil
	}
	return callsOf(req, "", strings.Join(q.joined(missing), " "))
}

// askedAgain returns, by question word, which of them were searched for a second time; nil where
// none were.
func (q *question) askedAgain(req *model.Request) []bool {
	n := len(req.Messages)
	if q.rounds != 2 || n < 2 {
		return nil
	}
	for _, b := range req.Messages[n-2].Content {
		call, ok := b.(*message.ToolUse)
		if !ok {
			continue
		}
		var input struct{ Query string }
		if json.Unmarshal(call.Input, &input) != nil || input.Query == "" {
			continue
		}
		again := make([]bool, len(q.stems))
		for _, w := range terms.Words(input.Query) {
			k := q.index(w.Text)
			if k < 0 && !w.Part {
				return nil // for something else
			}
			if k >= 0 {
				again[k] = true
			}
		}
		if slices.Contains(again, false) {
			return again
		}
	}
	return nil
}

// covers reports whether an answer has most of the words that were searched for again, or all names and things among them;
// those by which its document is called are there.
func covers(found []*candidate, q question, again []bool) bool {
	have, of := 0, 0
	named, all := false, true
	for k, asked := range again {
		if !asked {
			continue
		}
		of++
		there := slices.ContainsFunc(found, func(c *candidate) bool {
			return slices.Contains(c.stems, q.stems[k]) || c.scope != nil && c.scope[k]
		})
		if there {
			have++
		}
		if q.names[k] || q.things[k] {
			named, all = true, all && there
		}
	}
	return (2*have > of || named && all) && found[0].lacking == 0
}

// callsOf returns a call of each of the service's tools that take a query, for each query, within one artifact unless that
// is empty; one where they may not be made at once.
func callsOf(req *model.Request, artifact string, queries ...string) []search {
	var list []search
	for _, text := range queries {
		for _, t := range req.Tools {
			if !t.Server || !query.Takes(t.InputSchema) {
				continue
			}
			input, err := query.Input(t.InputSchema, text, artifact)
			if err != nil {
				continue
			}
			list = append(list, search{t.Name, input})
			if req.Choice.DisableParallel {
				return list
			}
		}
	}
	return list
}

// withGuesses returns an English query with the words besides that others of it stand for by a slip.
func withGuesses(query string) string {
	if len(query) > askedBytes || !terms.May(query, "en") {
		return query
	}
	for _, w := range terms.Words(query) {
		if right := spelling.Guess(w.Text); right != "" && !w.Part && !capital(query[w.Start:]) {
			query += " " + right
		}
	}
	return query
}

// withDays returns a query with its days as tables write them besides.
func withDays(query string) string {
	for _, d := range cell.Days(ends(query, askedBytes)) {
		if iso := d.ISO(); iso != "" && !strings.Contains(query, iso) {
			query += " " + iso
		}
	}
	return query
}

// forced returns the tool that must be called: the one named, or the one whose name
// and description share most words with the question.
func forced(req *model.Request, q question) (model.Tool, bool) {
	best, bestScore := -1, -1
	for i, t := range req.Tools {
		if req.Choice.Type == "tool" {
			if t.Name == req.Choice.Name {
				return t, true
			}
			continue
		}
		about := map[string]bool{}
		stems, _ := q.meaningful(strings.ReplaceAll(t.Name, "_", " ") + " " + t.Description)
		for _, s := range stems {
			about[s] = true
		}
		score := 0
		for _, s := range q.stems {
			if about[s] {
				score++
			}
		}
		if score > bestScore {
			best, bestScore = i, score
		}
	}
	if best < 0 {
		return model.Tool{}, false
	}
	return req.Tools[best], true
}
