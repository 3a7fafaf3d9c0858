package office

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// xmlParser parses the XML of Office files: names without prefixes, only
// predefined and numeric entities, no validation. It never fails and takes
// linear time; invalid XML ends early or yields less.
type xmlParser struct {
	data []byte
	pos  int

	kind  xmlKind
	name  string // of a start or end
	text  string // of a text
	attrs []byte // of a start, raw
	empty bool   // the start tag is self-closing; an end follows all the same
	depth int    // of open elements
	huge  bool   // an element had more than maxTreeNodes, and the rest was not read
}

// maxTreeNodes limits the elements and texts that are held at once, which take a hundred bytes
// each and the file four. A table of a hundred thousand cells has some millions.
const maxTreeNodes = 3_000_000

type xmlKind int

const (
	xmlStart xmlKind = iota + 1
	xmlEnd
	xmlText
)

// next advances to the next token; false at the end.
func (p *xmlParser) next() bool {
	if p.empty {
		p.empty, p.kind = false, xmlEnd
		p.depth--
		return true
	}
	for p.pos < len(p.data) {
		if p.data[p.pos] != '<' {
			end := bytes.IndexByte(p.data[p.pos:], '<')
			if end < 0 {
				end = len(p.data) - p.pos
			}
			p.kind, p.text = xmlText, decodeEntities(p.data[p.pos:p.pos+end])
			p.pos += end
			return true
		}
		rest := p.data[p.pos:]
		switch {
		case bytes.HasPrefix(rest, []byte("<![CDATA[")):
			end := bytes.Index(rest, []byte("]]>"))
			if end < 0 {
				p.pos = len(p.data)
				return false
			}
			p.kind, p.text = xmlText, string(rest[9:end])
			p.pos += end + 3
			return true
		case bytes.HasPrefix(rest, []byte("<!--")):
			p.skipPast("-->")
		case bytes.HasPrefix(rest, []byte("<?")):
			p.skipPast("?>")
		case bytes.HasPrefix(rest, []byte("<!")):
			p.skipDeclaration()
		default:
			return p.tag()
		}
	}
	return false
}

func (p *xmlParser) skipPast(mark string) {
	end := bytes.Index(p.data[p.pos:], []byte(mark))
	if end < 0 {
		p.pos = len(p.data)
		return
	}
	p.pos += end + len(mark)
}

// skipDeclaration skips a document type declaration.
func (p *xmlParser) skipDeclaration() {
	depth := 0
	for ; p.pos < len(p.data); p.pos++ {
		switch p.data[p.pos] {
		case '<', '[':
			depth++
		case ']':
			depth--
		case '>':
			if depth--; depth <= 0 {
				p.pos++
				return
			}
		}
	}
}

// tag reads a start or end tag.
func (p *xmlParser) tag() bool {
	i := p.pos + 1
	var quote byte
	for ; i < len(p.data); i++ {
		c := p.data[i]
		if quote != 0 {
			if c == quote {
				quote = 0
			}
			continue
		}
		if c == '"' || c == '\'' {
			quote = c
		} else if c == '>' {
			break
		}
	}
	if i >= len(p.data) {
		p.pos = len(p.data)
		return false
	}
	inner := p.data[p.pos+1 : i]
	p.pos = i + 1
	p.kind = xmlStart
	if len(inner) > 0 && inner[0] == '/' {
		p.kind, inner = xmlEnd, inner[1:]
		p.depth--
	} else if p.depth++; len(inner) > 0 && inner[len(inner)-1] == '/' {
		p.empty, inner = true, inner[:len(inner)-1]
	}
	end := 0
	for end < len(inner) && inner[end] > ' ' {
		end++
	}
	p.name, p.attrs = localName(inner[:end]), inner[end:]
	return true
}

func localName(b []byte) string {
	if i := bytes.LastIndexByte(b, ':'); i >= 0 {
		b = b[i+1:]
	}
	return string(b)
}

// attr returns the value of an attribute; "" if it is missing.
func (p *xmlParser) attr(name string) string {
	return findAttr(p.attrs, name)
}

// findAttr returns an attribute by its name without prefix.
func findAttr(attrs []byte, name string) string {
	for len(attrs) > 0 {
		eq := bytes.IndexByte(attrs, '=')
		if eq < 0 {
			return ""
		}
		key := bytes.TrimSpace(attrs[:eq])
		rest := bytes.TrimLeft(attrs[eq+1:], " \t\r\n")
		if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
			return ""
		}
		end := bytes.IndexByte(rest[1:], rest[0])
		if end < 0 {
			return ""
		}
		if i := bytes.LastIndexByte(key, ':'); string(key[i+1:]) == name {
			return decodeEntities(rest[1 : end+1])
		}
		attrs = rest[end+2:]
	}
	return ""
}

func decodeEntities(b []byte) string {
	if bytes.IndexByte(b, '&') < 0 {
		return string(b)
	}
	var out strings.Builder
	for len(b) > 0 {
		i := bytes.IndexByte(b, '&')
		if i < 0 {
			out.Write(b)
			break
		}
		out.Write(b[:i])
		b = b[i:]
		end := bytes.IndexByte(b[:min(len(b), 12)], ';')
		if end < 0 {
			out.WriteByte('&')
			b = b[1:]
			continue
		}
		out.WriteString(entity(string(b[1:end])))
		b = b[end+1:]
	}
	return out.String()
}

func entity(name string) string {
	switch name {
	case "lt":
		return "<"
	case "gt":
		return ">"
	case "amp":
		return "&"
	case "quot":
		return `"`
	case "apos":
		return "'"
	case "nbsp":
		return " "
	}
	var digits string
	base := 10
	if strings.HasPrefix(name, "#x") || strings.HasPrefix(name, "#X") {
		digits, base = name[2:], 16
	} else if strings.HasPrefix(name, "#") {
		digits = name[1:]
	} else {
		return ""
	}
	n, err := strconv.ParseInt(digits, base, 32)
	if err != nil || !utf8.ValidRune(rune(n)) || n == 0 {
		return ""
	}
	return string(rune(n))
}

// skip advances past the end of the element whose start was just read.
func (p *xmlParser) skip() {
	for depth := p.depth; p.depth >= depth && p.next(); {
	}
}

// xmlNode is an element, or a text if its name is empty.
type xmlNode struct {
	name  string
	text  string
	attrs []byte
	kids  []*xmlNode
}

// tree reads the whole element whose start was just read. Elements deeper than
// maxDepth are replaced by their content. Of one that is too large the parser is at its end, and
// huge.
func (p *xmlParser) tree(maxDepth int) *xmlNode {
	root := &xmlNode{name: p.name, attrs: p.attrs}
	open := []*xmlNode{root}
	deeper, nodes := 0, 0
	for floor := p.depth; p.depth >= floor && p.next(); {
		if nodes++; nodes > 2*maxTreeNodes { // there is an end to each beginning
			p.pos, p.empty, p.huge = len(p.data), false, true
			return root
		}
		top := open[len(open)-1]
		switch p.kind {
		case xmlText:
			top.kids = append(top.kids, &xmlNode{text: p.text})
		case xmlStart:
			if len(open) >= maxDepth {
				deeper++
				continue
			}
			n := &xmlNode{name: p.name, attrs: p.attrs}
			top.kids = append(top.kids, n)
			open = append(open, n)
		case xmlEnd:
			if deeper > 0 {
				deeper--
			} else if len(open) > 1 {
				open = open[:len(open)-1]
			}
		}
	}
	return root
}

func (n *xmlNode) attr(name string) string {
	if n == nil {
		return ""
	}
	return findAttr(n.attrs, name)
}

// kid returns the first child along a path of names; nil if there is none.
func (n *xmlNode) kid(path ...string) *xmlNode {
	for _, name := range path {
		if n == nil {
			return nil
		}
		var found *xmlNode
		for _, k := range n.kids {
			if k.name == name {
				found = k
				break
			}
		}
		n = found
	}
	return n
}

// allText returns all text below n.
func (n *xmlNode) allText() string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	n.walk(func(k *xmlNode) bool {
		b.WriteString(k.text)
		return true
	})
	return b.String()
}

// walk calls visit for all descendants of n; it skips those of a node for which
// visit is false.
func (n *xmlNode) walk(visit func(*xmlNode) bool) {
	for _, k := range n.kids {
		if visit(k) {
			k.walk(visit)
		}
	}
}
