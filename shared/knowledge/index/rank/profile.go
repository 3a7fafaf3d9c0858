package rank

import (
	"strings"

	"lectern/shared/knowledge/index"
)

// Profile says how an embedder's cosines enter the score.
//
// Lexical scores are absolute, so the best one of a search tells how much the
// words have found: where it is Enough or more, vectors have the share Weight;
// as it falls to Little, their share rises to Most.
type Profile struct {
	Weight         float64 // share of the vector leg, 0..1; at 0 there are no vectors
	Most           float64 // 0 for Weight
	Enough, Little float64
	Floor          float64 // cosine of texts that have nothing to do with each other
}

// ProfileOf returns the profile for an embedder by its name. That of hash: sees
// the same stems and 4-grams as the words leg and adds nothing to it that can
// be measured, so its weight is zero: no vectors need to be stored.
func ProfileOf(embedder string) Profile {
	if embedder == "" || strings.HasPrefix(embedder, "hash") {
		return Profile{Floor: .08}
	}
	p := Profile{Weight: .45, Most: .85, Enough: .6, Little: .1, Floor: .15}
	for _, f := range floors {
		if strings.Contains(embedder, f.name) {
			p.Floor = f.floor
			break
		}
	}
	return p
}

// floors are those of model families whose cosines are high for any two texts.
var floors = []struct {
	name  string
	floor float64
}{{"e5", .7}, {"bge", .5}, {"gte", .6}, {"nomic", .4}, {"ada-002", .7}}

// Vector turns a cosine into the vector leg's score.
func (p Profile) Vector(cosine float64) float64 {
	return min(1, max(0, (cosine-p.Floor)/(1-p.Floor)))
}

// Share is the weight of vectors in a search, by the signals and the lexical score
// of the chunk that words rate best. Where the words' spelling finds much that the
// words themselves do not, they are misspelt: the score says less than was found,
// and an embedder does not understand them.
func (p Profile) Share(best index.Signals, lexical float64) float64 {
	share := p.share(max(lexical, best.Grams))
	if best.Grams >= spelt {
		known := min(1, (best.Stems+spare)/best.Grams)
		share *= known * known
	}
	return share
}

const (
	spelt = .2 // score of 4-grams from which spelling counts as found
	spare = .05
)

func (p Profile) share(best float64) float64 {
	switch {
	case p.Most <= p.Weight || best >= p.Enough:
		return p.Weight
	case best <= p.Little:
		return p.Most
	}
	return p.Most - (p.Most-p.Weight)*(best-p.Little)/(p.Enough-p.Little)
}

// Legs are the parts of a score that a search has.
type Legs struct {
	Words, Vector bool
	Share         float64 // of the vector, beside words
}

// Blend joins the scores of the legs.
func (l Legs) Blend(lexical, vector float64) float64 {
	switch {
	case !l.Vector:
		return lexical
	case !l.Words:
		return vector
	}
	return (1-l.Share)*lexical + l.Share*vector
}
