package rank

import "strings"

// Profile says how an embedder's cosines enter the score.
type Profile struct {
	Weight float64 // share of the vector leg, 0..1
	Floor  float64 // cosine of texts that have nothing to do with each other
}

// ProfileOf returns the profile for an embedder by its name. The built-in one
// sees the same stems and 4-grams as the words leg and adds nothing to it that
// can be measured, so its weight is zero: no vectors need to be stored.
func ProfileOf(embedder string) Profile {
	if embedder == "" || strings.HasPrefix(embedder, "hash") {
		return Profile{Floor: .08}
	}
	return Profile{Weight: .5, Floor: .3}
}

// Vector turns a cosine into the vector leg's score.
func (p Profile) Vector(cosine float64) float64 {
	return min(1, max(0, (cosine-p.Floor)/(1-p.Floor)))
}

// Blend joins the legs that a query has.
func (p Profile) Blend(lexical, vector float64, hasWords, hasVector bool) float64 {
	switch {
	case !hasVector:
		return lexical
	case !hasWords:
		return vector
	}
	return (1-p.Weight)*lexical + p.Weight*vector
}
