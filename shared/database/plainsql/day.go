package plainsql

import "time"

// day compares a column of dates or times with a whole day.
func (p *parse) day(name, sign, text string) (string, bool) {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return "", false
	}
	this, next := "'"+text+"'", "'"+d.AddDate(0, 0, 1).Format(time.DateOnly)+"'"
	switch sign {
	case ">":
		return name + " >= " + next, true
	case ">=":
		return name + " >= " + this, true
	case "<":
		return name + " < " + this, true
	case "<=":
		return name + " < " + next, true
	}
	return name + " >= " + this + " AND " + name + " < " + next, true
}
