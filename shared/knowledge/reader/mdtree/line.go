package mdtree

import "strings"

// column returns the width of leading white space, tabs at four.
func column(space string) int {
	n := 0
	for _, c := range space {
		if c == '\t' {
			n += 4 - n%4
		} else {
			n++
		}
	}
	return n
}

// markerWidth returns the width of a list marker with the space behind it, 0
// when the line begins with none.
func markerWidth(line string) int {
	i := 0
	switch c := line[0]; {
	case c == '-' || c == '*' || c == '+':
		i = 1
	case c >= '0' && c <= '9':
		for i < len(line) && i < 9 && line[i] >= '0' && line[i] <= '9' {
			i++
		}
		if i == len(line) || line[i] != '.' && line[i] != ')' {
			return 0
		}
		i++
	default:
		return 0
	}
	if i == len(line) || line[i] != ' ' && line[i] != '\t' {
		return 0
	}
	return i + 1
}

// headingLevel returns the level of an ATX heading, 0 for other lines.
func headingLevel(line string) int {
	n := 0
	for n < len(line) && line[n] == '#' {
		n++
	}
	if n == 0 || n > 6 || n == len(line) || line[n] != ' ' && line[n] != '\t' {
		return 0
	}
	return n
}

func isUnderline(line string) bool {
	return strings.Trim(line, "=") == "" || len(line) > 1 && strings.Trim(line, "-") == ""
}

// isRule reports whether a line is a thematic break.
func isRule(line string) bool {
	if len(line) < 3 || line[0] != '-' && line[0] != '*' && line[0] != '_' {
		return false
	}
	n := 0
	for i := range len(line) {
		switch line[i] {
		case line[0]:
			n++
		case ' ', '\t':
		default:
			return false
		}
	}
	return n >= 3
}

func isTableRuler(line string) bool {
	return strings.Contains(line, "-") && strings.Contains(line, "|") && strings.Trim(line, "|-: \t") == ""
}

func startsBlock(line string) bool {
	return headingLevel(line) > 0 || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") || line[0] == '|'
}

// plainInline drops the marks of emphasis, code and links from a line.
func plainInline(s string) string {
	s = strings.TrimSpace(s)
	if !strings.ContainsAny(s, "*_`[\\") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '*', '`':
		case '_':
			// Within a word it belongs to it.
			if i > 0 && i+1 < len(s) && isWordByte(s[i-1]) && isWordByte(s[i+1]) {
				b.WriteByte(c)
			}
		case '\\':
			if i+1 < len(s) {
				i++
				b.WriteByte(s[i])
			}
		case '[':
			text := strings.Index(s[i:], "](")
			end := -1
			if text > 0 {
				end = strings.IndexByte(s[i+text:], ')')
			}
			if end < 0 {
				b.WriteByte(c)
				continue
			}
			b.WriteString(s[i+1 : i+text])
			i += text + end
		default:
			b.WriteByte(c)
		}
	}
	return strings.TrimSpace(b.String())
}

func isWordByte(c byte) bool {
	return c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
