package artifact

import (
	"slices"
	"strings"

	"lectern/shared/text/chunk"
	"lectern/shared/text/document"
)

// NodeFilter keeps parts of a document. With node ids only these nodes count,
// with types to keep only nodes of these; without either, all do. Nodes keep
// their ids.
type NodeFilter struct {
	Include   []string `json:"include,omitempty" enum:"document,section,paragraph,list,list_item,table,table_row,code,image,page" doc:"node types to keep"`
	Exclude   []string `json:"exclude,omitempty" enum:"document,section,paragraph,list,list_item,table,table_row,code,image,page" doc:"node types to leave out, with their descendants"`
	NodeIDs   []string `json:"node_ids,omitempty"`
	Children  *bool    `json:"include_children" default:"true" doc:"keep the descendants of a kept node"`
	Ancestors bool     `json:"include_ancestors,omitempty" doc:"keep the ancestor headings of a kept node"`
}

// apply makes the document of the nodes that the filter keeps.
func (f *NodeFilter) apply(doc *document.Document) *document.Document {
	s := &selection{NodeFilter: f, text: doc.Text, inherit: f.Children == nil || *f.Children}
	all := len(f.NodeIDs) == 0 && len(f.Include) == 0
	s.inherit = s.inherit || all
	root, _ := s.copy(&doc.Root, len(f.NodeIDs) == 0, all)
	if root == nil {
		root = &document.Node{ID: doc.Root.ID, Type: document.Root}
	}
	out := *doc
	out.Text, out.Root = s.out.String(), *root
	out.Root.Start, out.Root.End = 0, len(out.Text)
	return &out
}

type selection struct {
	*NodeFilter
	text    string
	inherit bool
	out     strings.Builder
}

// copy writes what is kept of a node and returns the node in the new text; nil
// when nothing is. scoped says that the ids reach this node from above, kept
// that a node above is kept with all below it.
func (s *selection) copy(n *document.Node, scoped, kept bool) (*document.Node, bool) {
	if s.excludes(n) {
		return nil, false
	}
	scoped = scoped || slices.Contains(s.NodeIDs, n.ID)
	kept = kept || scoped && (len(s.Include) == 0 && n.Type != document.Root || slices.Contains(s.Include, string(n.Type)))
	if kept && (len(n.Children) == 0 || s.inherit && !s.partly(n)) {
		s.separate()
		c := shifted(*n, s.out.Len()-n.Start)
		s.out.WriteString(s.text[n.Start:n.End])
		return &c, true
	}
	if len(n.Children) == 0 {
		return nil, false
	}
	start := s.out.Len()
	c := *n
	c.Children = nil
	head := strings.TrimSpace(s.text[n.Start:n.Children[0].Start])
	shown := head != "" && (kept || s.Ancestors && s.reaches(n, scoped))
	if shown {
		s.separate()
		start = s.out.Len()
		s.out.WriteString(head)
	} else {
		c.Title = ""
	}
	for i := range n.Children {
		if child, ok := s.copy(&n.Children[i], scoped && (s.inherit || len(s.NodeIDs) == 0), kept && s.inherit); ok {
			if len(c.Children) == 0 && !shown {
				start = child.Start
			}
			c.Children = append(c.Children, *child)
		}
	}
	if len(c.Children) == 0 && !shown {
		return nil, false
	}
	c.Start, c.End = start, s.out.Len()
	return &c, true
}

func (s *selection) excludes(n *document.Node) bool {
	return n.Type != document.Root && slices.Contains(s.Exclude, string(n.Type))
}

// partly reports whether something below n is left out.
func (s *selection) partly(n *document.Node) bool {
	if len(s.Exclude) == 0 {
		return false
	}
	return slices.ContainsFunc(n.Children, func(c document.Node) bool { return s.excludes(&c) || s.partly(&c) })
}

// reaches reports whether something below n is kept.
func (s *selection) reaches(n *document.Node, scoped bool) bool {
	for i := range n.Children {
		c := &n.Children[i]
		if s.excludes(c) {
			continue
		}
		in := scoped && (s.inherit || len(s.NodeIDs) == 0) || slices.Contains(s.NodeIDs, c.ID)
		if in && (len(s.Include) == 0 || slices.Contains(s.Include, string(c.Type))) || s.reaches(c, in) {
			return true
		}
	}
	return false
}

func (s *selection) separate() {
	if s.out.Len() > 0 {
		s.out.WriteString("\n\n")
	}
}

// shifted returns a node with all below it at other offsets.
func shifted(n document.Node, by int) document.Node {
	n.Start += by
	n.End += by
	n.Children = slices.Clone(n.Children)
	for i, c := range n.Children {
		n.Children[i] = shifted(c, by)
	}
	return n
}

// cut shortens a document to the tokens left, at a line or a word, and counts
// them.
func cut(doc *document.Document, left *int) *document.Document {
	if left == nil {
		return doc
	}
	n := len(doc.Text)
	have := chunk.EstimateTokens(doc.Text)
	whole := have <= *left
	for have > max(*left, 0) && n > 0 {
		n = min(n-1, int(float64(n)*float64(max(*left, 0))/float64(have)))
		if i := strings.LastIndexAny(doc.Text[:n], " \n"); i > 0 {
			n = i
		}
		for n > 0 && doc.Text[n]&0xC0 == 0x80 { // not inside a letter
			n--
		}
		have = chunk.EstimateTokens(doc.Text[:n])
	}
	*left -= have
	if whole {
		return doc
	}
	*left = 0
	out := *doc
	out.Text = strings.TrimRight(doc.Text[:n], " \n")
	out.Root = clipped(doc.Root, len(out.Text))
	return &out
}

// clipped returns what of a node lies before end.
func clipped(n document.Node, end int) document.Node {
	n.End = min(n.End, end)
	var kept []document.Node
	for _, c := range n.Children {
		if c.Start < end {
			kept = append(kept, clipped(c, end))
		}
	}
	n.Children = kept
	return n
}
