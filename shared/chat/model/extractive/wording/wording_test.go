package wording_test

import (
	"testing"

	"lectern/shared/chat/model/extractive/wording"
)

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
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
	} {
		if got := wording.Plain(text); got != want {
			t.Errorf("Plain(%q) = %q, want %q", text, got, want)
		}
	}
}
