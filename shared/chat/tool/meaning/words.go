package meaning

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lectern/shared/database/plainsql/lexicon"
)

// common are words that say nothing of what a table holds.
var common = lexicon.Set(`a an the of in on at to for from by with and or but is are was were be been am do does did done has have had will would can could
	should it its they them their we us our ours i me my you your he she his her him this that these those there here what which who whom whose
	when where why how many much more most less least than as so up out off down over all any some no not n't nobody none never yet still just
	only also even too very one ones ever altogether total overall together get got gets go goes went come comes came put puts take takes took
	make makes made give gave per each every if then else about into onto being having`)

var wordForm = regexp.MustCompile(`[a-z0-9äöüß]+(?:'[a-z]+)?`)

// words returns the words of a text, in small letters, without what makes a possessive of them.
func words(text string) []string {
	list := wordForm.FindAllString(strings.ReplaceAll(strings.ToLower(text), "’", "'"), -1)
	for i, w := range list {
		list[i] = strings.TrimSuffix(w, "'s")
	}
	return list
}

// stem is a word without its ending.
func stem(w string) string {
	for _, end := range []string{"ies", "ing", "ed", "es", "s"} {
		if rest, ok := strings.CutSuffix(w, end); ok && len(rest) >= leastStem {
			if end == "ies" {
				rest += "y"
			}
			return rest
		}
	}
	return w
}

const leastStem = 3 // letters

// stems returns the stems of the words of a question that say something.
func stems(question string) map[string]bool {
	out := map[string]bool{}
	for _, w := range words(question) {
		if !common[w] {
			out[stem(w)] = true
		}
	}
	return out
}

// phrases returns the words of a question that say something, and pairs of these that stand side by side.
func phrases(question string) (out []string) {
	list := words(question)
	for i, w := range list {
		if common[w] {
			continue
		}
		if len(w) > 2 {
			out = append(out, w)
		}
		if i+1 < len(list) && !common[list[i+1]] {
			out = append(out, w+" "+list[i+1])
		}
	}
	return out
}

// number reads a number in a word, or in digits with marks between its thousands; NaN of another text.
func number(text string) float64 {
	text = strings.ToLower(text)
	if n := slices.Index(numerals, text) + 1; n > 0 {
		return float64(n)
	}
	if n := slices.Index(tens, text) + 1; n > 0 {
		return float64(10 * n)
	}
	if text == "an" {
		return 1
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimRight(text, ".,"), ",", ""), 64)
	if err != nil {
		return math.NaN()
	}
	return n
}

// Words for numbers: from 1 on, and of tens.
var (
	numerals = strings.Fields(`a two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen`)
	tens     = strings.Fields(`- twenty thirty forty fifty sixty seventy eighty ninety`)
)

func show(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

func atoi(digits string) int {
	n, _ := strconv.Atoi(digits) // four digits
	return n
}
