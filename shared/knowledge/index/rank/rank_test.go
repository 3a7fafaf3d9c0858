package rank_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/rank"
	"lectern/shared/text/terms"
)

// score ranks texts against a query as a collection of nothing else.
func score(query string, texts ...string) []float64 {
	t := rank.Parse(query, nil)
	var s terms.Stemmer
	c := rank.Corpus{
		Chunks: len(texts), Stems: make([]int, len(t.Stems)), Grams: make([]int, len(t.Grams)),
	}
	var counts []*rank.Counts
	for _, text := range texts {
		n := t.Count(&s, text)
		counts = append(counts, n)
		c.AvgWords += float64(n.Words) / float64(len(texts))
		c.AvgGrams += float64(n.GramTotal) / float64(len(texts))
		for i, list := range [][]int32{n.Stems, n.Grams} {
			for j, times := range list {
				if times > 0 {
					[][]int{c.Stems, c.Grams}[i][j]++
				}
			}
		}
	}
	scorer := rank.NewScorer(t, c)
	var list []float64
	for _, n := range counts {
		_, v := scorer.Lexical(n)
		list = append(list, v)
	}
	return list
}

func TestParse(t *testing.T) {
	tests := []struct {
		text     string
		keywords []string
		stems    []string
		bigrams  int
	}{
		{"What is the name of the river?", nil, []string{"name", "river"}, 1},
		{"running runs RUN", nil, []string{"run"}, 1},
		{"the", nil, []string{"the"}, 0},
		{"", []string{"apples", "pears and plums"}, []string{"appl", "pear", "plum"}, 1},
		{"rivers", []string{"river"}, []string{"river"}, 0},
		{"", nil, nil, 0},
	}
	for _, tt := range tests {
		q := rank.Parse(tt.text, tt.keywords)
		if !slices.Equal(q.Stems, tt.stems) || len(q.Bigrams) != tt.bigrams {
			t.Errorf("Parse(%q, %q) has stems %q and %d bigrams, want %q and %d", tt.text, tt.keywords, q.Stems, len(q.Bigrams), tt.stems, tt.bigrams)
		}
		if q.Empty() != (len(tt.stems) == 0) {
			t.Errorf("Parse(%q).Empty() = %v", tt.text, q.Empty())
		}
	}
}

func TestParseBounds(t *testing.T) {
	long := ""
	for i := range 2000 {
		long += string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676)) + "xyz "
	}
	q := rank.Parse(long, nil)
	if len(q.Stems) > 128 || len(q.Grams) > rank.MaxGrams {
		t.Errorf("Parse of 2000 words has %d stems and %d grams", len(q.Stems), len(q.Grams))
	}
	for _, w := range q.Words {
		if w.Stem >= len(q.Stems) {
			t.Fatalf("word %q has stem %d of %d", w.Text, w.Stem, len(q.Stems))
		}
	}
}

// TestOrder states which of two texts answers a query better.
func TestOrder(t *testing.T) {
	tests := []struct{ why, query, better, worse string }{
		{"more of the words", "red apples pie", "a pie of red apples", "a pie of green pears"},
		{"shorter at equal counts", "apples", "apples are fruit", "apples are fruit that grow on trees which people plant in long rows on hills"},
		{"words side by side", "boundary layer", "the boundary layer was thin", "the layer at its boundary was thin"},
		{"misspelt over absent", "aple harvest", "an apple orchard", "an orange plantation"},
		{"compound over absent", "elastic", "aeroelastic wings", "wooden wings"},
	}
	for _, tt := range tests {
		if s := score(tt.query, tt.better, tt.worse); s[0] <= s[1] {
			t.Errorf("%s: Lexical(%q) of %q is %v, of %q %v", tt.why, tt.query, tt.better, s[0], tt.worse, s[1])
		}
	}
}

func TestScoresAreAbsolute(t *testing.T) {
	s := score("red apples", "red apples red apples red apples red apples", "red apples", "nothing of it", "")
	if s[0] <= s[1] || s[0] > 1 || s[1] < .3 || s[2] != 0 || s[3] != 0 {
		t.Errorf("scores %v, want falling from at most 1 to 0", s)
	}
	// The rest of the collection changes little.
	few := score("red apples", "red apples", "green pears")
	many := score("red apples", "red apples", "green pears", "blue plums", "red cars", "old shoes", "big ships", "cold rain")
	if math.Abs(few[0]-many[0]) > .02 {
		t.Errorf("the same text scores %v with one other chunk, %v with six", few[0], many[0])
	}
}

func TestBlend(t *testing.T) {
	p := rank.Profile{Weight: .5, Floor: .2}
	if got := p.Vector(.2); got != 0 {
		t.Errorf("Vector(floor) = %v, want 0", got)
	}
	if got := p.Vector(1); got != 1 {
		t.Errorf("Vector(1) = %v, want 1", got)
	}
	got := []float64{
		rank.Legs{Words: true, Vector: true, Share: .5}.Blend(.4, .8), rank.Legs{Words: true}.Blend(.4, .8), rank.Legs{Vector: true}.Blend(0, .8),
	}
	for i, want := range []float64{.6, .4, .8} {
		if math.Abs(got[i]-want) > 1e-9 {
			t.Errorf("Blend %d = %v, want %v", i, got[i], want)
		}
	}
}

// TestShare: vectors weigh more the less words have found, and never less.
func TestShare(t *testing.T) {
	p := rank.Profile{Weight: .3, Most: .9, Enough: .3, Little: .1}
	for best, want := range map[float64]float64{0: .9, .1: .9, .2: .6, .3: .3, .8: .3} {
		if got := p.Share(index.Signals{Stems: best, Grams: best}, best); math.Abs(got-want) > 1e-9 {
			t.Errorf("Share(%v) = %v, want %v", best, got, want)
		}
	}
	if got := (rank.Profile{Weight: .5}).Share(index.Signals{}, 0); got != .5 {
		t.Errorf("Share without knees = %v, want .5", got)
	}
	clean, misspelt := p.Share(index.Signals{Stems: .3, Grams: .3}, .3), p.Share(index.Signals{Stems: .1, Grams: .3}, .2)
	if misspelt >= clean {
		t.Errorf("Share for misspelt words = %v, for clean ones %v", misspelt, clean)
	}
}

func TestCover(t *testing.T) {
	q := rank.Parse("Jared Allen sacks", nil)
	var s terms.Stemmer
	c := rank.Corpus{Chunks: 1, Stems: []int{1, 1, 1}, Grams: make([]int, len(q.Grams))}
	scorer := rank.NewScorer(q, c)
	got := map[string]float64{}
	for _, text := range []string{"Jared Allen had sacks", "Jarde Alen had sackks", "Jared plays", "nobody"} {
		got[text] = math.Round(10*scorer.CoverTexts(q.Count(&s, text), text)) / 10
	}
	want := map[string]float64{"Jared Allen had sacks": 1, "Jarde Alen had sackks": .8, "Jared plays": .3, "nobody": 0}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("CoverTexts (-want +got):\n%s", d)
	}
}

func TestMatched(t *testing.T) {
	q := rank.Parse("Which rivers flow through Cologne?", []string{"bridges"})
	var s terms.Stemmer
	got := q.Matched(q.Count(&s, "The river Rhine flows past Bonn.", "A bridge crosses it."))
	if d := cmp.Diff([]string{"rivers", "flow", "bridges"}, got); d != "" {
		t.Errorf("Matched (-want +got):\n%s", d)
	}
}

func TestRelevant(t *testing.T) {
	hit := func(lexical, coverage, vector float64) []index.Hit {
		return []index.Hit{{Lexical: lexical, Signals: index.Signals{Coverage: coverage, Vector: vector}}}
	}
	tests := []struct {
		why     string
		profile rank.Profile
		hits    []index.Hit
		chunks  int
		want    bool
	}{
		{"no hits", rank.Profile{}, nil, 10, false},
		{"good words", rank.Profile{}, hit(.5, 1, 0), 1000, true},
		{"poor words", rank.Profile{}, hit(.1, .3, 0), 1000, false},
		{"middling among few", rank.Profile{}, hit(.15, .5, 0), 2, true},
		{"poor words in a single passage", rank.Profile{}, hit(.1, .3, 0), 1, true},
		{"no words in a single passage", rank.Profile{}, hit(.01, .1, 0), 1, false},
		{"middling among many", rank.Profile{}, hit(.15, .5, 0), 100_000, false},
		{"close vector of a model", rank.Profile{Weight: .5}, hit(0.01, 0, .6), 1000, true},
		{"close vector without meaning", rank.Profile{}, hit(0.01, 0, .6), 1000, false},
	}
	for _, tt := range tests {
		r := index.Result{Hits: tt.hits, Chunks: tt.chunks, VectorLeg: true, Relevance: tt.profile.Relevance(tt.hits)}
		if got := rank.Relevant(r); got != tt.want {
			t.Errorf("%s: Relevant = %v at relevance %v, want %v", tt.why, got, r.Relevance, tt.want)
		}
	}
	r := index.Result{Hits: hit(.1, .3, 0), Chunks: 1000, Relevance: rank.Profile{}.Relevance(hit(.1, .3, 0))}
	if !rank.Relevant(r) {
		t.Errorf("a question that is compared by words alone finds nothing at relevance %v", r.Relevance)
	}
}

// TestAlike: a word stands in for one that the collection does not know, in
// any script, when enough of their 4-grams are the same.
func TestAlike(t *testing.T) {
	for _, test := range []struct {
		query, text string
		known, want bool
	}{
		{"photosythesis", "Photosynthesis turns sunlight into sugar.", false, true},
		{"photosythesis", "Photosynthesis turns sunlight into sugar.", true, false},
		{"sunday", "Photosynthesis turns sunlight into sugar.", false, false},
		{"деевню", "Пепел покрыл деревню.", false, true},
		{"", "Nothing is asked.", false, false},
	} {
		asked := rank.Parse(test.query, nil)
		c := rank.Corpus{Chunks: 3, Stems: make([]int, len(asked.Stems)), Grams: make([]int, len(asked.Grams))}
		if test.known {
			c.Stems[0] = 1
		}
		if got := asked.Alike(&c, "A title", test.text); got != test.want {
			t.Errorf("Alike(%q, %q), known %v = %v, want %v", test.query, test.text, test.known, got, test.want)
		}
	}
}

// TestRepeatedGrams: a word has each of its 4-grams once, as indexes that keep
// words count them.
func TestRepeatedGrams(t *testing.T) {
	q := rank.Parse("Mississippi", nil)
	var s terms.Stemmer
	for _, n := range q.Count(&s, "Mississippi Mississippi").Grams {
		if n != 2 {
			t.Errorf("a 4-gram of two words is counted %d times", n)
		}
	}
}
