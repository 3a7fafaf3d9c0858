package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

func (c *Command) search(ctx context.Context, name string, args []string) (int, error) {
	f, o := c.flags(name)
	limit := f.Int("limit", 5, "how many passages")
	counted := f.Bool("total", false, "count the documents and passages that have all of the words")
	words, service, err := o.parse(f, args)
	if err != nil {
		return Failed, err
	}
	var found struct {
		Data []struct {
			Score    float64         `json:"score"`
			Text     string          `json:"text"`
			Document document        `json:"document"`
			Metadata json.RawMessage `json:"metadata"`
		} `json:"data"`
		Total    *total   `json:"total"`
		Warnings []string `json:"warnings"`
	}
	err = service.post(ctx, "/v1/primitives/search", map[string]any{"type": "semantic_search", "text": strings.Join(words, " "),
		"limit": *limit, "total": *counted, "context_filter": map[string]any{"collection": o.collection}}, &found)
	if err != nil {
		return Failed, err
	}
	for _, w := range found.Warnings {
		c.say("%s", printable(w))
	}
	for _, d := range found.Data {
		var at place
		if err := json.Unmarshal(d.Metadata, &at); err != nil {
			return Failed, err
		}
		if o.json {
			err = c.line(map[string]any{"artifact": d.Document.Artifact, "score": d.Score, "text": d.Text, "metadata": d.Metadata})
		} else {
			_, err = fmt.Fprintf(c.Out, "%.2f  %s%s\n%s\n\n", d.Score, printable(d.Document.Artifact), at, indented(d.Text))
		}
		if err != nil {
			return Failed, err
		}
	}
	if t := found.Total; t != nil {
		if o.json {
			err = c.line(map[string]any{"total": t})
		} else {
			_, err = fmt.Fprintf(c.Out, "all words: %d passages in %d documents\n", t.Chunks, t.Documents)
		}
		if err != nil {
			return Failed, err
		}
	}
	if len(found.Data) == 0 {
		return Nothing, nil
	}
	return Done, nil
}

// total is how much has all words of a query.
type total struct {
	Documents int `json:"documents"`
	Chunks    int `json:"chunks"`
}

// place is where in its document a passage stands.
type place struct {
	Page     int      `json:"page,omitempty"`
	Headings []string `json:"headings,omitempty"`
}

func (p place) String() string {
	out := ""
	if p.Page > 0 {
		out = fmt.Sprintf(", page %d", p.Page)
	}
	if n := len(p.Headings); n > 0 {
		out += ", " + printable(p.Headings[n-1])
	}
	return out
}

func indented(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = "    " + printable(strings.ReplaceAll(l, "\t", "    "))
	}
	return strings.Join(lines, "\n")
}

// citation is one of an answer.
type citation struct {
	CitedText string `json:"cited_text"`
	Artifact  string `json:"artifact_id"`
	Title     string `json:"document_title"`
	place
}

// answer is what the service says.
type answer struct {
	Content []struct {
		Type      string         `json:"type"`
		Text      string         `json:"text"`
		Citations []citation     `json:"citations"`
		Meta      map[string]any `json:"_meta"`
	} `json:"content"`
}

// answerTo asks for an answer from a collection, with citations.
func (a *api) answerTo(ctx context.Context, collection, model string, maxTokens int, turns []turn) (*answer, error) {
	type object = map[string]any
	out := &answer{}
	return out, a.post(ctx, "/v1/messages", object{
		"model": model, "max_tokens": maxTokens,
		"system": []object{{"type": "text", "text": "Answer from the collection, and cite it.", "citations": object{"enabled": true}}},
		"tools": []object{{"name": "search", "type": "semantic_search_v1",
			"context": []object{{"type": "ingested_artifact", "context_filter": object{"collection": collection}}}}},
		"messages": turns,
	}, out)
}

func (c *Command) ask(ctx context.Context, name string, args []string) (int, error) {
	f, o := c.flags(name)
	model := f.String("model", "default", "model")
	words, service, err := o.parse(f, args)
	if err != nil {
		return Failed, err
	}
	answer, err := service.answerTo(ctx, o.collection, *model, 2000, []turn{{"user", strings.Join(words, " ")}})
	if err != nil {
		return Failed, err
	}
	var text strings.Builder
	var sources []citation
	numbers, nothing := map[string]int{}, false
	for _, b := range answer.Content {
		if b.Type != "text" {
			continue
		}
		nothing = nothing || b.Meta["nothing_relevant"] == true
		text.WriteString(b.Text)
		for _, cite := range b.Citations {
			key := cite.Artifact + "\x00" + cite.CitedText
			if numbers[key] == 0 {
				sources = append(sources, cite)
				numbers[key] = len(sources)
			}
			fmt.Fprintf(&text, " [%d]", numbers[key])
		}
	}
	if o.json {
		err = c.line(map[string]any{"answer": text.String(), "sources": sources, "nothing_relevant": nothing})
	} else {
		err = c.show(text.String(), sources)
	}
	switch {
	case err != nil:
		return Failed, err
	case nothing:
		return Nothing, nil
	}
	return Done, nil
}

// show writes an answer and where its quotations stand.
func (c *Command) show(text string, sources []citation) error {
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		if _, err := fmt.Fprintln(c.Out, printable(line)); err != nil {
			return err
		}
	}
	for i, s := range sources {
		gap := ""
		if i == 0 {
			gap = "\n"
		}
		if _, err := fmt.Fprintf(c.Out, "%s[%d] %s%s\n", gap, i+1, printable(cmp.Or(s.Artifact, s.Title)), s.place); err != nil {
			return err
		}
	}
	return nil
}
