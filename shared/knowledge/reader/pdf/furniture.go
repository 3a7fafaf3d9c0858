package pdf

import (
	"strconv"
	"strings"
	"unicode"
)

// dropFurniture removes rows that repeat, apart from numbers, at the top or
// bottom of pages: running heads, page numbers, notices.
func dropFurniture(pages [][]row, sizes []Page) [][]row {
	if len(pages) == 2 {
		return dropNumbered(pages, sizes)
	}
	if len(pages) < 2 {
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
	// Running heads change from chapter to chapter, so a few pages suffice.
	least := min(max(3, len(pages)/6), 5)
	numbered := pageNumbers(pages, sizes)
	for i, rows := range pages {
		keys := edgeKeys(rows, sizes[i].Height)
		kept := rows[:0]
		for j, r := range rows {
			if keys[j] != "" && numbered(&r) {
				continue
			}
			if keys[j] == "" || count[keys[j]] < least && !strings.HasSuffix(keys[j], " #") {
				kept = append(kept, r)
			}
		}
		pages[i] = kept
	}
	return pages
}

// dropNumbered removes, of two pages, the row at the edge of each that is the same but for the number of its page. What
// has none may be a letterhead.
func dropNumbered(pages [][]row, sizes []Page) [][]row {
	numbers := func(i int) map[string]int { // of the rows at its edges, by what is alike
		out := map[string]int{}
		for j, key := range edgeKeys(pages[i], sizes[i].Height) {
			if n := endNumbers(&pages[i][j]); key != "" && len(n) > 0 {
				out[key] = n[len(n)-1]
			}
		}
		return out
	}
	first, second := numbers(0), numbers(1)
	for i, rows := range pages {
		keys := edgeKeys(rows, sizes[i].Height)
		kept := rows[:0]
		for j, r := range rows {
			if n, ok := first[keys[j]]; ok && second[keys[j]] == n+1 {
				continue
			}
			kept = append(kept, r)
		}
		pages[i] = kept
	}
	return pages
}

// pageNumbers returns a test for rows near the edge with the number of their
// page. A number counts if, in most of the file, it has a constant distance
// from the page's index.
func pageNumbers(pages [][]row, sizes []Page) func(*row) bool {
	distance := map[int]int{}
	for i, rows := range pages {
		keys := edgeKeys(rows, sizes[i].Height)
		seen := map[int]bool{}
		for j := range rows {
			if keys[j] == "" {
				continue
			}
			for _, n := range endNumbers(&rows[j]) {
				if d := n - rows[j].page; !seen[d] {
					seen[d] = true
					distance[d]++
				}
			}
		}
	}
	best, most := 0, 0
	for d, n := range distance {
		if n > most || n == most && d < best {
			best, most = d, n
		}
	}
	if most < 3 || most*2 < len(pages) {
		return func(*row) bool { return false }
	}
	return func(r *row) bool {
		for _, n := range endNumbers(r) {
			if n == best+r.page {
				return true
			}
		}
		return false
	}
}

// endNumbers returns the numbers at the start and end of a row.
func endNumbers(r *row) []int {
	fields := strings.Fields(r.text())
	var numbers []int
	if len(fields) == 0 {
		return nil
	}
	for _, f := range []string{fields[0], fields[len(fields)-1]} {
		if n, err := strconv.Atoi(f); err == nil && n > 0 {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// edgeKeys returns for each row a key shared by similar rows of other pages,
// with "#" at the end for a page number; empty for rows that are not near the
// upper or lower edge.
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
		switch common := withoutNumbers(text); common {
		case "#", "- # -", "– # –", "page #", "page # of #", "# / #", "#/#", "# of #":
			keys[i] = edge + " #"
		default:
			keys[i] = edge + " " + common + "."
		}
	}
	return keys
}

// withoutNumbers replaces numbers, and single Roman ones.
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
