package pasted

import (
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/shared/fault/cputest"
)

func TestSplit(t *testing.T) {
	const told = "The library opens at nine on weekdays. Late fees are 20 pence a day."
	for _, c := range []struct{ text, asked string }{
		{"Context: " + told + "\n\nQuestion: When does the library open?", "When does the library open?"},
		{"Question: When does the library open?\n\nContext:\n" + told, "When does the library open?"},
		{"Context information is below.\n---------------------\n" + told + "\n---------------------\nGiven the context information and not prior knowledge, " +
			"answer the query.\nQuery: When does it open?\nAnswer: ", "When does it open?"},
		{"Use the following pieces of context to answer the question at the end.\n\n<context>\n" + told + "\n</context>\n\nQuestion: When does it open?\nHelpful Answer:",
			"When does it open?"},
		{"<document>" + told + "</document>\nWhat are the late fees?", "What are the late fees?"},
		{"Please answer from this.\n\"\"\"\n" + told + "\n\"\"\"\nHow high are late fees?", "How high are late fees?"},
		{told + "\n\nWhat are the late fees?", "What are the late fees?"},
		{told + " What are the late fees?", "What are the late fees?"},
		{"What are the late fees?\n\n" + told, "What are the late fees?"},
		{told + "\n\nSummarise the text above", "Summarise the text above"},
		{"Kontext: " + told + "\nFrage: Wann öffnet sie?", "Wann öffnet sie?"},
		{told + "\n\nSo here is what I would like to ask you: When does it open?\n\nMany thanks,\nDaniel", "When does it open?"},
	} {
		p := Split(c.text)
		if p.Asked != c.asked || !slices.ContainsFunc(p.Told, func(text string) bool { return strings.HasPrefix(text, "The library") }) {
			t.Errorf("Split(%q) = %q, %q; want %q and the text", c.text, p.Told, p.Asked, c.asked)
		}
	}
	for _, whole := range []string{"", "What is it?", "Who owns the boat?\nAnd who the oars?", "Tell me of the boat.", "the question: of the boat", "Question: What is it?"} {
		if p := Split(whole); len(p.Told) > 0 || !strings.HasSuffix(whole, p.Asked) {
			t.Errorf("Split(%q) = %q, %q; want nothing told", whole, p.Told, p.Asked)
		}
	}
}

func TestQuestions(t *testing.T) {
	const letter = "Hi there,\n\nwe moved in in April, and our boiler leaks. Who mends it? We also look for our contract. So here is what I would like to know: " +
		"How high is the deposit?\n\nMany thanks,\nDaniel"
	want := "we moved in in April, and our boiler leaks. Who mends it? How high is the deposit?"
	if got := Questions(letter); !strings.HasSuffix(got, want) {
		t.Errorf("Questions = %q, want %q", got, want)
	}
	if got := Questions("No question."); got != "No question." {
		t.Errorf("Questions without one = %q", got)
	}
}

func TestGiven(t *testing.T) {
	for _, text := range []string{
		"Use the given context to answer. If you do not know, say so.\n\nContext: The library opens at nine on weekdays, at ten on Saturdays.",
		"You are a helper.\n<context>The library opens at nine on weekdays, at ten on Saturdays.</context>",
	} {
		if got := Given(text); len(got) != 1 || !strings.HasPrefix(got[0], "The library") {
			t.Errorf("Given(%q) = %q", text, got)
		}
	}
	if got := Given("Answer from the documents. Use the context: nothing else."); got != nil {
		t.Errorf("Given of instructions = %q", got)
	}
}

// TestLong: parting takes little more time than reading.
func TestLong(t *testing.T) {
	for _, unit := range []string{"<context>", "Question: ", "```\n", "a? ", "Context:\n", "-----\n", "x\n", "</text><text>"} {
		cputest.Most(t, 5*time.Second, unit, func() { Split(strings.Repeat(unit, 200_000/len(unit))) })
	}
}

// TestSplitTables: beside a table a paragraph asks, with a mark of a question or without.
func TestSplitTables(t *testing.T) {
	const table = "name,email\nAnn,ann@example.org\nBob,bob@example.org"
	for text, want := range map[string]string{
		table + "\n\nemail ann":             "email ann",
		"email of bob\n\n" + table:          "email of bob",
		"Our people:\n" + table + "\n\nwho": "who",
		table:                               table,
		"Our people:\n" + table:             "Our people:\n" + table,
		table + "\n\nThanks!\nWho is Ann?":  "Who is Ann?",
	} {
		if got := Split(text); got.Asked != want {
			t.Errorf("%q asks %q, want %q", text, got.Asked, want)
		}
	}
}
