// Package doer tells words for who does something: people, what acts as they do, and nouns such as "tenant" and "seller".
package doer

import (
	"slices"
	"strings"

	"lectern/shared/chat/model/extractive/lazy"
)

// Asked matches what asks who does something, and whom it is done to.
var Asked = lazy.New(`(?i)^\W*(?:and |so |but )?(?:who|whom|wer|wen|wem)\s+\pL`)

// People matches words for people and for what acts as they do.
var People = lazy.New(`(?i)\b(?:i|you|we|they|he|she|us|them|him|her|every(?:one|body)|nobody|people|persons?|who(?:ever)?|` +
	`guests?|staff|team|parents?|child(?:ren)?|men|women|man|woman|ladies|lad(?:y|s)|` +
	`kids?|famil(?:y|ies)|friends?|crew|brothers?|sisters?|wife|husband|sons?|king|queen|attorneys?|judges?|nurses?|chefs?|priests?|monks?|citizens?|individuals?|public|pupils?|adults?|witness\w*|wir|sie|ich|du|er|ihr|` +
	`alle|jede[rn]?|niemand|jemand|eltern|kind(?:er)?|leute|personen?|gäste|familie|frau|herr|männer|frauen)\b|` +
	`\b\pL{2,}(?:ist|ian|ant|ent|ee|man|woman|women)s?\b|\pL(?:mitglied|leute|leitung|schaft)|\b\pL{3,}(?:folk|s?men)\b`)

// Bodies matches words for what acts as people do, and Leads what asks who leads something: it is led by people.
var (
	Bodies = lazy.New(`(?i)\b(?:company|firm|board|committee|assembly|council|court|bank|office|police|government|army|club|school|university|vorstand|versammlung|` +
		`gremium|verein|firma)\b|\pL(?:vorstand|versammlung|ausschuss)`)
	Leads = lazy.New(`(?i)^\W*(?:who|wer)\s+(?:runs?|leads?|heads?|manages?|owns?|teach(?:es)?|chairs?|coach(?:es)?|organi[sz]es?|trains?|directs?|conducts?|leitet|führt|trainiert)\b`)
)

// What asks for the name of somebody, and who somebody is, by a noun for who does something.
var (
	nameOf   = lazy.New(`(?i)\b(?:name|names|surname) of (?:the |our |your |their |his |her |an? |[\w-]+['’]s )?(?:[\w-]+ ){0,3}?([\w-]+?)s?\b(?: (?:of|at|in|on|who|that|during|from)\b|\s*\?*\s*$)`)
	officeOf = lazy.New(`(?i)^\W*who is the (?:[\w-]+ ){0,3}?([\w-]+?)(?: (?:of|at|in|for)\b[^?]*)?\?*\s*$`)
)

// Endings of nouns for who does something: those in any text, and those where a name or an office is asked for.
var (
	agents  = strings.Fields("er or")
	offices = strings.Fields("er or ist ant man woman executive officer coach chef nurse guard")
)

// others are words that end as nouns of who does something.
var others = strings.Fields(`after water paper letter number order other under over ever never rather whether together matter corner center floor door color colour minor major
	september october november december summer winter dinner supper shower power tower flower river silver former latter later earlier
	higher lower upper inner outer larger smaller longer shorter newer older better cover offer answer computer printer filter meter
	quarter weather leather rubber butter sugar finger shoulder
	error factor motor layer chapter chamber theater polymer fiber cluster folder harbor border disorder indoor outdoor poor interior exterior prior header footer buffer server router another either neither further however`)

// letters is how many a noun for who does something has at least.
const letters = 5

// Is reports whether a noun is one for who does something, by its ending.
func Is(noun string) bool { return ends(noun, agents) }

// NameAsked reports whether a text asks for the name of somebody, as "seller".
func NameAsked(text string) bool { return of(nameOf, text) }

// OfficeAsked reports whether a text asks who somebody is, as the treasurer.
func OfficeAsked(text string) bool { return of(officeOf, text) }

// of reports whether the noun that a form finds in a text is one for who does something.
func of(form *lazy.Pattern, text string) bool {
	m := form.Get().FindStringSubmatch(text)
	return m != nil && ends(strings.ToLower(m[1]), offices)
}

func ends(noun string, endings []string) bool {
	has := func(ending string) bool { return strings.HasSuffix(noun, ending) }
	return len(noun) >= letters && slices.ContainsFunc(endings, has) && !slices.Contains(others, noun)
}
