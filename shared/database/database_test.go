package database_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/database"
	"lectern/shared/fault"
)

func TestParse(t *testing.T) {
	tests := []struct {
		raw  string
		ssl  bool
		want database.Address
	}{
		{"postgresql+psycopg2://u:p%40s%2Fs@db.example:6000/shop?sslmode=verify-full&options=-csearch_path=a,b", false,
			database.Address{Dialect: database.Postgres, Host: "db.example", Port: 6000, User: "u", Password: "p@s/s", Name: "shop", TLS: database.Verify,
				Path: "a,b"}},
		{"postgres://[2001:db8::1]/shop", true, database.Address{Dialect: database.Postgres, Host: "2001:db8::1", Port: 5432, Name: "shop",
			TLS: database.Require}},
		{"mysql+pymysql://u:p@@h/db?charset=utf8mb4&ssl_disabled=true", false,
			database.Address{Dialect: database.MySQL, Host: "h", Port: 3306, User: "u", Password: "p@", Name: "db", TLS: database.Off}},
		{"mariadb://u@h:3307", false, database.Address{Dialect: database.MySQL, Host: "h", Port: 3307, User: "u"}},
		{"mssql+pyodbc://sa:x@h:1444/db?driver=ODBC+Driver+18+for+SQL+Server&TrustServerCertificate=yes&Encrypt=yes", false,
			database.Address{Dialect: database.SQLServer, Host: "h", Port: 1444, User: "sa", Password: "x", Name: "db", TLS: database.Require}},
		{"sqlite:///uploads/a%20b.db", false, database.Address{Dialect: database.SQLite, Name: "uploads/a b.db"}},
	}
	for _, tc := range tests {
		got, err := database.Parse(tc.raw, tc.ssl)
		if err != nil {
			t.Errorf("Parse(%q): %v", tc.raw, err)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("Parse(%q): -want +got\n%s", tc.raw, diff)
		}
	}
}

// TestParseRefuses: what cannot be used is named without a word of the secret.
func TestParseRefuses(t *testing.T) {
	for _, raw := range []string{
		"", "no url hunter2", "oracle://u:hunter2@h/db", "file:///etc/hunter2", "postgresql:///db?host=/tmp&hunter2=1", "postgresql://u:hunter2@/db",
		"postgresql://u:hunter2@h:port/db",
		"postgresql://u:hunter2@a,b/db", "postgresql://u:hunter2@h/db?sslrootcert=/etc/passwd", "mysql://u:hunter2@h/db?unix_socket=/tmp/x",
		"mssql+pyodbc://u:hunter2@h/?odbc_connect=DRIVER", "mysql://u:hunter2%0a@h/db",
		"postgresql://u:hunter2@h/db?a=%zz",
	} {
		_, err := database.Parse(raw, false, "body", "x")
		f := fault.As(err)
		if f == nil || f.Code != fault.Invalid || !cmp.Equal(f.Problems[0].Loc, []any{"body", "x"}) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("Parse(%q) = %v", raw, err)
		}
	}
}

func TestRows(t *testing.T) {
	r := database.Rows{Columns: []string{"a|b", "n"}, Values: [][]any{{"x\ny", []byte("2.5000000000")}, {nil, 1.5},
		{[]byte{0, 1}, time.Date(2024, 2, 3, 0, 0, 0, 0, time.UTC)}, {true, int64(7)}}}
	if want := "| a\\|b | n |\n| --- | --- |\n| x y | 2.5 |\n|  | 1.5 |\n"; r.Markdown(2) != want {
		t.Errorf("Markdown = %q, want %q", r.Markdown(2), want)
	}
	if got, want := string(r.CSV()), "a|b,n\n\"x\ny\",2.5\n,1.5\n0x0001,2024-02-03\ntrue,7\n"; got != want {
		t.Errorf("CSV = %q, want %q", got, want)
	}
}

func TestSchemaText(t *testing.T) {
	s := database.Schema{
		Tables: []database.Table{{Schema: "sales", Name: `odd"name`, Comment: "two\nlines", Columns: []database.Column{
			{Name: "id", Type: "integer", Key: true}, {Name: "of", Type: "integer", References: "customers.id", Comment: "whose"}}, Samples: [][]any{{int64(1), nil}}}},
		Routines: []database.Routine{{Name: "f", Kind: "function", Signature: "a integer"}},
	}
	want := "TABLE \"sales\".\"odd\"\"name\" ( -- two lines\n  \"id\" integer PRIMARY KEY,\n  \"of\" integer REFERENCES customers.id -- whose\n)\n-- sample rows:\n--   1 | \n-- function \"f\"(a integer)\n"
	if got := s.Text(database.Postgres); got != want {
		t.Errorf("Text = %q, want %q", got, want)
	}
	for range 2000 {
		s.Tables = append(s.Tables, s.Tables[0])
	}
	if got := s.Text(database.Postgres); len(got) > 40000 || !strings.HasSuffix(got, "-- there is more that is not shown\n") {
		t.Errorf("a large schema is %d bytes", len(got))
	}
}

// TestFormulas: a spreadsheet that opens the CSV runs nothing of it, and numbers stay numbers.
func TestFormulas(t *testing.T) {
	r := &database.Rows{Columns: []string{"=a", "b"}, Values: [][]any{
		{"=HYPERLINK(\"http://x\")", "+1+2"}, {"-cmd|' /C calc'!A0", "@SUM(A1)"}, {"\tx", "\rx"}, {-1.5, "-2"}, {"+3e2", int64(-4)}, {"a=b", ""}, {"-", []byte("=1")},
	}}
	want := "'=a,b\n\"'=HYPERLINK(\"\"http://x\"\")\",'+1+2\n'-cmd|' /C calc'!A0,'@SUM(A1)\n'\tx,\"'\rx\"\n-1.5,-2\n+3e2,-4\na=b,\n'-,'=1\n"
	if got := string(r.CSV()); got != want {
		t.Errorf("CSV = %q, want %q", got, want)
	}
	if r.Columns[0] != "=a" {
		t.Errorf("the name of the column is now %q", r.Columns[0])
	}
}

// TestDialects: what dialects write otherwise than each other.
func TestDialects(t *testing.T) {
	for _, tc := range []struct {
		dialect             database.Dialect
		first, average, yes string
	}{
		{database.SQLite, `SELECT a FROM t LIMIT 3`, `AVG(a)`, "1"},
		{database.Postgres, `SELECT a FROM t LIMIT 3`, `AVG(a)`, "TRUE"},
		{database.MySQL, `SELECT a FROM t LIMIT 3`, `AVG(a)`, "1"},
		{database.SQLServer, `SELECT TOP 3 a FROM t`, `AVG(CAST(a AS FLOAT))`, "1"},
	} {
		d := tc.dialect
		if got := [3]string{d.First("a", " FROM t", 3), d.Average("a"), d.Bool(true)}; got != [3]string{tc.first, tc.average, tc.yes} {
			t.Errorf("%v: got %q, want %q", d, got, [3]string{tc.first, tc.average, tc.yes})
		}
	}
	if database.Postgres.Bool(false) != "FALSE" || database.SQLServer.Bool(false) != "0" {
		t.Error("a false value is written otherwise")
	}
}
