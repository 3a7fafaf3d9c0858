package cell

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"lectern/shared/text/terms"
)

// Day is a day that a text names; Year is 0 where it names none.
type Day struct{ Year, Month, Day int }

// monthNames are those of months; may in small letters is another word.
const monthNames = `(?i:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|mai|june?|juni|july?|juli|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|okt(?:ober)?|` +
	`nov(?:ember)?|dec(?:ember)?|dez(?:ember)?)|May`

// dayForms match days: 2026-05-23, 23.5.2026 and 23/05/2026, 23 May 2026, May 23, 2026.
var dayForms = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`\b(\d{4})-(\d{2})-(\d{2})\b`),
		regexp.MustCompile(`\b(\d{1,2})[./](\d{1,2})[./](\d{4})\b`),
		regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?(` + monthNames + `)\b\.?(?:,? (\d{4}))?`),
		regexp.MustCompile(`\b(` + monthNames + `)\.? (\d{1,2})(?:st|nd|rd|th)?\b(?:,? (\d{4}))?`),
	}
})

// Days returns the days that a text names in full; those with slashes have the day first.
func Days(text string) (list []Day) {
	if !strings.ContainsAny(text, "0123456789") {
		return nil
	}
	for i, form := range dayForms() {
		for _, m := range form.FindAllStringSubmatch(text, -1) {
			var d Day
			switch i {
			case 0:
				d = Day{digits(m[1]), digits(m[2]), digits(m[3])}
			case 1:
				d = Day{digits(m[3]), digits(m[2]), digits(m[1])}
			case 2:
				d = Day{digits(m[3]), month(m[2]), digits(m[1])}
			default:
				d = Day{digits(m[3]), month(m[1]), digits(m[2])}
			}
			if d.Month >= 1 && d.Month <= 12 && d.Day >= 1 && d.Day <= 31 {
				list = append(list, d)
			}
		}
	}
	return list
}

// Month is a month that a text names, with the words that name it; Year is 0 where it names none.
type Month struct {
	Text        string
	Year, Month int
}

var monthForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(` + monthNames + `)\b\.?(?:,? (\d{4}))?`)
})

// MonthIn returns the month that a text names, where it names no day and one month alone.
func MonthIn(text string) (m Month) {
	if len(Days(text)) > 0 {
		return m
	}
	all := monthForm().FindAllStringSubmatch(text, 2)
	if len(all) != 1 {
		return m
	}
	return Month{all[0][0], digits(all[0][2]), month(all[0][1])}
}

// Has reports whether a day is in the month.
func (m Month) Has(d Day) bool {
	return d.Month == m.Month && (m.Year == 0 || d.Year == 0 || d.Year == m.Year)
}

func digits(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// month returns the number of a month by the beginning of its English or German name.
func month(name string) int {
	short := []rune(strings.ToLower(name))
	switch string(short[:3]) {
	case "mär":
		return 3
	case "mai":
		return 5
	case "okt":
		return 10
	case "dez":
		return 12
	}
	return strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", string(short[:3]))/3 + 1
}

// months are the English names of months by their abbreviations.
var months = func() map[string]string {
	m := map[string]string{"sept": "september"}
	for _, name := range strings.Fields("january february march april june july august september october november december") {
		m[name[:3]] = name
	}
	return m
}()

// MonthBefore returns the English name of the month whose abbreviation stands before the word at i, a year: "Mar 2026"; empty
// without.
func MonthBefore(words []terms.Word, i int) string {
	if i == 0 || !yearForm().MatchString(words[i].Text) {
		return ""
	}
	return months[words[i-1].Text]
}

// Is reports whether two days are the same, as far as both tell the year.
func (d Day) Is(o Day) bool {
	return d.Month == o.Month && d.Day == o.Day && (d.Year == o.Year || d.Year == 0 || o.Year == 0)
}

// ISO returns the day as year-month-day; empty without a year.
func (d Day) ISO() string {
	if d.Year == 0 {
		return ""
	}
	return fmt.Sprintf("%d-%02d-%02d", d.Year, d.Month, d.Day)
}

// Pattern returns the pattern of how tables write a day.
func (d Day) Pattern() string {
	year := `\d{4}`
	if d.Year > 0 {
		year = strconv.Itoa(d.Year)
	}
	return fmt.Sprintf(`\b%s-%02d-%02d\b|\b0?%d[./]0?%d[./]%s\b`, year, d.Month, d.Day, d.Day, d.Month, year)
}
