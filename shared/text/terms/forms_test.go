package terms_test

import (
	"slices"
	"testing"

	"lectern/shared/text/terms"
)

// TestForms: a query's word finds the form that a text has, both ways.
func TestForms(t *testing.T) {
	pairs := map[terms.Language][][2]string{
		"en": {{"write", "wrote"}, {"child", "children"}, {"pay", "payment"}, {"sent", "sending"}, {"decide", "decision"}, {"colour", "color"},
			{"organise", "organize"}, {"poland", "polish"}, {"france", "french"}},
		"": {{"bought", "buy"}},
		"de": {{"kind", "kinder"}, {"kinder", "kindern"}, {"buch", "bucher"}, {"impfung", "impfungen"}, {"dorf", "dorfern"}, {"vertrag", "vertrages"},
			{"blume", "blumen"}, {"wagen", "wagens"}, {"lehrer", "lehrern"}, {"spielen", "gespielt"}, {"abholen", "abgeholt"}, {"fahren", "gefahren"},
			{"einladen", "eingeladen"}},
		"es": {{"aldea", "aldeas"}, {"flor", "flores"}, {"vez", "veces"}, {"libro", "libros"}, {"rapido", "rapidas"}, {"muestra", "muestran"},
			{"animal", "animales"}},
		"fr": {{"journal", "journaux"}, {"chapeau", "chapeaux"}, {"ville", "villes"}, {"fermee", "fermes"}, {"petit", "petites"}, {"montre", "montrent"}},
		"it": {{"libro", "libri"}, {"amica", "amiche"}, {"citta", "citta"}, {"luogo", "luoghi"}, {"strada", "strade"}, {"negozio", "negozi"}},
		"pt": {{"estacao", "estacoes"}, {"homem", "homens"}, {"animal", "animais"}, {"livro", "livros"}, {"nova", "novos"}},
		"nl": {{"boek", "boeken"}, {"man", "man"}, {"bakker", "bakkers"}, {"maan", "manen"}, {"kerk", "kerken"}, {"bloem", "bloemen"}},
	}
	for lang, list := range pairs {
		for _, p := range list {
			for _, way := range [][2]string{p, {p[1], p[0]}} {
				if way[0] != way[1] && !slices.ContainsFunc(terms.Forms(lang, way[0]), func(form string) bool { return terms.Stem(form) == terms.Stem(way[1]) }) {
					t.Errorf("Forms(%q, %q) = %q, without %q", lang, way[0], terms.Forms(lang, way[0]), way[1])
				}
			}
		}
	}
}

// TestAlike: a question's word counts as another of nearly the same meaning, in any form.
func TestAlike(t *testing.T) {
	var stemmer terms.Stemmer
	for _, c := range [][2]string{{"holidays", "vacation"}, {"refunded", "reimbursement"}, {"illness", "sick"}, {"folders", "directory"}} {
		for _, way := range [][2]string{c, {c[1], c[0]}} {
			found := false
			stemmer.Alike(way[0], func(stem string) { found = found || stem == terms.Stem(way[1]) })
			if !found {
				t.Errorf("Alike(%q) has no form of %q", way[0], way[1])
			}
		}
	}
	for _, word := range []string{"", "i", "ii", "table", "fax", "х"} {
		stemmer.Alike(word, func(stem string) { t.Errorf("Alike(%q) has %q", word, stem) })
	}
}

func TestWordsWithoutForms(t *testing.T) {
	for _, c := range []struct {
		lang terms.Language
		word string
	}{{"en", "table"}, {"", "kinder"}, {"de", "ab"}, {"de", "iso9001"}, {"de", "дети"}, {"ru", "дети"}, {"de", ""}} {
		if got := terms.Forms(c.lang, c.word); got != nil {
			t.Errorf("Forms(%q, %q) = %q, want none", c.lang, c.word, got)
		}
	}
}

func FuzzForms(f *testing.F) {
	f.Add("bucher")
	f.Add("oes")
	f.Add("ssss")
	f.Fuzz(func(t *testing.T, word string) {
		for _, lang := range []terms.Language{"en", "de", "es", "fr", "it", "pt", "nl"} {
			list := terms.Forms(lang, word)
			if len(list) > 32 || slices.Contains(list, word) {
				t.Errorf("Forms(%q, %q) = %q", lang, word, list)
			}
		}
	})
}
