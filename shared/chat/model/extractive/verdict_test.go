package extractive_test

import (
	"context"
	"strings"
	"testing"

	"lectern/shared/chat/model/extractive"
	"lectern/shared/chat/model/modeltest"
	"lectern/shared/knowledge/embedding"
)

// TestVerdict: of sentences whose words and meaning are alike the one comes first that is likelier to answer, and what likely
// answers nothing is refused; only sentences are judged, as they are introduced.
func TestVerdict(t *testing.T) {
	const text = "# Ferry\n\nThe ferry to Kellan leaves from pier four. The ferry to Kellan leaves from the old quay in winter."
	var judged []string
	said := func(question string, odds map[string]float64) string {
		meaning := func(_ context.Context, question embedding.Text, texts []embedding.Text) ([]embedding.Nearness, error) {
			near := make([]embedding.Nearness, len(texts))
			for i, x := range texts {
				near[i].Whole = .4
				for range x.Parts {
					near[i].Words = append(near[i].Words, make([]float64, len(question.Parts)))
				}
				if !x.Judged {
					continue
				}
				judged = append(judged, x.Text)
				for part, v := range odds {
					if strings.Contains(x.Text, part) {
						near[i].Answers = v
					}
				}
			}
			return near, nil
		}
		judged = nil
		req := searched("guide", question, text)
		got, err := modeltest.Collect(t.Context(), extractive.New(meaning), req)
		if err != nil {
			t.Fatal(err)
		}
		return got.Text
	}
	const leave, other = "From where does the Kellan ferry leave?", "Where can I board the boat to Kellan?"
	if got := said(leave, map[string]float64{"pier": 5, "quay": -3}); !strings.HasPrefix(got, "The ferry to Kellan leaves from pier four.") {
		t.Errorf("where the pier is likelier: %q", got)
	}
	if got := said(leave, map[string]float64{"pier": -3, "quay": 5}); !strings.HasPrefix(got, "The ferry to Kellan leaves from the old quay") {
		t.Errorf("where the quay is likelier: %q", got)
	}
	if got := said(other, map[string]float64{"pier": -8, "quay": -8}); !strings.HasPrefix(got, "Nothing relevant") {
		t.Errorf("where neither is likely: %q", got)
	}
	if got := said(other, map[string]float64{"pier": 8, "quay": 8}); strings.HasPrefix(got, "Nothing relevant") {
		t.Errorf("where both are: %q", got)
	}
	const wordless = "Where do passengers get on?"
	if got := said(wordless, map[string]float64{"pier": 5}); !strings.HasPrefix(got, "The ferry to Kellan leaves from pier four.") {
		t.Errorf("where the model is certain: %q", got)
	}
	if got := said(wordless, map[string]float64{"pier": -3, "quay": -3}); !strings.HasPrefix(got, "Nothing relevant") {
		t.Errorf("where it is not: %q", got)
	}
	if len(judged) != 2 || !strings.HasPrefix(judged[0], "Ferry: The ferry") {
		t.Errorf("judged were %q", judged)
	}
}

// TestWideVerdict: where the promising sentences answer nothing for certain, the next ones are judged, too: an
// answer may share no word with what is asked. Where one does, no other is looked at.
func TestWideVerdict(t *testing.T) {
	text := "# Bins\n\nWhere bins go is shown on the map.\n\n# Crockery\n\n" + strings.Repeat("Nothing else is of interest here today, as ever. ", 30) +
		"Shards belong in the black sack. " + strings.Repeat("This says little about anything at all, to be frank. ", 30)
	var read, judged int
	said := func(shown float64) string {
		meaning := func(_ context.Context, question embedding.Text, texts []embedding.Text) ([]embedding.Nearness, error) {
			near := make([]embedding.Nearness, len(texts))
			for i, x := range texts {
				for range x.Parts {
					near[i].Words = append(near[i].Words, make([]float64, len(question.Parts)))
				}
				near[i].Whole = .1
				shards := strings.Contains(x.Text, "Shards")
				if shards {
					near[i].Whole = .5
				}
				if read++; !x.Judged && !x.OnlyJudged {
					continue
				}
				judged++
				switch near[i].Answers = -6; {
				case shards:
					near[i].Answers = 6
				case strings.Contains(x.Text, "map"):
					near[i].Answers = shown
				}
			}
			return near, nil
		}
		read, judged = 0, 0
		got, err := modeltest.Collect(t.Context(), extractive.New(meaning), searched("guide", "Where do bins for old plates go?", text))
		if err != nil {
			t.Fatal(err)
		}
		return got.Text
	}
	if got := said(-3); !strings.HasPrefix(got, "Shards belong in the black sack.") {
		t.Errorf("where the words lead astray: %q", got)
	}
	if judged < 6 || judged > 25 {
		t.Errorf("%d sentences were judged of 62", judged)
	}
	if got := said(6); !strings.HasPrefix(got, "Where bins go is shown on the map.") {
		t.Errorf("where the words lead to an answer: %q", got)
	}
	if judged > 3 || read > 6 {
		t.Errorf("%d texts were read, %d judged, where the first one answers", read, judged)
	}
}
