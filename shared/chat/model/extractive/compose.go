package extractive

import (
	"fmt"
	"strings"

	"lectern/shared/chat/model"
	"lectern/shared/message"
	"lectern/shared/message/passage"
	"lectern/shared/text/sentence"
)

const (
	noMaterial = "I answer from material, and this conversation holds none. Send a document block with the question, or declare a semantic_search_v1 tool over an ingested collection."
	noAnswer   = "Nothing relevant to this question was found in the material."
)

// compose writes the answer: the chosen sentences verbatim, each followed by the id
// of its passage if citations are requested.
func compose(req *model.Request, q question, chosen []candidate) string {
	if len(chosen) == 0 {
		return decline(req, q)
	}
	var out strings.Builder
	for i, c := range chosen {
		p := req.Passages[c.passage]
		if i > 0 {
			out.WriteString(between(p.Text, chosen[i-1], c))
		}
		out.WriteString(clean(c.text, p))
		if req.Cite && p.Citable {
			out.WriteString(" [" + p.ID + "]")
		}
	}
	return out.String()
}

// between returns the separator of two quotations: those of one passage share a
// line, unless the first is a list item or a table row.
func between(text string, before, c candidate) string {
	switch {
	case before.passage != c.passage:
		return "\n\n"
	case strings.Contains(text[before.end:c.start], "\n") && !sentence.Marked(before.text):
		return "\n"
	}
	return " "
}

// clean keeps a quoted sentence from being read as a citation: it turns the brackets
// around the passage's own id into parentheses.
func clean(text string, p passage.Passage) string {
	if p.ID != "" && strings.Contains(text, "["+p.ID+"]") {
		return strings.ReplaceAll(text, "["+p.ID+"]", "("+p.ID+")")
	}
	return text
}

// decline explains why there is no answer.
func decline(req *model.Request, q question) string {
	if failed := failures(req); failed != "" && q.results {
		return "The tool could not help: " + failed
	}
	if len(req.Passages) > 0 || q.results {
		return noAnswer
	}
	return noMaterial
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
