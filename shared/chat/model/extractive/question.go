package extractive

import (
	"encoding/json"
	"slices"
	"strings"

	"lectern/shared/chat/model"
	"lectern/shared/message"
	"lectern/shared/text/terms"
)

// question is the question of the last user turn.
type question struct {
	text    string            // of the last user turn
	query   string            // text, completed by the turn before if it refers to it
	stems   []string          // of the query's meaningful words, each once
	words   []string          // the same words, folded, parallel to stems
	forms   map[string]string // other stems → the stem of the query that they count as
	kind    kind
	results bool // the last turn has tool results
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
	summary
)

// leaning words refer to an earlier turn.
var leaning = map[string]bool{"it": true, "its": true, "he": true, "his": true, "him": true, "she": true, "her": true, "they": true,
	"their": true, "them": true, "this": true, "that": true, "these": true, "those": true, "there": true}

func questionOf(req *model.Request, stemmer *terms.Stemmer) question {
	q := question{stemmer: stemmer}
	var earlier []string
	for i := len(req.Messages) - 1; i >= 0; i-- {
		m := req.Messages[i]
		if m.Role != message.RoleUser {
			continue
		}
		text, results := userText(m.Content)
		if i == len(req.Messages)-1 {
			q.results = results
		}
		if text == "" {
			continue
		}
		if q.text == "" {
			q.text = text
			continue
		}
		earlier = append(earlier, text)
		break
	}
	q.query = q.text
	if len(earlier) > 0 && leans(q.text) {
		q.query = clip(earlier[0], 300) + " " + q.text
	}
	q.kind = kindOf(q.text)
	q.stems, q.words = q.meaningful(q.query)
	q.inflect()
	return q
}

// userText joins what the user wrote, without material. A turn with only material
// has no question.
func userText(c message.Content) (text string, results bool) {
	var parts []string
	for _, b := range c {
		switch b := b.(type) {
		case *message.Text:
			if !material(b.Text) {
				parts = append(parts, b.Text)
			}
		case *message.ToolResult:
			results = true
		}
	}
	return strings.TrimSpace(strings.Join(parts, "\n")), results
}

// material recognises the texts that the engine makes of documents and search
// results.
func material(s string) bool {
	return strings.HasPrefix(s, "<document index=") && strings.HasSuffix(s, "</document>") ||
		strings.HasPrefix(s, "<search_result title=") && strings.HasSuffix(s, "</search_result>")
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// leans reports whether a question refers to the one before it.
func leans(text string) bool {
	list := terms.Words(text)
	meaningful := 0
	for i, w := range list {
		if leaning[w.Text] && i < 12 {
			return true
		}
		if !terms.Stop("", w.Text) {
			meaningful++
		}
	}
	return meaningful <= 1
}

// meaningful returns the stems and words that are not stop words, each once, or all
// words if every word is a stop word.
func (q *question) meaningful(text string) (stems, words []string) {
	list := terms.Words(text)
	lang := terms.Of(text)
	for _, keepStops := range []bool{false, true} {
		seen := map[string]bool{}
		for _, w := range list {
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

// inflect maps stems of other forms of the query's words to the query's stems.
func (q *question) inflect() {
	lang := terms.Of(q.query)
	forms := map[string]string{}
	for i, word := range q.words {
		for _, form := range terms.Forms(lang, word) {
			if s := q.stem(form); !slices.Contains(q.stems, s) {
				forms[s] = q.stems[i]
			}
		}
	}
	q.forms = forms
}

func kindOf(text string) kind {
	s := " " + strings.ToLower(strings.NewReplacer("¿", " ", "¡", " ", "«", " ", "„", " ").Replace(text)) + " "
	has := func(list ...string) bool {
		for _, w := range list {
			if strings.Contains(s, w) {
				return true
			}
		}
		return false
	}
	switch {
	case has("summar", "tl;dr", "overview", "what is this about", "what's this about", "what does this document", "what does the document",
		"main points", "key points", "describe the document", "describe this"):
		return summary
	case has(" how many ", " how much ", " how long ", " how old ", " how far ", " how tall ", " how large ", " how big ", " percent",
		" what number ", " cuánt",
		" wie viel", " wie lang", " wie weit ", " wie alt ", " wie hoch ", " wie groß ", " combien ", " quant", " hoeveel ", " сколько "):
		return quantity
	case has(" when ", " what year ", " which year ", " what date ", " what day ", " what month ", " in what century ", " cuándo ",
		" a qué hora ", " wann ", " quand ", " quando ", " wanneer ", " когда "):
		return moment
	case has(" who ", " whom ", " whose ", " quién", " wer ", " wen ", " wem ", " qui ", " chi ", " quem ", " кто "):
		return person
	case has(" where ", " what city ", " which city ", " what country ", " which country ", " dónde ", " wo ", " wohin ", " où ", " dove ",
		" onde ", " waar ", " где "):
		return place
	}
	return anything
}

// search is a call of one of the service's search tools.
type search struct {
	name  string
	input message.Object
}

// searches returns the calls to make before answering, one per service tool that
// takes a query; none if the turn has tool results already.
func searches(req *model.Request, q question) []search {
	if q.results || req.Choice.Type == "none" || len(q.stems) == 0 {
		return nil
	}
	var list []search
	for _, t := range req.Tools {
		if !t.Server || !takesQuery(t.InputSchema) {
			continue
		}
		input, err := json.Marshal(map[string]string{"query": q.query})
		if err != nil {
			continue
		}
		list = append(list, search{t.Name, input})
		if req.Choice.DisableParallel {
			break
		}
	}
	return list
}

// takesQuery reports whether a tool's only required input is a string named query.
func takesQuery(schema message.Object) bool {
	var s struct {
		Required   []string
		Properties map[string]struct{ Type string }
	}
	if json.Unmarshal(schema, &s) != nil || s.Properties["query"].Type != "string" {
		return false
	}
	return len(s.Required) == 0 || len(s.Required) == 1 && s.Required[0] == "query"
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
