package extractive

import (
	"regexp/syntax"
	"strings"
)

// example returns a short string that matches a simple regular expression, with
// repetitions at their minimum.
func example(pattern string) string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	var out strings.Builder
	writeExample(&out, re.Simplify(), 0)
	return out.String()
}

func writeExample(out *strings.Builder, re *syntax.Regexp, depth int) {
	if depth > maxDepth || out.Len() > 4096 {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		out.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		if len(re.Rune) > 0 {
			out.WriteRune(plainest(re.Rune))
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		out.WriteByte('a')
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			writeExample(out, sub, depth+1)
		}
	case syntax.OpCapture, syntax.OpPlus:
		writeExample(out, re.Sub[0], depth+1)
	case syntax.OpAlternate:
		writeExample(out, re.Sub[0], depth+1)
	case syntax.OpRepeat:
		for range max(re.Min, 0) {
			writeExample(out, re.Sub[0], depth+1)
		}
	}
}

// plainest returns a letter or digit of a class, else its first character.
func plainest(ranges []rune) rune {
	for _, want := range []rune{'a', 'A', '1', '0'} {
		for i := 0; i+1 < len(ranges); i += 2 {
			if ranges[i] <= want && want <= ranges[i+1] {
				return want
			}
		}
	}
	return ranges[0]
}
