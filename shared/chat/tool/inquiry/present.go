package inquiry

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"lectern/shared/chat/tool"
	"lectern/shared/database"
	"lectern/shared/file"
	"lectern/shared/message"
	"lectern/shared/message/passage"
	"lectern/shared/text/terms"
)

const (
	tableRows = 50 // maximum rows shown as text
	saidRows  = 12 // maximum rows of an answer written as one sentence
	saidCells = 48
)

// Result renders the outcome of a question as a tool result: the statement, the
// first rows, and all rows as CSV, which is stored as a file in a session.
// Declined is a failed result; other errors are returned.
func Result(ctx context.Context, files *file.Service, session, question string, a *Answer, err error) (tool.Result, error) {
	var why Declined
	if errors.As(err, &why) {
		return tool.Failed(string(why)), nil
	}
	if err != nil {
		return tool.Result{}, err
	}
	say := framesIn(question)
	text := shown(a, say)
	if a.Instead != nil {
		text = "The question can be read in two ways. Read as " + a.As + ":\n" + text + "\n\nRead as " + a.Instead.As + ":\n" + shown(a.Instead, say)
	}
	if a.Means != "" {
		text = "The question was taken to mean: " + a.Means + "?\n" + text
	}
	out := tool.Result{Content: message.Content{message.NewText(text)}}
	if said := sentence(question, a, say); said != "" {
		out.Material = []passage.Passage{{Text: said}}
	}
	if len(a.Rows.Values) == 0 {
		return out, nil
	}
	csv := a.Rows.CSV()
	sum := sha256.Sum256([]byte(a.SQL))
	name := "query-" + hex.EncodeToString(sum[:4]) + ".csv"
	binary := file.NewBinary(name, csv)
	binary.Source.MediaType = "text/csv"
	out.Content = append(out.Content, binary)
	if session != "" && files != nil {
		kept, err := files.Output(ctx, session, name, csv)
		if err != nil {
			return tool.Result{}, err
		}
		out.Content = append(out.Content, kept)
	}
	return out, nil
}

// frames are the words around what a statement gives.
type frames struct{ yes, no, one, many, first, none, nothing string }

// framesIn returns those of the language of a question, of English where it is neither that nor German.
func framesIn(question string) frames {
	if terms.Of(question) == "de" {
		return frames{"Ja: ", "Nein: ", "1 Zeile.", "%d Zeilen.", "Die ersten %d Zeilen; es gibt mehr.", "solche Zeilen gibt es nicht", "nichts"}
	}
	return frames{"Yes: ", "No: ", "1 row.", "%d rows.", "The first %d rows; there are more.", "there are no such rows", "nothing"}
}

// shown is a statement with its first rows.
func shown(a *Answer, say frames) string {
	text := fmt.Sprintf("%s\n%s%s", fenced(a.SQL), decided(a, say), counted(a.Rows, say))
	if table := a.Rows.Markdown(tableRows); table != "" {
		text += "\n\n" + table
	}
	return strings.TrimSpace(text)
}

// decided is the answer to a question whether something is so; empty for another question.
func decided(a *Answer, say frames) string {
	switch {
	case !a.Decides:
		return ""
	case len(a.Rows.Values) > 0:
		return say.yes
	}
	return say.no
}

func counted(r *database.Rows, say frames) string {
	switch n := len(r.Values); {
	case r.Cut:
		return fmt.Sprintf(say.first, n)
	case n == 1:
		return say.one
	default:
		return fmt.Sprintf(say.many, n)
	}
}

// sentence writes a small answer as one sentence with its question, so that it can
// be quoted by itself.
func sentence(question string, a *Answer, say frames) string {
	question = strings.TrimRight(strings.Join(strings.Fields(question), " "), " ?.!:")
	if question == "" {
		question = "The result"
	}
	said := cells(a.Rows, say)
	if len(question) > 300 || said == "" {
		return ""
	}
	if a.Instead != nil {
		other := cells(a.Instead.Rows, say)
		if other == "" {
			return ""
		}
		said = "read as " + a.As + ": " + said + "; read as " + a.Instead.As + ": " + other
	}
	if a.Means != "" {
		question += " (taken to mean: " + a.Means + ")"
	}
	return question + ": " + strings.ToLower(decided(a, say)) + said + "."
}

// cells writes the rows of a small result; empty of another.
func cells(r *database.Rows, say frames) string {
	switch {
	case len(r.Columns) == 0 || len(r.Values) > saidRows || len(r.Values)*len(r.Columns) > saidCells:
		return ""
	case len(r.Values) == 0:
		return say.none
	}
	cell := func(v any) string {
		if v == nil {
			return say.nothing
		}
		return strings.Join(strings.Fields(database.Show(v)), " ")
	}
	var list []string
	for _, row := range r.Values {
		if len(r.Columns) == 1 {
			list = append(list, cell(row[0]))
			continue
		}
		var parts []string
		for i, v := range row {
			parts = append(parts, r.Columns[i]+" "+cell(v))
		}
		list = append(list, strings.Join(parts, ", "))
	}
	if len(r.Columns) == 1 {
		return strings.Join(list, ", ")
	}
	return strings.Join(list, "; ")
}
