package datatable

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// written are the ways in which a day is written with numbers, and with a month's name in
// English, German or French; a weekday may stand before it, a time of day after it.
var written = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`^()(\d{1,2})([./-])(\d{1,2})[./-](\d{4})$`),
		regexp.MustCompile(`^()(\d{1,2})(/)(\d{1,2})/(\d{2})$`),
		regexp.MustCompile(`^()(\d{2})([.-])(\d{2})[.-](\d{2})$`), // 1.2.10 is a version
		regexp.MustCompile(`^()(\d{1,2})(?:st|nd|rd|th|er|\.)?[ -]?()([\p{L}]{3,9})[.,]?[ -]?(\d{4}|\d{2})$`),
		regexp.MustCompile(`^([\p{L}]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?()(),? (\d{4})$`),
	}
})

var (
	weekday   = pattern(`(?i)^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?[.,]* |^(?:mo|di|mi|do|fr|sa|so)[.,]+ ?|^(?:mon|diens|donners|frei|sams|sonn)tag,? |^mittwoch,? |^(?:lun|mar|mercre|jeu|vendre|same)di,? |^dimanche,? `)
	timeOfDay = pattern(`(?i)[ ,T]+(\d{1,2}):(\d{2})(?::(\d{2}))? ?(am|pm|uhr|h)?$`)
)

// monthNames are the beginnings of months' names, by which they are told apart.
var monthNames = []string{"jan", "feb fév fev", "mar mär mrz", "apr avr", "may mai", "jun juin", "jul juil", "aug aoû aou", "sep",
	"oct okt", "nov", "dec dez déc"}

// longMonths are the names whose beginnings are written above.
var longMonths = strings.Fields(`january januar janvier february februar février fevrier march märz mars april avril may mai june juni juin july juli
	juillet august août aout september septembre october oktober octobre november novembre december dezember décembre decembre sept mrz`)

// dates writes the days of a column as ISO 8601 does, if every cell is a day. With
// slashes or dashes the day stands first, unless a cell of the column says that the month does.
func dates(rows [][]string, column int) {
	monthFirst, dayFirst, some := false, false, false
	var days []day
	for s := range known(rows, column) {
		d, ok := dayOf(s)
		if !ok {
			return
		}
		days = append(days, d)
		some = some || !d.iso
		monthFirst = monthFirst || d.loose && d.month > 12
		dayFirst = dayFirst || d.loose && d.day > 12
	}
	if !some || monthFirst && dayFirst {
		return
	}
	list := make([]string, 0, len(days))
	for _, d := range days {
		if d.loose && monthFirst {
			d.day, d.month = d.month, d.day
		}
		one, ok := d.text()
		if !ok {
			return
		}
		list = append(list, one)
	}
	for _, row := range rows {
		if column < len(row) && says(row[column]) {
			row[column], list = list[0], list[1:]
		}
	}
}

// numberedMonth matches a month that is written with numbers, before its year, namedMonth one that is written with its name.
var (
	numberedMonth = pattern(`^(0?[1-9]|1[0-2])[./-]((?:19|20)\d\d)$`)
	namedMonth    = pattern(`^(\p{L}{3,9})\.?[ -]((?:19|20)\d\d)$`)
)

// monthIn returns the month that a cell is, as ISO 8601 writes it.
func monthIn(s string) (month string, ok bool) {
	if m := numberedMonth().FindStringSubmatch(s); m != nil {
		return m[2] + "-" + ("0" + m[1])[len(m[1])-1:], true
	}
	if m := namedMonth().FindStringSubmatch(s); m != nil && monthOf(m[1]) > 0 {
		return fmt.Sprintf("%s-%02d", m[2], monthOf(m[1])), true
	}
	return "", false
}

// leastMonths is how many cells a column has, at least, that are taken for months: one may be a decimal.
const leastMonths = 2

// months writes the months of a column as ISO 8601 does, if every cell is one, as in "04.2026" and "Apr 2026".
func months(rows [][]string, column int) {
	n := 0
	for s := range known(rows, column) {
		if _, ok := monthIn(s); !ok {
			return
		}
		n++
	}
	if n < leastMonths {
		return
	}
	for _, row := range rows {
		if column >= len(row) {
			continue
		}
		if month, ok := monthIn(strings.TrimSpace(row[column])); ok {
			row[column] = month
		}
	}
}

// day is what a cell says; loose where day and month may stand the other way.
type day struct {
	year, month, day int
	loose, iso       bool
	time             string
}

// text is the day as it is stored.
func (d day) text() (string, bool) {
	t := time.Date(d.year, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC)
	if d.month < 1 || d.month > 12 || t.Day() != d.day {
		return "", false
	}
	return t.Format(time.DateOnly) + d.time, true
}

func dayOf(s string) (day, bool) {
	for _, form := range []string{time.DateOnly, "2006/01/02", "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04",
		"2006-01-02T15:04"} {
		if t, err := time.Parse(form, s); err == nil {
			d := day{year: t.Year(), month: int(t.Month()), day: t.Day(), iso: true}
			if len(form) > len(time.DateOnly) {
				d.time = t.Format(" 15:04:05")
			}
			return d, true
		}
	}
	s = weekday().ReplaceAllString(s, "")
	clock := ""
	if m := timeOfDay().FindStringSubmatch(s); m != nil {
		hour, _ := strconv.Atoi(m[1]) // digits
		switch strings.ToLower(m[4]) {
		case "am", "pm":
			if hour < 1 || hour > 12 {
				return day{}, false
			}
			if hour %= 12; strings.EqualFold(m[4], "pm") {
				hour += 12
			}
		}
		if m[3] == "" {
			m[3] = "00"
		}
		if clock = fmt.Sprintf(" %02d:%s:%s", hour, m[2], m[3]); hour > 23 || m[2] > "59" || m[3] > "59" {
			return day{}, false
		}
		s = strings.TrimSuffix(s, m[0])
	}
	for _, form := range written() {
		m := form.FindStringSubmatch(s)
		if m == nil {
			continue
		}
		d := day{time: clock, loose: m[3] == "/" || m[3] == "-"}
		d.day, _ = strconv.Atoi(m[2]) // digits, as all below
		switch name := m[1] + m[4]; {
		case m[3] != "":
			d.month, _ = strconv.Atoi(m[4])
		default:
			d.month = monthOf(name)
		}
		if d.year, _ = strconv.Atoi(m[5]); len(m[5]) == 2 {
			if d.year += 1900; d.year < firstShortYear {
				d.year += 100
			}
		}
		return d, d.month > 0
	}
	return day{}, false
}

// firstShortYear is the first one that may be written with two digits.
const firstShortYear = 1950

// monthOf returns the number of a month; 0 for another word.
func monthOf(name string) int {
	name = strings.ToLower(name)
	for i, starts := range monthNames {
		for start := range strings.FieldsSeq(starts) {
			if name == start {
				return i + 1
			}
			if strings.HasPrefix(name, start) {
				for _, long := range longMonths {
					if name == long {
						return i + 1
					}
				}
			}
		}
	}
	return 0
}
