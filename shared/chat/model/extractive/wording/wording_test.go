package wording_test

import (
	"testing"

	"lectern/shared/chat/model/extractive/wording"
)

// rewrites checks what a function makes of texts.
func rewrites(t *testing.T, function func(string) string, texts map[string]string) {
	t.Helper()
	for text, want := range texts {
		if got := function(text); got != want {
			t.Errorf("of %q comes %q, want %q", text, got, want)
		}
	}
}

func TestPlain(t *testing.T) {
	rewrites(t, wording.Plain, map[string]string{
		"According to the text, who won it?":      "who won it?",
		"what does the text say":                  "what does the text say",
		"What can I use in place of the prawns?":  "What can I use instead of the prawns?",
		"Who runs the co-op?":                     "Who runs the cooperative?",
		"wen is the fair":                         "when is the fair",
		"were is the key?":                        "where is the key?",
		"Were the keys lost?":                     "Were the keys lost?",
		"hwo do i pay":                            "how do i pay",
		"whats the price":                         "what is the price",
		"Wen darf ich einladen?":                  "Wen darf ich einladen?",
		"Wie lange hält es laut dem Dokument an?": "Wie lange hält es   an?",
	})
}

func TestAsked(t *testing.T) {
	rewrites(t, wording.Asked, map[string]string{
		"My laptop was stolen, what do I do?":             "what do I do?",
		"Something is broken in the flat, who do I tell?": "who do I tell?",
		"Wir kommen erst nachts an, wo parken wir?":       "wo parken wir?",
		"Who wrote the book, and when?":                   "Who wrote the book, and when?",
		"What is it, who knows it, or not?":               "What is it, who knows it, or not?",
		"In 2015, who won?":                               "In 2015, who won?",
	})
}

func TestShortForms(t *testing.T) {
	rewrites(t, wording.Plain, map[string]string{
		"Who do I ring when I'm ill?":      "Who do I ring when I am ill?",
		"What if they’re late?":            "What if they are late?",
		"We've lost a key, what'll it do?": "We have lost a key, what'll it do?",
		"What if she'd rather stay?":       "What if she would rather stay?",
		"Where will he be if he'll come?":  "Where will he be if he will come?",
		"Is the Im river wide?":            "Is the Im river wide?",
	})
}
