package extractive_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/chat/model"
	"lectern/shared/chat/model/extractive"
	"lectern/shared/chat/model/modeltest"
	"lectern/shared/fault"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/message"
	"lectern/shared/message/passage"
	"lectern/shared/text/shape"
)

func ask(question string, texts ...string) *model.Request {
	req := modeltest.Request()
	req.MaxTokens = 1000
	req.Messages[0].Content = message.Content{message.NewText(question)}
	for i, t := range texts {
		req.Passages = append(req.Passages, passage.Passage{ID: "AB1" + string(rune('1'+i)), Kind: passage.Document, Citable: true, Text: t})
	}
	return req
}

// searched is ask with the text as what a search found of an artifact.
func searched(artifact, question, text string) *model.Request {
	req := ask(question, text)
	req.Passages[0].Kind, req.Passages[0].ArtifactID = passage.Artifact, artifact
	return req
}

// ofDocuments is ask with each text as what a search found of a document of its own.
func ofDocuments(question string, texts ...string) *model.Request {
	req := ask(question, texts...)
	for i := range req.Passages {
		req.Passages[i].Kind, req.Passages[i].ArtifactID = passage.Artifact, fmt.Sprint("document", i)
	}
	return req
}

func answer(t *testing.T, req *model.Request) modeltest.Said {
	t.Helper()
	got, err := modeltest.Collect(t.Context(), extractive.New(nil, nil), req)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestAnswers(t *testing.T) {
	const moon = "The moon circles the earth. Its average distance is 384,400 km. It was first visited in 1969. Neil Armstrong stepped out first."
	const bread = "Bread needs flour. Let the dough rest for two hours. Bake it at 230 degrees."
	tests := []struct{ question, want string }{
		{"How far away is the moon, what distance?", "384,400 km"},
		{"When was the moon first visited?", "1969"},
		{"Who stepped out first?", "Neil Armstrong"},
		{"How long does dough rest?", "two hours"},
		{"What does braed need?", "Bread needs flour."},
		{"Summarise the material.", "The moon circles the earth."},
		{"Which violinist won the prize?", "Nothing relevant"},
	}
	for _, tc := range tests {
		got := answer(t, ask(tc.question, moon, bread))
		if !strings.Contains(got.Text, tc.want) {
			t.Errorf("%q is answered %q, want %q in it", tc.question, got.Text, tc.want)
		}
		if again := answer(t, ask(tc.question, moon, bread)); again.Text != got.Text {
			t.Errorf("%q is answered %q and then %q", tc.question, got.Text, again.Text)
		}
	}
	for question, want := range map[string]string{"How long does dough rest?": "I answer from documents", "Hello?": "Hello.", "Thanks!": "You’re welcome"} {
		if got := answer(t, ask(question)); !strings.HasPrefix(got.Text, want) || got.Reason != "end_turn" {
			t.Errorf("without material %q is answered %+v", question, got)
		}
	}
}

func TestQuotesAreExactAndMarked(t *testing.T) {
	const text = "Cats  sleep\nall day. Dogs [AB11] bark at 5 p.m. in U.S. towns, as [AB12] says."
	req := ask("When do dogs bark?", text, "Cows moo.")
	req.Cite = true
	got := answer(t, req)
	said := strings.TrimSuffix(got.Text[strings.LastIndex(got.Text, "Dogs"):], " [AB11]")
	if !strings.HasPrefix(said, "Dogs (AB11) bark") || strings.Contains(got.Text, "[AB12]") || !strings.Contains(got.Text, "as (AB12) says") || strings.Count(got.Text, "[AB11]") == 0 {
		t.Errorf("answer = %q", got.Text)
	}
}

// TestExtent: what belongs to a sentence is quoted with it, and nothing else.
func TestExtent(t *testing.T) {
	const manual = "# Shell\n\nIt has builtins. They are fast.\n\nreadonly\n\nMark each name as readonly. The values of these names may not be changed.\n\n" +
		"unset\n\nRemove each variable or function from the environment."
	const steps = "# Onboarding\n\nWelcome to the team.\n\nOn the first day:\n\n1. Collect the badge.\n2. Install the VPN client.\n3. Book the training.\n\nEnjoy it."
	const faq = "# Questions\n\n1. Can I pay by card?\n2. Can I use it in a commercial product?\n\n(1) Can I pay by card?\n\nNo. Send an invoice.\n\n" +
		"(2) Can I use it in a commercial product?\n\nYes. It is in the public domain."
	tests := []struct{ question, text, want, not string }{
		{"How do I mark a variable as readonly?", manual, "readonly [AB11]\nMark each name as readonly.", "unset"},
		{"What are the steps of onboarding to install the VPN client?", steps,
			"On the first day: [AB11]\nCollect the badge. [AB11]\nInstall the VPN client. [AB11]\nBook the training.", "Welcome"},
		{"Can I use it in a commercial product?", faq, "Yes. [AB11] It is in the public domain.", "invoice"},
		{"What is a checkpoint?", "A checkpoint can be started by hand. Moving the file back is called a \"checkpoint\" here. Wait for it.",
			"is called a \"checkpoint\" here.", "Wait"},
		{"What is the directory /srv for?", "No program should rely on a directory in /srv. /srv contains data that is served.",
			"/srv contains data", ""},
	}
	for _, tc := range tests {
		req := ask(tc.question, tc.text)
		req.Cite = true
		got := answer(t, req).Text
		if !strings.Contains(got, tc.want) || tc.not != "" && strings.Contains(got, tc.not) {
			t.Errorf("%q is answered %q, want %q in it, not %q", tc.question, got, tc.want, tc.not)
		}
	}
}

// TestRows: the row that a question names is said with the names of its columns, and
// the extreme of a column is computed.
func TestRows(t *testing.T) {
	const review = "# Q3 review\n\nRevenue by region, in thousands:\n\n| Region | Q2 | Q3 |\n| --- | --- | --- |\n| Benelux | 1,590 | 2,010 |\n" +
		"| DACH | 3,310 | 3,480 |\n| Poland | 1,020 | 930 |\n| Total | 5,920 | 6,420 |\n\nThe board thanks all teams."
	const prices = "# Prices\n\nPrice list from May\n\n| Service | Cat | Dog |\n| --- | --- | --- |\n| Nurse | 18 | 17 |\n| Spay | 128 | 318 |\n" +
		"| X-ray | 284 | 310 |\n| Bath | | 40 |"
	cut := review[:strings.Index(review, "| Poland")] + strings.Repeat("| Another with a long name | 1,000 | 1,000 |\n", 30) +
		"| Region with a long name | 1,000 | 900 |\n"
	tests := []struct{ question, text, want string }{
		{"Which region had the highest revenue in Q3?", review, "Region: DACH; Q2: 3,310; Q3: 3,480 [AB11]"},
		{"Which region had the lowest revenue in Q3?", review, "Region: Poland; Q2: 1,020; Q3: 930 [AB11]"},
		{"What is the most expensive thing on the price list for a cat?", prices, "Service: X-ray; Cat: 284; Dog: 310 [AB11]"},
		{"What is the cheapest thing on the price list for a dog?", prices, "Service: Nurse; Cat: 18; Dog: 17 [AB11]"},
		{"What was the revenue of Benelux in Q2?", review, "Region: Benelux; Q2: 1,590; Q3: 2,010 [AB11]"},
	}
	for _, tc := range tests {
		req := ask(tc.question, tc.text)
		req.Cite = true
		if got := answer(t, req).Text; !strings.HasPrefix(got, tc.want) {
			t.Errorf("%q is answered %q, want %q", tc.question, got, tc.want)
		}
	}
	if got := answer(t, ask("Which region had the lowest revenue in Q3?", cut)).Text; strings.HasPrefix(got, "Region: Region with a long name") {
		t.Errorf("a table cut at the end of its passage has an extreme: %q", got)
	}
	ended := ask("Which region had the lowest revenue in Q3?", cut)
	ended.Passages[0].Last = true
	if got := answer(t, ended).Text; !strings.HasPrefix(got, "Region: Region with a long name") {
		t.Errorf("a long table at the end of its document has no extreme: %q", got)
	}
}

// TestOutline: a summary has the first sentence of each section of the document that
// is meant, in its order; a section is found by its number.
func TestOutline(t *testing.T) {
	contract := []string{
		"# 2. Term\n\n2.1 It runs for thirty-six months from the first of March. 2.2 Either party may give notice.",
		"# Services Agreement\n\nThis agreement is made between Northwind and Helio Software.",
		"# 3. Fees\n\n3.1 The customer pays EUR 14,500 a month. 3.2 Invoices are payable within forty-five days.",
	}
	other := "# Pets\n\nDogs are welcome on Thursdays in the office."
	req := ask("Summarise the agreement with Helio", append(contract, other)...)
	for i, start := range []int{500, 0, 900, 0} {
		p := &req.Passages[i]
		p.Kind, p.ArtifactID, p.Start, p.Score = passage.Artifact, "contract", start, .5
		if i == 3 {
			p.ArtifactID, p.Score = "handbook", .2
		}
	}
	want := "This agreement is made between Northwind and Helio Software.\n\n2.1 It runs for thirty-six months from the first of March."
	if got := answer(t, req).Text; !strings.HasPrefix(got, want) || !strings.Contains(got, "14,500") || strings.Contains(got, "Dogs") {
		t.Errorf("summary = %q, want it to begin %q", got, want)
	}
	req.Messages[0].Content = message.Content{message.NewText("What does section 3 of the agreement with Helio say?")}
	if got, want := answer(t, req).Text, "3.1 The customer pays EUR 14,500 a month. 3.2 Invoices are payable within forty-five days."; got != want {
		t.Errorf("section 3 = %q, want %q", got, want)
	}
}

// TestSectionsByNumber: however a heading has its number.
func TestSectionsByNumber(t *testing.T) {
	for _, heading := range []string{"## 3. Keys", "## 3 Keys", "## III. Keys", "## §3 Keys", "## Article 3", "## Section 3: Keys"} {
		rules := "# House rules\n\n## 1. General\n\nThese rules hold for all guests of the house.\n\n" + heading +
			"\n\nKeys are kept by Ms Hall. Lost keys cost 45 euros.\n\n## 4. Noise\n\nIt is quiet from ten on."
		want := "Keys are kept by Ms Hall. Lost keys cost 45 euros."
		if got := answer(t, ask("What does section 3 of the house rules say?", rules)).Text; got != want {
			t.Errorf("%s: %q, want %q", heading, got, want)
		}
	}
}

// TestWhy: the reason is said with what it is the reason of.
func TestWhy(t *testing.T) {
	text := "We needed less water for each litre of beer last year. The largest step was the new bottle washer. Tours are on Fridays."
	want := "We needed less water for each litre of beer last year. The largest step was the new bottle washer."
	if got := answer(t, ask("Why is less water needed for the beer?", text)).Text; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	text = "Avoid the long form. Guests are told first. It locks the table, because it writes all of it again."
	if got := answer(t, ask("Why should the long form be avoided?", text)).Text; !strings.Contains(got, "because it writes") {
		t.Errorf("%q lacks the reason", got)
	}
}

// TestSearchesAgain: for the words that what was found lacks, once, and an answer has to have
// them.
func TestSearchesAgain(t *testing.T) {
	tools := []model.Tool{{Name: "search", Server: true,
		InputSchema: message.Object(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`)}}
	found := func(id, text string) passage.Passage {
		return passage.Passage{ID: id, Kind: passage.Artifact, ArtifactID: id, Title: id, Citable: true, Score: .4, Text: text}
	}
	result := message.Input{Role: message.RoleUser, Content: message.Content{&message.ToolResult{}}}
	far := func(_ context.Context, question embedding.Text, texts []embedding.Text) ([]embedding.Nearness, error) {
		near := make([]embedding.Nearness, len(texts))
		for i, x := range texts {
			for range x.Parts {
				near[i].Words = append(near[i].Words, make([]float64, len(question.Parts)))
			}
		}
		return near, nil
	}
	said := func(req *model.Request) modeltest.Said {
		got, err := modeltest.Collect(t.Context(), extractive.New(comparing(far), nil), req)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	for text, want := range map[string]string{
		"Gareth Lowe leads the complaints desk of the treasurer.":   "Gareth Lowe",
		"Ann Moor leads the garden of the treasurer in the spring.": "Nothing relevant",
	} {
		req := ask("Who leads the complaints desk of the treasurer?")
		req.Tools, req.Passages = tools, []passage.Passage{found("AB11", "The treasurer keeps the books. Books are kept in the attic.")}
		req.Messages = append(req.Messages, result)
		got := said(req)
		if len(got.Calls) != 1 || strings.Join(got.Calls[0].Pieces, "") != `{"query":"leads complaints desk"}` {
			t.Fatalf("calls = %+v, text %q", got.Calls, got.Text)
		}
		call := &message.ToolUse{Name: "search", Input: message.Object(`{"query":"leads complaints desk"}`)}
		req.Messages = append(req.Messages, message.Input{Role: message.RoleAssistant, Content: message.Content{call}}, result)
		req.Passages = append(req.Passages, found("AB12", text))
		if got := said(req); len(got.Calls) != 0 || !strings.Contains(got.Text, want) {
			t.Errorf("with %q: %+v, want %q", text, got, want)
		}
	}
}

// TestFoundNothing: why a search found nothing is said to the user too.
func TestFoundNothing(t *testing.T) {
	req := ask("How many days of leave are there?")
	text := message.NewText(`No relevant passages were found: there is no collection "offcie".`)
	result := &message.ToolResult{Content: message.ResultContent{Blocks: message.Content{text}}}
	req.Messages = append(req.Messages, message.Input{Role: message.RoleUser, Content: message.Content{result}})
	want := `Nothing relevant to “How many days of leave are there?” was found in the material. There is no collection "offcie".`
	if got := answer(t, req).Text; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestSummarySearchesTwice: first for what is to be summarised, then for the document
// that was found, by its title.
func TestSummarySearchesTwice(t *testing.T) {
	req := ask("Give me an overview of the contract with Helio")
	req.Tools = []model.Tool{{Name: "search", Server: true,
		InputSchema: message.Object(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`)}}
	if got := answer(t, req); len(got.Calls) != 1 || strings.Join(got.Calls[0].Pieces, "") != `{"query":"contract with Helio"}` {
		t.Fatalf("first calls = %+v", got.Calls)
	}
	found := passage.Passage{ID: "AB11", Kind: passage.Artifact, ArtifactID: "c", Title: "c.docx", Headings: []string{"Services Agreement"},
		Citable: true, Score: .4, Text: "# Services Agreement\n\nThis is made with Helio."}
	result := message.Input{Role: message.RoleUser, Content: message.Content{&message.ToolResult{}}}
	req.Messages, req.Passages = append(req.Messages, result), []passage.Passage{found}
	if got := answer(t, req); len(got.Calls) != 1 || strings.Join(got.Calls[0].Pieces, "") != `{"query":"Services Agreement"}` {
		t.Fatalf("second calls = %+v", got.Calls)
	}
	req.Messages = append(req.Messages, result)
	if got := answer(t, req); len(got.Calls) != 0 || !strings.Contains(got.Text, "made with Helio") {
		t.Errorf("after both: %+v", got)
	}
}

// TestFollowUps: a question that refers to earlier turns is about their subject, and
// its own words say what it asks.
func TestFollowUps(t *testing.T) {
	const handbook = "Full-time employees have 29 days of paid leave a year. Up to five unused days may be carried over until March. " +
		"Leave must be requested two weeks ahead."
	req := ask("How many days of paid leave do full-time employees have?", handbook)
	req.Messages = append(req.Messages, message.Input{Role: message.RoleAssistant, Content: message.Content{message.NewText("29.")}},
		message.Input{Role: message.RoleUser, Content: message.Content{message.NewText("Can they be carried over?")}})
	if got := answer(t, req).Text; !strings.HasPrefix(got, "Up to five unused days may be carried over") {
		t.Errorf("answered %q", got)
	}
	req.Messages = append(req.Messages, message.Input{Role: message.RoleAssistant, Content: message.Content{message.NewText("Yes.")}},
		message.Input{Role: message.RoleUser, Content: message.Content{message.NewText("How far ahead must it be requested?")}})
	if got := answer(t, req).Text; !strings.HasPrefix(got, "Leave must be requested two weeks ahead") {
		t.Errorf("answered %q", got)
	}
	// Turns without answers between them come as one message.
	req = ask("Can they be carried over?", handbook)
	last := &req.Messages[len(req.Messages)-1]
	last.Content = append(message.Content{message.NewText("How many days of paid leave do full-time employees have?")}, last.Content...)
	if got := answer(t, req).Text; !strings.HasPrefix(got, "Up to five unused days may be carried over") {
		t.Errorf("answered %q", got)
	}
}

// TestSeveralQuestions: those of one turn are searched for and answered one by one, what has
// no answer last.
func TestSeveralQuestions(t *testing.T) {
	const handbook = "Full-time employees have 29 days of paid leave a year. Up to five unused days may be carried over until March."
	const safety = "Forklift 7 failed the inspection because of a worn chain. Forklift 3 passed it."
	const text = "Hello! How many days of paid leave do full-time employees have? Who plays the violin? And can they be carried over? Thanks!\n" +
		"Which forklift failed the inspection?"
	req := ask(text, handbook, safety)
	req.Cite = true
	want := "Full-time employees have 29 days of paid leave a year. [AB11]\n\nUp to five unused days may be carried over until March. [AB11]\n\n" +
		"Forklift 7 failed the inspection because of a worn chain. [AB12]\n\n" +
		"Nothing relevant to “Who plays the violin?” was found in the material."
	if got := answer(t, req).Text; got != want {
		t.Errorf("answered %q, want %q", got, want)
	}
	searching := ask(text)
	searching.Tools = []model.Tool{{Name: "search", Server: true,
		InputSchema: message.Object(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`)}}
	if got := answer(t, searching); len(got.Calls) != 4 || strings.Join(got.Calls[3].Pieces, "") != `{"query":"Which forklift failed the inspection?"}` {
		t.Errorf("calls = %+v", got.Calls)
	}
	searching.Choice.DisableParallel = true
	if got := answer(t, searching); len(got.Calls) != 1 {
		t.Errorf("one at a time: calls = %+v", got.Calls)
	}
	for question, want := range map[string]string{
		"Who plays the violin? Where is the piano kept?":                                  "Nothing relevant to “Who plays the violin? Where is the piano kept?” was found in the material.",
		"Which forklift failed the inspection? Why did forklift 7 fail the inspection?":   "Forklift 7 failed the inspection because of a worn chain.",
		`Which forklift failed the "Are you safe?" inspection at http://x.example/?a=b ?`: "Forklift 7 failed the inspection because of a worn chain.",
	} {
		if got := answer(t, ask(question, handbook, safety)).Text; got != want {
			t.Errorf("%q is answered %q, want %q", question, got, want)
		}
	}
}

// TestSubjectOfConversation: what a conversation is about may stand anywhere in the document
// of an answer; what was asked of it in between counts little.
func TestSubjectOfConversation(t *testing.T) {
	req := ask("How long is the initial term of the agreement with Helio?",
		"This agreement with Helio runs for an initial term of three years. Either party may end it by ninety days' notice.",
		"This agreement is governed by the laws of Ireland.",
		"The law of large numbers is about samples of one kind.")
	for i := range req.Passages {
		req.Passages[i].Kind, req.Passages[i].ArtifactID = passage.Artifact, []string{"contract", "contract", "statistics"}[i]
	}
	for _, turn := range []string{"How can it be ended early?", "Which law applies to it?"} {
		req.Messages = append(req.Messages, message.Input{Role: message.RoleAssistant, Content: message.Content{message.NewText("So.")}},
			message.Input{Role: message.RoleUser, Content: message.Content{message.NewText(turn)}})
	}
	if got := answer(t, req).Text; !strings.HasPrefix(got, "This agreement is governed by the laws of Ireland.") {
		t.Errorf("answered %q", got)
	}
}

// TestInstructions: a question for a way is answered by what instructs.
func TestInstructions(t *testing.T) {
	const manual = "If the plot has a title and the terminal supports it, the title of the plot is drawn above. " +
		"To set the title of the plot, use the command set title. This title of the plot may be long."
	if got := answer(t, ask("How do I set the title of a plot?", manual)).Text; !strings.HasPrefix(got, "To set the title") {
		t.Errorf("answered %q", got)
	}
}

func TestItemsKeepTheirLines(t *testing.T) {
	tests := []struct{ question, text, want string }{
		{"What is the name with id 1?", "- id: 1\n- name: Olga", "id: 1 [AB11]\nname: Olga [AB11]"},
		{"Does the cat sleep?", "The cat sleeps.\n\nThe cat sleeps by day.", "The cat sleeps by day. [AB11]\n\nThe cat sleeps. [AB11]"},
	}
	for _, tc := range tests {
		req := ask(tc.question, tc.text)
		req.Cite = true
		if got := answer(t, req); got.Text != tc.want {
			t.Errorf("%q is answered %q, want %q", tc.question, got.Text, tc.want)
		}
	}
}

// TestHeadings: a heading answers nothing, but says what the sentences below it
// are about; questions and texts may bend their words in other languages.
func TestHeadings(t *testing.T) {
	const shop = "# Opening hours\n\nMonday to Friday, 9 to 18.\n\n# Address\n\nMain Street 5, by the bridge."
	const lease = "# Contrato de alquiler\n\n## Pagos\n\nEl inquilino pagará la renta dentro de los cinco primeros días de cada mes.\n\n## Otros\n\nLos daños los paga el inquilino."
	const house = "# Hausordnung\n\n## Ruhezeiten\n\nMusikinstrumente dürfen zwei Stunden gespielt werden.\n\n## Keller\n\nFahrräder gehören in den Keller."
	tests := []struct{ question, text, want string }{
		{"What are the opening hours?", shop, "Monday to Friday, 9 to 18."},
		{"What is the address?", shop, "Main Street 5, by the bridge."},
		{"¿Cuándo se paga el alquiler?", lease, "El inquilino pagará la renta dentro de los cinco primeros días de cada mes."},
		{"Darf man Instrumente spielen?", house, "Musikinstrumente dürfen zwei Stunden gespielt werden."},
		{"Wohin gehört ein Fahrrad?", house, "Fahrräder gehören in den Keller."},
		{"When is it open, what hours?", "# Opening hours", "Opening hours"},
	}
	for _, tc := range tests {
		got := answer(t, ask(tc.question, tc.text)).Text
		if !strings.Contains(got, tc.want) || tc.text != "# Opening hours" &&
			(strings.Contains(got, "Contrato") || strings.Contains(got, "Opening") || strings.Contains(got, "ordnung")) {
			t.Errorf("%q is answered %q, want %q and no heading", tc.question, got, tc.want)
		}
	}
}

// TestSaysNothingTwice: the material of an earlier turn comes again with a later
// search, and only the latter can be cited.
func TestSaysNothingTwice(t *testing.T) {
	const text = "The ship carries six life rafts. It is blue."
	for _, question := range []string{"How many life rafts does the ship carry?", "Summarise the material."} {
		req := ask(question, text, text)
		req.Cite, req.Passages[0].Citable = true, false
		got := answer(t, req).Text
		if n := strings.Count(got, "six life rafts"); n != 1 {
			t.Errorf("%q is answered %q", question, got)
		}
		if strings.HasPrefix(question, "How") && !strings.HasPrefix(got, "The ship carries six life rafts. [AB12]") {
			t.Errorf("%q is answered %q, want the passage that can be cited", question, got)
		}
	}
}

func TestFollowUpsLeanOnTheQuestionBefore(t *testing.T) {
	req := ask("And where does it live?", "The okapi is a mammal. The okapi lives in Congo. Robins live in gardens.")
	req.Messages = append([]message.Input{{Role: "user", Content: message.Content{message.NewText("What is an okapi?")}},
		{Role: "assistant", Content: message.Content{message.NewText("A mammal.")}}}, req.Messages...)
	if got := answer(t, req); !strings.Contains(got.Text, "Congo") {
		t.Errorf("answer = %q", got.Text)
	}
}

func TestSearchesBeforeAnswering(t *testing.T) {
	req := ask("How far is the moon?")
	req.Tools = []model.Tool{
		{Name: "search", Server: true, InputSchema: message.Object(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`)},
		{Name: "fetch", Server: true, InputSchema: message.Object(`{"type":"object","properties":{"url":{"type":"string"}},"required":["url"]}`)},
		{Name: "mine", InputSchema: message.Object(`{"type":"object","properties":{"query":{"type":"string"}}}`)},
	}
	got := answer(t, req)
	want := []modeltest.Call{{Name: "search", Pieces: []string{`{"query":"How far is the moon?"}`}}}
	if diff := cmp.Diff(want, got.Calls); diff != "" || got.Reason != "tool_use" {
		t.Errorf("reason %s, calls (-want +got):\n%s", got.Reason, diff)
	}
	req.Choice.Type = "none"
	if got := answer(t, req); len(got.Calls) > 0 {
		t.Errorf("tool_choice none: %v", got.Calls)
	}
}

// TestFillsSchemas: whatever is filled is valid, and takes what the text has.
func TestFillsSchemas(t *testing.T) {
	const text = `Send "hello world" to ann@example.org and https://example.org/x about Berlin on 2026-05-04, 3 times, in red.`
	tests := []struct{ schema, want string }{
		{`{"type":"object","properties":{"city":{"type":"string"},"other":{"type":"string"}},"required":["city"]}`, `{"city":"hello world"}`},
		{`{"type":"object","properties":{"a":{"type":"string","format":"ipv6"},"b":{"type":"string","format":"duration"},"c":{"type":"string","format":"json-pointer"}},"required":["a","b","c"]}`, `{"a":"2001:db8::1","b":"PT0S","c":""}`},
		{`{"type":"object","properties":{"email":{"type":"string","format":"email"}},"required":["email"]}`, `{"email":"ann@example.org"}`},
		{`{"type":"object","properties":{"link":{"type":"string","format":"uri"}},"required":["link"]}`, `{"link":"https://example.org/x"}`},
		{`{"type":"object","properties":{"day":{"type":"string","format":"date"}},"required":["day"]}`, `{"day":"2026-05-04"}`},
		{`{"type":"object","properties":{"n":{"type":"integer","minimum":2,"maximum":9}},"required":["n"]}`, `{"n":3}`},
		{`{"type":"object","properties":{"n":{"type":"number","exclusiveMinimum":5000}},"required":["n"]}`, ``},
		{`{"type":"object","properties":{"colour":{"enum":["blue","red"]}},"required":["colour"]}`, `{"colour":"red"}`},
		{`{"type":"object","properties":{"k":{"const":7}},"required":["k"]}`, `{"k":7}`},
		{`{"type":"object","properties":{"code":{"type":"string","pattern":"^[A-Z]{3}-\\d{2}$"}},"required":["code"]}`, `{"code":"AAA-11"}`},
		{`{"type":"object","properties":{"tags":{"type":"array","items":{"type":"string"},"minItems":3,"uniqueItems":true}},"required":["tags"]}`, ``},
		{`{"$defs":{"p":{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"]}},"type":"object","properties":{"p":{"$ref":"#/$defs/p"}},"required":["p"]}`, ``},
		{`{"allOf":[{"type":"object","properties":{"a":{"type":"boolean"}},"required":["a"]},{"properties":{"b":{"type":"string","maxLength":4}},"required":["b"]}]}`, ``},
		{`{"type":"object","properties":{"v":{"anyOf":[{"type":"null"},{"type":"integer"}]}},"required":["v"]}`, ``},
		{`{"type":"object","properties":{"name":{"type":"string","minLength":200}},"required":["name"]}`, ``},
		{`{"type":"object","properties":{"a":{"type":"array","items":{"$ref":"#"}}}}`, `{}`},
		{`{"type":"object"}`, `{}`},
	}
	for _, tc := range tests {
		req := ask(text)
		req.Tools = []model.Tool{{Name: "f", InputSchema: message.Object(tc.schema)}}
		req.Choice = message.ToolChoice{Type: "tool", Name: "f"}
		got := answer(t, req)
		if len(got.Calls) != 1 {
			t.Errorf("%s: calls %v", tc.schema, got.Calls)
			continue
		}
		input := got.Calls[0].Pieces[0]
		s, err := shape.Compile([]byte(tc.schema))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Check([]byte(input)); err != nil {
			t.Errorf("%s is filled with %s: %v", tc.schema, input, err)
		}
		if tc.want != "" && input != tc.want {
			t.Errorf("%s is filled with %s, want %s", tc.schema, input, tc.want)
		}
	}
}

func TestStructuredAnswers(t *testing.T) {
	req := ask("How far away is the moon?", "The moon is 384,400 km away. It is grey.")
	req.Format = message.Object(`{"type":"object","properties":{"answer":{"type":"string"},"km":{"type":"integer"},"child":{"$ref":"#"}},"required":["answer","km"],"additionalProperties":false}`)
	var got struct {
		Answer string
		KM     int
	}
	if err := json.Unmarshal([]byte(answer(t, req).Text), &got); err != nil || !strings.Contains(got.Answer, "384,400") || got.KM != 384400 {
		t.Errorf("answer = %+v, %v", got, err)
	}
	req.Format = message.Object(`{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"]}`)
	if _, err := modeltest.Collect(t.Context(), extractive.New(nil, nil), req); !fault.Is(err, fault.Invalid) {
		t.Errorf("a schema without end: %v, want Invalid", err)
	}
}

func TestThinkingAndLimits(t *testing.T) {
	req := ask("How far away is the moon?", "The moon is 384,400 km away. It is grey.")
	req.Chat.Thinking = &message.ThinkingConfig{Enabled: true}
	if got := answer(t, req); got.Thinking == "" || got.Text == "" {
		t.Errorf("thinking: %+v", got)
	}
	req.Chat.Thinking = &message.ThinkingConfig{Type: "adaptive", Display: "omitted"}
	if got := answer(t, req); got.Thinking != "" || got.Text == "" {
		t.Errorf("thinking with display omitted: %+v", got)
	}
	req.Chat.Thinking = nil
	req.MaxTokens = 1
	if got := answer(t, req); got.Text == "" || got.Reason != "max_tokens" || len(strings.Fields(got.Text)) != 1 {
		t.Errorf("max_tokens 1: %+v", got)
	}
	req = ask("公司的首席执行官是谁？", "公司的首席执行官是李明先生，他毕业于清华大学，现在住在北京市。")
	req.MaxTokens = 10
	if got := answer(t, req); got.Reason != "max_tokens" || utf8.RuneCountInString(got.Text) > 16 {
		t.Errorf("max_tokens 10 of a text without spaces: %+v", got)
	}
}

func FuzzFill(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"type":"string","pattern":"^a{2,}$"}},"required":["a"]}`)
	f.Add(`{"anyOf":[{"$ref":"#/x"}],"x":{"type":["null","integer"]}}`)
	f.Fuzz(func(t *testing.T, schema string) {
		s, err := shape.Compile([]byte(schema))
		if err != nil {
			return
		}
		req := ask("Paris 7")
		req.Format = message.Object(schema)
		got, err := modeltest.Collect(t.Context(), extractive.New(nil, nil), req)
		if err != nil {
			if !fault.Is(err, fault.Invalid) {
				t.Fatalf("%s: %v", schema, err)
			}
			return
		}
		if err := s.Check([]byte(got.Text)); err != nil && got.Reason != message.StopMaxTokens {
			t.Fatalf("%s is filled with %s: %v", schema, got.Text, err)
		}
	})
}

// TestLongQuestion: of a question of many names a bounded number is looked for and missed.
func TestLongQuestion(t *testing.T) {
	var names strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&names, "Name%d ", i)
	}
	got := answer(t, ask(names.String()+"How old is the mill at Ulmen?", "The mill at Ulmen stands by the river and was built in 1884 by Ada Moor.")).Text
	if n := strings.Count(got, "“"); n > 8 {
		t.Errorf("an answer to a long question names %d missing words: %.200q", n, got)
	}
}

// TestLongRequestsAtOnce: long requests whose readers do not read hold nothing that
// others need to be decided.
func TestLongRequestsAtOnce(t *testing.T) {
	m := extractive.New(nil, nil)
	long := ask(strings.Repeat("word ", 900_000))
	for range 3 {
		next, stop := iter.Pull2(m.Stream(t.Context(), long))
		defer stop()
		if _, err, ok := next(); err != nil || !ok {
			t.Fatalf("a long request beside others that nobody reads: %v", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range m.Stream(ctx, long) {
		if err == nil {
			t.Error("a request that has ended is answered")
		}
	}
}

// TestSummaryByName: the document whose name the question says is summed up, although another
// has more passages.
func TestSummaryByName(t *testing.T) {
	req := ask("Summarise the minutes of 12 June")
	for i, text := range []string{"The berths were painted in spring.", "The crane was repaired in May.", "Fees rise by two pounds."} {
		req.Passages = append(req.Passages, passage.Passage{ID: "AB1" + string(rune('1'+i)), Kind: passage.Artifact, ArtifactID: "agm-2025.pptx", Key: text,
			Title: "agm-2025.pptx", Text: text, Start: i * 100, Score: .4})
	}
	req.Passages = append(req.Passages, passage.Passage{ID: "AB19", Kind: passage.Artifact, ArtifactID: "minutes-2025-06-12.txt", Key: "m",
		Title: "minutes-2025-06-12.txt", Text: "The members met in the sail loft. The paint was approved.", Score: .45})
	if got := answer(t, req).Text; !strings.HasPrefix(got, "The members met in the sail loft.") || strings.Contains(got, "berths") {
		t.Errorf("summed up %q", got)
	}
}

// TestTold: what a client's tool said is the answer, where nothing else is, but not what the
// service's own tools found.
func TestTold(t *testing.T) {
	for _, server := range []bool{false, true} {
		req := ask("What is the weather in Paris?")
		schema := message.Object(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)
		req.Tools = []model.Tool{{Name: "get_weather", Server: server, InputSchema: schema}}
		req.Messages = append(req.Messages,
			message.Input{Role: message.RoleAssistant, Content: message.Content{&message.ToolUse{ID: "t1", Name: "get_weather", Input: message.Object(`{}`)}}},
			message.Input{Role: message.RoleUser, Content: message.Content{
				&message.ToolResult{ToolUseID: "t1", Content: message.ResultContent{Blocks: message.Content{message.NewText("15 degrees")}}},
				&message.ToolResult{ToolUseID: "t2", IsError: true}}})
		if got := answer(t, req).Text; (got == "15 degrees") == server {
			t.Errorf("with a tool of the service: %v, answered %q", server, got)
		}
	}
}
