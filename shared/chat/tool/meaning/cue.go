package meaning

import (
	"regexp"
	"slices"
	"strings"

	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/sqltext"
)

// What a question says of what it asks for.
var (
	countForm   = regexp.MustCompile(`(?i)\b(?:how many|number of|how often|how frequently|count)\b`)
	shareForm   = regexp.MustCompile(`(?i)\b(?:per ?cent\w*|share of|(?:what|which|how big a) (?:share|part)|proportion|fraction)\b|%`)
	sharedForm  = regexp.MustCompile(`(?i)\b(?:per ?cent\w*|share|part|proportion|fraction) of (?:all |the |our |those |these |their )*(?:[\w-]+ )??([\w-]+[^s\W]s)\b`)
	averageForm = regexp.MustCompile(`(?i)\b(?:average\w*|mean|typical\w*|normally|usually|on the whole|as a rule)\b`)
	// sharedSumForm matches what asks for a share of an amount, rather than of things.
	sharedSumForm = regexp.MustCompile(`(?i)\b(?:per ?cent\w*|share|part|proportion|fraction) of (?:all |the |our |total |those |their )*(?:[\w-]+ )?` +
		`(?:income|revenue|takings|turnover|money|cost|costs|spend|spending|budget|value|expenses|earnings)\b`)
	muchForm    = regexp.MustCompile(`(?i)\bhow much\b`)
	piecesForm  = regexp.MustCompile(`(?i)\bhow many\b`)
	coinsForm   = regexp.MustCompile(`(?i)\b(?:pounds?|quid|euros?|dollars?|francs?|pence|cents?|bucks|money)\b`)
	whenForm    = regexp.MustCompile(`(?i)\bwhen\b|\b(?:what|which) (?:date|day)\b|\bhow long ago\b`)
	whileForm   = regexp.MustCompile(`(?i)\bwhen (?:we|they|you|he|she|it|i)\b`)
	extremeForm = regexp.MustCompile(`(?i)\b(?:most|least|fewest|first|last|latest|best|worst|top|record|max\w*|min\w*|more often|ever)\b`)
	estForm     = regexp.MustCompile(`(?i)\b\w{2,}est\b`)
	notExtreme  = regexp.MustCompile(`(?i)\b(?:interest|request|guest|rest|test|forest|west|nest|honest|invest|suggest|arrest|contest|protest|harvest|quest)\b`)
	byForm      = regexp.MustCompile(`(?i)\b(?:by|in|for|of|on) (?:the |sheer )?(?:number of|how (?:many|much|often)(?: times)?)\b`)
	compareForm = regexp.MustCompile(`(?i)\bthan\b|\bdifference\b|\bcompared\b|\bversus\b|\bvs\b|\bgap\b|\bbetween\b.+\band\b`)
	sumForm     = regexp.MustCompile(`(?i)\b(?:altogether|together|combined|in all|between (?:them|us|the two))\b`)
	// otherForm matches what no plain question says: times from and until, what is left out, statistics that none computes, times that
	// depend on today, and what comes to so much in some time.
	otherForm = regexp.MustCompile(`(?i)\b(?:(?:since|before|after|until|till) (?:\w+ ){0,2}?(?:\d|january|february|march|april|may|june|july|august|september|october|` +
		`november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:except|excluding|apart from|other than|besides|not counting|` +
		`aside from|\w*[^y\W] (?:times|multiplied by) (?:the|its|their|price|rate|cost|fee) ?\w*|(?:in|per|over) (?:a|one|the) (?:full |whole )?(?:year|month|week|day)|medians?|percentiles?|quartiles?|variance|standard deviation|running total|minus|(?:more than|at least|less than|exactly|only|just) (?:\w+ )?(?:once|twice)|` +
		`ago|today|yesterday|tomorrow|(?:last|this|next|past) (?:week|weekend|month|year|quarter|summer|winter|spring|autumn))\b)`)
	eachForm   = regexp.MustCompile(`(?i)\b(?:per|(?:for|of|in|by|at) (?:each|every)|each of) \w`)
	placesForm = regexp.MustCompile(`(?i)\b(?:top|which|what|the|our) (?:\w+ )?(?:two|three|four|five|six|ten|[2-9]|\d\d)\b.*\b(?:most|least|best|worst|\w+est)\b|` +
		`\b(?:top|bottom) (?:two|three|four|five|six|ten|\d+)\b`)
	severalForm = regexp.MustCompile(`(?i)\b(?:different|distinct|separate|range|variety|unique)\b`)
)

// amountWords are plurals for amounts.
var amountWords = lexicon.Set("takings costs expenses earnings proceeds funds savings litres hours minutes days kilos tonnes goods profits fees wages")

// spans are those of time that rows may be grouped by.
var spans = []struct {
	called string
	sql    func(column string) string
	asked  *regexp.Regexp
}{
	{"month", func(c string) string { return "strftime('%Y-%m', " + c + ")" }, regexp.MustCompile(`(?i)\b(?:months?|when)\b`)},
	{"day", func(c string) string { return "strftime('%Y-%m-%d', " + c + ")" }, regexp.MustCompile(`(?i)\b(?:days?|dates?|when)\b`)},
	{"weekday", func(c string) string { return sqltext.WeekdayOf(c, false) }, regexp.MustCompile(`(?i)\b(?:weekdays?|days?)\b`)},
}

// asksSeveral reports whether a question asks for several answers, of each group or of the first places, which no plain question has.
func (b *builder) asksSeveral(question string) bool {
	rest := strings.ToLower(shareForm.ReplaceAllString(question, ""))
	for _, c := range b.numbers {
		if _, unit, ok := strings.Cut(c.called, "per "); ok {
			rest = strings.ReplaceAll(rest, "per "+unit, "")
		}
	}
	return placesForm.MatchString(question) || eachForm.MatchString(rest) && !averageForm.MatchString(question)
}

// extreme reports whether a question asks for the most or the least of something.
func extreme(question string) bool {
	return extremeForm.MatchString(question) || len(estForm.FindAllString(question, -1)) > len(notExtreme.FindAllString(question, -1))
}

// allow sets what a question may ask for. By what a most is taken, "going by the number of visits", asks for nothing.
func (b *builder) allow(question string) {
	other := otherForm.FindString(question)
	called := func(c column) bool { return strings.Contains(c.called, strings.ToLower(other)) } // "sold last week"
	if b.asksSeveral(question) || unreadForm.MatchString(question) || other != "" && !slices.ContainsFunc(b.numbers, called) {
		return
	}
	question = byForm.ReplaceAllString(question, " ")
	b.said = stems(question)
	b.compares = compareForm.MatchString(question) && !sumForm.MatchString(question)
	only := func(list ...asking) {
		var some [askings]bool
		for _, k := range list {
			some[k] = b.allowed[k]
		}
		b.allowed = some
	}
	for i := range b.allowed {
		b.allowed[i] = true
	}
	for _, d := range b.days {
		if d.Years {
			continue
		}
		for _, span := range spans {
			if span.asked.MatchString(question) {
				b.spans = append(b.spans, column{d.Column, span.called + " of " + d.called, span.sql(d.sql), span.called})
			}
		}
	}
	if m := sharedForm.FindStringSubmatch(question); m != nil {
		b.sharesRows = !amountWords[strings.ToLower(m[1])]
	}
	if sharedSumForm.MatchString(question) {
		b.allowed[aShare] = false
	}
	if shareForm.MatchString(question) {
		only(aShare, aShareOfSum)
		return
	}
	b.allowed[aShare], b.allowed[aShareOfSum] = false, false
	counts := countForm.MatchString(question)
	for _, w := range words(question) {
		if unit := lexicon.Short(w); unit != "" && counts && slices.ContainsFunc(b.numbers, func(c column) bool { return inUnit(c, unit) }) {
			b.unit = unit
		}
	}
	if muchForm.MatchString(question) && !counts {
		b.allowed[aCount], b.allowed[distinct], b.allowed[differenceOfCounts] = false, false, false
	}
	if counts {
		only(aCount, distinct, aSum, aLookup, anAverage, aMost, aLeast, differenceOfCounts, differenceOfSums, differenceOfAverages)
		if !extreme(question) {
			b.allowed[aMost], b.allowed[aLeast] = false, false
		}
	} else if !severalForm.MatchString(question) {
		b.allowed[distinct] = false
	}
	if averageForm.MatchString(question) {
		only(anAverage, topAverage, lowAverage, differenceOfAverages, aLookup, argMost, argLeast)
	}
	if whenForm.MatchString(question) && !counts && !whileForm.MatchString(question) {
		only(aDay, firstDay, lastDay, argMost, argLeast, topSum, lowSum, topCount, lowCount, topAverage, lowAverage, argFirst, argLast, aList,
			aLookup)
	}
}

// unfit reports whether a candidate asks for the most of another column than that of which an adjective of the question speaks: what is
// longest has not the highest rent; or for money where it is asked how many there are. No other candidate is likelier then.
func (b *builder) unfit(c Candidate, question string) bool {
	of := func(n column) bool { return strings.HasSuffix(c.head, " "+n.called) }
	if piecesForm.MatchString(question) && !coinsForm.MatchString(question) &&
		slices.ContainsFunc(b.numbers, func(n column) bool { return of(n) && isMoney(n) }) {
		return true
	}
	if longForm.MatchString(question) && slices.ContainsFunc(b.numbers, func(n column) bool {
		return of(n) && !b.speaks(lexicon.Quality{Of: lexicon.Lasting}, n, question)
	}) {
		return true // how long it took is no amount
	}
	if spentForm.MatchString(question) && !countForm.MatchString(question) && (strings.HasSuffix(c.head, " has the most "+b.rows) ||
		strings.HasSuffix(c.head, " has the fewest "+b.rows)) {
		return true // money is not counted by rows
	}
	if whomForm.MatchString(question) && b.otherSide(c, stem(strings.ToLower(whomForm.FindStringSubmatch(question)[1]))) {
		return true
	}
	if !unfitForm.MatchString(c.head) {
		return false
	}
	for _, w := range words(question) {
		q, ok := lexicon.QualityOf(w, "est")
		if !ok || slices.Contains(openQualities, q.Of) {
			continue
		}
		if slices.ContainsFunc(b.numbers, func(n column) bool { return of(n) && !b.speaks(q, n, question) }) {
			return true
		}
	}
	return false
}

var unfitForm = regexp.MustCompile(`\b(?:highest|lowest)\b`)

var longForm = regexp.MustCompile(`(?i)\b(?:how long|duration|(?:days|weeks|hours) (?:between|after|until|from))\b`)

var spentForm = regexp.MustCompile(`(?i)\b(?:spend|spends|spent|cost|costs|pay|pays|paid|earn|earns|earned)\b`)

// whomForm matches whom a question asks for.
var whomForm = regexp.MustCompile(`(?i)^\W*(?:which|what) (?:of (?:our|the) )?(\pL+)`)

// otherSide reports whether whom a question asks for is served by those whom a candidate tells, or serves them: no agent is the customer
// who called most often.
func (b *builder) otherSide(c Candidate, whom string) bool {
	called, ok := strings.CutPrefix(c.head, "which ")
	if called, _, _ = strings.Cut(called, " has "); !ok {
		return false
	}
	told := func(of map[string]bool) bool {
		return slices.ContainsFunc(words(called), func(w string) bool { return of[stem(w)] })
	}
	return served[whom] && told(serving) || serving[whom] && told(served)
}

// Who is served, and who serves, by their stems.
var (
	served  = stems("customer client guest patient buyer caller donor visitor passenger tenant subscriber shopper owner")
	serving = stems("agent employee technician clerk vet doctor teacher driver rep seller salesperson operator instructor trainer stylist " +
		"barber nurse waiter mechanic consultant adviser advisor carer cleaner engineer")
)

// speaks reports whether an adjective may speak of a column, or the question does.
func (b *builder) speaks(q lexicon.Quality, c column, question string) bool {
	of, said := strings.Fields(q.Of+" "+q.Dates), stems(question)
	return slices.ContainsFunc(lexicon.Parts(c.Name), func(w string) bool {
		return slices.Contains(of, w) || said[stem(w)] || q.Of == lexicon.Lasting && timeUnits[w]
	})
}

var (
	timeUnits = lexicon.Set("h hrs hours min mins minutes s sec secs seconds d days weeks months years")

	// openQualities are parts of names of columns of adjectives that may be said of others, too: the largest order costs most.
	openQualities = []string{lexicon.Priced, lexicon.Qualities["high"].Of, lexicon.Qualities["big"].Of, lexicon.Qualities["great"].Of,
		lexicon.Qualities["valuable"].Of}
)
