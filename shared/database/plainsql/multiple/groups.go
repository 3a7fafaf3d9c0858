package multiple

import "regexp"

// Groups returns the question which of some did something several times, of one that asks how many did: "how many donors gave more than
// once"; ok is false of another question.
func Groups(question string) (which string, ok bool) {
	m := howMany.FindStringSubmatch(question)
	if m == nil || !often.MatchString(m[2]) {
		return "", false
	}
	if m[1] == "wie viele" || m[1] == "Wie viele" {
		return "welche " + m[2], true
	}
	return "which " + m[2], true
}

// CountGroups returns the statement that counts the groups that another one lists by how many rows they have; ok is false where that
// lists anything else.
func CountGroups(sql string) (out string, ok bool) {
	m := grouped.FindStringSubmatch(sql)
	if m == nil || m[1] != m[3] {
		return "", false
	}
	return `SELECT COUNT(*) AS "count" FROM (SELECT ` + m[1] + m[2] + m[3] + m[4] + ") AS g", true
}

var (
	howMany = regexp.MustCompile(`(?i)^(how many|wie viele) (.+)$`)
	often   = regexp.MustCompile(`(?i)\b(?:(?:more than|at least|exactly|only|just|mehr als|mindestens|genau|nur) ` +
		`(?:once|twice|one|two|three|four|five|ten|\d+|einmal|zweimal|dreimal|ein|zwei|drei)|mehrmals|repeatedly|several times)\b`)
	grouped = regexp.MustCompile(`^SELECT ("[^"]+"), COUNT\(\*\) AS "count"( FROM [^()]* GROUP BY )("[^"]+")( HAVING COUNT\(\*\) (?:>=?|<=?|=) \d+) ORDER BY [^()]*$`)
)
