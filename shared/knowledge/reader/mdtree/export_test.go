package mdtree

// ParseBy is Parse with pieces of another size.
var ParseBy = parse
