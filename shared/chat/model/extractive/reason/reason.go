// Package reason tells whether sentences give reasons.
package reason

import (
	"slices"
	"strings"

	"lectern/shared/chat/model/extractive/lazy"
)

// Asked matches what asks for a reason, Given what gives one.
var (
	Asked = lazy.New(`(?i)\b(?:why|for what reason|what(?:'s| is| was) the (?:reason|cause)|how come|warum|weshalb|wieso|pourquoi|por qué)\b`)
	Given = lazy.New(`(?i)\b(?:because|since|due to|as a result|therefore|thus|reasons?|caused?|so that|in order to|thanks to|owing to|otherwise|this (?:is|means|lets|allows|makes)|` +
		`means that|leads? to|otherwise|comes from|weil|da|denn|wegen|damit|deshalb|daher|parce que|car|afin|porque)\b`)
)

// may matches what else may tell a reason: what something is for, what would be, what came before, what is too much.
var may = lazy.New(`\bto \p{Ll}|(?i)\b(?:as|so|for|would|could|can(?:not|['’]t)?|may|might|too|after|when|if|unless|without|until|avoid|prevent|protect|ensure|risk|danger|lack|not enough|instead|but|only|` +
	`want\w*|need\w*|must|following|result\w*|problem|fault|fail\w*|broke\w*|damage\w*|sonst|sodass|so dass|infolge|aufgrund|grund|gründen|nachdem|wenn|falls|muss|müssen|soll\w*|` +
	`pour|afin|sinon|puisque|comme)\b|\bum [^.]* zu\b|[:;–—]`)

// Tells reports whether a sentence, with those that follow it, may give the reason that is asked for. One that has what was done behind
// its "because" gives it as a reason of something else: "It could not be reached because the path was closed" does not tell why the path
// was closed. Done reports whether a part of a sentence has what was done.
func Tells(sentence string, following []string, done func(part string) bool) bool {
	if at := cause.Get().FindStringIndex(sentence); at != nil {
		after := sentence[at[1]:]
		if end := strings.IndexAny(after, ".;"); end >= 0 {
			after = after[:end]
		}
		return !done(after) || done(sentence[:at[0]])
	}
	return Given.In(sentence) || may.In(sentence) || slices.ContainsFunc(following, Given.In)
}

// cause matches what leads into the reason of what stands before it.
var cause = lazy.New(`(?i)\S,? (?:because(?: of)?|since|due to|owing to|weil|denn|wegen|parce que) `)
