package terms

// Distance returns the optimal string alignment distance of two words in bytes: the
// letters to insert, remove, replace or swap with their neighbours to make one of the
// other. It is exact up to most; a result above most is only a lower bound. Words are
// compared up to MaxWord.
func Distance[A, B string | []byte](a A, b B, most int) int {
	if len(a) > MaxWord || len(b) > MaxWord || len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	var rows [3][MaxWord + 1]int
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			row[j] = d
			least = min(least, d)
		}
		if least > most {
			return most + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
