package formula

import "strings"

// MathML returns a formula in MathML as text in one line.
//
// Source: MathML 3, chapter 3.
func MathML(n *Node) string { return tidy(mathML(n)) }

func mathML(n *Node) string {
	switch n.Name {
	case "":
		return n.Text
	case "annotation", "annotation-xml", "mphantom", "maligngroup", "malignmark":
		return ""
	case "mi", "mn", "mo":
		return strings.TrimSpace(all(n.Kids, mathML))
	case "mspace":
		return " "
	case "mtable":
		return "[" + strings.TrimSuffix(all(n.Kids, mathML), "; ") + "]"
	case "mtr", "mlabeledtr":
		return strings.TrimSuffix(all(n.Kids, mathML), ", ") + "; "
	case "mtd":
		return all(n.Kids, mathML) + ", "
	}
	kids := elements(n.Kids)
	arg := func(i int) string {
		if i < len(kids) {
			return strings.TrimSpace(mathML(&kids[i]))
		}
		return ""
	}
	switch n.Name {
	case "msup":
		return power(arg(0), arg(1))
	case "msub":
		return indexed(arg(0), arg(1))
	case "msubsup":
		return power(indexed(arg(0), arg(1)), arg(2))
	case "munder":
		return indexed(arg(0), arg(1))
	case "mover":
		if isAccent(arg(1)) {
			return arg(0)
		}
		return power(arg(0), arg(1))
	case "munderover":
		return indexed(arg(0), arg(1)) + "^" + group(arg(2)) + " "
	case "mfrac":
		return fraction(arg(0), arg(1))
	case "mroot":
		return root(arg(1), arg(0))
	case "msqrt":
		return root("", strings.TrimSpace(all(n.Kids, mathML)))
	case "mfenced":
		var parts []string
		for i := range kids {
			parts = append(parts, arg(i))
		}
		return attr(n, "open", "(") + strings.Join(parts, ", ") + attr(n, "close", ")")
	}
	return all(n.Kids, mathML)
}

// elements returns the nodes without blank text between them.
func elements(nodes []Node) []Node {
	var list []Node
	for _, k := range nodes {
		if k.Name != "" || strings.TrimSpace(k.Text) != "" {
			list = append(list, k)
		}
	}
	return list
}

func attr(n *Node, name, other string) string {
	if v, ok := n.Attrs[name]; ok {
		return v
	}
	return other
}

// isAccent reports whether s is a sign above a letter, which plain text leaves out.
func isAccent(s string) bool {
	return s != "" && strings.Trim(s, "¯‾^ˆ~˜→⃗˙¨.ˇ´`_ˉ⏞") == ""
}
