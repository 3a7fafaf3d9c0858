// Command recall measures how many of a document's words our readers find,
// compared with pandoc and pdftotext. pandoc and LibreOffice generate the
// documents from text.md; more PDF files may be given. Formats whose tools are
// missing are skipped with a message.
//
// Recall is the share of the reference's words, counted with repetition, that
// our text contains too; running heads and page numbers, which readers drop on
// purpose, do not count. Words are runs of letters and digits, ignoring case;
// each Han, Hiragana and Katakana character is a word.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/formats"
	"lectern/shared/knowledge/reader/pdf"
)

const floor = .98

//go:embed text.md
var text string

func main() {
	show := flag.Bool("missing", false, "show the words that are missing")
	flag.Usage = func() { fmt.Fprintln(os.Stderr, "recall [-missing] [more.pdf ...]") }
	flag.Parse()
	if err := run(flag.Args(), *show); err != nil {
		fmt.Fprintln(os.Stderr, "recall:", err)
		os.Exit(1)
	}
}

func run(files []string, show bool) error {
	dir, err := os.MkdirTemp("", "lectern-recall-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	m := &measure{dir: dir, show: show, readers: formats.Builtin(formats.Options{PDF: pdf.NewEngine("")})}
	defer m.readers.Close()
	source := filepath.Join(dir, "text.md")
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		return err
	}
	for _, ext := range []string{".docx", ".odt", ".epub", ".html", ".ipynb"} {
		file := filepath.Join(dir, "text"+ext)
		m.one(file, []string{"pandoc", "-s", source, "-o", file}, []string{"pandoc", "--wrap=none", "-t", "plain", file})
	}
	// For formats that pandoc writes but does not read well, compare with the
	// source: it cannot read pptx, and drops accented letters from rtf.
	plain := []string{"pandoc", "--wrap=none", "-t", "plain", source}
	for _, ext := range []string{".rtf", ".pptx"} {
		file := filepath.Join(dir, "text"+ext)
		m.one(file, []string{"pandoc", "-s", source, "-o", file}, plain)
	}
	pdf := filepath.Join(dir, "text.pdf")
	m.one(pdf, []string{"soffice", "-env:UserInstallation=file://" + dir + "/profile", "--headless", "--convert-to", "pdf", "--outdir",
		dir, filepath.Join(dir, "text.docx")}, pdfText(pdf))
	for _, f := range files {
		m.one(f, nil, pdfText(f))
	}
	if m.below > 0 {
		return fmt.Errorf("%d formats are below %.2f", m.below, floor)
	}
	return nil
}

func pdfText(file string) []string { return []string{"pdftotext", "-enc", "UTF-8", file, "-"} }

type measure struct {
	dir     string
	show    bool
	readers *reader.Set
	below   int
}

// one generates a file unless it exists, and prints its recall.
func (m *measure) one(file string, makeIt, yardstick []string) {
	name := filepath.Base(file)
	ours, theirs, err := m.texts(file, makeIt, yardstick)
	if errors.Is(err, exec.ErrNotFound) {
		fmt.Printf("%-7s %-24s left out: %v\n", "", name, err)
		return
	}
	if err != nil {
		m.below++
		fmt.Printf("%-7s %-24s %v\n", "FAILED", name, err)
		return
	}
	found, total, missing := recall(words(ours), words(withoutFurniture(theirs)))
	value := float64(found) / float64(max(total, 1))
	mark := "ok"
	if value < floor {
		mark = "BELOW"
		m.below++
	}
	fmt.Printf("%-7s %-24s %.4f of %d words of %s\n", mark, name, value, total, yardstick[0])
	if m.show && len(missing) > 0 {
		fmt.Println("       ", strings.Join(missing, " "))
	}
}

func (m *measure) texts(file string, makeIt, yardstick []string) (ours, theirs string, err error) {
	if makeIt != nil {
		if out, err := exec.Command(makeIt[0], makeIt[1:]...).CombinedOutput(); err != nil {
			return "", "", fmt.Errorf("%w %s", err, out)
		}
	}
	out, err := exec.Command(yardstick[0], yardstick[1:]...).Output()
	if err != nil {
		return "", "", err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", "", err
	}
	d, err := m.readers.Read(context.Background(), reader.Source{Name: file, Data: data}, reader.Limits{})
	if err != nil {
		return "", "", err
	}
	return d.Text, string(out), nil
}

// withoutFurniture removes the first and last lines of pages that occur, apart
// from numbers, on three pages or more, because readers drop them on purpose.
func withoutFurniture(s string) string {
	pages := strings.Split(s, "\f")
	digits := regexp.MustCompile(`[0-9]+`)
	count := map[string]int{}
	edges := func(page string, each func(i int, key string)) []string {
		lines := strings.Split(page, "\n")
		var filled []int
		for i, l := range lines {
			if strings.TrimSpace(l) != "" {
				filled = append(filled, i)
			}
		}
		for n, i := range filled {
			if n < 3 || n >= len(filled)-3 {
				each(i, digits.ReplaceAllString(strings.TrimSpace(lines[i]), "#"))
			}
		}
		return lines
	}
	for _, page := range pages {
		edges(page, func(_ int, key string) { count[key]++ })
	}
	for p, page := range pages {
		var drop []int
		lines := edges(page, func(i int, key string) {
			if count[key] >= 3 {
				drop = append(drop, i)
			}
		})
		for _, i := range drop {
			lines[i] = ""
		}
		pages[p] = strings.Join(lines, "\n")
	}
	return strings.Join(pages, "\f")
}

// words lists a text's words and joins words hyphenated at line ends.
func words(s string) []string {
	var out []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			out = append(out, word.String())
			word.Reset()
		}
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\u00ad", ""), "-\n", "")
	s = strings.NewReplacer("ﬁ", "fi", "ﬂ", "fl", "ﬀ", "ff", "ﬃ", "ffi", "ﬄ", "ffl").Replace(s)
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			end()
			out = append(out, string(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			word.WriteRune(unicode.ToLower(r))
		default:
			end()
		}
	}
	end()
	return out
}

func recall(ours, theirs []string) (found, total int, missing []string) {
	have := map[string]int{}
	for _, w := range ours {
		have[w]++
	}
	for _, w := range theirs {
		if have[w] > 0 {
			have[w]--
			found++
		} else {
			missing = append(missing, w)
		}
	}
	return found, len(theirs), missing
}
