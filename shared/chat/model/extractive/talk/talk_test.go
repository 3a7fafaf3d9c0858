package talk_test

import (
	"strings"
	"testing"

	"lectern/shared/chat/model/extractive/talk"
)

func TestReply(t *testing.T) {
	for _, tc := range []struct {
		text string
		bare bool
		want string // how the reply begins; empty without one
	}{
		{"hello", true, "Hello."},
		{"Hello!!", false, "Hello."},
		{"Good morning, Lectern.", true, "Hello."},
		{"Hi, who are you?", true, "I am Lectern"},
		{"Thanks a lot!", false, "You’re welcome"},
		{"ok, thanks", false, "You’re welcome"},
		{"What can you do for me?", true, "Ask about your documents"},
		{"List all documents", true, "I find passages"},
		{"Tell me a joke", true, "I only quote"},
		{"Vielen Dank!", false, "Gern."},
		{"¿Quién eres?", true, "Soy el modelo"},
		{"Ça va ?", true, "Bonjour."},
		{"Please summarise the documents.", true, "Which document"},
		{"Please summarise the documents.", false, ""},
		{"Hello, how many days of leave are there?", true, ""},
		{"Who are the members of the board?", true, ""},
		{"What can you do about a late invoice?", true, ""},
		{"Thanks to whom was the mill saved?", true, ""},
		{"?!", true, ""},
		{"", true, ""},
		{strings.Repeat("hello ", 40), true, ""},
	} {
		got, ok := talk.Reply(tc.text, tc.bare)
		if ok != (tc.want != "") || !strings.HasPrefix(got, tc.want) {
			t.Errorf("Reply(%q, %v) = %q, %v, want %q", tc.text, tc.bare, got, ok, tc.want)
		}
	}
}
