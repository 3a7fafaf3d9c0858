package extractive

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lectern/shared/chat/model/extractive/amount"
	"lectern/shared/chat/model/extractive/colour"
	"lectern/shared/chat/model/extractive/doer"
	"lectern/shared/chat/model/extractive/line"
	"lectern/shared/chat/model/extractive/parallel"
	"lectern/shared/chat/model/extractive/price"
	"lectern/shared/message/passage"
	"lectern/shared/text/terms"
)

// opening replaces marks that stand before a question's first word.
var opening = strings.NewReplacer("¿", " ", "¡", " ", "«", " ", "„", " ")

func kindOf(text string) kind {
	s := " " + strings.ToLower(opening.Replace(text)) + " "
	has := func(list ...string) bool {
		for _, w := range list {
			if strings.Contains(s, w) {
				return true
			}
		}
		return false
	}
	switch {
	case has("summar", "tl;dr", "overview", "what is this about", "what's this about", "what does this document", "what does the document",
		"main points", "key points", "describe the document", "describe this"):
		return summary
	case matchesForm(aboutForm, text):
		return summary
	case asksWay(text):
		return anything
	case has(" how many ", " how much ", " how long ", " how old ", " how far ", " how tall ", " how large ", " how big ", " how heavy ",
		" how high ", " how wide ", " how deep ", " how thick ", " how fast ", " how hot ", " how warm ", " how cold ", " how loud ", " percent",
		" what number ", " maximum ", " minimum ", " max ", " min ", " default ", " how often ", " cuánt",
		" wie viel", " wieviel", " wie lang", " wie weit ", " wie alt ", " wie hoch ", " wie groß ", " wie breit ", " wie tief ", " wie dick ",
		" wie schwer ", " wie warm ", " wie heiß ", " wie kalt ", " wie schnell ", " wie laut ", " wie oft ", " wie teuer ",
		" combien ", " quant", " hoeveel ", " сколько "):
		return quantity
	case asksBy(text, "when") || has(" what year ", " which year ", " what date ", " what day ", " what month ", " in what century ",
		" cuándo ", " a qué hora ", " wann ", " quand ", " quando ", " wanneer ", " когда "):
		return moment
	case matchesForm(symbolForm, text):
		return symbol
	case asksBy(text, "who") || has(" quién", " wer ", " wen ", " wem ", " qui ", " chi ", " quem ", " кто "):
		return person
	case asksBy(text, "where") || has(" what city ", " which city ", " what country ", " which country ", " dónde ", " wo ", " wohin ",
		" où ", " dove ", " onde ", " waar ", " где "):
		return place
	}
	return anything
}

// wayForm matches how what asks for a way begins, and its verb; knowing are verbs after which something else is asked.
var (
	wayForm = form(`(?i)^\W*how\s+(?:do|can|could|should|would|to)\s+(?:(?:i|we|you|one|they)\s+)?(?:not\s+)?(\w+)`)
	knowing = wordSet("know see tell find learn check calculate determine decide")
)

// asksWay reports whether a text asks for a way, whatever it says besides: "How do I limit how deep it goes?"
func asksWay(text string) bool {
	m := wayForm.Get().FindStringSubmatch(text)
	return m != nil && !knowing[strings.ToLower(m[1])]
}

// asking matches English words that ask for a time, a person or a place, where they ask:
// at the beginning of a question or of its second part, after what asks for an answer,
// before an auxiliary, or at the end. Elsewhere they join: "what to do when it rains".
var asking = form(`(?i)(?:^|[,;:.?!"(]|\b(?:and|or|but|me|know|say|says|explain|since|until|till|from|by|for|to|about|on|of|in|with|at))\s*` +
	`\b(when|who|whom|whose|where)\b|\b(when|who|whom|whose|where)\s+` +
	`(?:is|are|was|were|do|does|did|will|would|can|could|must|should|has|have|had|may|might)\b|\b(when|who|whom|where)\s*\?*\s*$`)

// asksBy reports whether the text asks by the word, or by a form of it.
func asksBy(text, word string) bool {
	for _, m := range asking.Get().FindAllStringSubmatch(text, -1) {
		if strings.HasPrefix(strings.ToLower(m[1]+m[2]+m[3]), word) {
			return true
		}
	}
	return false
}

// symbolForm matches what asks for the name of a part of a program.
var symbolForm = form(`(?i)\b(?:which|what|welche[rsmn]?|quelle?|qué)\s+(?:\w+\s+){0,2}?` +
	`(?:function|command|option|flag|switch|variable|parameter|operator|keyword|method|macro|pragma|builtin|directive|endpoint|` +
	`setting|config(?:uration)? (?:key|entry|line|value)|funktion|befehl|variable|schalter|einstellung|fonction|commande)s?\b(?:\s+\w|\s*\?)`)

// symbolic matches such a name in a sentence: with brackets, an option's or a variable's
// mark, parts that are joined by underscores or capital letters, or within quotes of code.
var symbolic = form("[A-Za-z_.][\\w.]*\\(\\)|(?:^|\\s)(?:--?|\\+)[A-Za-z]|\\$\\w|[a-z]\\w*_\\w|[A-Z]{2,}_[A-Z]|`[^`]+`|\\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\\b")

// fits reports whether a sentence has the kind of value that is asked for.
func fits(c *candidate, q question) bool {
	switch q.kind {
	case quantity:
		if hasAmount(c.text) || countsIt(c, q) || has(c, func(word string) bool { return frequencies[word] }) && amount.Often.In(q.text) {
			return true
		}
	case symbol:
		return matchesForm(symbolic, c.text)
	case moment:
		return has(c, isDateWord) || ownNumber(c, q) && (matchesForm(timeOfDay, c.text) || matchesForm(dated, c.text))
	case person:
		return hasName(c, q)
	case place:
		return hasName(c, q) || isLocated(onDays.Get().ReplaceAllString(c.text, ""), q)
	}
	return false
}

// isLocated reports whether a text says where something is: at or in what the question does not name itself.
func isLocated(text string, q question) bool {
	for _, at := range located.Get().FindAllStringIndex(text, -1) {
		_, size := utf8.DecodeLastRuneInString(text[:at[1]])
		words := terms.Words(text[at[1]-size:]) // what the pattern has the first letter of
		if len(words) == 0 || q.index(words[0].Text) < 0 {
			return true
		}
	}
	return false
}

// onDays matches when something is, which is no place: "on Friday", "in April".
var onDays = form(`(?i)\b(?:on|in|im|am|since|until|from|by|every|each)\s+(?:(?:the|early|late|mid|next|last)\s+)?(?:` + months + `|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|` +
	`(?:mon|diens|donners|frei|sams|sonn)tag\pL*|mittwoch\pL*)\b`)

// located matches what says where something is without a name.
var located = form(`(?i)\b(?:in|at|on|behind|beside|between|opposite|near|under|above|below|outside|inside|next to|in front of|` +
	`im|ins|am|ans|auf|aufs|beim|zum|zur|hinter|neben|unter|über|vor|gegenüber)\s+(?:(?:the|a|an|our|your|its|each|every|der|dem|den|die|das|einem|einer|einen|eine)\s+\pL|\p{Lu})|\b(?:upstairs|downstairs|abroad|outdoors)\b|\b(?:is|are) the \pL+ \pL`)

// dated matches what of a date numbers tell: years, days of a month, and what is written so.
var dated = form(`(?i)\b(?:1\d|20)\d\ds?\b|\b\d{1,4}(?:st|nd|rd|th)(?:\s|$|[,;])|\b\d{1,2}\.\s?(?:` + months + `|\d)|\d[-/.]\d{1,2}[-/.]\d|\b\d{1,2} (?:of )?(?:` + months + `|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|` +
	`\b(?:` + months + `|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.? \d|\b\d[\d,]* ?(?:AD|BCE?|CE|BP)\b|\b(?:in|im|um|since|by|until|around) \d{3,4}\b|\d (?:minute|second)`)

// ownNumber reports whether a sentence has a number that the question has not.
func ownNumber(c *candidate, q question) bool {
	for i, w := range c.parsed {
		if strings.ContainsFunc(w.Text, unicode.IsDigit) && !slices.Contains(q.stems, c.stems[i]) {
			return true
		}
	}
	return false
}

// months are the names of months.
const months = amount.Months

func hasAmount(text string) bool { return amount.Has(line.Unnumbered(text)) }

// frequencies are words for how often something is.
var frequencies = wordSet(`every each daily hourly weekly nightly monthly quarterly yearly annually once twice always never regularly constantly rarely seldom occasionally whenever jede jeden jedes jeder täglich wöchentlich monatlich jährlich vierteljährlich halbjährlich einmal zweimal dreimal mehrmals regelmäßig immer nie nur stets selten`)

// countsIt reports whether a sentence counts in words what is asked for, or something
// that it may call by another name: "three kinds of edges" does not count edges.
func countsIt(c *candidate, q question) bool {
	asked := func(i int) bool {
		k := slices.Index(q.stems, c.stems[i])
		return k >= 0 && q.focus[k]
	}
	speaks := false
	for i := range c.stems {
		speaks = speaks || asked(i)
	}
	for i, w := range c.parsed {
		if !isNumberWord(w.Text) {
			continue
		}
		if !speaks {
			return true
		}
		for k := i + 1; k <= min(i+countedWithin, len(c.stems)-1); k++ {
			if asked(k) || isDateWord(c.parsed[k].Text) {
				return true
			}
		}
	}
	return false
}

// countedWithin is how many words after a number what it counts is named.
const countedWithin = 3

func has(c *candidate, is func(word string) bool) bool {
	return slices.ContainsFunc(c.parsed, func(w terms.Word) bool { return is(w.Text) })
}

func isNumberWord(word string) bool {
	switch word {
	case "one", "million", "billion", "dozen", "half", "twice", "several":
		return true
	}
	_, ok := numberWords[word]
	return ok || foreignNumbers[word]
}

// foreignNumbers are the number words of other languages.
var foreignNumbers = wordSet(amount.ForeignWords)

func isDateWord(word string) bool {
	switch word {
	case "day", "days", "week", "weeks", "month", "months", "year", "years", "hour", "hours", "tag", "tage", "tagen", "woche", "wochen",
		"monat", "monate", "monaten", "jahr", "jahre", "jahren", "uhr", "dia", "dias", "semana", "semanas", "mes", "meses", "ano",
		"anos", "jour", "jours", "semaine", "semaines", "mois", "heure", "heures":
		return true
	case "january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december",
		"century", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday":
		return true
	}
	return false
}

// need is what a sentence has to have, or it is no answer. Most are known of questions in
// English alone.
type need int

const (
	nothing need = iota
	anAmount
	anAge
	aName
	aBound // an amount that is the most or the least
	aPrice
	aYear
	aVersion
	anAddress // of e-mail
	aPhone
	aLink
	anAccount
	aNumber // of which one, in digits or words
	aTime   // of the day
	aLimit  // in time
	aSpan   // of time, whatever its unit
	aDay
	aMoment // a date, a time, or what it happens with
	aColour
	aPerson   // who somebody is, by a name
	aSomebody // who does something, by a name or a word for people
	aPlace    // where something is
)

// Forms of questions that need something, and of ages.
var (
	countForm = form(`(?i)\bhow (?:many|much|big|large|far|tall|wide|deep|thick|hot|warm|cold|loud)\b|\bwie ?viele?\b|` +
		`\bwie (?:groß|breit|tief|dick|warm|heiß|kalt|laut|schnell)(?:\s|\?|$)`)
	// numberAsked leaves the number of things, which is an amount, to countForm's kind.
	numberAsked = form(`(?i)\b(?:which|what) (?:[\w'’-]+ ){0,2}?(?:ph|temperature|pressure|voltage|frequency|speed|weight|height|length|width|depth|percentage|level|rating|score|rank) (?:is|are|was|do|does|did|should|must|can|will)\b|` +
		`\b(?:which|what)(?: is| are|'s) (?:[\w'’-]+ ){0,4}?(?:numbers?|digits|pin)\b|\b(?:which|what) (?:[\w'’-]+ ){0,2}?(?:numbers?|digits|pin)\b|\b(?:access|door|alarm|entry|gate|lock|safe|pin) (?:code|combination)\b|` +
		`\b(?:code|combination) (?:of|for|to) (?:the|our|my) (?:\w+ )?(?:access|door|alarm|entry|gate|lock|safe|cabinet|room|shed|garage|cellar|store)\b`)
	boundForm = form(`(?i)\b(?:max(?:imum)?|min(?:imum)?) (?:[\w-]+ ){0,2}?(?:number|size|length|amount|value|width|height|depth|age|duration|count|rate|speed|weight|capacity|temperature)\b|` +
		`\bhow (?:many|much|long|large|big|high)\b.*\bat (?:most|least)\b`)
	bounded = form(`(?i)\bmax|\bmin(?:imum|\.|\b)|\bat (?:most|least)\b|\bup to\b|\b(?:no|not) (?:more|fewer|less|longer|shorter|larger|later|earlier)\b|\blimit|\bexceed|` +
		`\bas (?:many|much) as\b|\b(?:large|small|high|low|long|short|great|few)est\b|\b(?:upper|lower)\b|\bunlimited\b|\bbetween\b|\bonly\b|\b(?:more|fewer|less) than\b|\ballow|\bmay\b|\bcan(?:not)?\b|\brange`)
	whoIsForm = form(`(?i)^\W*who (?:is|was) (?:the|our|your|their|its|his|her) (?:[\w'’-]+ ){0,3}?(?:secretary|treasurer|chair(?:man|woman|person)?|vice[ -]chair|president|vice[ -]president|director|manager|head(?:master|mistress|[ -]teacher)?|principal|coach|captain|caretaker|mayor|minister|chancellor|editor|ceo|cfo|cto|leader|organi[sz]er|landlord|landlady|tenant|warden|doctor|curator|librarian|conductor|contact(?: person)?|spokes(?:man|woman|person)|superintendent|boss|supervisor|representative|vet|veterinarian|dentist|nurse|chef|cook|pilot|keeper|guide|architect|lawyer|accountant|assistant|deputy|successor|predecessor|officer|instructor|trainer|developer|designer|programmer|photographer|translator)(?: (?:of|at|in)\b[^?]*)?\?*\s*$|` +
		`^\W*wer (?:ist|war) (?:der|die|das|unser|unsere|euer|eure|ihr|ihre) \pL*(?:leiter(?:in)?|leitung|vorsitzende[rn]?|chef(?:in)?|trainer(?:in)?|hausmeister(?:in)?|bürgermeister(?:in)?|geschäftsführer(?:in)?|ansprechpartner(?:in)?|sekretär(?:in)?|kassenwart(?:in)?|vermieter(?:in)?|mieter(?:in)?|direktor(?:in)?|präsident(?:in)?|vorstand)(?: (?:von|der|des|im|in|am)\b[^?]*)?\?*\s*$`)
	ageForm  = form(`(?i)\bhow old\b|\bwie alt\b`)
	nameForm = form(`(?i)\b(?:which|what)\s+(?:[\w-]+\s+){0,2}(?:model|brand|make|supplier|vendor|provider|insurer|bank|carrier|manufacturer|` +
		`bidder|contractor|agency|company|firm)\s+\w|\b(?:which|what)\s+(?:city|town|country|village)\s+\w|` +
		`\bname of (?:the|this|that|our|your|her|his|its|their) (?:\w+ ){0,2}(?:` + named + `)\b|\bname of (?:[\w.-]+ ){0,3}[\w.-]+['’]s? (?:` + named + `)\b|` +
		`\bwhich (?:[\w-]+ ){0,2}(?:shipyard|yard|marina|laborator(?:y|ies)|lab|institute|foundation|charity|publisher|studio|newspaper|hotel|restaurant|clinic|hospital|airline|brewery|garage|dealer) (?:\w+ed|\w+s|built|made|found|did|had|will|won|ran|sold|gave)\b|\b(?:which|what) (?:street|road|square|university|college|school)\b|\b(?:an |in )?welche[rmn]? (?:straße|universität|hochschule|schule)\b|\bnames of (?:[\w'’-]+ ){1,4}?(?:` + named + `)s\b|\bwie (?:heißt|hieß|heißen|hießen)\b|\bwelche firma\b`)
	versionForm = form(`(?i)\b(?:which|what) (?:[\w-]+ )?(?:version|release)\b`)
	version     = form(`\bv?\d+(?:\.\d+)*\b`)
	addressForm = form(`(?i)\be-?mail[ -]?adress|\be-?mail address|\bmailadresse|\badresse (?:électronique|e-?mail|mail|de courriel)|` +
		`\bdirección (?:de correo|electrónica)|\bcorreo electrónico de\b|\bcourriel d|\b(?:what|which|whose)(?:'s| is| was)? (?:[\w'-]+ ){0,4}e-?mail\s*\?*\s*$`)
	phoneForm = form(`(?i)\b(?:tele)?phone (?:number|extension)|\bnumber .{0,20}\b(?:call|ring|phone)\b|\bwho(?:m)? (?:do|should|can|must|could|would|to) (?:(?:i|we|you|one) )?(?:ring|phone|call)\b|\bwen (?:soll|muss|kann|darf|rufe)\b[^?]*\b(?:an|anrufen)\b|\b(?:telefon|handy|fax)nummer|\bnummer\b.{0,30}\b(?:erreich|anruf|ruf)|\bdurchwahl\b|\bfax number|` +
		`\bnuméro de (?:téléphone|fax)|\bnúmero de (?:teléfono|fax)`)
	calling      = form(`(?i)phone|\bcall|\bring\b|\bdial|\bext\b|extension|telefon|\btel\b|\bfax|mobile|durchwahl|téléphone|teléfono|\bpager\b`)
	numberColumn = form(`(?i)(?:^|\|)\s*(?:number|no\.|nummer|nr\.|numéro|número)\s*(?:\||$)`)
	iban         = form(`\b[A-Z]{2}\d\d(?: ?[\dA-Z]{4}){2,7}(?: ?[\dA-Z]{1,4})?\b`)
	linkForm     = form(`(?i)\b(?:urls?(?: (?:is|are|does|do|for|of|to|where|can|must|should|will)\b|\W*$)|web ?(?:site|page) address|address of the (?:web ?site|web ?page)|which (?:web ?site|web ?page)\b)`)
	link         = form(`(?i)\b(?:https?://|www\.)\S|\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|edu|gov|io|eu|de|fr|es|uk|info|example)\b`)
	accountForm  = form(`(?i)\b(?:account|vat|tax|customer|policy|serial|passport|part|article|model|registration) (?:number\b|no\b)|\biban\b`)
	account      = form(`\d[\d /.-]+\d|\b[A-Z]{1,5}-?\d`)
	timeAsked    = form(`(?i)\b(?:opening|closing|business|office) (?:hours|times?)\b|\böffnungszeit|\b(?:at )?(?:what|which) time (?:of day )?(?:is|are|was|does|do|did|must|may|can|should|will)\b|\b(?:um|ab|bis) wie ?viel uhr\b|\b(?:ab|bis) wann\b[^?]*(?:geöffnet|öffnet|schließ|\b(?:offen|auf|zu|morgens|abends)\b)|\bà quelle heure\b|\ba qué hora\b`)
	limitAsked   = form(`(?i)\b(?:until|till|by|from|since) when\b|\bhow (?:early|soon|far (?:ahead|in advance))\b|\bwie früh\b|\b(?:bis|ab|seit) wann\b|\bhow late\b|\bjusqu['’]à quand\b|\bhasta cuándo\b`)
	limits       = form(`(?i)\b(?:end|beginning|middle|ende|anfang|mitte|(?:19|20)\d\d|spring|summer|autumn|winter|easter|christmas|herbst|sommer|frühjahr|ostern|weihnachten)\b|` +
		`\d{1,2}\.\s?(?:\d{1,2}\.|` + months + `)|\b(?:until|till|bis|as long as|solange|from|ab|seit|since)\b`)
	timeOfDay = form(`(?i)\b\d{1,2}[:.h]\d\d\b|\b\d{1,2}\s?(?:am|pm|a\.m|p\.m|o['’]clock|uhr|h\b)|\b(?:` + hours + `)\b|` +
		`\b(?:at|from|by|until|till|um|ab|bis|halb) (?:about |around |half past |quarter (?:past|to) |halb |viertel (?:vor|nach) )?(?:` + oclock + `)\b`)
	lastsForm = form(`(?i)\bhow long (?:(?:do|does|did|will|would|has|have|had)\b|(?:should|can|may|must)\b[^?]*\b(?:takes?|lasts?|stay|keep|wait|\w+ed|kept|left|held|run|go|in|for)\b|(?:is|are|was|were) [^?]*\b(?:valid|good|kept|open|away|ill|absent|married|in (?:operation|use|office|service|force|power|charge|business|production)|employed|president|mayor|chair\w*)\b)|\bwie lange\b`)
	lasts     = form(`(?i)\b(?:until|till) (?:the|further|an?|it|he|she|they|you|we|one|this|that|your|our|their|its|his|her|all|every|either|\d|(?-i:\p{Lu}))|\b(?:bis|as long as|solange|permanent\w*|indefinite\w*|unbefristet\w*|unlimited|unbegrenzt|(?:for)?ever|lifelong|lebenslang|` +
		`life(?:time)?|immediately|instant\w*|sofort|overnight|since|seit)\b|\b(?:1\d|20)\d\d ?(?:to|–|—|-|and|bis|und) ?(?:(?:1\d|20)?\d\d)\b`)
	dayForm  = form(`(?i)\b(?:which|what) (?:week)?days?\b|\bon (?:which|what) date\b|\b(?:welches|welchem) datum\b|\ban welche[nm] (?:wochen)?tage?n?\b|\bwelche[rnm]? (?:wochen)?tage?n?\b`)
	aWeekday = form(`(?i)\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?\b|\b(?:week|work(?:ing)?)[ -]?(?:days?|ends?)\b|\b(?:daily|every day|each day|all week|all days|throughout)\b|` +
		`(?:mon|diens|donners|frei|sams|sonn|werk|feier|wochen)tag|\b(?:mittwoch|sonnabend|täglich|wochenende)\b|(?-i:\b(?:Mo|Di|Mi|Do|Fr|Sa|So)\b)\s?(?:[-–.,:/]|bis\b|und\b|\d|$)|\b\d{1,2}(?:st|nd|rd|th)\b|\b\d{1,2}\.\s?[\pL\d]|\d-\d{2}\b|\d/\d`)
	pastForm = form(`(?i)^\W*when\s+(?:was|were|did)\b|^\W*wann\s+(?:wurden?|war|waren|hat|haben|ist|kam)\b`)
	happened = form(`(?i)\b(?:when|while|after|before|during|as soon as|at the (?:end|beginning|start|time)|following|ago|yesterday|era|age|period|` + wars + `|decades?|centur(?:y|ies)|` +
		`spring|summer|autumn|fall|winter|morning|afternoon|evening|night|noon|early|late|als|nachdem|nach|vor|bevor|während|gestern|anfang|ende|mitte|frühling|frühjahr|sommer|herbst|winter|` + hours + `)\b`)
	whenForm = form(`(?i)^\W*(?:\w+\s+){0,2}when\s+(?:is|are|was|were|do|does|did|will|would|can|could|must|should|has|have|had|may|might)\b|^\W*(?:\pL+\s+){0,2}wann\b`)
	moments  = form(`(?i)\b(?:when(?:ever)?|while|once|after|before|during|until|till|since|by|as soon as|at the (?:end|beginning|start|time)|on (?:the )?(?:arrival|request|demand)|next|last|` +
		`immediately|now|today|always|never|seasons?|spring|summer|autumn|fall|winter|morning|afternoon|evening|night|noon|early|late|later|era|age|period|` + wars + `|` +
		`wenn|sobald|nachdem|nach|vor|bevor|während|bis|seit|ab|bei|beim|zum|sofort|immer|nie|frühling|frühjahr|sommer|herbst|winter|morgens|mittags|abends|nachts|anfang|ende|mitte|` +
		`every|each|daily|weekly|monthly|yearly|annually|jede[nrs]?|täglich|wöchentlich|monatlich|jährlich|tomorrow|tonight|heute|morgen|` + hours + `)\b`)
	yearForm  = form(`(?i)\b(?:which|what) year\b|\bwelche[mns] jahr\b`)
	year      = form(`(?i)(?:^|\D)\d{3,4}(?:\D|$)|\bcentury\b`)
	priceForm = form(`(?i)^\W*(?:the )?(?:price|cost|fee|charge)s? (?:for|of|to) |^\W*how much (?:to|for) |\bhow much\b[^?]*\b(?:costs?|earns?|paid)\b|\bhow much (?:do|does|did|will|would|must|should|has|have)\b[^?]*\b(?:pay|claim|charge|owe|spen[dt]|donate|fine)[ds]?\b|^\s*how much (?:is|are|was|were) (?:an?|one|the|this|these)\b|\bhow much (?:is|are|was|were) (?:that|it|they)\b|\b(?:hourly|daily|monthly|day|pay) rate\b|\bhow much\b[^?]*\b(?:s(?:ell|old|ells) for|go(?:es)? for|went for|fetch\w*|raised?)\b|\bwhat\s+(?:do|does|did|will|would)\b[^?]*\b(?:costs?|earns?|get paid)\b|\bwhat\s+(?:do|does|did|will|would)\b[^?]*\bcharges?(?:\s*\?|\s*$|\s+(?:for|per|if|when|me|us|you)\b)|\bwhat(?:'s|\s+is|\s+was) the (?:\w+ )?budget\b|\bhow high (?:is|are|was|were) (?:the |our |my |a )?(?:\w+ )?(?:deposit|fee|price|rent|fine|charge|bonus|salary|wage|cost|budget|penalty|premium)s?\b|\bwhat\s+(?:do|does|did|will|would|must)\s+(?:\w+\s+){1,3}?(?:pay|owe)\b(?:\s*\?|\s+(?:if|when|for|per|a|each)\b)|\bwhat (?:is|are|was|were) [^?]*\bworth\b|\bwhat (?:price|fee|rent|salary|wage|fare|sum of money)s? (?:did|do|does|has|have|will|would|must|is|was)\b|\bwhat(?:'s|\s+is|\s+are|\s+was|\s+were)\s+the\s+(?:(?:[\w-]+ ){0,2}[\w-]+(?:['’]s|s['’]) |\w+ )?(?:price|cost|fee|charge|fare|toll|tariff|postage|admission|rent|salary|wage|premium|surcharge|subscription)s?\b|` +
		`\b(?:was|wie ?viel) kostet\w*\b|\bwie teuer\b|\bwie ?viel (?:euro|geld|verdien\pL*)\b|\bwie ?viel (?:muss|zahlt|zahle|zahlen)\b[^?]*|\bwie hoch (?:ist|sind) (?:der|die|das) \pL*(?:preis|miete|gebühr|gebühren|beitrag|kosten|kaution|pacht)\b`)
	age = form(`(?i)\b(?:years?|old|aged?|age|built|born|founded|opened|established|erected|constructed|completed|installed|manufactured|bought|commissioned|since|dates?)\b|` +
		`\b(?:jahren?|alt|alter|geboren|gebaut|erbaut|gegründet|errichtet|eröffnet|seit|baujahr|stammt|jahrhundert\pL*)\b|jährig`)
)

// whereForm matches what asks where something is, anyPlace what may tell it besides names: a way, a path, an address.
var (
	whereForm = form(`(?i)^\W*(?:and |so |but )?where\s+(?:is|are|was|were|do|does|did|can|could|should|must|will|would|may|has|have)\b|^\W*(?:wo|wohin|woher)\b`)
	anyPlace  = form(`(?i)\b(?:to|from|into|onto|through|via|across|along) (?:the|an?|your|our|my|its|their|his|her|each|every|any)\b|\b(?:im|in|am|auf|on|at) \d|\b(?:zum|zur|nach|von|bei|beim|aus|durch)\b|` +
		`(?:^|\s|["'(` + "`" + `])[~.]?/\w|https?://|www\.|\S@\S|\b(?:online|here|there|elsewhere|home|abroad|everywhere|anywhere|nowhere|hier|dort|überall|zu hause|ins? )\b`)
)

// fromTo matches from when to when something is open: "9 to 18".
var fromTo = form(`(?i)\b\d{1,2}\s?(?:am|pm|uhr)?\s?(?:–|-|to|until|bis)\s?\d{1,2}\b`)

// ofPerson matches what asks how old somebody is, personAge what tells it.
var (
	ofPerson = form(`(?:[Hh]ow old|[Ww]ie alt) (?:is|was|are|were|ist|war|sind|waren) (?:(?:Mrs?|Ms|Dr|Frau|Herr|\p{Lu}\pL+in) ?)*` +
		`(?:\p{Lu}[\pL'’-]+ \p{Lu}[\pL'’-]+|he\b|she\b|er\b|sie\b|(?:the|our|your|their|his|her) (?:\pL+ )?(?:president|chair\pL*|director|manager|captain|mayor|owner|founder|teacher|coach|secretary|treasurer|author|artist|winner|king|queen)\b)`)
	personAge = form(`(?i)\b\d+ years? old\b|\b(?:aged|age of|at the age|at age)\b|\b(?:is|was|turned|turns|at) (?:then )?\d{1,3}\b(?: ?[,.;]|$| when| and)|` +
		`\(\d{1,3}\)|\bborn\b|birthday|\b\d{1,3}-year-old\b|\bjahre alt\b|\bgeboren|jährig|jahrgang|geburtstag|\bwird \d+\b|, \d{1,3},`)
)

// yearly matches how often something is, which is no age.
var yearly = form(`(?i)\b(?:an?|per|every|each|this|last|next|one)\s+years?\b|\byear(?:ly| by year)\b`)

// hours are times of a day by name, oclock the numbers of its hours, wars those that things are dated by.
const (
	wars  = `(?:the|world|civil) wars?|wartime|\pL*krieg(?:e?s|en?)?`
	hours = `noon|midnight|midday|mittag|mitternacht|sunrise|sunset|dawn|daybreak|dusk|twilight|nightfall|breakfast|lunch(?:time)?|teatime|dinner|supper|bedtime|` +
		`morgengrauen|morgendämmerung|abenddämmerung|dämmerung|sonnenaufgang|sonnenuntergang|frühstück|mittagessen|abendessen`
	oclock = `one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf`
)

// named are nouns for who and what has a name of its own.
const named = `captain|cox|pilot|driver|owner|author|artist|director|manager|teacher|doctor|engineer|architect|curator|founder|winner|brother|sister|son|daughter|` +
	`wife|husband|mother|father|dog|cat|horse|child|baby|museum|hotel|inn|pub|café|cafe|restaurant|ship|boat|ferry|school|college|company|firm|club|band|street|road|` +
	`village|town|island|river|lake|mountain|hospital|church|newspaper|magazine|shop|store|project|app|bakery|farm|castle|bridge|king|queen|mayor|president|chair\w*|secretary|treasurer`

func needOf(text string, k kind) need {
	switch {
	case matchesForm(ageForm, text):
		return anAge
	case matchesForm(timeAsked, text):
		return aTime
	case matchesForm(priceForm, text):
		return aPrice
	case matchesForm(boundForm, text) && !asksWay(text):
		return aBound
	case k == quantity && (matchesForm(countForm, text) || amount.Often.In(text)), amount.Measured(text):
		return anAmount
	case matchesForm(nameForm, text):
		return aName
	case doer.NameAsked(text):
		return aPerson
	case matchesForm(yearForm, text):
		return aYear
	case matchesForm(versionForm, text):
		return aVersion
	case matchesForm(addressForm, text):
		return anAddress
	case matchesForm(phoneForm, text):
		return aPhone
	case matchesForm(linkForm, text):
		return aLink
	case matchesForm(accountForm, text):
		return anAccount
	case matchesForm(numberAsked, text):
		return aNumber
	case matchesForm(limitAsked, text):
		return aLimit
	case matchesForm(lastsForm, text):
		return aSpan
	case matchesForm(dayForm, text):
		return aDay
	case amount.Length.In(text):
		return anAmount
	case colour.Asked.In(text):
		return aColour
	case k == person && (matchesForm(whoIsForm, text) || doer.OfficeAsked(text)):
		return aPerson
	case k == person && doer.Asked.In(text) && !matchesForm(whoForm, text):
		return aSomebody
	case k == place && matchesForm(whereForm, text):
		return aPlace
	case k == moment && matchesForm(whenForm, text):
		return aMoment
	}
	return nothing
}

// openWords are words for when something is open, which a time tells.
var openWords = wordSet("open opens close closes shut shuts opening closing geöffnet öffnet schließt")

// shownBy are the words that ask for a value which is told by its form, by what is needed.
var shownBy = map[need]map[string]bool{
	aMoment:   openWords,
	aTime:     openWords,
	aColour:   wordSet("colour colours color colors farbe farben"),
	anAddress: wordSet("e mail email address mailadresse adresse électronique courriel dirección correo"),
	aPhone:    wordSet("phone telephone number extension telefonnummer handynummer numéro téléphone número teléfono nummer durchwahl anrufen rufe ring call phone"),
	aLink:     wordSet("url web website page site address"),
}

// provide notes which sentences have what an answer needs, or are followed by an amount
// that it needs.
func provide(list []*candidate, passages []passage.Passage, q question) {
	if q.needs == nothing {
		return
	}
	var headings map[int]string
	if q.needs == aBound || q.needs == aPrice {
		headings = headingsOf(list)
	}
	for i, c := range list {
		switch p := passages[c.passage]; {
		case q.needs != aPrice || c.header < 0 && !c.record:
		case c.record:
			c.inPrices = price.List.In(p.Title + "\n" + p.ArtifactID + "\n" + headings[c.section])
		case list[i-1].header == c.header:
			c.inPrices = list[i-1].inPrices // of the same table
		default:
			c.inPrices = price.List.In(p.Title + "\n" + p.ArtifactID + "\n" + headings[c.section] + "\n" + list[max(0, c.header-1)].text)
		}
	}
	told := make([]bool, len(list)) // what it needs, by each itself
	parallel.Each(len(list), func(i int) { told[i] = provides(list[i], q) })
	for i, c := range list {
		last := i
		switch {
		case c.row:
		case q.needs == aBound, q.needs == aPlace:
			last++
		case q.needs == anAmount || q.needs == aPrice || q.needs == aDay:
			last += nearbyMost
		case q.needs == aMoment && i+1 < len(list) && list[i+1].refers:
			last++
		case q.needs == aSpan && i+1 < len(list) && !list[i+1].opens && list[i+1].item == c.item && matchesForm(unsetTold, list[i+1].text):
			last++ // what it is by default
		case announces(c):
			last++ // what it leads into
		}
		for k := i; k <= min(last, len(list)-1) && list[k].passage == c.passage && list[k].section == c.section; k++ {
			if k > i && q.needs == aPrice && (list[k].opens && !announces(list[k-1]) || !list[k].tellsPrice(q)) {
				break
			}
			if k > i && q.needs == aDay && !list[k].refers {
				continue // of something else
			}
			if k > i && q.needs == anAmount && q.unit != nil && !list[k].refers && !list[k].hasThing(q) {
				continue // it measures something else
			}
			if k > i && q.counts && !list[k].refers && !speaksOfIt(list[k], q) {
				continue // it counts something else
			}
			c.has = c.has || told[k] && (k == i || q.needs != aPrice || priced(list[k]))
		}
		if q.needs == anAmount && !c.has {
			c.has, _, _ = cellIs(c, q) // "Holiday left: 12" tells of days
		}
		if q.needs == aSpan && i > 0 && list[i-1].title && list[i-1].passage == c.passage {
			c.has = c.has || told[i-1] // a setting's, with its default
		}
		if !c.has && ofHeading[q.needs] {
			c.headed(list, passages[c.passage].Headings, q)
		}
		if q.needs == aBound {
			c.has = c.has && matchesForm(bounded, introduced(c, list, headings)+" "+list[min(i+1, last, len(list)-1)].text)
		}
	}
}

func provides(c *candidate, q question) bool {
	switch q.needs {
	case anAmount, aBound:
		told := c.fits && !(q.counts && !tellsCount(c, q)) ||
			!q.counts && has(c, func(word string) bool { return shares[word] }) || q.counts && c.sharesIt(q)
		if q.unit == nil || !told {
			return told
		}
		rest := amount.WithoutOthers(ends(q.text, askedBytes), c.text)
		return inUnit(c, q.unit) && (rest == c.text || q.unit.MatchString(rest))
	case aPerson:
		return hasPerson(c, q)
	case aSomebody:
		return inUnit(c, q.unit) && (c.given || (c.fits || somebody(c, q)) && (c.row && doer.Column.In(c.names) || !doer.Untold(q.text, c.text)))
	case aColour:
		return colour.Told.In(c.text)
	case aPlace:
		return c.fits || c.given || c.row || c.record || c.code || matchesForm(anyPlace, c.text)
	case anAge:
		if q.unit != nil {
			return q.unit.MatchString(c.text)
		}
		return matchesForm(age, yearly.Get().ReplaceAllString(c.text, ""))
	case aYear:
		return matchesForm(year, c.text) && inUnit(c, q.unit)
	case aVersion:
		return matchesForm(version, c.text)
	case anAddress:
		return matchesForm(address, c.text)
	case aPhone:
		return matchesForm(phone, iban.Get().ReplaceAllString(c.text, "")) || amount.Digits.In(c.text) && hasAmount(c.text) && (matchesForm(calling, c.names+" "+c.text) || matchesForm(numberColumn, c.names))
	case aLink:
		return matchesForm(link, c.text)
	case anAccount:
		return matchesForm(account, c.text)
	case aNumber:
		undated := terms.Words(dayOfMonth.Get().ReplaceAllString(c.text, ""))
		return inUnit(c, q.unit) && slices.ContainsFunc(undated, func(w terms.Word) bool {
			return unicode.IsDigit(rune(w.Text[0])) || isNumberWord(w.Text)
		})
	case aTime:
		return (matchesForm(timeOfDay, c.text) || q.unit != nil && matchesForm(fromTo, c.text)) && (c.row || inUnit(c, q.unit))
	case aLimit:
		return matchesForm(timeOfDay, c.text) || amount.None.In(c.text) || matchesForm(aWeekday, c.text) || matchesForm(limits, c.text) ||
			(!c.row || matchesForm(limitColumn, c.names)) && (inUnit(c, amount.Span()) || has(c, isDateWord))
	case aSpan:
		return inUnit(c, amount.Span()) || matchesForm(lasts, c.text) || has(c, isDateWord) || matchesForm(timeOfDay, c.text)
	case aMoment:
		if deniesIt(c, q) {
			return true // that it ever happens
		}
		if !inUnit(c, q.unit) {
			return false
		}
		if matchesForm(pastForm, q.text) {
			return c.fits || matchesForm(timeOfDay, c.text) || matchesForm(aWeekday, c.text) || matchesForm(happened, c.text)
		}
		return c.fits || matchesForm(timeOfDay, c.text) || matchesForm(aWeekday, c.text) || matchesForm(moments, c.text)
	case aDay:
		day := func(word string) bool { return isDateWord(word) && !longTimes[word] }
		return (has(c, day) || matchesForm(aWeekday, c.text)) && inUnit(c, q.unit)
	case aPrice:
		return priced(c) || price.Free.In(c.text) || has(c, isNumberWord) && price.Words.In(c.text) ||
			hasAmount(c.text) && (c.inPrices || c.row && price.Columns(c.names))
	}
	return hasName(c, q) || q.kind != place && slices.ContainsFunc(codeName.Get().FindAllString(c.text, -1), func(code string) bool {
		return !strings.Contains(q.text, code)
	})
}

// dayOfMonth matches days, which are the numbers of nothing.
var dayOfMonth = form(`(?i)\b\d{1,2}(?:st|nd|rd|th|\.)? (?:of )?(?:` + months + `)\b|\b(?:` + months + `) \d{1,2}\b|\b\d{4}-\d{2}-\d{2}\b`)

// events are what happens to somebody or something once, by how its time is asked for and how it is told.
var events = []struct{ asked, told *pattern }{
	{form(`(?i)\b(?:open|opens|opened|close|closes|shut|opening|closing|öffnet|öffnungszeit\pL*|schließt|geöffnet)\b`),
		form(`(?i)\b(?:open\w*|clos\w*|hours|shut|geöffnet|öffn\pL*|schlie\pL*|offen|geschlossen|from|daily|täglich|until|bis)\b|\d\s?(?:am|pm|uhr)?\s?(?:–|-|to|bis)\s?\d`)},
	{form(`(?i)\b(?:street|road|square|straße)\b`), form(`\b(?:Street|Road|Lane|Square|Avenue|Row|Way|Hill|Close|Place|Terrace|Drive|Quay|Parade|Walk|Gate)\b|` +
		`(?i:straße|gasse|\pL+weg\b|\pL+platz\b|\pL+allee)`)},
	{form(`(?i)\b(?:university|college|universität|hochschule)\b`),
		form(`(?i)\b(?:universit\pL*|colleges?|institut\pL*|schools?|academ\pL*|akademie|polytechnic|hochschule|\pL*schule)\b`)},
	{form(`(?i)\b(?:born|birthday|geboren|geburtstag)\b`), form(`(?i)\b(?:born|births?|birthday|native|aged?|geboren\pL*|geburt\pL*)\b|\(\D{0,9}(?:1\d|20)\d\d|\*\s?\d`)},
	{form(`(?i)\b(?:did|does|will)\b[^?]*\b(?:die|pass away)\b|\b(?:died|passed away|starb|gestorben)\b`),
		form(`(?i)\b(?:dies|died|deaths?|dead|dying|killed|drowned|lost|passed|until|grave|buried|funeral|widow\pL*|starb\pL*|gestorben\pL*|tod\pL*|verst[oa]rb\pL*)\b|(?:1\d|20)\d\d\s*\)|†`)},
	{form(`(?i)\bwho wrote\b|\bwer (?:hat|schrieb)\b[^?]*(?:geschrieben|schrieb)\b`), form(`(?i)\b(?:wrote|written|author\w*|writers?|poets?|novelists?|by|penned|compiled|schrieb\pL*|geschrieben\pL*|` +
		`verfass\pL*|autor\pL*|von)\b`)},
	{form(`(?i)\b(?:founded|established|gegründet|incorporated)\b`),
		form(`(?i)\b(?:found\w*|establish\w*|since|formed|formation|began|beg[iu]n\w*|start\w*|creat\w*|incorporat\w*|institut\w*|origin\w*|dat(?:es?|ed|ing|iert)|goes back|went back|old(?:est)?|centur\w*|` +
			`anniversary|existed|opened|\pL*gründ\pL*|seit|entst[ao]nd\pL*|besteht|jubil\pL*|beginn\pL*|begann|eröffne\pL*|errichte\pL*)\b`)},
	{form(`(?i)\b(?:built|erected|constructed|gebaut|erbaut|errichtet)\b`),
		form(`(?i)\b(?:re)?(?:built|builds?|builders?|building (?:work|began|started|lasted|took)|erect\w*|construct\w*|complet\w*|finish\w*|dat(?:es?|ed|ing|ierte?)|put up|goes|went|opened|opening|founded|establish\w*|raised|stood|has stood|launched|` +
			`made|manufactur\w*|model|laid|added|new|old(?:est)?|years?|centur\w*|ge?baut\w*|\pL*bau\pL*|errichte\pL*|eröffne\pL*|gegründet|stamm\pL*|entst[ao]nd\pL*|fertig\pL*|jahr\pL*)\b`)},
}

// once is from where on events are told by what happened, not by what it happened to.
const once = 3

// asksFor returns what an answer to a question needs, and the pattern of what may tell it: the unit of an amount, or that
// of which the time is asked happened; nil where its kind is enough.
func asksFor(text string, k kind) (need, *regexp.Regexp) {
	n := needOf(text, k)
	if n == anAge && matchesForm(ofPerson, text) {
		return n, personAge.Get()
	}
	if n != aMoment && n != aYear && n != aDay && n != aTime && n != aName && n != aSomebody {
		return n, amount.Unit(text)
	}
	of := events
	if n == aSomebody {
		of = events[once:]
	}
	for _, e := range of {
		if matchesForm(e.asked, text) {
			return n, e.told.Get()
		}
	}
	return n, nil
}

// codeName matches a name with digits, such as T14.
var codeName = form(`[A-Z]+[-\w]*\d`)

// shares are words that say how many or how much without a number.
var shares = wordSet(`once none no all both most few many unlimited single pair third thirds quarter quarters hundreds thousands millions
	billions dozens majority`)
