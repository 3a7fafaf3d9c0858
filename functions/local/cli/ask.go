package cli

import (
	"context"
	"fmt"
	"strings"
)

func (c *Command) search(ctx context.Context, name string, args []string) (int, error) {
	f, o := c.flags(name)
	limit := f.Int("limit", 5, "how many passages")
	words, err := parse(f, args)
	if err != nil {
		return Usage, err
	}
	service, err := o.api()
	if err != nil {
		return Usage, err
	}
	var found struct {
		Data []struct {
			Score    float64        `json:"score"`
			Text     string         `json:"text"`
			Document document       `json:"document"`
			Metadata map[string]any `json:"metadata"`
		} `json:"data"`
		Warnings []string `json:"warnings"`
	}
	err = service.post(ctx, "/v1/primitives/search", map[string]any{"type": "semantic_search", "text": strings.Join(words, " "),
		"limit": *limit, "context_filter": map[string]any{"collection": o.collection}}, &found)
	if err != nil {
		return Failed, err
	}
	for _, w := range found.Warnings {
		c.say("%s", printable(w))
	}
	for _, d := range found.Data {
		if o.json {
			err = c.line(map[string]any{"artifact": d.Document.Artifact, "score": d.Score, "text": d.Text, "metadata": d.Metadata})
		} else {
			_, err = fmt.Fprintf(c.Out, "%.2f  %s%s\n%s\n\n", d.Score, printable(d.Document.Artifact), place(d.Metadata), indented(d.Text))
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

// place says where in its document a passage stands.
func place(metadata map[string]any) string {
	var out strings.Builder
	if page, ok := metadata["page"].(float64); ok && page > 0 {
		fmt.Fprintf(&out, ", page %.0f", page)
	}
	if headings, ok := metadata["headings"].([]any); ok && len(headings) > 0 {
		fmt.Fprintf(&out, ", %s", printable(fmt.Sprint(headings[len(headings)-1])))
	}
	return out.String()
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
	CitedText string   `json:"cited_text"`
	Artifact  string   `json:"artifact_id"`
	Title     string   `json:"document_title"`
	Page      int      `json:"page,omitempty"`
	Headings  []string `json:"headings,omitempty"`
}

func (c *Command) ask(ctx context.Context, name string, args []string) (int, error) {
	f, o := c.flags(name)
	model := f.String("model", "default", "model")
	words, err := parse(f, args)
	if err != nil {
		return Usage, err
	}
	service, err := o.api()
	if err != nil {
		return Usage, err
	}
	type object = map[string]any
	var answer struct {
		Content []struct {
			Type      string     `json:"type"`
			Text      string     `json:"text"`
			Citations []citation `json:"citations"`
			Meta      object     `json:"_meta"`
		} `json:"content"`
	}
	err = service.post(ctx, "/v1/messages", object{
		"model": *model, "max_tokens": 2000,
		"system": []object{{"type": "text", "text": "Answer from the collection, and cite it.", "citations": object{"enabled": true}}},
		"tools": []object{{"name": "search", "type": "semantic_search_v1",
			"context": []object{{"type": "ingested_artifact", "context_filter": object{"collection": o.collection}}}}},
		"messages": []object{{"role": "user", "content": strings.Join(words, " ")}},
	}, &answer)
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
		err = c.line(object{"answer": text.String(), "sources": sources, "nothing_relevant": nothing})
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
		where := s.Artifact
		if where == "" {
			where = s.Title
		}
		metadata := map[string]any{"page": float64(s.Page)}
		if n := len(s.Headings); n > 0 {
			metadata["headings"] = []any{s.Headings[n-1]}
		}
		gap := ""
		if i == 0 {
			gap = "\n"
		}
		if _, err := fmt.Fprintf(c.Out, "%s[%d] %s%s\n", gap, i+1, printable(where), place(metadata)); err != nil {
			return err
		}
	}
	return nil
}
