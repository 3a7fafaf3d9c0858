package opensearchindex

import "math"

// Server is a kind of OpenSearch. They differ in how a field of vectors is
// mapped and in what the score of a nearest neighbour says.
type Server int

const (
	// Domain is an open-source server or a domain of AWS: vectors in Lucene, whole,
	// scored (1+cosine)/2.
	Domain Server = iota
	// NextGen is a serverless collection of the next generation: it chooses the
	// engine itself and refuses a mapping that names one. It compresses vectors to
	// one bit a dimension, and measures by L2 where the mapping has no space.
	NextGen
	// Classic is a serverless collection of the first generation: faiss only.
	Classic
)

// vectorField returns the mapping of the field of vectors.
//
// Source: Amazon OpenSearch Service, "Working with vector search collections"; a
// NextGen collection answers 400, "Field parameter 'engine' is not supported", to
// a method with an engine.
func (s Server) vectorField(dimensions int) map[string]any {
	field := map[string]any{"type": "knn_vector", "dimension": dimensions}
	switch s {
	case NextGen:
		field["space_type"] = "cosinesimil"
	case Classic:
		// Not cosinesimil, which faiss knows only from OpenSearch 2.19 on: the vectors
		// that are written have length one, so that this is the same.
		field["method"] = map[string]any{"name": "hnsw", "engine": "faiss", "space_type": "innerproduct"}
	default:
		field["method"] = map[string]any{"name": "hnsw", "engine": "lucene", "space_type": "cosinesimil"}
	}
	return field
}

// cosine returns the cosine that a score stands for.
//
// Source: k-NN plugin 2.19, SpaceType: cosinesimil is (2-d)/2 with d = 1-cosine,
// of Lucene and faiss alike; innerproduct is 1+p where p is positive, else
// 1/(1-p).
func (s Server) cosine(score float64) float64 {
	switch {
	case s != Classic:
		return 2*score - 1
	case score >= 1:
		return score - 1
	case score > 0:
		return 1 - 1/score
	}
	return -1
}

// compresses reports whether the server may rank by vectors that it compressed,
// or by a score that is not documented. Then vectors are written with length
// one, which every space orders in the same way, and with a copy for the cosine.
func (s Server) compresses() bool { return s != Domain }

// nearest is how many neighbours a search asks for.
func (s Server) nearest() int {
	if s.compresses() {
		return 2 * candidates
	}
	return candidates
}

// rounded drops the last bits of a cosine: they differ for vectors that are
// equally near, and would order hits that should tie.
func rounded(cosine float64) float64 {
	const exact = 1e6
	return min(1, max(-1, math.Round(cosine*exact)/exact))
}

// unit returns a vector of length one with the direction of v, which is not zero.
func unit(v []float32) []float32 {
	norm := length(v)
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(float64(x) / norm)
	}
	return out
}

func length(v []float32) float64 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}

// pack keeps a vector's direction in one byte a dimension: the number's share of
// the largest, from -127 to 127, as a signed byte. The cosine to a query is then
// right to about a thousandth.
func pack(v []float32) []byte {
	var top float64
	for _, x := range v {
		top = max(top, math.Abs(float64(x)))
	}
	out := make([]byte, len(v))
	for i, x := range v {
		out[i] = byte(int8(math.RoundToEven(float64(x) * 127 / top)))
	}
	return out
}

// packedCosine is the cosine of a query to a packed vector; 0 where they do not fit.
func packedCosine(query []float32, packed []byte) float64 {
	if len(query) != len(packed) {
		return 0
	}
	var dot, square float64
	for i, b := range packed {
		x := float64(int8(b))
		dot += float64(query[i]) * x
		square += x * x
	}
	if square == 0 {
		return 0
	}
	return dot / (length(query) * math.Sqrt(square))
}
