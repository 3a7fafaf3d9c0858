package line

import (
	"strings"

	"lectern/shared/chat/model/extractive/lazy"
)

// Signed matches a line by which somebody signs for a party: "For the Buyer: Ada Berg, director".
var Signed = lazy.New(`(?i)^\W*(?:(?:signed|unterzeichnet) )?(?:for|on behalf of|für)\b`)

// Verbs before the name of what a sentence describes, and those of them that say that it has that name.
var (
	calling = []string{" called", " known as", " referred to as", " termed", " named", " short for", " abbreviated", " abbreviated as",
		" genannt", " heißt"}
	naming = []string{" is called", " are called", " is known as", " are known as", " is termed", " are termed", " referred to as",
		" nennt man"}
)

// Calls reports whether a sentence, in small letters, ends by naming what it describes, as in "is called a checkpoint".
func Calls(text, subject string) bool { return calls(text, subject, calling) }

// Terms reports whether it says that what it describes has that name.
func Terms(text, subject string) bool {
	return subject != "" && calls(strings.ToLower(text), subject, naming)
}

func calls(text, subject string, verbs []string) bool {
	before, _, ok := strings.Cut(text, subject)
	if !ok {
		return false
	}
	before = strings.TrimRight(before, "\"'“‘„`*_ ")
	for _, article := range []string{" a", " an", " the"} {
		before = strings.TrimSuffix(before, article)
	}
	for _, verb := range verbs {
		if strings.HasSuffix(before, verb) {
			return true
		}
	}
	return false
}
