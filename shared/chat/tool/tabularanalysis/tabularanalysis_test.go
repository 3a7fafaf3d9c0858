package tabularanalysis_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/chat/tool"
	"lectern/shared/chat/tool/inquiry"
	"lectern/shared/chat/tool/tabularanalysis"
	"lectern/shared/database/databasetest"
	"lectern/shared/fault"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/artifact/artifacttest"
	"lectern/shared/message"
	"lectern/shared/web/fetch"
)

// world is the tool over a collection c, and what the model was asked.
type world struct {
	*tabularanalysis.Tool
	door    databasetest.Door
	prompts []string
	says    string // the model
}

func open(t *testing.T) *world {
	t.Helper()
	w := &world{}
	artifacts := artifacttest.Open(t)
	artifacts.Fetch = fetch.New([]string{"127.0.0.1"})
	ask := func(_ context.Context, model, _, prompt string) (string, error) {
		if model != "m" {
			return "", fmt.Errorf("model %q was asked", model)
		}
		w.prompts = append(w.prompts, prompt)
		return w.says, nil
	}
	w.Tool = &tabularanalysis.Tool{Open: w.door.Opener(), Inquiry: &inquiry.Service{Ask: ask}, Artifacts: artifacts, Reader: artifacts}
	t.Cleanup(func() {
		if w.door.Open != 0 {
			t.Errorf("%d databases of %d were left open", w.door.Open, w.door.Opened)
		}
	})
	return w
}

func (w *world) ingest(t *testing.T, name, fileName, text string, metadata map[string]any) {
	t.Helper()
	b := &artifact.Body{Artifact: name, Collection: "c", Input: &artifact.Input{Type: "file", Value: base64.StdEncoding.EncodeToString([]byte(text))}}
	if fileName != "" {
		b.Metadata = maps.Clone(metadata)
		if b.Metadata == nil {
			b.Metadata = map[string]any{}
		}
		b.Metadata["file_name"] = fileName
	}
	if _, err := w.Artifacts.Ingest(t.Context(), b); err != nil {
		t.Fatalf("Ingest(%s) = %v", name, err)
	}
}

func stored(f *message.ContextFilter) message.ContextItem {
	f.Collection = "c"
	return message.ContextItem{Type: "ingested_artifact", ContextFilter: f}
}

func sql(statement string, items ...message.ContextItem) tool.Call {
	input, _ := json.Marshal(map[string]string{"sql": statement})
	return tool.Call{Spec: tool.Spec{Context: items}, Input: input, Model: "m"}
}

func text(r tool.Result) string {
	if len(r.Content) == 0 {
		return ""
	}
	return r.Content[0].(*message.Text).Text
}

// TestTables: where tables come from, and what they are called.
func TestTables(t *testing.T) {
	w := open(t)
	w.ingest(t, "sales-2025", "sales.csv", "city,total\nBonn,3\nUlm,4\n", map[string]any{"year": 2025})
	w.ingest(t, "sales-2026", "", "<html><body><table><tr><th>city</th><th>total</th></tr><tr><td>Linz</td><td>5</td></tr></table></body></html>", nil)
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/csv")
		_, _ = rw.Write([]byte("city,total\nGraz,6\n"))
	}))
	defer server.Close()
	csv := base64.StdEncoding.EncodeToString([]byte("city;total\nKöln;7\n"))
	for _, tt := range []struct {
		why   string
		table string
		want  string // cells of its first rows
		items []message.ContextItem
	}{
		{"a file's name", "sales", "Bonn 3 Ulm 4", []message.ContextItem{stored(&message.ContextFilter{Artifacts: []string{"sales-2025"}})}},
		{"an artifact's, where the file had none", "sales_2026", "Linz 5", []message.ContextItem{stored(&message.ContextFilter{})}},
		{"those that a filter lets through", "sales", "Bonn 3 Ulm 4",
			[]message.ContextItem{stored(&message.ContextFilter{MetadataFilter: []map[string]any{{"year": 2025.0}}})}},
		{"a text of columns", "table_1", "Ulm 1", []message.ContextItem{{Type: "text", Value: "city\ttotal\nUlm\t1"}}},
		{"a text with semicolons", "table_1", "Ulm 1.5", []message.ContextItem{{Type: "text", Value: "city;total\nUlm;1,5\n"}}},
		{"a text with a table in it", "table_1", "Ulm 1",
			[]message.ContextItem{{Type: "text", Value: "Our cities:\n\n| city | total |\n| --- | --- |\n| Ulm | 1 |\n"}}},
		{"a text of a table that holds commas", "table_1", "Ulm, south 1", []message.ContextItem{{Type: "text",
			Value: "| city, part | total |\n| --- | --- |\n| Ulm, south | 1 |\n"}}},
		{"a text with a name", "towns", "Ulm 1", []message.ContextItem{{Type: "text", FileName: "towns.csv", Value: "city,total\nUlm,1\n"}}},
		{"a file without a name", "table_2", "Köln 7", []message.ContextItem{{Type: "text", Value: "x"},
			{Type: "file", Value: base64.StdEncoding.EncodeToString([]byte("<html><body><table><tr><th>city</th><th>total</th></tr><tr><td>Köln</td><td>7</td></tr></table></body></html>"))}}},
		{"a file of the request", "kiosk", "Köln 7", []message.ContextItem{{Type: "file", FileName: "kiosk.csv", Value: csv}}},
		{"an address", "list", "Graz 6", []message.ContextItem{{Type: "uri", Value: server.URL + "/a/list.csv"}}},
		{"an address with a name", "graz", "Graz 6", []message.ContextItem{{Type: "uri", FileName: "graz.csv", Value: server.URL + "/a/list.csv"}}},
		{"the second of a name", "towns_2", "Ulm 2", []message.ContextItem{{Type: "text", FileName: "towns.csv", Value: "city,total\nUlm,1\n"},
			{Type: "text", FileName: "towns.csv", Value: "city,total\nUlm,2\n"}}},
	} {
		got, err := w.Run(t.Context(), sql("SELECT * FROM "+tt.table, tt.items...))
		if err != nil || got.IsError {
			t.Errorf("%s: %q, %v", tt.why, text(got), err)
			continue
		}
		_, rows, _ := strings.Cut(text(got), "| --- | --- |\n")
		if cells := strings.Join(strings.Fields(strings.ReplaceAll(rows, "|", " ")), " "); cells != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, cells, tt.want)
		}
	}
}

// TestAcross: the tables of all contexts are one database, and the model that
// answers writes the statement.
func TestAcross(t *testing.T) {
	w := open(t)
	w.ingest(t, "a", "a.csv", "city,total\nBonn,3\n", nil)
	w.says = "```sql\nSELECT sum(total) AS total FROM (SELECT total FROM a UNION ALL SELECT total FROM b)\n```"
	c := tool.Call{Spec: tool.Spec{Context: []message.ContextItem{stored(&message.ContextFilter{}),
		{Type: "text", FileName: "b.csv", Value: "city,total\nUlm,4\n"}}}, Input: message.Object(`{"query":"What is the total?"}`), Model: "m"}
	got, err := w.Run(t.Context(), c)
	if err != nil || !strings.Contains(text(got), "| 7 |") || len(got.Content) != 2 || len(got.Material) != 1 ||
		got.Material[0].Text != "What is the total: 7." {
		t.Errorf("Run = %+v, %v, want 7", got, err)
	}
	if len(w.prompts) != 1 || strings.Contains(w.prompts[0], "not all tables") {
		t.Errorf("the model was asked %q", w.prompts)
	}
}

// TestLimits: what is too much is told of. Of many tables the first are there,
// and the model knows.
func TestLimits(t *testing.T) {
	w := open(t)
	many := make([]message.ContextItem, 51)
	for i := range many {
		many[i] = message.ContextItem{Type: "text", FileName: fmt.Sprintf("t%d.csv", i), Value: "a,b\n1,2\n"}
	}
	w.says = "```sql\nSELECT count(*) AS n FROM t7\n```"
	c := sql("", many...)
	c.Input = message.Object(`{"query":"How many rows?"}`)
	if got, err := w.Run(t.Context(), c); err != nil || got.IsError || len(w.prompts) != 1 ||
		!strings.Contains(w.prompts[0], "not all tables of the documents are here") {
		t.Errorf("51 tables: %+v, %v, and the model was told %q", got, err, w.prompts)
	}
	long := strings.Repeat("x", 22<<20)
	large := message.ContextItem{Type: "text", FileName: "l.csv", Value: "a,b\n" + long + ",1\n"}
	if got, err := w.Run(t.Context(), sql("SELECT 1", large, large, large)); err != nil || !got.IsError ||
		!strings.Contains(text(got), "the tables are over 64 MiB together") {
		t.Errorf("66 MiB: %q, %v, want it failed", text(got), err)
	}
	for i := range 101 {
		w.ingest(t, fmt.Sprintf("a%d", i), "a.csv", fmt.Sprintf("a,b\n%d,2\n", i), nil)
	}
	if got, err := w.Run(t.Context(), sql("SELECT 1", stored(&message.ContextFilter{}))); err != nil || !got.IsError ||
		!strings.Contains(text(got), "over 100 documents") {
		t.Errorf("101 documents: %q, %v, want it failed", text(got), err)
	}
	w.door.Opened = 0
	if got, err := w.Run(t.Context(), sql("SELECT a FROM a", stored(&message.ContextFilter{Artifacts: []string{"a100"}}))); err != nil || got.IsError ||
		w.door.Opened != 1 {
		t.Errorf("one of them: %q, %v", text(got), err)
	}
}

// TestFailures: what the material lacks is a failed result, what the request
// has wrong an error with its place, and neither opens a database.
func TestFailures(t *testing.T) {
	w := open(t)
	w.ingest(t, "prose", "prose.txt", "Robins sing.", nil)
	for _, tt := range []struct {
		why  string
		call tool.Call
		want string // of a failed result
		loc  []any  // of a problem
	}{
		{"no input", tool.Call{Input: message.Object(`{}`)}, "the input needs a query", nil},
		{"an input of the wrong type", tool.Call{Input: message.Object(`{"query":["x"]}`)}, "the input needs a query", nil},
		{"no context", sql("SELECT 1"), "there are no tables", nil},
		{"a context without documents", sql("SELECT 1", message.ContextItem{Type: "ingested_artifact"}), "there are no tables", nil},
		{"documents without tables", sql("SELECT 1", stored(&message.ContextFilter{})), "there are no tables", nil},
		{"an unknown artifact", sql("SELECT 1", stored(&message.ContextFilter{Artifacts: []string{"prose", "none"}})), `"none"`, nil},
		{"an unusable filter", sql("SELECT 1", stored(&message.ContextFilter{MetadataFilter: []map[string]any{{"key": "a", "operator": "~", "value": 1.0}}})),
			"", []any{"body", "context_filter", "metadata_filter", 0}},
		{"a file that is not base64", sql("SELECT 1", message.ContextItem{Type: "text", Value: "a"},
			message.ContextItem{Type: "file", FileName: "a.csv", Value: "?"}), "", []any{"context", 1, "value"}},
	} {
		got, err := w.Run(t.Context(), tt.call)
		if tt.loc == nil {
			if err != nil || !got.IsError || !strings.Contains(text(got), tt.want) {
				t.Errorf("%s: %q, %v, want it failed with %q", tt.why, text(got), err, tt.want)
			}
			continue
		}
		if f := fault.As(err); f == nil || f.Code != fault.Invalid || len(f.Problems) != 1 || !cmp.Equal(tt.loc, f.Problems[0].Loc) {
			t.Errorf("%s: %v (%+v), want it Invalid at %v", tt.why, err, f, tt.loc)
		}
	}
	if w.door.Opened != 0 {
		t.Errorf("%d databases were opened", w.door.Opened)
	}
	table := message.ContextItem{Type: "text", FileName: "t.csv", Value: "a,b\n1,2\n"}
	for statement, want := range map[string]string{"DROP TABLE t": "The statement was", "SELECT c FROM t": "no such column"} {
		if got, err := w.Run(t.Context(), sql(statement, table)); err != nil || !got.IsError || !strings.Contains(text(got), want) {
			t.Errorf("Run(%q) = %q, %v, want it failed with %q", statement, text(got), err, want)
		}
	}
}

// TestCheck names each artifact that is not there, and all that cannot be read, and
// opens no database.
func TestCheck(t *testing.T) {
	w := open(t)
	w.ingest(t, "a", "a.csv", "a,b\n1,2\n", nil)
	spec := tool.Spec{Context: []message.ContextItem{
		stored(&message.ContextFilter{}), {Type: "uri", Value: "http://127.0.0.1:1/none.csv"}, stored(&message.ContextFilter{Artifacts: []string{"x", "a", "y"}}),
	}}
	err := w.Check(t.Context(), spec)
	want := []fault.Problem{
		{Loc: []any{"context", 2}, Msg: `collection "c" has no artifact "x"`, Type: "value_error"},
		{Loc: []any{"context", 2}, Msg: `collection "c" has no artifact "y"`, Type: "value_error"},
		{Loc: []any{"context", 1}, Msg: "the address cannot be reached", Type: "value_error"},
	}
	if f := fault.As(err); f == nil || f.Code != fault.Invalid || !cmp.Equal(want, f.Problems) {
		t.Errorf("Check = %v, want problems with x and y", err)
	}
	spec.Context = []message.ContextItem{spec.Context[0], stored(&message.ContextFilter{Artifacts: []string{"a"}})}
	if err := w.Check(t.Context(), spec); err != nil {
		t.Errorf("Check = %v, want none", err)
	}
	if w.door.Opened != 0 {
		t.Errorf("%d databases were opened", w.door.Opened)
	}
}

func TestDescribe(t *testing.T) {
	d := (&tabularanalysis.Tool{}).Describe()
	if !json.Valid([]byte(d.InputSchema)) || d.Description == "" || d.Instructions == "" {
		t.Errorf("Describe = %+v", d)
	}
}
