package pdf

import (
	"math"
	"strings"
	"unicode"
)

// dropFurniture removes what repeats at the top and bottom of pages, numbers
// aside: running heads, page numbers, notices.
func dropFurniture(pages [][]row, sizes []Page) [][]row {
	if len(pages) < 3 {
		return pages
	}
	count := map[string]int{}
	for i, rows := range pages {
		for _, key := range edgeKeys(rows, sizes[i].Height) {
			if key != "" {
				count[key]++
			}
		}
	}
	least := max(3, int(math.Ceil(0.3*float64(len(pages)))))
	if len(pages) > 40 {
		// Running heads change from chapter to chapter.
		least = 5
	}
	for i, rows := range pages {
		keys := edgeKeys(rows, sizes[i].Height)
		kept := rows[:0]
		for j, r := range rows {
			if keys[j] == "" || count[keys[j]] < least {
				kept = append(kept, r)
			}
		}
		pages[i] = kept
	}
	return pages
}

// edgeKeys returns for each row what it has in common with its likes on other
// pages; empty for rows that are not near the upper or lower edge.
func edgeKeys(rows []row, height float64) []string {
	keys := make([]string, len(rows))
	if height <= 0 {
		return keys
	}
	for i, r := range rows {
		edge := "bottom"
		switch {
		case r.y0 > 0.88*height:
			edge = "top"
		case r.y1 < 0.12*height:
		default:
			continue
		}
		text := r.text()
		if len(text) > 200 {
			continue
		}
		keys[i] = edge + " " + withoutNumbers(text)
	}
	return keys
}

// withoutNumbers replaces numbers, Roman ones that stand alone too.
func withoutNumbers(s string) string {
	fields := strings.Fields(strings.ToLower(s))
	for i, f := range fields {
		if strings.Trim(f, "ivxlc") == "" {
			fields[i] = "#"
			continue
		}
		var b strings.Builder
		digits := false
		for _, r := range f {
			if unicode.IsDigit(r) {
				if !digits {
					b.WriteByte('#')
				}
				digits = true
				continue
			}
			digits = false
			b.WriteRune(r)
		}
		fields[i] = b.String()
	}
	return strings.Join(fields, " ")
}
