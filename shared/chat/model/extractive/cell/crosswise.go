package cell

// leastProperties is how many rows a table has at least that is read by its columns.
const leastProperties = 2

// Crosswise turns a table that has things beside each other and below them what each of them has, a property in each row: the values of
// a row are of one kind, those of a column are not. It returns the names of the properties, behind that of the things, and for each
// thing its name and its values. ok is false of another table.
func Crosswise(names []string, rows [][]string) (properties []string, things [][]string, ok bool) {
	if len(names) < 3 || len(rows) < leastProperties || len(rows[0]) != len(names) {
		return nil, nil, false
	}
	properties, alike := names[:1:1], 0
	for _, row := range rows {
		properties = append(properties, row[0])
		if of, same := oneKind(row[1:]); same && of != "" {
			alike++
		}
	}
	if 2*alike < len(rows) {
		return nil, nil, false
	}
	for j, name := range names[1:] {
		thing := []string{name}
		for _, row := range rows {
			thing = append(thing, row[j+1])
		}
		if _, same := oneKind(thing[1:]); same {
			return nil, nil, false
		}
		things = append(things, thing)
	}
	return properties, things, true
}

// oneKind returns of which one kind cells are that are filled: of a dimension, or what valueKind says; empty of nothing.
func oneKind(cells []string) (kind string, ok bool) {
	for _, c := range cells {
		if !Filled(c) {
			continue
		}
		of := valueKind(c)
		if _, d, ok := measure(c); ok && d != "" {
			of = string(d)
		}
		if kind != "" && of != kind {
			return "", false
		}
		kind = of
	}
	return kind, true
}
