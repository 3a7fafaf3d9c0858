package statement

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"lectern/shared/database"
)

// kind is the kind of a token.
type kind int

const (
	word   kind = iota // a bare keyword or name
	quoted             // a name in quotes
	text               // a string
	number
	mark // one character of punctuation
)

// token is one token of a statement. text is a word in lower case, a quoted
// name without its quotes in lower case, or a mark.
type token struct {
	kind kind
	text string
}

// scanner tokenizes a statement like the servers of a dialect. It rejects what
// a server might tokenize differently.
type scanner struct {
	d   database.Dialect
	src string
	pos int
}

// next returns the next token; ok is false at the end.
func (s *scanner) next() (t token, ok bool, err error) {
	for {
		skipped, err := s.blank()
		if err != nil {
			return t, false, err
		}
		if !skipped {
			break
		}
	}
	if s.pos >= len(s.src) {
		return t, false, nil
	}
	c := s.src[s.pos]
	switch {
	case c == '\'':
		return s.str(s.d == database.MySQL)
	case c == '"' && s.d == database.MySQL:
		return s.str(true)
	case c == '"':
		return s.name('"')
	case c == '`' && (s.d == database.MySQL || s.d == database.SQLite):
		return s.name('`')
	case c == '[' && (s.d == database.SQLServer || s.d == database.SQLite):
		return s.name(']')
	case c == '$' && s.d == database.Postgres:
		return s.dollar()
	case c >= '0' && c <= '9':
		return s.number()
	case letter(rune(c)) || c >= utf8.RuneSelf || c == '#' && s.d == database.SQLServer:
		return s.word()
	case c < ' ' || c == 0x7f || c == '\\':
		return t, false, refuse("the statement holds a character that does not belong there")
	}
	s.pos++
	return token{mark, string(c)}, true, nil
}

// blank skips white space or one comment.
func (s *scanner) blank() (bool, error) {
	rest := s.src[s.pos:]
	switch {
	case rest == "":
		return false, nil
	case strings.IndexByte(" \t\n\r\f", rest[0]) >= 0:
		s.pos++
		return true, nil
	case strings.HasPrefix(rest, "--"):
		// In MySQL two dashes only start a comment before white space.
		if s.d == database.MySQL && len(rest) > 2 && strings.IndexByte(" \t\n\r", rest[2]) < 0 {
			return false, refuse("put a space after the dashes of a comment, or between two minus signs")
		}
		return true, s.line()
	case rest[0] == '#' && s.d == database.MySQL:
		return true, s.line()
	case strings.HasPrefix(rest, "/*"):
		return true, s.comment()
	}
	return false, nil
}

// line skips to the end of the line. It rejects other ends of lines than a line feed:
// for some servers a comment ends there, and the statement goes on.
//
// Source: PostgreSQL, scan.l: newline is [\n\r].
func (s *scanner) line() error {
	comment, _, _ := strings.Cut(s.src[s.pos:], "\n")
	if strings.ContainsAny(strings.TrimSuffix(comment, "\r"), "\r\v\f\u0085\u2028\u2029") {
		return refuse("a comment may not hold a carriage return or another end of a line")
	}
	s.pos = min(s.pos+len(comment)+1, len(s.src))
	return nil
}

// comment skips a block comment, nested if the dialect nests them. It rejects
// comments with an effect: executable comments of MySQL and optimizer hints.
func (s *scanner) comment() error {
	rest := s.src[s.pos:]
	for _, begin := range []string{"/*!", "/*M!", "/*m!", "/*+"} {
		if strings.HasPrefix(rest, begin) {
			return refuse("a comment that a server acts upon is not allowed")
		}
	}
	nests := s.d == database.Postgres || s.d == database.SQLServer
	s.pos += 2
	for depth := 1; s.pos < len(s.src); {
		switch rest := s.src[s.pos:]; {
		case strings.HasPrefix(rest, "*/"):
			s.pos += 2
			if depth--; depth == 0 {
				return nil
			}
		case strings.HasPrefix(rest, "/*"):
			if !nests {
				return refuse("a comment inside a comment is not allowed")
			}
			depth++
			s.pos += 2
		default:
			s.pos++
		}
	}
	return refuse("a comment does not end")
}

// str scans a string in single quotes, or in double quotes for MySQL.
func (s *scanner) str(backslash bool) (token, bool, error) {
	quote := s.src[s.pos]
	start := s.pos + 1
	for s.pos = start; s.pos < len(s.src); s.pos++ {
		switch c := s.src[s.pos]; {
		case c == 0:
			return token{}, false, refuse("a string holds a NUL")
		case c == '\\' && backslash:
			s.pos++
		case c == quote && s.pos+1 < len(s.src) && s.src[s.pos+1] == quote:
			s.pos++
		case c == quote:
			s.pos++
			return token{text, s.src[start : s.pos-1]}, true, nil
		}
	}
	return token{}, false, refuse("a string does not end")
}

// name scans a quoted name; a doubled quote stands for itself.
func (s *scanner) name(end byte) (token, bool, error) {
	var b strings.Builder
	for s.pos++; s.pos < len(s.src); s.pos++ {
		c := s.src[s.pos]
		if c == 0 {
			return token{}, false, refuse("a name holds a NUL")
		}
		if c == end {
			if s.pos+1 < len(s.src) && s.src[s.pos+1] == end {
				s.pos++
			} else {
				s.pos++
				return token{quoted, strings.ToLower(b.String())}, true, nil
			}
		}
		b.WriteByte(c)
	}
	return token{}, false, refuse("a quoted name does not end")
}

// dollar scans a dollar-quoted string or a parameter.
func (s *scanner) dollar() (token, bool, error) {
	rest := s.src[s.pos+1:]
	n := 0
	for n < len(rest) && (letter(rune(rest[n])) || rest[n] >= utf8.RuneSelf || n > 0 && rest[n] >= '0' && rest[n] <= '9') {
		n++
	}
	if n >= len(rest) || rest[n] != '$' {
		return token{}, false, refuse("parameters are not allowed; write the values")
	}
	tag := "$" + rest[:n+1]
	body := s.src[s.pos+len(tag):]
	end := strings.Index(body, tag)
	if end < 0 {
		return token{}, false, refuse("a string does not end")
	}
	s.pos += len(tag) + end + len(tag)
	return token{text, body[:end]}, true, nil
}

func (s *scanner) number() (token, bool, error) {
	start := s.pos
	for s.pos < len(s.src) && (letter(rune(s.src[s.pos])) || s.src[s.pos] >= '0' && s.src[s.pos] <= '9' || s.src[s.pos] == '.') {
		s.pos++
	}
	// Some servers read a word directly after a number as a new token.
	lit := strings.ToLower(s.src[start:s.pos])
	if strings.Trim(lit, "0123456789.") != "" && !wholeNumber(lit) {
		return token{}, false, refuse("put a space between the number %s and what follows", clip(lit))
	}
	return token{number, lit}, true, nil
}

// wholeNumber reports whether a literal with letters is hexadecimal or has an
// exponent.
func wholeNumber(lit string) bool {
	if strings.HasPrefix(lit, "0x") {
		return len(lit) > 2 && strings.Trim(lit[2:], "0123456789abcdef") == ""
	}
	mantissa, exponent, ok := strings.Cut(lit, "e")
	return ok && strings.Trim(mantissa, "0123456789.") == "" && strings.Trim(exponent, "0123456789") == ""
}

// word scans a bare word, or a string with a prefix.
func (s *scanner) word() (token, bool, error) {
	start := s.pos
	for s.pos < len(s.src) {
		r, n := utf8.DecodeRuneInString(s.src[s.pos:])
		if r == utf8.RuneError || r >= utf8.RuneSelf && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			return token{}, false, refuse("the statement holds a character that does not belong there; put it in quotes")
		}
		if r < utf8.RuneSelf && !letter(r) && (r < '0' || r > '9') && r != '$' && r != '#' && r != '@' {
			break
		}
		if r == '@' && s.d != database.SQLServer || r == '#' && s.d != database.SQLServer {
			break
		}
		s.pos += n
	}
	w := strings.ToLower(s.src[start:s.pos])
	if s.pos < len(s.src) && (s.src[s.pos] == '\'' || s.src[s.pos] == '"') || strings.HasPrefix(s.src[s.pos:], "&'") || strings.HasPrefix(s.src[s.pos:], `&"`) {
		return s.prefixed(w)
	}
	return token{word, w}, true, nil
}

// prefixed scans a string or name directly after a word.
func (s *scanner) prefixed(w string) (token, bool, error) {
	if s.src[s.pos] == '\'' {
		switch {
		case w == "e" && s.d == database.Postgres:
			return s.str(true)
		case w == "n" || w == "b" || w == "x":
			return s.str(s.d == database.MySQL)
		case strings.HasPrefix(w, "_") && s.d == database.MySQL:
			return token{}, false, refuse("strings in a character set of their own are not allowed")
		}
	}
	return token{}, false, refuse("put a space between %s and the quote", clip(w))
}

func letter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' }

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}
