package document

// nodes is a list of nodes that grows by pieces: a table of a million rows would be copied
// again and again otherwise, and take several times its memory. The zero value is empty.
type nodes struct {
	full  [][]Node
	piece []Node
	count int
}

// pieceNodes is how many nodes a piece has at most.
const pieceNodes = 4096

func (l *nodes) add(n Node) {
	if len(l.piece) == cap(l.piece) {
		if len(l.piece) > 0 {
			l.full = append(l.full, l.piece)
		}
		l.piece = make([]Node, 0, min(max(l.count, 1), pieceNodes))
	}
	l.piece = append(l.piece, n)
	l.count++
}

// last returns the node that was added last, which there must be.
func (l *nodes) last() *Node { return &l.piece[len(l.piece)-1] }

// all returns the nodes, and empties the list.
func (l *nodes) all() []Node {
	list := l.piece
	if len(l.full) > 0 {
		list = make([]Node, 0, l.count)
		for _, piece := range append(l.full, l.piece) {
			list = append(list, piece...)
		}
	}
	*l = nodes{}
	return list
}
