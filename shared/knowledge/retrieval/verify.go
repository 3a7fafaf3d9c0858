package retrieval

import (
	"context"
	"slices"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/message"
	"lectern/shared/text/document"
	"lectern/shared/text/proof"
)

// Claims are citations that were made elsewhere, to be checked.
type Claims struct {
	Filter    *message.ContextFilter `json:"context_filter" required:"true"`
	Citations []Claim                `json:"citations" required:"true" minlen:"1" maxlen:"100"`
}

// Claim is words that are said to be from a document.
type Claim struct {
	Text     string `json:"cited_text" required:"true" minlen:"1" maxlen:"4000" doc:"the words"`
	Artifact string `json:"artifact_id,omitempty" maxlen:"255" doc:"the document that they are said to be from; default: any"`
	Sentence string `json:"sentence,omitempty" maxlen:"4000" doc:"of the answer; its numbers, dates and names are looked for too"`
}

// Standings of claims.
const (
	found         = "found"
	misattributed = "misattributed"
	joined        = "joined"
	notFound      = "not_found"
)

// Proof says what became of a claim.
type Proof struct {
	Status   string      `json:"status" enum:"found,misattributed,joined,not_found" doc:"misattributed: in another document; joined: put together from several places"`
	Places   []TextPlace `json:"places" doc:"where the words stand; of joined ones, each fragment"`
	Verified *bool       `json:"verified,omitempty" doc:"of a sentence: whether its numbers, dates and names stand in the document"`
	Missing  []string    `json:"missing,omitempty" doc:"those that do not"`
}

// TextPlace is a span of a stored text.
type TextPlace struct {
	Artifact string `json:"artifact_id"`
	Text     string `json:"cited_text" doc:"the words as they stand there"`
	Start    int    `json:"start_char_index" doc:"in UTF-16 units"`
	End      int    `json:"end_char_index"`
}

// candidates is in how many documents of a collection words are looked for that do not
// stand where they are said to.
const candidates = 8

// Verify checks citations against the stored texts. A named artifact that does not
// exist is NotFound.
func (s *Searcher) Verify(ctx context.Context, in *Claims) ([]Proof, error) {
	if err := auth.Check(ctx, in.Filter.Collection); err != nil {
		return nil, err
	}
	v := &verifier{Searcher: s, filter: in.Filter, texts: map[string]*text{}}
	out := make([]Proof, len(in.Citations))
	for i := range in.Citations {
		var err error
		if out[i], err = v.check(ctx, &in.Citations[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// text is a stored text that was read.
type text struct {
	artifact, stored string
	source           *proof.Source
}

type verifier struct {
	*Searcher
	filter *message.ContextFilter
	texts  map[string]*text // by artifact
}

func (v *verifier) read(ctx context.Context, name string) (*text, error) {
	if t := v.texts[name]; t != nil {
		return t, nil
	}
	docs, err := v.Artifacts.Documents(ctx, &artifact.Filter{Collection: v.filter.Collection, Artifacts: []string{name}}, nil)
	if err != nil {
		return nil, err
	}
	t := &text{name, docs[0].Content.Text, proof.NewSource(docs[0].Content.Text)}
	v.texts[name] = t
	return t, nil
}

// check looks for a claim where it is said to stand, then in the documents of the
// collection that are most about it.
func (v *verifier) check(ctx context.Context, c *Claim) (Proof, error) {
	var named *text
	if c.Artifact != "" {
		var err error
		if named, err = v.read(ctx, c.Artifact); err != nil {
			return Proof{}, err
		}
		if p, ok := named.proof(c, found); ok {
			return p, nil
		}
	}
	others, err := v.others(ctx, c)
	if err != nil {
		return Proof{}, err
	}
	status := found
	if named != nil {
		status = misattributed
	}
	for _, t := range others {
		if p, ok := t.proof(c, status); ok {
			return p, nil
		}
	}
	if named != nil {
		others = append([]*text{named}, others...)
	}
	for _, t := range others {
		if spans := t.source.Joined(c.Text); spans != nil {
			return t.judged(c, Proof{Status: joined, Places: t.places(spans)}), nil
		}
	}
	p := Proof{Status: notFound, Places: []TextPlace{}}
	if c.Sentence != "" {
		sources := make([]*proof.Source, len(others))
		for i, t := range others {
			sources[i] = t.source
		}
		p.setMissing(proof.Missing(c.Sentence, sources...))
	}
	return p, nil
}

// others reads the documents that are most about a claim, the claimed one left out.
func (v *verifier) others(ctx context.Context, c *Claim) ([]*text, error) {
	hits, err := v.Search(ctx, Query{Text: c.Text, Filter: *v.filter, Limit: 50, WordsOnly: false})
	if err != nil {
		return nil, err
	}
	var names []string
	for _, h := range hits.Hits {
		if h.Artifact != c.Artifact && !slices.Contains(names, h.Artifact) && len(names) < candidates {
			names = append(names, h.Artifact)
		}
	}
	var list []*text
	for _, name := range names {
		t, err := v.read(ctx, name)
		if fault.Is(err, fault.NotFound) {
			continue // deleted meanwhile
		}
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// proof is that of a claim whose words stand in the text in one run.
func (t *text) proof(c *Claim, status string) (Proof, bool) {
	start, end, ok := t.source.Find(c.Text)
	if !ok {
		return Proof{}, false
	}
	return t.judged(c, Proof{Status: status, Places: t.places([]proof.Span{{Start: start, End: end}})}), true
}

func (t *text) places(spans []proof.Span) []TextPlace {
	list := make([]TextPlace, len(spans))
	for i, s := range spans {
		start := document.UTF16Len(t.stored[:s.Start])
		list[i] = TextPlace{t.artifact, t.stored[s.Start:s.End], start, start + document.UTF16Len(t.stored[s.Start:s.End])}
	}
	return list
}

// judged adds what of the claim's sentence the text does not have.
func (t *text) judged(c *Claim, p Proof) Proof {
	if c.Sentence != "" {
		p.setMissing(proof.Missing(c.Sentence, t.source))
	}
	return p
}

func (p *Proof) setMissing(missing []string) {
	verified := len(missing) == 0
	p.Verified, p.Missing = &verified, missing
}
