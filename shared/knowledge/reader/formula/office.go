package formula

import "strings"

// Office returns a formula in the Office Math Markup Language as text in one line.
//
// Source: ECMA-376, part 1, 22.1.
func Office(n *Node) string { return tidy(office(n)) }

func office(n *Node) string {
	arg := func(name string) string {
		for i := range n.Kids {
			if n.Kids[i].Name == name {
				return strings.TrimSpace(all(n.Kids[i].Kids, office))
			}
		}
		return ""
	}
	switch n.Name {
	case "":
		return ""
	case "t":
		return all(n.Kids, func(k *Node) string { return k.Text })
	case "sSup":
		return power(arg("e"), arg("sup"))
	case "sSub":
		return indexed(arg("e"), arg("sub"))
	case "sSubSup":
		return power(indexed(arg("e"), arg("sub")), arg("sup"))
	case "sPre":
		return indexed("", arg("sub")) + power("", arg("sup")) + arg("e")
	case "f":
		return fraction(arg("num"), arg("den"))
	case "rad":
		return root(arg("deg"), arg("e"))
	case "nary":
		sign := property(n, "naryPr", "chr", "∫")
		return power(indexed(sign, arg("sub")), arg("sup")) + " " + arg("e")
	case "limLow":
		return indexed(arg("e"), arg("lim"))
	case "limUpp":
		return power(arg("e"), arg("lim"))
	case "func":
		return arg("fName") + " " + arg("e")
	case "d":
		var parts []string
		for i := range n.Kids {
			if n.Kids[i].Name == "e" {
				parts = append(parts, strings.TrimSpace(all(n.Kids[i].Kids, office)))
			}
		}
		return property(n, "dPr", "begChr", "(") + strings.Join(parts, property(n, "dPr", "sepChr", "|")) + property(n, "dPr", "endChr", ")")
	case "m":
		return "[" + strings.TrimSuffix(all(n.Kids, office), "; ") + "]"
	case "mr":
		return strings.TrimSuffix(all(n.Kids, func(k *Node) string { return strings.TrimSpace(all(k.Kids, office)) + ", " }), ", ") + "; "
	case "del", "Fallback":
		return ""
	}
	return all(n.Kids, office)
}

// property returns the value of a property of an element, or what holds without it.
func property(n *Node, properties, name, other string) string {
	for i := range n.Kids {
		if n.Kids[i].Name != properties {
			continue
		}
		for j := range n.Kids[i].Kids {
			if k := &n.Kids[i].Kids[j]; k.Name == name {
				return attr(k, "val", "")
			}
		}
	}
	return other
}
