// Package passage holds the material of an answer: pieces of text that may be
// cited, and the short ids by which a model cites them.
package passage

import (
	"crypto/sha256"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"lectern/shared/message"
	"lectern/shared/text/document"
)

// Kind is the type of location in citations of a passage.
type Kind int

// The kinds. Plain passages are material that cannot be cited.
const (
	Plain Kind = iota
	Artifact
	Document
	SearchResult
)

// Passage is a piece of material.
type Passage struct {
	ID    string // four characters; empty for Plain
	Kind  Kind
	Key   string // identity: equal for the same piece
	Title string
	// Headings are those above the text, outermost first.
	Headings []string
	Page     int              // on which the text begins, from 1; 0 when unknown
	Breaks   []document.Break // where later pages begin in Text
	Paged    bool             // it is cited by pages
	Last     bool             // it is known to end its document
	// Columns is the row with the columns' names of the table that Text goes on with, and
	// Continues tells that the table at its end goes on after it.
	Columns   string
	Continues bool
	Text      string
	Score     float64 // relevance to its search, 0..1; 0 when the client supplied it

	Citable bool // whether citations were requested

	// Start is the position of Text, in UTF-16 units of the document's text.
	Start int
	// DocumentIndex counts the request's documents from 0, then artifacts.
	DocumentIndex int
	// For search results.
	Source      string
	SearchIndex int
	BlockIndex  int
	// For artifacts.
	ArtifactID string
	Collection string
	ChunkID    string
}

// pageAt returns the page of a byte of the text.
func (p *Passage) pageAt(at int) int {
	page := p.Page
	for _, b := range p.Breaks {
		if b.At <= at {
			page = b.Page
		}
	}
	return page
}

// HeadingsAt returns the headings above a byte of the text, outermost first: those above the
// passage, but for what headings within it have replaced.
func (p *Passage) HeadingsAt(at int) []string {
	path := p.Headings
	depth := len(path) // of the innermost heading: its level, where the text shows it
	opening, code := true, false
	for line := range strings.Lines(p.Text[:at]) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		level := document.HeadingLevel(line)
		title := strings.TrimSpace(line[level:])
		switch {
		case line == "":
		case code || level == 0 || title == "":
			opening = false
		case opening:
			depth = level // one of those that the path ends with
		default:
			keep := min(len(path), max(0, len(path)-1-depth+level)) // the innermost has the level depth
			path, depth = append(slices.Clone(path[:keep]), title), level
		}
	}
	return path
}

// Book holds a conversation's passages. The zero value is empty and ready to use.
// Not safe for concurrent use.
type Book struct {
	list      []Passage
	byID      map[string]int
	byKey     map[string]int
	documents int            // of the request
	artifacts map[string]int // artifact to document index
}

// Add adds a passage and returns it with its id. If the Key is known already, it
// returns the known passage.
func (b *Book) Add(p Passage) Passage {
	if b.byID == nil {
		b.byID, b.byKey, b.artifacts = map[string]int{}, map[string]int{}, map[string]int{}
	}
	if p.Kind == Plain {
		b.list = append(b.list, p)
		return p
	}
	if i, ok := b.byKey[p.Key]; ok {
		return b.list[i]
	}
	if p.Kind == Document && p.Source != "" { // fetched by a tool
		p.DocumentIndex = b.artifactIndex(p.Source)
	}
	if p.Kind == Artifact {
		p.DocumentIndex = b.artifactIndex(p.ArtifactID)
	}
	for salt := 0; ; salt++ {
		id := shortID(p.Key, salt)
		if _, taken := b.byID[id]; !taken {
			p.ID = id
			break
		}
	}
	b.byID[p.ID], b.byKey[p.Key] = len(b.list), len(b.list)
	b.list = append(b.list, p)
	return p
}

func (b *Book) artifactIndex(artifact string) int {
	i, ok := b.artifacts[artifact]
	if !ok {
		i = b.documents + len(b.artifacts)
		b.artifacts[artifact] = i
	}
	return i
}

// NextDocument returns the index of the request's next document.
func (b *Book) NextDocument() int {
	b.documents++
	return b.documents - 1
}

// Find returns the passage of an id.
func (b *Book) Find(id string) (Passage, bool) {
	i, ok := b.byID[id]
	if !ok {
		return Passage{}, false
	}
	return b.list[i], true
}

// All returns the passages in the order of Add. The caller must not change it.
func (b *Book) All() []Passage { return b.list }

// idForm matches what is written like the ids of passages in a citation.
var idForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[[A-Z0-9,; ]{4,96}\]`) })

// Defused returns a text in which the ids of passages stand in parentheses, so that the text
// cites nothing: one passage must not vouch for what another says.
func (b *Book) Defused(text string) string {
	return defused(text, func(id string) bool { _, ok := b.byID[id]; return ok })
}

// Defused is the same with the ids of a list.
func Defused(text string, list []Passage) string {
	return defused(text, func(id string) bool { return slices.ContainsFunc(list, func(p Passage) bool { return p.ID == id }) })
}

func defused(text string, known func(id string) bool) string {
	if strings.IndexByte(text, '[') < 0 {
		return text
	}
	return idForm().ReplaceAllStringFunc(text, func(s string) string {
		inner := s[1 : len(s)-1]
		ids := strings.FieldsFunc(inner, func(r rune) bool { return strings.ContainsRune(",; ", r) })
		if slices.ContainsFunc(ids, known) {
			return "(" + inner + ")"
		}
		return s
	})
}

// shortID makes four characters of A-Z and 2-7 with at least one letter, so that
// a year or number in brackets is never mistaken for an id.
func shortID(key string, salt int) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	sum := sha256.Sum256([]byte(strconv.Itoa(salt) + "\x00" + key))
	id := []byte{alphabet[sum[0]%26], 0, 0, 0}
	for i := 1; i < 4; i++ {
		id[i] = alphabet[sum[i]&31]
	}
	return string(id)
}

// Cite returns the citation of a span of p's text, given in bytes. The caller sets
// Index.
func (p *Passage) Cite(start, end int) message.Citation {
	c := message.Citation{ID: p.ID, ArtifactID: p.ArtifactID, Collection: p.Collection, SourceID: p.ChunkID,
		CitedText: p.Text[start:end], Page: p.pageAt(start), Headings: p.HeadingsAt(start)}
	switch p.Kind {
	case SearchResult:
		next := p.BlockIndex + 1
		c.Type, c.Source, c.Title = "search_result_location", p.Source, p.Title
		c.SearchIndex, c.StartBlockIndex, c.EndBlockIndex = &p.SearchIndex, &p.BlockIndex, &next
		c.CitedText = p.Text
	case Document:
		if p.Paged {
			c.Type, c.DocumentTitle, c.DocumentIndex = "page_location", p.Title, &p.DocumentIndex
			c.StartPage, c.EndPage = c.Page, p.pageAt(max(start, end-1))+1
			return c
		}
		fallthrough
	default:
		from := p.Start + document.UTF16Len(p.Text[:start])
		to := from + document.UTF16Len(c.CitedText)
		c.Type, c.DocumentTitle = "char_location", p.Title
		c.DocumentIndex, c.StartCharIndex, c.EndCharIndex = &p.DocumentIndex, &from, &to
	}
	return c
}
