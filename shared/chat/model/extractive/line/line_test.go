package line_test

import (
	"reflect"
	"slices"
	"testing"

	"lectern/shared/chat/model/extractive/line"
	"lectern/shared/text/sentence"
)

// TestQuestions: labelled questions are headings whole, with their labels on lines of their own or not; answers lose theirs, and
// without a question nothing does.
func TestQuestions(t *testing.T) {
	for _, c := range []struct {
		text            string
		headings, rests []string
	}{
		{"Q: It does not start! Why?\nA: It has no power. Plug it in.", []string{"Q: It does not start! Why?"}, []string{"It has no power.", "Plug it in."}},
		{"Q:\n\nIt does not start!\n\nA:\n\nPlug it in.\n\nQ:\n\nIs it loud?\n\nA:\n\nNo.", []string{"Q:\n\nIt does not start!", "Q:\n\nIs it loud?"},
			[]string{"Plug it in.", "No."}},
		{"**Q: Is it loud?**\n\nIt is not.", []string{"**Q: Is it loud?**"}, []string{"It is not."}},
		{"Frage 3: Ist es laut?\nAntwort: Nein.", []string{"Frage 3: Ist es laut?"}, []string{"Nein."}},
		{"A: 220 V.\n\nB: 110 V.", nil, []string{"A: 220 V.", "B: 110 V."}},
		{"Q: Is it loud?\n\nQ: Is it heavy?", []string{"Q: Is it loud?", "Q: Is it heavy?"}, nil},
		{"Q:", []string{"Q:"}, nil},
		{"Q: Is it loud?\nIt is not. It purrs.", []string{"Q: Is it loud?"}, []string{"It is not.", "It purrs."}},
		{"Q: Is it loud? A: No.", []string{"Q: Is it loud?"}, []string{"No."}},
	} {
		var list []sentence.Span
		for s := range sentence.All(c.text) {
			list = append(list, s)
		}
		levels := map[int]int{}
		var headings, rests []string
		for _, s := range line.Questions(c.text, list, levels) {
			if text := c.text[s.Start:s.End]; levels[s.Start] > 0 {
				headings = append(headings, text)
			} else {
				rests = append(rests, text)
			}
		}
		if !reflect.DeepEqual(headings, c.headings) || !reflect.DeepEqual(rests, c.rests) {
			t.Errorf("%q: %q, %q", c.text, headings, rests)
		}
	}
}

// TestStamped: a line says who wrote what is below it, and when.
func TestStamped(t *testing.T) {
	for _, text := range []string{"2026-10-12 08:31  Ann Reyes (support, level 1)", "[12/10/2026, 08:31:02] Ann Reyes:", "12.10.2026 08.31 - Ann Reyes",
		"On Monday, 12 October 2026 at 08:31, Ann Reyes wrote:"} {
		if !line.Stamped(text) {
			t.Errorf("%q is no stamp", text)
		}
	}
	for _, text := range []string{"2026-10-12 08:31 The ferry leaves. It is late.", "12 October 2026, Ann Reyes", "[12/10/2026, 08:31:02] Ann: I am late", "On Monday Ann wrote a letter:"} {
		if line.Stamped(text) {
			t.Errorf("%q is a stamp", text)
		}
	}
}

// TestRecords: a row that names its values is one sentence, whatever marks stand in them; other items are not.
func TestRecords(t *testing.T) {
	for text, want := range map[string][]string{
		"- Make: VW; Model: ID. Buzz; Type: Van\n- Make: Ford; Model: Transit; Type: Van": {
			"Make: VW; Model: ID. Buzz; Type: Van", "Make: Ford; Model: Transit; Type: Van"},
		"- Note: Wait. Then go.\n":             {"Note: Wait.", "Then go."},
		"Make: VW; Model: ID. Buzz; Type: Van": {"Make: VW; Model: ID.", "Buzz; Type: Van"},
	} {
		var got []string
		for _, s := range line.Records(text, slices.Collect(sentence.All(text))) {
			got = append(got, text[s.Start:s.End])
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
