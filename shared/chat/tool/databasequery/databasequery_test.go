package databasequery_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/chat/tool"
	"lectern/shared/chat/tool/databasequery"
	"lectern/shared/chat/tool/inquiry"
	"lectern/shared/database/databasetest"
	"lectern/shared/fault"
	"lectern/shared/file"
	"lectern/shared/ident"
	"lectern/shared/knowledge/artifact/artifacttest"
	"lectern/shared/message"
)

// world is the tool with its doors and a session s that keeps two files.
type world struct {
	*databasequery.Tool
	door    databasetest.Door
	shop    []byte // three cities
	depot   []byte // one city
	prompts []string
	model   string
	says    string // the model
}

func open(t *testing.T) *world {
	t.Helper()
	w := &world{
		shop: databasetest.File(t, "CREATE TABLE cities (city TEXT, people INTEGER)", "INSERT INTO cities VALUES ('Bonn', 330), ('Köln', 1080), ('Ulm', 130)",
			"CREATE VIEW large AS SELECT city FROM cities WHERE people > 300"),
		depot: databasetest.File(t, "CREATE TABLE cities (city TEXT, people INTEGER)", "INSERT INTO cities VALUES ('Linz', 210)"),
	}
	stores := artifacttest.OpenStores(t, t.TempDir())
	files := &file.Service{Objects: stores.Objects, Records: stores.Records, Namespaces: []string{file.DefaultNamespace}, IDs: &ident.Counting{},
		Now: time.Now}
	for id, data := range map[string][]byte{"uploads/depot.db": w.depot, "uploads/note.txt": []byte("no database")} {
		if _, err := files.Put(t.Context(), file.Place{Namespace: file.DefaultNamespace, Scope: "s"}, id, data, file.PutOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(_ context.Context, model, _, prompt string) (string, error) {
		w.model, w.prompts = model, append(w.prompts, prompt)
		return w.says, nil
	}
	w.Tool = &databasequery.Tool{Open: w.door.Opener(), Inquiry: &inquiry.Service{Ask: ask}, Files: files}
	t.Cleanup(func() {
		if w.door.Open != 0 {
			t.Errorf("%d databases of %d were left open", w.door.Open, w.door.Opened)
		}
	})
	return w
}

func attached(name string, data []byte) message.ContextItem {
	return message.ContextItem{Type: "file", FileName: name, Value: base64.StdEncoding.EncodeToString(data)}
}

func named(connection string) message.ContextItem {
	return message.ContextItem{Type: "sql_database", ConnectionString: connection}
}

// call asks how many cities there are in the first database.
func call(session string, items ...message.ContextItem) tool.Call {
	return tool.Call{Spec: tool.Spec{Context: items, Session: session}, Input: message.Object(`{"sql":"SELECT count(*) AS n FROM cities"}`), Model: "m"}
}

// places lists the problems of an error by what they speak of.
func places(err error) []string {
	var list []string
	if f := fault.As(err); f != nil {
		for _, p := range f.Problems {
			list = append(list, strings.Trim(fmt.Sprint(p.Loc), "[]")+": "+p.Msg)
		}
	}
	return list
}

func text(r tool.Result) string {
	if len(r.Content) == 0 {
		return ""
	}
	return r.Content[0].(*message.Text).Text
}

// TestSources: where databases come from, how many are opened for one question,
// and which of them is the first.
func TestSources(t *testing.T) {
	w := open(t)
	shop, depot, note := attached("shop.db", w.shop), attached("depot.db", w.depot), attached("note.txt", []byte("no database"))
	for _, tt := range []struct {
		why    string
		call   tool.Call
		opened int
		cities string
	}{
		{"a file is a database by itself", call("", note, shop), 1, "3"},
		{"each file is one", call("", depot, shop), 2, "1"},
		{"a name takes a file, and comes first", call("", depot, shop, named("sqlite:///shop.db")), 2, "3"},
		{"a name is unescaped", call("", attached("my shop.db", w.shop), named("sqlite:///my%20shop.db")), 1, "3"},
		{"no name takes the only file", call("", note, shop, named("sqlite://")), 1, "3"},
		{"a file of the session", call("s", named("sqlite:///uploads/depot.db")), 1, "1"},
		{"a file of the call goes before the session's", call("s", attached("uploads/depot.db", w.shop), named("sqlite:///uploads/depot.db")), 1, "3"},
	} {
		w.door.Opened = 0
		got, err := w.Run(t.Context(), tt.call)
		if err != nil || got.IsError || !strings.Contains(text(got), "| n |\n| --- |\n| "+tt.cities+" |") {
			t.Errorf("%s: %q, %v, want %s cities", tt.why, text(got), err, tt.cities)
		}
		if w.door.Opened != tt.opened {
			t.Errorf("%s: %d databases were opened, want %d", tt.why, w.door.Opened, tt.opened)
		}
		if err := w.Check(t.Context(), tt.call.Spec); err != nil {
			t.Errorf("%s: Check = %v, though it runs", tt.why, err)
		}
	}
}

// TestProblems: what is wrong with the sources is told at once, with places,
// before any is opened, by Check and by Run.
func TestProblems(t *testing.T) {
	w := open(t)
	const nowhere = "a SQLite database comes from a context item of type file, which connection_string names by its file_name, or from a file of the session; never from a path"
	shop := attached("shop.db", w.shop)
	for _, tt := range []struct {
		why   string
		call  tool.Call
		files bool
		want  []string
	}{
		{"a path of the machine", call("", named("sqlite:////etc/shop.db")), true, []string{"context 0 connection_string: " + nowhere}},
		{"no name where there are two files", call("", shop, attached("", w.depot), named("sqlite://")), true,
			[]string{"context 2 connection_string: " + nowhere}},
		{"no name where two files have none", call("", attached("", w.shop), attached("", w.depot), named("sqlite://")), true,
			[]string{"context 2 connection_string: " + nowhere}},
		{"a file that the session lacks", call("s", named("sqlite:///uploads/none.db")), true,
			[]string{`context 0 connection_string: no file "uploads/none.db" in this scope`}},
		{"a session's file that is no database", call("s", named("sqlite:///uploads/note.txt")), true,
			[]string{"context 0 connection_string: the file is not a SQLite database"}},
		{"another session's file", call("other", named("sqlite:///uploads/depot.db")), true,
			[]string{`context 0 connection_string: no file "uploads/depot.db" in this scope`}},
		{"a session where no files are kept", call("s", named("sqlite:///uploads/depot.db")), false, []string{"context 0 connection_string: " + nowhere}},
		{"all at once", call("", named("oracle://u:hunter2@h/d"), shop, named("postgresql://u:hunter2@/d")), true, []string{
			"context 0 connection_string: connection_string should begin with postgresql://, mysql://, mariadb://, mssql:// or sqlite://",
			"context 2 connection_string: connection_string should name one host",
		}},
		{"too many", call("", slices.Repeat([]message.ContextItem{shop}, 6)...), true, []string{"context: the tool takes at most 5 databases"}},
	} {
		kept := w.Files
		if !tt.files {
			w.Files = nil
		}
		_, err := w.Run(t.Context(), tt.call)
		checked := w.Check(t.Context(), tt.call.Spec)
		w.Files = kept
		for by, err := range map[string]error{"Run": err, "Check": checked} {
			if d := cmp.Diff(tt.want, places(err)); d != "" {
				t.Errorf("%s: %s = %v (-want +got):\n%s", tt.why, by, err, d)
			}
		}
	}
	if w.door.Opened != 0 {
		t.Errorf("%d databases were opened", w.door.Opened)
	}
}

// TestOpening: a database that does not open is told of, and those that were
// open already are closed.
func TestOpening(t *testing.T) {
	w := open(t)
	shop, broken := attached("shop.db", w.shop), attached("broken.db", append([]byte("SQLite format 3\x00"), make([]byte, 5000)...))
	blocked := named("postgresql://u:hunter2@127.0.0.1:1/x")
	got, err := w.Run(t.Context(), call("", shop, broken))
	if err != nil || !got.IsError || text(got) != "the file is not a readable SQLite database" {
		t.Errorf("a broken file: %+v, %v, want a failed result", got, err)
	}
	if _, err := w.Run(t.Context(), call("", shop, named("sqlite:///shop.db"), blocked)); !fault.Is(err, fault.Forbidden) {
		t.Errorf("a blocked address: %v, want Forbidden", err)
	}
	if w.door.Opened != 2 {
		t.Errorf("%d databases were opened, want 2", w.door.Opened)
	}
	want := []string{
		`context 2 connection_string: the address of "127.0.0.1" is not public; LECTERN_ALLOW_HOSTS can allow it`,
		"context 1 value: the file is not a readable SQLite database",
	}
	if d := cmp.Diff(want, places(w.Check(t.Context(), call("", shop, broken, blocked).Spec))); d != "" {
		t.Errorf("Check (-want +got):\n%s", d)
	}
}

// TestQuestion: the model that answers writes the statement, of what the
// context shows, and the rows are kept for the session.
func TestQuestion(t *testing.T) {
	w := open(t)
	w.says = "```sql\nSELECT city FROM large\n```"
	no, item := false, named("sqlite:///shop.db")
	item.Description, item.EnableTables = "the towns we serve", &no
	c := call("s", attached("shop.db", w.shop), item)
	c.Input = message.Object(`{"query":"Which cities are large?"}`)
	got, err := w.Run(t.Context(), c)
	if err != nil || got.IsError || !strings.Contains(text(got), "| Bonn |\n| Köln |") {
		t.Fatalf("Run = %+v, %v, want Bonn and Köln", got, err)
	}
	if w.model != "m" || len(w.prompts) != 1 || !strings.Contains(w.prompts[0], "the towns we serve") || strings.Contains(w.prompts[0], "people") {
		t.Errorf("model %q was asked %q, want m to be asked once, of the view alone", w.model, w.prompts)
	}
	if len(got.Content) != 3 {
		t.Fatalf("%d blocks, want text, file and what the session keeps", len(got.Content))
	}
	kept := got.Content[2].(*message.LocalResource)
	_, csv, err := w.Files.Read(t.Context(), file.Place{Namespace: file.DefaultNamespace, Scope: "s"}, strings.TrimPrefix(kept.FilePath, "/"), 1000)
	if err != nil || string(csv) != "city\nBonn\nKöln\n" {
		t.Errorf("the session keeps %q, %v", csv, err)
	}
	c = call("", attached("shop.db", w.shop), attached("depot.db", w.depot))
	c.Input = message.Object(`{"sql":"SELECT city FROM cities","database":2}`)
	if got, err = w.Run(t.Context(), c); err != nil || !strings.Contains(text(got), "Linz") || len(got.Content) != 2 {
		t.Errorf("a statement for the second: %+v, %v", got, err)
	}
}

// TestInput: what a model may get wrong is a failed result that it can mend.
func TestInput(t *testing.T) {
	w := open(t)
	for input, want := range map[string]string{
		`{}`: "the input needs a query", `{"query":" ","sql":""}`: "the input needs a query", `{"query":3}`: "the input needs a query",
		`{"sql":"DELETE FROM cities"}`: "The statement was", `{"sql":"SELECT x FROM cities"}`: "no such column", `{"sql":"SELECT 1","database":7}`: "7",
	} {
		c := call("", attached("shop.db", w.shop))
		c.Input = message.Object(input)
		if got, err := w.Run(t.Context(), c); err != nil || !got.IsError || !strings.Contains(text(got), want) {
			t.Errorf("Run(%s) = %+v, %v, want it failed with %q", input, got, err, want)
		}
	}
	if got, err := w.Run(t.Context(), call("", attached("note.txt", []byte("x")))); err != nil || !got.IsError ||
		!strings.Contains(text(got), "no database to ask") {
		t.Errorf("without a database: %+v, %v, want it failed", got, err)
	}
}

func TestDescribe(t *testing.T) {
	d := (&databasequery.Tool{}).Describe()
	if !json.Valid([]byte(d.InputSchema)) || d.Description == "" || d.Instructions == "" {
		t.Errorf("Describe = %+v", d)
	}
}
