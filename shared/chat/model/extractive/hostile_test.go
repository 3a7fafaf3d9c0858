package extractive_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"lectern/shared/message/passage"
)

// TestAnyTables: whatever stands in the passages, and whatever they say of their tables, is
// answered or refused.
func TestAnyTables(t *testing.T) {
	lines := strings.Split("| a | b |\n|---|---|\n| 1 | 2 |\n| closed | 2024-01-02 |\n|\n||\n| |\n- Name: x; Age: 3\n- Name: ; Age: \nName: a; b\n# Items\n\n"+
		"text here.\n| x | y | z |\n|-|\nNo, it is.\nQ: is it?\n[03/06/2025, 12:40] A: b\n| Total | 5 |\n| yes | no |\n|Remote|Item|\n- a: b; c: d; e: f\nItem      Single    Return\nAdult      £8.50     £15\n          b    yes\nKey ........ £9\nb ..... 7 Euro\n**Is it b?** Yes.\nx      -      ☐      |\n## Version 1.2 (3 May 2024)\n(1)\n5.4 a\n5. April: b\n| Number |\n1. a\n2. b\n| £250 to £2,000 | c |", "\n")
	questions := strings.Split("How many items are not closed?\nWhich items are closed?\nWhat is the highest b?\nWho is first?\nIs it a?\n"+
		"How many a are there? And which b? Why?\nWhat is the cheapest item above 2?\nhow many ages after 2020\nWhich items are remote?\n?\na? b? c?\n"+
		"Wie viele items sind nicht closed?\nSummarise the items\nWhat is the oldest?\nWhat is the phone of Remote?\nWho is closed on 2 January 2024?\nWhich is cheaper, a or b?\nWhat is the price of a single?\nWhich of the two items has the most hours?\nWhen does it open?\nHow old is Ann Lee?\nWhat colour is b?\nWho runs a?\nHow long does a take?\nIs a older than b?\n"+
		"Since which version is there x?\nHow much is a group ticket to b?\nUnter welcher Nummer ist Remote?\nWho is the owner of a?\nHow do I a?\nWho signs 1,200?", "\n")
	r := rand.New(rand.NewPCG(7, 8))
	for range 3000 {
		req := ask(questions[r.IntN(len(questions))])
		req.Cite = true
		at := 0
		for k := range 1 + r.IntN(4) {
			var text []string
			for range r.IntN(7) {
				text = append(text, lines[r.IntN(len(lines))])
			}
			p := passage.Passage{ID: fmt.Sprintf("A%03d", k), Kind: []passage.Kind{passage.Document, passage.Artifact, passage.Plain}[r.IntN(3)],
				Key: fmt.Sprint(r.IntN(3)), ArtifactID: "x", Text: strings.TrimSpace(strings.Join(text, "\n")), Start: at, Citable: true, Score: r.Float64(),
				Continues: r.IntN(2) == 0, Last: r.IntN(2) == 0, Columns: []string{"", "", "| a | b |", "|", "| Name | Age |"}[r.IntN(5)]}
			at += len(p.Text) + r.IntN(3)
			req.Passages = append(req.Passages, p)
		}
		if answer(t, req).Text == "" {
			t.Errorf("%v over %+v is not answered", req.Messages[0].Content[0], req.Passages)
		}
	}
}
