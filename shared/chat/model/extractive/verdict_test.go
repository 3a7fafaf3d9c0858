package extractive_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"lectern/shared/chat/model/extractive"
	"lectern/shared/chat/model/modeltest"
	"lectern/shared/knowledge/embedding"
)

// comparing is a meaning that judges nothing.
type comparing func(ctx context.Context, question embedding.Text, texts []embedding.Text) ([]embedding.Nearness, error)

func (f comparing) Compare(ctx context.Context, question embedding.Text, texts []embedding.Text) ([]embedding.Nearness, error) {
	return f(ctx, question, texts)
}

func (comparing) Judge(context.Context, string, []embedding.Window) ([][]float64, error) {
	return nil, nil
}

func (comparing) Understands(string) bool { return true }

// judging is a meaning to which every text is as near, but for what contains something, and that judges sentences by what they
// contain.
type judging struct {
	near     string             // what those contain that are nearer than others; empty without such
	odds     map[string]float64 // by what a sentence contains
	others   float64            // of those that contain none of it
	windows  []embedding.Window // that were judged
	compared []string           // texts that were compared
}

func (j *judging) Compare(_ context.Context, question embedding.Text, texts []embedding.Text) ([]embedding.Nearness, error) {
	near := make([]embedding.Nearness, len(texts))
	for i, x := range texts {
		j.compared = append(j.compared, x.Text)
		near[i].Whole = .4
		if j.near != "" {
			near[i].Whole = .1
			if strings.Contains(x.Text, j.near) {
				near[i].Whole = .5
			}
		}
		for range x.Parts {
			near[i].Words = append(near[i].Words, make([]float64, len(question.Parts)))
		}
	}
	return near, nil
}

func (j *judging) Judge(_ context.Context, _ string, windows []embedding.Window) ([][]float64, error) {
	j.windows = append(j.windows, windows...)
	list := make([][]float64, len(windows))
	for i, w := range windows {
		for _, s := range w {
			odds := j.others
			for part, v := range j.odds {
				if strings.Contains(s.Text, part) {
					odds = v
				}
			}
			list[i] = append(list[i], odds)
		}
	}
	return list, nil
}

func (*judging) Understands(question string) bool { return !strings.HasPrefix(question, "Wo ") }

// TestVerdict: of sentences whose words and meaning are alike the one comes first that is likelier to answer, and what likely
// answers nothing is refused; sentences are judged together, below what introduces them.
func TestVerdict(t *testing.T) {
	const text = "# Ferry\n\nThe ferry to Kellan leaves from pier four. The ferry to Kellan leaves from the old quay in winter."
	var j *judging
	said := func(question string, odds map[string]float64) string {
		j = &judging{odds: odds, others: -4}
		got, err := modeltest.Collect(t.Context(), extractive.New(j, nil), searched("guide", question, text))
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
	if got := said("How much is the Kellan ferry?", map[string]float64{"pier": 5, "quay": 5}); !strings.HasPrefix(got, "Nothing relevant") {
		t.Errorf("without the value that is asked for, though the model is certain: %q", got)
	}
	const list = "# Kettle\n\nThe kettle comes in these colours:\n\n- cherry red\n- moss green\n"
	got, err := modeltest.Collect(t.Context(), extractive.New(&judging{others: 5}, nil), searched("guide", "Which colours does the kettle come in?", list))
	if err != nil || !strings.Contains(got.Text, "moss green") {
		t.Errorf("where the values follow what leads into them: %q, %v", got.Text, err)
	}
	said(wordless, nil)
	want := embedding.Window{{Lead: "Ferry: ", Text: "The ferry to Kellan leaves from pier four."}, {Text: "The ferry to Kellan leaves from the old quay in winter."}}
	if len(j.windows) != 1 || !slices.Equal(j.windows[0], want) {
		t.Errorf("judged were %q, want %q", j.windows, want)
	}
	if got := said("Wo legt die Fähre ab?", map[string]float64{"pier": 5}); len(j.windows) > 0 || len(j.compared) > 0 {
		t.Errorf("in a language that is not understood: %q", got)
	}
}

// TestWideVerdict: where the promising sentences answer nothing for certain, the next ones are judged, too: an
// answer may share no word with what is asked. Where one does, no other is looked at.
func TestWideVerdict(t *testing.T) {
	text := "# Bins\n\nWhere bins go is shown on the map.\n\n# Crockery\n\n" + strings.Repeat("Nothing else is of interest here today, as ever. ", 30) +
		"Shards belong in the black sack. " + strings.Repeat("This says little about anything at all, to be frank. ", 30)
	var j *judging
	said := func(shown float64) string {
		j = &judging{near: "Shards", odds: map[string]float64{"Shards": 6, "map": shown}, others: -6}
		got, err := modeltest.Collect(t.Context(), extractive.New(j, nil), searched("guide", "Where do bins for old plates go?", text))
		if err != nil {
			t.Fatal(err)
		}
		return got.Text
	}
	if got := said(-3); !strings.HasPrefix(got, "Shards belong in the black sack.") {
		t.Errorf("where the words lead astray: %q", got)
	}
	if n := len(j.windows); n < 2 || n > 8 {
		t.Errorf("%d windows were judged, of 62 sentences", n)
	}
	if got := said(6); !strings.HasPrefix(got, "Where bins go is shown on the map.") {
		t.Errorf("where the words lead to an answer: %q", got)
	}
	if len(j.windows) != 1 || len(j.compared) > 6 {
		t.Errorf("%d windows were judged, %d texts compared, where the first one answers", len(j.windows), len(j.compared))
	}
}

// TestDeed: who did something is not told by a sentence without the deed, unless the model is certain that it says that in other words.
func TestDeed(t *testing.T) {
	const text = "# Club\n\nThe books of the rowing club were presented by Ines Calloway in October."
	for question, want := range map[string]map[float64]bool{
		"Who audited the books of the rowing club?":   {-2.5: false, 5: true},
		"Who presented the books of the rowing club?": {2: true},
	} {
		for odds, answers := range want {
			got, err := modeltest.Collect(t.Context(), extractive.New(&judging{others: odds}, nil), searched("minutes", question, text))
			if err != nil || strings.HasPrefix(got.Text, "The books") != answers {
				t.Errorf("%q, where the log odds are %v: %q, %v", question, odds, got.Text, err)
			}
		}
	}
}
