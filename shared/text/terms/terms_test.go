package terms_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/text/terms"
)

// TestSymbols: what people mean as a word is one.
func TestSymbols(t *testing.T) {
	tests := []struct{ text, want string }{
		{"Use -e or --no-color.", "use -e e or --no-color no color"},
		{"`set -o pipefail` and ('-x')", "set -o o pipefail and -x x"},
		{`"$@" differs from "$*"; $# and $HOME`, "$@ differs from $* $# and $home home"},
		{"if [[ -f a ]] && b; echo !!", "if [[ -f f a ]] && b echo !!"},
		{"[[...]] is like $@. ==== <<<", "[[ ]] is like $@"},
		{"C++ or C# (not F)", "c c++ or c c# not f"},
		{".tables, example.com and 3.14", ".tables tables example com and 3.14"},
		{"the IT department in the US tells us of it", "the it IT department in the us US tells us of it"},
		{"**bold** | a | b |\n| --- | --- |\n# Head\n- item - and so on... 5-7", "bold a b head item and so on 5 7"},
	}
	for _, tc := range tests {
		var got []string
		for _, w := range terms.Words(tc.text) {
			if !w.Part {
				got = append(got, w.Text)
			}
			if w.Start < 0 || w.End > len(tc.text) || w.Start >= w.End {
				t.Errorf("%q: %q is at %d-%d", tc.text, w.Text, w.Start, w.End)
			}
		}
		if g := strings.Join(got, " "); g != tc.want {
			t.Errorf("words of %q:\n got %s\nwant %s", tc.text, g, tc.want)
		}
	}
}

func TestWords(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{" \t.,;", ""},
		{"Hello, World!", "hello world"},
		{"Kelvin's l'homme don't O'Neil’s qu'elle dogs'", "kelvin l homme dont o neil qu elle dogs"},
		{"Café naïve Straße Ærø ŁÓDŹ Ελλάδα", "cafe naive strasse aero lodz ελλαδα"},
		{"cafe\u0301", "cafe"},
		{"1,234,567 3.14 1,2 2015-02-07 v1.2.", "1234567 3.14 1 2 2015 02 07 v1.2 1.2"},
		{"high-speed low-", "high speed low"},
		{"getUserName HTTPServer user_name iPhone", "getusername get user name httpserver http server username user name iphone phone"},
		{"AX-1000B ISO9001 mp3 B2B", "ax1000b ax 1000 iso9001 iso 9001 mp3 mp b2b"},
		{"東京都 は", "東京 京都 は"},
		{"日本語text한국어", "日本 本語 text 한국 국어"},
		{"ภาษา", "ภา าษ ษา"},
		{"Чайковский ёлка", "чайковский елка"},
		{"हिन्दी में", "हिन्दी में"},
		{"23–16 6½", "23 16 6"},
		{"\xff\xfea\xff", "a"},
		{"__init__ a_ _b", "init a b"},
	}
	for _, tt := range tests {
		var got []string
		for _, w := range terms.Words(tt.text) {
			got = append(got, w.Text)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("Words(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestWordOffsets(t *testing.T) {
	text := "The Café's getName, AX-100B «東京都»."
	want := []string{"The", "Café", "getName", "get", "Name", "AX-100B", "AX", "100", "東京", "京都"}
	var got []string
	for _, w := range terms.Words(text) {
		got = append(got, strings.TrimRight(text[w.Start:w.End], "-B"))
	}
	want[5] = "AX-100"
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("slices at the offsets of Words(%q) (-want +got):\n%s", text, d)
	}
}

func TestStem(t *testing.T) {
	var s terms.Stemmer
	for word, want := range map[string]string{
		"running": "run", "cities": "citi", "city": "citi", "a": "a", "3.14": "3.14", "ax1000s": "ax1000s",
		"книги": "книг", "東京": "東京", "ελλαδα": "ελλαδα",
		"الكتاب": "كتاب", "كتاب": "كتاب", "والمكتبات": "مكتب", "مكتبة": "مكتب", "غطاها": "غط", "غطى": "غط", "ولد": "ولد",
		"किताबें": "किताब", "किताब": "किताब", "बच्चों": "बच्च", "बच्चा": "बच्च", "घर": "घर",
	} {
		if got := terms.Stem(word); got != want {
			t.Errorf("Stem(%q) = %q, want %q", word, got, want)
		}
		for range 2 {
			if got := s.Stem([]byte(word)); got != want {
				t.Errorf("Stemmer.Stem(%q) = %q, want %q", word, got, want)
			}
		}
	}
}

func TestAppendGrams(t *testing.T) {
	for word, want := range map[string]int{"": 1, "a": 1, "ab": 1, "cat": 2, "panther": 6, "東京": 1} {
		if got := terms.AppendGrams(nil, []byte(word)); len(got) != want {
			t.Errorf("AppendGrams(%q) has %d grams, want %d", word, len(got), want)
		}
	}
	a, b := terms.AppendGrams(nil, []byte("panther")), terms.AppendGrams(nil, []byte("panthers"))
	if d := cmp.Diff(a[:5], b[:5]); d != "" {
		t.Errorf("panther and panthers differ in their first five grams (-panther +panthers):\n%s", d)
	}
	if a[5] == b[5] {
		t.Errorf("the last gram of panther and the sixth of panthers are equal")
	}
}

func TestStop(t *testing.T) {
	tests := []struct {
		text string
		lang terms.Language
		word string
		stop bool
	}{
		{"What is the name of the river?", "en", "the", true},
		{"What is the name of the river?", "en", "river", false},
		{"Wie heißt der Fluss, und wo ist er?", "de", "der", true},
		{"Wo ist die Stadt?", "de", "die", true},
		{"In welchem Turm brennt Licht?", "de", "welchem", true},
		{"An wen wendet ihr euch mit eurem Fund?", "de", "eurem", true},
		{"Panthers", "", "the", true},
		{"Jared Allen sacks", "", "allen", false}, // names and English words are left out of the German ones
		{"to die for the king", "en", "die", false},
		{"¿Cuál es el nombre del río?", "es", "del", true},
		{"Как называется эта река и где она?", "ru", "где", true},
	}
	for _, tt := range tests {
		if got := terms.Of(tt.text); got != tt.lang {
			t.Errorf("Of(%q) = %q, want %q", tt.text, got, tt.lang)
		}
		if got := terms.Stop(tt.lang, tt.word); got != tt.stop {
			t.Errorf("Stop(%q, %q) = %v, want %v", tt.lang, tt.word, got, tt.stop)
		}
	}
}

func FuzzWords(f *testing.F) {
	f.Add("Kelvin's AX-1000B getName 1,234.5 東京 é")
	f.Add("a'\xff_-9.")
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, w := range terms.Words(text) {
			if w.Start < 0 || w.End > len(text) || w.Start >= w.End || w.Text == "" || len(w.Text) > terms.MaxWord {
				t.Fatalf("Words(%q) has %+v", text, w)
			}
			if !w.Part && w.Start < last {
				t.Fatalf("Words(%q): %+v begins before %d", text, w, last)
			}
			if !w.Part {
				last = w.Start
			}
			if s := terms.Stem(w.Text); s == "" {
				t.Fatalf("Stem(%q) is empty", w.Text)
			}
		}
	})
}

func BenchmarkScan(b *testing.B) {
	text := strings.Repeat("The Panthers defense gave up just 308 points, ranking sixth in the league, while also leading the NFL. ", 100)
	var s terms.Stemmer
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		terms.Scan(text, func(word []byte, _, _ int, _ bool) { s.Stem(word) })
	}
}
