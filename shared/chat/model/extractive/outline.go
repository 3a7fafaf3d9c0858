package extractive

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"lectern/shared/chat/model/extractive/cell"
	"lectern/shared/chat/model/extractive/doer"
	"lectern/shared/chat/model/extractive/letter"
	"lectern/shared/chat/model/extractive/line"
	"lectern/shared/chat/model/extractive/origin"
	"lectern/shared/message/passage"
	"lectern/shared/text/document"
	"lectern/shared/text/plain"
	"lectern/shared/text/sentence"
)

// Limits of a summary.
const (
	leadLeast = 4    // sentences, where there are as many
	leadMost  = 10   // sentences
	leadBytes = 1200 // of them
)

// A document is meant if its passages have so much of the score of all, or its best one
// so many times that of any other document's.
const (
	clearShare = .5
	clearLead  = 1.25
)

// lead returns the first sentences of the sections of the document that is meant, in
// its order, for summaries.
func lead(list []*candidate, passages []passage.Passage, q question) []*candidate {
	ordered := inOrder(list, passages, q)
	says := func(c *candidate) bool {
		return !c.heading && !c.title && !c.code && !letter.Head.In(c.text) && !matchesForm(doer.Roll, c.text) &&
			!letter.Greeting.In(c.text) && (len(c.parsed) >= 3 || len(list) <= 3)
	}
	chosen := make([]bool, len(ordered))
	size, n := 0, 0
	take := func(i int) {
		if n < leadMost && size < leadBytes && !slices.ContainsFunc(ordered[:i], func(o *candidate) bool { return o.text == ordered[i].text }) {
			chosen[i] = true
			n++
			size += len(ordered[i].text)
		}
	}
	opened, headings := map[string]bool{}, headingsOf(list)
	for i, c := range ordered {
		p := passages[c.passage]
		section := origin.Document(p) + "\n" + cmp.Or(headings[c.section], strings.Join(p.Headings, "\n"))
		if says(c) && !opened[section] {
			opened[section] = true
			take(i)
		}
	}
	if len(opened) == 1 { // paragraphs are what it has of sections
		for i, c := range ordered {
			if says(c) && !chosen[i] && c.opens && c.item == 0 && !c.row {
				take(i)
			}
		}
	}
	for i, c := range ordered {
		if n < leadLeast && says(c) && !chosen[i] {
			take(i)
		}
	}
	var out []*candidate
	for i, c := range ordered {
		if chosen[i] {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return list[:1]
	}
	return out
}

// documentMeant returns the document that a search means, empty if none is clear, and
// the first passage of each. A document whose name has more of the question than any other's
// is meant.
func documentMeant(passages []passage.Passage, q question) (meant string, first map[string]int) {
	best, sum, total := map[string]float64{}, map[string]float64{}, 0.0
	first = map[string]int{}
	for i, p := range passages {
		doc := origin.Document(p)
		best[doc] = max(best[doc], p.Score)
		sum[doc] += p.Score
		total += p.Score
		if _, ok := first[doc]; !ok {
			first[doc] = i
		}
	}
	if doc := documentNamed(passages, q); doc != "" {
		return doc, first
	}
	for doc := range best {
		if sum[doc] > clearShare*total {
			return doc, first
		}
	}
	for doc := range best {
		ahead := best[doc] > 0
		for other := range best {
			ahead = ahead && (other == doc || best[doc] >= clearLead*best[other])
		}
		if ahead {
			return doc, first
		}
	}
	return "", first
}

// documentNamed returns the document whose title, name or first heading has the most words of
// the question; empty where several have as many.
func documentNamed(passages []passage.Passage, q question) string {
	words := map[string][]float64{}
	for _, p := range passages {
		doc := origin.Document(p)
		if words[doc] == nil {
			words[doc] = make([]float64, len(q.stems))
		}
		hold(words[doc], wordsIn(p.Title+"\n"+p.ArtifactID, q), 1)
		if len(p.Headings) > 0 && p.Start == 0 {
			hold(words[doc], wordsIn(p.Headings[0], q), 1)
		}
	}
	named, most, twice := "", 0.0, false
	for doc, hits := range words {
		n := 0.0
		for _, hit := range hits {
			n += hit
		}
		switch {
		case n > most:
			named, most, twice = doc, n, false
		case n == most:
			twice = true
		}
	}
	if twice {
		return ""
	}
	return named
}

// titleMeant returns the title of the document that a search means: its outermost
// heading, else its name.
func titleMeant(passages []passage.Passage, q question) string {
	meant, _ := documentMeant(passages, q)
	title := ""
	for _, p := range passages {
		if p.Kind != passage.Artifact || origin.Document(p) != meant {
			continue
		}
		if len(p.Headings) > 0 && p.Start == 0 {
			return p.Headings[0]
		}
		title = cmp.Or(title, p.Title)
	}
	return title
}

// inOrder returns the sentences of the document that is meant, or of all if none is,
// as they stand in it.
func inOrder(list []*candidate, passages []passage.Passage, q question) []*candidate {
	meant, first := documentMeant(passages, q)
	var out []*candidate
	for _, c := range list {
		if meant == "" || origin.Document(passages[c.passage]) == meant {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *candidate) int {
		p, q := passages[a.passage], passages[b.passage]
		return cmp.Or(cmp.Compare(first[origin.Document(p)], first[origin.Document(q)]), cmp.Compare(p.Start, q.Start))
	})
	return out
}

// sectionForm matches a question for a section by its number.
var sectionForm = form(`(?i)(?:\b(?:section|chapter|clause|article|part|paragraph|abschnitt|kapitel|artikel|ziffer|absatz)|§)\s*(\d+(?:\.\d+)*)`)

// numberedSection returns the section that the question names by its number; none if
// it names none or the material has none.
func numberedSection(list []*candidate, passages []passage.Passage, q question) []*candidate {
	m := sectionForm.Get().FindStringSubmatch(q.text)
	if m == nil {
		return nil
	}
	var out []*candidate
	size, level, within, begun := 0, 0, false, -1
	inSection := func(h string) bool { return numbered(h, m[1]) }
	for _, c := range inOrder(list, passages, q) {
		starts := inSection(c.text)
		if c.heading && !c.row { // its number may have been taken for that of a list
			text := passages[c.passage].Text
			line, _, _ := strings.Cut(text[strings.LastIndexByte(text[:c.start], '\n')+1:], "\n")
			starts = starts || inSection(line)
		}
		switch {
		case c.heading && !c.row && starts:
			within, level, begun = true, c.level, c.passage
			continue
		case c.passage != begun: // the section may go on in the next passage
			begun = c.passage
			within = slices.ContainsFunc(passages[c.passage].Headings, inSection)
		case c.heading && !c.row && c.level <= level:
			within = false
		}
		if c.heading || !within && !starts {
			continue
		}
		if size += len(c.text); size > blockBytes && len(out) > 0 {
			break
		}
		out = append(out, c)
	}
	return out
}

// numbered reports whether a heading or sentence begins with a number of a section.
func numbered(text, number string) bool {
	text = strings.TrimLeft(strings.ToLower(text), "#* §")
	for _, word := range []string{"section ", "chapter ", "clause ", "article ", "abschnitt ", "kapitel ", "artikel "} {
		text = strings.TrimPrefix(text, word)
	}
	rest, ok := strings.CutPrefix(text, number)
	if !ok {
		if rest, ok = strings.CutPrefix(text, roman(number)); !ok || rest == text {
			return false
		}
	}
	rest = strings.TrimPrefix(rest, `\`)
	return rest == "" || strings.ContainsRune(" .:)", rune(rest[0]))
}

// roman returns a number up to 20 as headings number by letters, folded; empty for others.
func roman(number string) string {
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > 20 {
		return ""
	}
	ones := []string{"", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"}
	return strings.Repeat("x", n/10) + ones[n%10]
}

// Manuals as plain text tell by indentation what belongs to what: a line with a term, such
// as an option, and deeper below it what is said of that.

// entries notes below which term each sentence stands.
func entries(list []*candidate, passages []passage.Passage) {
	var open []int // terms whose entries go on, the outermost first
	var depths []int
	for i, c := range list {
		if i == 0 || list[i-1].passage != c.passage {
			open, depths = nil, nil
		}
		text := passages[c.passage].Text
		depth, begins := indentAt(text, c.start)
		signature := c.item > 0 && begun(text, c.start) && strings.HasPrefix(c.text, "-") && len(c.text) <= titleBytes
		if begins = begins || signature; begins {
			for len(open) > 0 && depth <= depths[len(depths)-1] {
				open, depths = open[:len(open)-1], depths[:len(depths)-1]
			}
		}
		if c.term = -1; len(open) > 0 {
			c.term = open[len(open)-1]
		}
		if !begins || c.heading || c.row || c.code || !signature && (c.item > 0 || !titled(c.text)) || i+1 == len(list) ||
			list[i+1].passage != c.passage {
			continue
		}
		gap := text[c.end:list[i+1].start]
		below, _ := indentAt(text, list[i+1].start)
		if lines := strings.Count(gap, "\n"); (lines == 1 || signature && lines == 2) && below > depth+1 {
			c.title = true
			open, depths = append(open, i), append(depths, depth)
		}
	}
}

// sentences returns the sentences of a passage, the levels of its headings by where they begin where it is plain text, and those
// that are rows of tables without bars. Such a heading is one sentence, without the line that underlines it.
func sentences(text, columns string) (list []sentence.Span, levels map[int]int, rows []cell.Parted) {
	rows = cell.PartedIn(text, columns)
	var headings []plain.Heading
	if !strings.HasPrefix(text, "#") && !strings.Contains(text, "\n#") && !strings.Contains(text, fence) {
		headings = plain.Headings(text)
	}
	at := 0
	add := func(to int) {
		for s := range sentence.All(text[at:to]) {
			list = append(list, sentence.Span{Start: at + s.Start, End: at + s.End})
		}
	}
	levels = map[int]int{}
	for _, h := range headings {
		if cell.Among(rows, h.Start, h.End) {
			continue
		}
		add(h.Start)
		at = h.End
		if i := strings.Index(text[h.Start:h.End], h.Title); i >= 0 {
			h.Start, h.End = h.Start+i, h.Start+i+len(h.Title)
		}
		list = append(list, sentence.Span{Start: h.Start, End: h.End})
		levels[h.Start] = h.Level
	}
	add(len(text))
	return line.Records(text, line.Questions(text, list, levels)), levels, rows
}

// titlesOf returns the titles of the headings at hand, by document: a line of a list that is one is of a table of contents.
func titlesOf(list []*candidate, passages []passage.Passage) map[string]bool {
	out := map[string]bool{}
	add := func(p passage.Passage, title string) {
		out[titleIn(p, title)] = true
	}
	for _, p := range passages {
		for _, title := range p.Headings {
			add(p, title)
		}
	}
	for _, c := range list {
		if c.heading && !c.row {
			add(passages[c.passage], c.text)
		}
	}
	return out
}

// titleIn returns a title without its number, with the document that has it.
func titleIn(p passage.Passage, title string) string {
	return origin.Document(p) + "\n" + strings.TrimLeft(title, "0123456789.) ")
}

// withTerms notes with which sentences of an answer their terms are said: with the first
// of an entry.
func withTerms(chosen, list []*candidate) []*candidate {
	last := -1
	for _, c := range chosen {
		if c.term >= 0 && c.term != last && !slices.Contains(chosen, list[c.term]) {
			c.under = list[c.term].text
		}
		last = c.term
	}
	return chosen
}

// indentAt returns the indentation of the line of an offset, and whether nothing of the
// line stands before it. What begins a text counts as not indented.
func indentAt(text string, at int) (depth int, begins bool) {
	depth, rest := sentence.Indentation(text[strings.LastIndexByte(text[:at], '\n')+1 : at])
	return depth, rest == ""
}

// begun reports whether nothing but the marker of a list's item stands before an offset in
// its line.
func begun(text string, at int) bool {
	_, rest := sentence.Indentation(text[strings.LastIndexByte(text[:at], '\n')+1 : at])
	n := sentence.Bullet(rest)
	return n > 0 && strings.TrimSpace(rest[n:]) == ""
}

// titled reports whether a text may be a title, a term or a signature: short, without a
// mark at its end.
func titled(text string) bool {
	return len(text) <= titleBytes && !sentence.Marked(text) && !strings.ContainsRune(":;,", rune(text[len(text)-1]))
}

// hasTerm reports whether the term of an entry is what is looked for, or one of several
// such, as in "-r, --recursive=DIR".
func hasTerm(term, name string) bool {
	for _, one := range strings.Split(strings.ToLower(term), ",") {
		rest, ok := strings.CutPrefix(strings.Trim(one, " `"), name)
		if ok && (rest == "" || !unicode.IsLetter(rune(rest[0])) && rest[0] != '-' && rest[0] != '_') {
			return true
		}
	}
	return false
}

// belowTerm reports whether a sentence opens the section whose heading is nothing but a
// term, in the singular or the plural.
func belowTerm(list []*candidate, at int, name string) bool {
	if at == 0 || !list[at-1].heading || list[at-1].passage != list[at].passage {
		return false
	}
	singular := func(s string) string {
		return strings.TrimSuffix(strings.Trim(strings.ToLower(s), "#*: \t0123456789."), "s")
	}
	return singular(list[at-1].text) == singular(name)
}

// isTerm reports whether a sentence is the term of what follows it.
func isTerm(list []*candidate, at int) bool { return at+1 < len(list) && list[at+1].term == at }

// saidOf matches how it goes on where a sentence tells something of what it is about and not what that is.
var saidOf = form(`^(?:(?:also|now|currently|only|not|freely) )?(?:licen[sc]ed|available|released|distributed|written|installed|maintained|developed|supported|` +
	`included|shipped|packaged|hosted|located|copyright)\b`)

// defines reports whether a sentence says what the subject is, in its beginning.
func defines(text, subject string) bool {
	text = strings.ToLower(strings.TrimLeft(text, "-*#| \t\"'`0123456789.()"))
	for _, article := range []string{"a ", "an ", "the "} {
		text = strings.TrimPrefix(text, article)
	}
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, emphasis), subject)
	if !ok {
		return strings.Index(text, "("+subject+")") > 0 || line.Calls(text, subject)
	}
	rest = strings.TrimLeft(rest, "s)"+emphasis)
	for _, verb := range []string{" is ", " are ", " means ", " refers ", " stands for", ": ", " denotes ",
		" contains ", " holds ", " – ", " - ", " (", " was ", " ist ", " sind ", " war "} {
		if after, ok := strings.CutPrefix(rest, verb); ok {
			return !matchesForm(saidOf, after)
		}
	}
	return false
}

// emphasis may stand around a term: A **vault** is a directory.
const emphasis = "*_\"'`“”„‘’"

// begins reports whether a sentence is about the subject: begins with it, and goes on in
// prose.
func begins(text, subject string) bool {
	lower := strings.ToLower(text)
	for _, article := range []string{"a ", "an ", "the "} {
		if rest, ok := strings.CutPrefix(lower, article); ok {
			lower, text = rest, text[len(article):]
			break
		}
	}
	if !strings.HasPrefix(lower, subject+" ") || len(lower) != len(text) {
		return false
	}
	next := text[len(subject)+1:]
	return next != "" && next[0] >= 'a' && next[0] <= 'z' && sentence.Marked(text)
}

// boldLevel is the level of what stands in bold type before what it names, below the headings that are marked.
const boldLevel = 6

// boldAt returns the level of a sentence at the beginning of a line that is bold as a whole; 0 for any other.
func boldAt(text string, s sentence.Span) int {
	bold := text[s.Start:s.End]
	if len(bold) > titleBytes+len("****") || len(bold) <= len("****") || !strings.HasPrefix(bold, "**") || !strings.HasSuffix(bold, "**") ||
		strings.Contains(bold[2:len(bold)-2], "**") || strings.HasSuffix(bold, ":**") || s.Start > 0 && text[s.Start-1] != '\n' {
		return 0
	}
	return boldLevel
}

// heads notes the lines above the first sentence of documents whose beginning is at hand.
func heads(list []*candidate, passages []passage.Passage) {
	in := -1
	for i, c := range list {
		p := passages[c.passage]
		if p.Start > startsWithin || c.passage == in || c.given {
			continue
		}
		n := i
		for n < len(list) && list[n].passage == c.passage && !list[n].row && !list[n].code && list[n].item == 0 &&
			!sentence.Marked(list[n].text) && !announces(list[n]) && len(list[n].parsed) < headWords {
			n++
		}
		if in = c.passage; n < len(list) && list[n].passage == c.passage && n-i >= headLines {
			for _, h := range list[i:n] {
				h.head = true
			}
		}
	}
}

// Limits of such lines.
const (
	headLines = 2  // at least
	headWords = 16 // of each
)

// alignedTitles is how many lines are alike at most of which a later one may have the names of columns.
const alignedTitles = 20

// tabulated reads lines whose cells marks or several blanks part, below the names of their columns, as rows of a table.
func tabulated(list []*candidate, passages []passage.Passage, q question) {
	lines, all := make([]string, len(list)), make([][]string, len(list))
	header := -1
	for i, c := range list {
		lines[i], all[i] = inLine(c, passages), cells(c)
		switch {
		case c.parted != nil && c.parted.Names, c.heading && c.row && c.end == 0: // the names of what goes on here
			header = i
		case i == 0 || list[i-1].passage != c.passage:
			header = -1
		}
		if c.parted == nil || header < 0 {
			continue
		}
		c.inTable(c.parted.Cells, header, q)
	}
	to := 0 // where the section ends
	for from := 0; from < len(list); from++ {
		for to <= from || to < len(list) && list[to].passage == list[from].passage && list[to].section == list[from].section {
			to++
		}
		if len(all[from]) == 0 {
			continue
		}
		ruled := from+1 < to && document.Ruled(passages[list[from].passage].Text[list[from].end:list[from+1].start])
		rows, header, end := cell.Block(lines[from:to], all[from:to], ruled)
		for i, row := range rows {
			list[from+header+i].inTable(row, from+header, q)
		}
		list[from].heading = list[from].heading || header > 0 // the first line of the names
		if rows != nil || end > alignedTitles {
			from += end - 1 // no names of columns come so late
		}
	}
}

// inLine returns a sentence with the blanks before it in its line. Those at the beginning of a passage are lost: they are the same as in
// the line below.
func inLine(c *candidate, passages []passage.Passage) string {
	text := passages[c.passage].Text
	if c.end == 0 {
		return c.text // names of columns that stand in an earlier passage
	}
	before := text[:c.start]
	if c.start == 0 {
		_, below, _ := strings.Cut(text, "\n")
		before = below[:len(below)-len(strings.TrimLeft(below, " "))]
	}
	return before[len(strings.TrimRight(before, " ")):] + c.text
}

// inTable makes a sentence a row of a table, whose columns have the names that the one at header has.
func (c *candidate) inTable(row []string, header int, q question) {
	c.text, c.row = cell.Row(row), true
	if c.heading = c.at == header; !c.heading {
		c.header = header
	}
	c.take(q)
}

// boxBar parts the cells of a table that is drawn with lines; boxTops begin the line above it.
const (
	boxBar  = "│"
	boxTops = "┌╔╒╓"
)

// lastLines returns the last line of a text, and one that it begins after.
func lastLines(text string) string {
	return text[strings.LastIndexByte(strings.TrimRight(text, " \n"), '\n')+1:]
}

// boxed reads the lines of tables that are drawn with lines as rows.
func boxed(list []*candidate, passages []passage.Passage, q question) {
	is := func(i int) bool {
		return i < len(list) && strings.HasPrefix(list[i].text, boxBar) && strings.HasSuffix(list[i].text, boxBar) &&
			!strings.Contains(list[i].text, "\n")
	}
	for from := 0; from < len(list); from++ {
		if !is(from) {
			continue
		}
		to := from
		for is(to) && list[to].passage == list[from].passage {
			to++
		}
		header := -1
		if before := passages[list[from].passage].Text[:list[from].start]; to > from+1 && strings.ContainsAny(lastLines(before), boxTops) {
			header, list[from].heading = from, true
		}
		for i := from; i < to; i++ {
			cells := strings.Split(strings.Trim(strings.ReplaceAll(list[i].text, "|", "/"), boxBar), boxBar)
			for j, v := range cells {
				cells[j] = strings.TrimSpace(v)
			}
			list[i].text, list[i].row = "| "+strings.Join(cells, " | ")+" |", true
			list[i].take(q)
			if i > from {
				list[i].header = header
			}
		}
		from = to - 1
	}
}
