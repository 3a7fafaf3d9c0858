package skill_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/chat/skill"
)

const head = "---\nname: make-tea\ndescription: How to make tea.\n---\nBoil water.\n"

// archive makes a zip; a name that ends in @ is a link.
func archive(t testing.TB, files ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		h := &zip.FileHeader{Name: strings.TrimSuffix(files[i], "@"), Method: zip.Deflate}
		h.SetMode(0o644)
		if h.Name != files[i] {
			h.SetMode(fs.ModeSymlink | 0o777)
		}
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(files[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func parts(list ...string) []skill.Part {
	var out []skill.Part
	for i := 0; i < len(list); i += 2 {
		out = append(out, skill.Part{Path: list[i], Data: []byte(list[i+1])})
	}
	return out
}

func TestParseBundle(t *testing.T) {
	zipped := func(files ...string) []skill.Part {
		return []skill.Part{{Path: "bundle.zip", Data: archive(t, files...)}}
	}
	for _, c := range []struct {
		name      string
		parts     []skill.Part
		directory string
		files     []string
	}{
		{"a file", parts("SKILL.md", head), "make-tea", []string{"SKILL.md"}},
		{"a folder", parts("tea/SKILL.md", head, "tea/a/b.txt", "x"), "tea", []string{"SKILL.md", "a/b.txt"}},
		{"folders around it", parts("up/tea/SKILL.md", head, "up/tea/b.txt", "x"), "tea", []string{"SKILL.md", "b.txt"}},
		{"a zip", zipped("tea/", "", "tea/SKILL.md", head, "tea/b.txt", "x"), "tea", []string{"SKILL.md", "b.txt"}},
		{"a zip with leftovers", zipped("tea/SKILL.md", head, "__MACOSX/tea/._SKILL.md", "x", "tea/.DS_Store", "x"), "tea", []string{"SKILL.md"}},
		{"a zip beside", parts("SKILL.md", head, "data.zip", string(archive(t, "x", "y"))), "make-tea", []string{"SKILL.md", "data.zip"}},
		{"backslashes", parts(`tea\SKILL.md`, head), "tea", []string{"SKILL.md"}},
		{"windows lines", parts("SKILL.md", strings.ReplaceAll(head, "\n", "\r\n")), "make-tea", []string{"SKILL.md"}},
	} {
		b, problems := skill.ParseBundle(c.parts)
		var files []string
		for _, f := range b.Files {
			files = append(files, f.Path)
		}
		if len(problems) > 0 || b.Directory != c.directory || b.Name != "make-tea" || !cmp.Equal(files, c.files) {
			t.Errorf("%s: %q of %q, files %q, problems %v", c.name, b.Name, b.Directory, files, problems)
		}
	}
	md := func(head string) []skill.Part { return parts("SKILL.md", "---\n"+head+"\n---\n") }
	many := []string{"SKILL.md", head}
	for i := range 500 {
		many = append(many, fmt.Sprintf("f%d", i), "")
	}
	for _, c := range []struct {
		name  string
		parts []skill.Part
		codes string
	}{
		{"nothing", nil, "MISSING_FILES"},
		{"an empty field", parts("", ""), "MISSING_FILES"},
		{"no main file", parts("tea/README.md", head, "x/SKILL.md", head), "MISSING_SKILL_MD"},
		{"no zip", parts("a.zip", "x"), "INVALID_ZIP"},
		{"a cut zip", []skill.Part{{Path: "x", Data: archive(t, "SKILL.md", head)[:60]}}, "INVALID_ZIP"},
		{"an empty zip", zipped(), "EMPTY_ZIP"},
		{"a zip of folders", zipped("a/", ""), "EMPTY_ZIP"},
		{"a link", zipped("SKILL.md", head, "secret@", "/etc/passwd"), "UNSAFE_PATH_TRAVERSAL"},
		{"traversal", zipped("../SKILL.md", head), "UNSAFE_PATH_TRAVERSAL"},
		{"hidden traversal", parts(`a\..\..\SKILL.md`, head), "UNSAFE_PATH_TRAVERSAL"},
		{"absolute", parts("/SKILL.md", head, `C:\SKILL.md`, head), "UNSAFE_PATH_ABSOLUTE UNSAFE_PATH_ABSOLUTE"},
		{"a bomb", zipped("SKILL.md", head, "zeros", strings.Repeat("\x00", 31<<20)), "BUNDLE_TOO_LARGE"},
		{"a zip of very many", parts("a.zip", string(archive(t, "SKILL.md", head))+strings.Repeat("PK\x01\x02", 20000)), "BUNDLE_TOO_LARGE"},
		{"too many", parts(many...), "BUNDLE_TOO_LARGE"},
		{"twice", parts("SKILL.md", head, "./SKILL.md", head), "INVALID_ZIP"},
		{"no frontmatter", parts("SKILL.md", "# Tea"), "MISSING_FRONTMATTER"},
		{"open frontmatter", parts("SKILL.md", "---\nname: tea\n"), "MISSING_FRONTMATTER"},
		{"no YAML", md("name: [tea"), "INVALID_FRONTMATTER"},
		{"a list", md("- tea"), "INVALID_FRONTMATTER NAME_REQUIRED DESCRIPTION_REQUIRED"},
		{"aliases", md("a: &a [x, x]\nb: [*a, *a]\nname: tea\ndescription: x"), "INVALID_FRONTMATTER"},
		{"depth", md("a: " + strings.Repeat("[", 40) + strings.Repeat("]", 40)), "INVALID_FRONTMATTER"},
		{"length", md("a: " + strings.Repeat("x", 70<<10)), "INVALID_FRONTMATTER"},
		{"a name that is a list", md("name: [a]\ndescription: x"), "INVALID_FRONTMATTER NAME_REQUIRED"},
		{"no name", md("description: x"), "NAME_REQUIRED"},
		{"long", md("name: " + strings.Repeat("a", 65) + "\ndescription: " + strings.Repeat("b", 1025)), "NAME_TOO_LONG DESCRIPTION_TOO_LONG"},
		{"hyphens", md("name: -a--b\ndescription: x"), "NAME_INVALID_FORMAT NAME_CONSECUTIVE_HYPHENS"},
		{"no description", md("name: a\ndescription:"), "DESCRIPTION_REQUIRED"},
		{"metadata", md("name: a\ndescription: x\nmetadata: {'': x, k: [1], v: 1.0}"), "METADATA_EMPTY_KEY METADATA_INVALID_VALUE"},
	} {
		_, problems := skill.ParseBundle(c.parts)
		var codes []string
		for _, p := range problems {
			codes = append(codes, p.Code)
		}
		if got := strings.Join(codes, " "); got != c.codes {
			t.Errorf("%s: %s, want %s", c.name, got, c.codes)
		}
	}
}

func TestAllowedTools(t *testing.T) {
	for text, want := range map[string][]string{
		"Bash(git add:*, git rm) Read,Write": {"Bash(git add:*, git rm)", "Read", "Write"}, "[a, 'b c']": {"a", "b c"}, "": nil, "[]": {},
	} {
		b, problems := skill.ParseBundle(parts("SKILL.md", "---\nname: a\ndescription: x\nallowed-tools: "+text+"\n---\n"))
		if diff := cmp.Diff(want, b.AllowedTools); diff != "" || len(problems) > 0 {
			t.Errorf("allowed-tools %q: %v, -want +got\n%s", text, problems, diff)
		}
	}
}

// FuzzParseBundle: whatever comes, no file of a bundle leaves its directory.
func FuzzParseBundle(f *testing.F) {
	f.Add("tea/SKILL.md", head, archive(f, "a/SKILL.md", head))
	f.Add("../x", "---\na: &a [*a]\n---", []byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, name, text string, zipped []byte) {
		for _, list := range [][]skill.Part{{{Path: name, Data: []byte(text)}}, {{Path: "a.zip", Data: zipped}},
			{{Path: name, Data: []byte(text)}, {Path: "SKILL.md", Data: zipped}}} {
			b, problems := skill.ParseBundle(list)
			for _, p := range b.Files {
				if !fs.ValidPath(p.Path) || path.Clean(p.Path) != p.Path {
					t.Errorf("ParseBundle keeps %q", p.Path)
				}
			}
			if len(problems) == 0 && (b.Name == "" || b.Description == "" || b.Directory == "") {
				t.Errorf("ParseBundle accepts %+v", b)
			}
		}
	})
}
