// Package doer tells words for who does something: people, what acts as they do, and nouns such as "tenant" and "seller".
package doer

import (
	"slices"
	"strings"

	"lectern/shared/chat/model/extractive/lazy"
	"lectern/shared/text/terms"
)

// Asked matches what asks who does something, and whom it is done to.
var Asked = lazy.New(`(?i)^\W*(?:and |so |but )?(?:who|whom|wer|wen|wem)\s+\pL`)

// People matches words for people and for what acts as they do.
var People = lazy.New(`(?i)\b(?:i|you|we|they|he|she|us|them|him|her|every(?:one|body)|nobody|people|persons?|who(?:ever)?|` +
	`guests?|staff|teams?|heads?|chiefs?|boss(?:es)?|clerks?|captains?|parents?|child(?:ren)?|men|women|man|woman|ladies|lad(?:y|s)|` +
	`kids?|famil(?:y|ies)|friends?|crew|brothers?|sisters?|wife|husband|sons?|king|queen|attorneys?|judges?|nurses?|chefs?|priests?|monks?|citizens?|individuals?|public|pupils?|adults?|witness\w*|wir|sie|ich|du|er|ihr|` +
	`alle|jede[rn]?|niemand|jemand|eltern|kind(?:er)?|leute|personen?|gäste|familie|frau|herr|männer|frauen)\b|` +
	`\b\pL{2,}(?:ist|ian|man|woman|women)s?\b|\b(?:ag|cli|stud|pati|resid|presid|par|superintend|recipi|depend|oppon|correspond)ents?\b|` +
	`\b(?:ten|assist|consult|merch|serv|account|attend|particip|applic|defend|descend|occup|inhabit|immigr|inf|lieuten|serge)ants?\b|` +
	`\b(?:employ|trust|refer|attend|train|licens|nomin|pay|refug|committ)ees?\b|\pL(?:mitglied|leute|leitung|schaft)|\b\pL{3,}(?:folk|s?men)\b`)

// Bodies matches words for what acts as people do, and Leads what asks who leads something: it is led by people.
var (
	Bodies = lazy.New(`(?i)\b(?:company|firm|department|ministry|authority|agency|union|association|society|trust|charity|board|committee|assembly|council|court|bank|office|police|government|army|club|school|university|vorstand|versammlung|` +
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

// Somebody reports whether a text has a word for people, a noun for who does something, as "tenant", or, if these may act, too, what acts
// as people do; own are words that do not count.
func Somebody(text string, bodies bool, own func(word string) bool) bool {
	others := func(form *lazy.Pattern) bool {
		return slices.ContainsFunc(form.Get().FindAllString(text, -1), func(w string) bool { return !own(w) })
	}
	return others(People) || bodies && others(Bodies) || slices.ContainsFunc(terms.Words(text), func(w terms.Word) bool {
		root := strings.TrimSuffix(w.Text, "s")
		return Is(root) && !own(w.Text) && !terms.Stop("", root)
	})
}

// Untold reports whether a text says that something was done, as a question asks by whom, and not by whom: "The pane was broken in
// winter." tells nobody who broke it.
func Untold(question, text string) bool {
	verb := askedFor(active, question)
	for _, at := range passive.Get().FindAllStringSubmatchIndex(text, -1) {
		if sameVerb(verb, strings.ToLower(text[at[2]:at[3]])) && !agent.In(text[at[3]:]) {
			return true
		}
	}
	return false
}

// Deed returns the verb of which a question asks who did it; empty of a verb that says little, and of another question.
func Deed(question string) string {
	if verb := askedFor(active, question); !slices.Contains(light, verb) {
		return verb
	}
	return ""
}

// Done returns what was done, or is, in a question for its time: "restored", of "In which year was the boat restored?", "keep", of "How
// long does the jam keep?"; empty of another question.
func Done(question string) string { return askedFor(doneForm, question) }

var doneForm = lazy.New(`(?i)^\W*(?:and |so |but )?(?:when|(?:in |on )?(?:which|what) (?:year|month|day|date|century)) (?:was|were|is|are|will|has|have) [^?]*?\b` +
	`(\pL{2,}ed|built|cast|made|sold|bought|lost|found|taken|given|written|sent|laid|drawn|stolen|broken|torn|cut|hit|held|rebuilt|dug|hung|sunk|blown|grown|struck|wound)\W*$|` +
	`(?i)^\W*(?:and |so |but )?how long (?:does|do|will|can|should|must) [^?]*?\b(keep|dry|bake|boil|simmer|cook|soak|rest|cool|rise|freeze|charge|brew)\W*$`)

// Object returns what a question asks whether it may be: "dog", of "Can I bring my dog?", "smoking", of "Is smoking allowed here?"; empty
// of another question.
func Object(question string) string { return askedFor(objectForm, question) }

// askedFor returns the word that one of the groups of a form matches in a question, in small letters; empty of another question.
func askedFor(form *lazy.Pattern, question string) string {
	m := form.Get().FindStringSubmatch(question)
	if m == nil {
		return ""
	}
	return strings.ToLower(strings.Join(m[1:], ""))
}

// Named reports whether words name a thing that is asked for, or what kind of thing it is: wood of firewood.
func Named(thing string, words []terms.Word) bool {
	return slices.ContainsFunc(words, func(w terms.Word) bool {
		return len(w.Text) >= leastKind && strings.HasSuffix(thing, w.Text) || len(thing) >= leastKind && strings.HasSuffix(w.Text, thing)
	})
}

const leastKind = 4 // letters

var objectForm = lazy.New(`(?i)^\W*(?:and |so |but )?(?:(?:can|may|could|am|are|darf|dürfen|kann|können) (?:i|we|you|one|guests|visitors|ich|wir|man)(?: allowed to)? ` +
	`(?:bring|keep|take|have|use|put up|wear|mitbringen)?\s?(?:along |in )?(?:my|an?|our|your|their|meinen|meine?|einen?|eine?|unseren?) (?:[\pL-]+ ){0,2}?([\pL-]+)` +
	`(?:\W*$| (?:to|in|into|on|onto|at|with|along|for|from|during|when|while|if|inside|outside|auf|mit|zu|zum|zur|bei|beim|im|ins|mitbringen|halten|nutzen)\b)|` +
	`(?:is|are|ist|sind) (\pL+) (?:allowed|permitted|forbidden|prohibited|banned|erlaubt|verboten|gestattet)\b)`)

var light = strings.Fields(`is was are were be been can could may might must should shall do does did get gets got has have had make makes made take takes took
	give gives gave go goes went come comes came need needs want wants know knows lead leads
	led write writes wrote author authored decide decides decided`)

var (
	active  = lazy.New(`(?i)^\W*(?:and |so |but )?who (?:else )?(?:has |have |had |will |would )?(\pL+)`)
	passive = lazy.New(`(?i)\b(?:was|were|been|being|is|are|be)\s+(?:\pL+ly\s+|also\s+|first\s+|last\s+|not\s+)?(\pL+)`)
	agent   = lazy.New(`(?i)\bby\b`)
)

// sameVerb reports whether a verb and a participle are of one verb, as they begin alike.
func sameVerb(verb, participle string) bool {
	if other, ok := participles[verb]; ok {
		return other == participle
	}
	n := 0
	for n < len(verb) && n < len(participle) && verb[n] == participle[n] {
		n++
	}
	return n >= leastVerb && max(len(verb), len(participle))-n <= ending
}

// participles are those that begin otherwise than their verbs.
var participles = map[string]string{"wrote": "written", "took": "taken", "gave": "given", "drew": "drawn", "drove": "driven",
	"threw": "thrown", "ate": "eaten", "saw": "seen", "chose": "chosen", "began": "begun", "sang": "sung",
	"led": "led", "won": "won", "met": "met"}

// How many letters a verb and its participle have in common at least, and how many follow at most.
const leastVerb, ending = 4, 3
