package staticembedding

import (
	"encoding/json"
	"fmt"
	"math"
	"unicode/utf8"
)

// wordPiece splits a word greedily into the longest known pieces. A word that
// cannot be split is unknown and ignored.
func (t *tokenizer) wordPiece(m *model) error {
	var vocab map[string]int
	if err := json.Unmarshal(m.Vocab, &vocab); err != nil {
		return fmt.Errorf("tokenizer.json: vocab: %w", err)
	}
	prefix, most := "##", m.MaxChars
	if m.Prefix != nil {
		prefix = *m.Prefix
	}
	if most <= 0 {
		most = 100
	}
	longest := 0
	for token, id := range vocab {
		if id < 0 {
			return fmt.Errorf("tokenizer.json: token %q has the number %d", token, id)
		}
		t.size, longest = max(t.size, id+1), max(longest, len(token))
	}
	unknown, hasUnknown := vocab[m.Unknown]
	t.pieces = func(word string, emit func(int) bool) bool {
		if utf8.RuneCountInString(word) > most {
			return true
		}
		var ids []int
		for from := 0; from < len(word); {
			lead := ""
			if from > 0 {
				lead = prefix
			}
			id, to := -1, min(len(word), from+longest)
			for ; to > from; to-- {
				if to < len(word) && !utf8.RuneStart(word[to]) {
					continue
				}
				if at, ok := vocab[lead+word[from:to]]; ok {
					id = at
					break
				}
			}
			if id < 0 {
				return true
			}
			ids, from = append(ids, id), to
		}
		for _, id := range ids {
			if hasUnknown && id == unknown {
				continue
			}
			if !emit(id) {
				return false
			}
		}
		return true
	}
	return nil
}

// unigram splits a word into the most likely pieces.
func (t *tokenizer) unigram(m *model) error {
	var list [][2]any
	if err := json.Unmarshal(m.Vocab, &list); err != nil {
		return fmt.Errorf("tokenizer.json: vocab: %w", err)
	}
	u := &unigrams{ids: make(map[string]int, len(list)), scores: make([]float64, len(list)), unknown: -1, bytes: m.ByteFallback}
	least := 0.0
	for i, item := range list {
		token, ok := item[0].(string)
		score, isNumber := item[1].(float64)
		if !ok || !isNumber {
			return fmt.Errorf("tokenizer.json: vocab: item %d is not a token and its score", i)
		}
		u.ids[token], u.scores[i] = i, score
		u.longest, least = max(u.longest, len(token)), min(least, score)
	}
	if m.UnknownID != nil {
		u.unknown = *m.UnknownID
	}
	u.penalty = least - 10
	t.size, t.pieces = len(list), u.cut
	return nil
}

type unigrams struct {
	ids     map[string]int
	scores  []float64
	longest int
	unknown int
	penalty float64 // score of a character that no token has
	bytes   bool    // such a character is cut into bytes
}

func (u *unigrams) cut(word string, emit func(int) bool) bool {
	// Very long words would make the table below large.
	const most = 4096
	for len(word) > most {
		n := most
		for !utf8.RuneStart(word[n]) {
			n--
		}
		if !u.best(word[:n], emit) {
			return false
		}
		word = word[n:]
	}
	return u.best(word, emit)
}

// best is Viterbi's algorithm over the character boundaries.
func (u *unigrams) best(word string, emit func(int) bool) bool {
	type step struct {
		score float64
		from  int
		id    int
	}
	steps := make([]step, len(word)+1)
	for i := range steps[1:] {
		steps[i+1].score = math.Inf(-1)
	}
	for from := 0; from < len(word); {
		_, size := utf8.DecodeRuneInString(word[from:])
		whole := false
		for to := from + 1; to <= min(len(word), from+u.longest); to++ {
			if to < len(word) && !utf8.RuneStart(word[to]) {
				continue
			}
			id, ok := u.ids[word[from:to]]
			if !ok || id == u.unknown {
				continue
			}
			whole = whole || to == from+size
			if s := steps[from].score + u.scores[id]; s > steps[to].score {
				steps[to] = step{s, from, id}
			}
		}
		if s := steps[from].score + u.penalty; !whole && s > steps[from+size].score {
			steps[from+size] = step{s, from, -1}
		}
		from += size
	}
	var back []step
	for at := len(word); at > 0; at = steps[at].from {
		back = append(back, step{id: steps[at].id, from: steps[at].from, score: float64(at)})
	}
	for i := len(back) - 1; i >= 0; i-- {
		if back[i].id >= 0 {
			if !emit(back[i].id) {
				return false
			}
		} else if u.bytes {
			for _, c := range []byte(word[back[i].from:int(back[i].score)]) {
				if id, ok := u.ids[fmt.Sprintf("<0x%02X>", c)]; ok && !emit(id) {
					return false
				}
			}
		}
	}
	return true
}
