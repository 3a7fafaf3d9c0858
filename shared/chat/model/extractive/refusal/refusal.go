// Package refusal says, in the language of a question, that the material has no answer to it. Each begins with "Nothing
// relevant", by which programs and people know it.
package refusal

import (
	"fmt"
	"strings"

	"lectern/shared/chat/model/extractive/lazy"
	"lectern/shared/message"
	"lectern/shared/text/terms"
)

// Refusal is how to say so in a language.
type Refusal struct {
	to, near    string // formats of what was looked for, and of the words that are missing
	Nearest     string // before what comes nearest
	open, close string // quotation marks
}

var texts = map[terms.Language]Refusal{
	"en": {"Nothing relevant to %s was found in the material.",
		"Nothing relevant: of the question, the material has nothing on %s.", "What comes nearest:", "“", "”"},
	"de": {"Nothing relevant: zu %s steht nichts im Material.",
		"Nothing relevant: zu %s steht nichts im Material.", "Am nächsten kommt:", "„", "“"},
	"fr": {"Nothing relevant: le contenu ne dit rien au sujet de %s.",
		"Nothing relevant: le contenu ne dit rien sur %s.", "Le plus proche:", "« ", " »"},
	"es": {"Nothing relevant: el material no dice nada sobre %s.",
		"Nothing relevant: el material no dice nada sobre %s.", "Lo más cercano:", "«", "»"},
	"it": {"Nothing relevant: il materiale non dice nulla su %s.",
		"Nothing relevant: il materiale non dice nulla su %s.", "Il passo più vicino:", "«", "»"},
	"pt": {"Nothing relevant: o material não diz nada sobre %s.",
		"Nothing relevant: o material não diz nada sobre %s.", "O mais próximo:", "“", "”"},
	"nl": {"Nothing relevant: het materiaal zegt niets over %s.",
		"Nothing relevant: het materiaal zegt niets over %s.", "Het dichtst in de buurt komt:", "“", "”"},
}

// In returns how to refuse in the language of a text, in English where that is
// unknown.
func In(text string) Refusal {
	if r, ok := texts[terms.Of(text)]; ok {
		return r
	}
	return texts["en"]
}

// repeatedBytes is how much of a question is repeated where it has no answer.
const repeatedBytes = 160

// unquoted keeps a question that is repeated from being read as a citation.
var unquoted = strings.NewReplacer("[", "(", "]", ")", "\n", " ")

// soughtForm matches a question for something that it names: "What is the fax number of the office?"
var soughtForm = lazy.New(`(?i)^(?:and |so |but )?(?:what|who|which|where)(?:'s|’s| is| are| was| were) ((?:the|an?|my|our|your|his|her|its|their) [^?.!,;:]+)\?*$`)

// Of refuses a question, by what it names as looked for, else by repeating what asks in it.
func (r Refusal) Of(text string) string {
	text = strings.TrimSpace(text)
	if last := strings.TrimRight(text, "?"); len(text) > repeatedBytes && last != text {
		text = text[strings.LastIndexAny(last, "?!.\n")+1:]
	}
	if m := soughtForm.Get().FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	if len(text) > repeatedBytes {
		text = strings.ToValidUTF8(text[:repeatedBytes], "") + "…"
	}
	return fmt.Sprintf(r.to, r.open+strings.TrimSpace(unquoted.Replace(text))+r.close)
}

// Without refuses a question of which the material has nothing on some words, at least one.
func (r Refusal) Without(missing []string) string {
	return fmt.Sprintf(r.near, r.open+strings.Join(missing, r.close+", "+r.open)+r.close)
}

// foundNothing is how the search tool begins to say why it has found nothing.
const foundNothing = "No relevant passages were found: "

// Missed returns why the searches of the last turn, whose content that is, found nothing; empty where they do not say.
func Missed(content message.Content) string {
	for _, b := range content {
		r, ok := b.(*message.ToolResult)
		if !ok {
			continue
		}
		for _, inner := range r.Content.Blocks {
			if t, ok := inner.(*message.Text); ok {
				if why, ok := strings.CutPrefix(t.Text, foundNothing); ok && why != "" {
					return strings.ToUpper(why[:1]) + why[1:]
				}
			}
		}
	}
	return ""
}
