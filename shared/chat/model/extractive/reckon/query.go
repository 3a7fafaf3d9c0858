package reckon

import "strings"

// query is a statement over one table in its parts.
type query struct {
	what, from, where, group, having, order, limit string
}

// clauses begin the parts of a statement, in their order.
var clauses = []string{" FROM ", " WHERE ", " GROUP BY ", " HAVING ", " ORDER BY ", " LIMIT "}

// parse parts a statement that package plainsql has written; ok is false of one that does not read one table.
func parse(sql string) (q query, ok bool) {
	rest, ok := strings.CutPrefix(sql, "SELECT ")
	if !ok {
		return q, false
	}
	parts := []*string{&q.what, &q.from, &q.where, &q.group, &q.having, &q.order, &q.limit}
	part, start := 0, 0
	depth, quote := 0, byte(0)
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ' ' && depth == 0:
			for k := part; k < len(clauses); k++ {
				if strings.HasPrefix(rest[i:], clauses[k]) {
					*parts[part] = rest[start:i]
					part, start = k+1, i+len(clauses[k])
					i = start - 1
					break
				}
			}
		}
	}
	*parts[part] = rest[start:]
	q.what = strings.TrimPrefix(q.what, "DISTINCT ")
	one := strings.HasPrefix(q.from, `"`) && strings.HasSuffix(q.from, `"`) && strings.Count(q.from, `"`) == 2
	return q, one && !strings.Contains(strings.ToUpper(q.what), "SELECT")
}
