package extractive_test

import (
	"context"
	"strings"
	"testing"

	"lectern/shared/chat/model"
	"lectern/shared/chat/model/extractive"
	"lectern/shared/chat/model/modeltest"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/message"
	"lectern/shared/message/passage"
)

// TestWholeAnswers: what a sentence leads into comes with it, lists and steps come whole,
// and a sentence that refers to the one before is about the same.
func TestWholeAnswers(t *testing.T) {
	const faq = "# Holding packages\n\nThere are two ways to hold a package. Both last.\n\nWith frob, you can hold a package using\n\nfrob hold NAME\n\n" +
		"and release it using\n\nfrob release NAME"
	const steps = "# No cards are written\n\n1. Try the other writer.\n2. Restart the agent:\n   `cardctl restart`\n3. Ring the help desk."
	const levels = "# Levels\n\nEach package has a level, given by its maintainer. The levels are:\n\n- Basic packages are needed by all. " +
		"They are never removed, whatever is installed or not, and so on, at some length that nobody who asks for the levels wants to read in an answer. " +
		"Nothing works without them, as many people had to learn the hard way when they removed one of them by mistake and rang the help desk at night.\n" +
		"- Common packages are used by most. They may be removed by those who know what they do, which is said here at some length as well, so that the list is long. " +
		"They are tested before each release by people who get no thanks for it and would rather do other things in their spare time, as we all would.\n" +
		"- Extra packages are used by few."
	const actions = "# Minutes\n\nThe actions of the last minutes are done.\n\n# Action list\n\n| Action | Who |\n| --- | --- |\n| Pave the yard | Ada |\n| Ask for offers | Jan |"
	const mail = "From: ada@example.org\n\nTo: jan@example.org\n\nThe boiler is out since four. Please send somebody."
	const poets = "Ulmen has two poets. Ida Falk was born in Ulmen. She wrote a play about the plague of the town."
	const town = "The theatre of Ulmen burnt down in 1890. It was built anew in 1902. The town has a museum."
	for _, tc := range []struct{ question, text, want string }{
		{"How do I hold a package with frob?", faq, "With frob, you can hold a package using\n\nfrob hold NAME"},
		{"What do I do when no cards are written?", steps, "Try the other writer.\nRestart the agent:\n`cardctl restart`\nRing the help desk."},
		{"What are the levels of a package?", levels, "The levels are:\nBasic packages are needed by all.\nCommon packages are used by most.\nExtra packages are used by few."},
		{"Who wrote a play about the plague of Ulmen?", poets, "Ida Falk was born in Ulmen. She wrote a play about the plague of the town."},
		{"When did it burn down before 1900?", "The mill stood until 1900. It was lost in 1888, when it burnt down.", "1888"},
		{"When was the theatre of Ulmen built anew?", town, "It was built anew in 1902."},
		{"Which ways are there to go on?", "The pump broke. There are two ways.\n\na) Repair. It takes a week.\n\nb) A new one.", "There are two ways. Repair. It takes a week. A new one."},
		{"What are the actions?", actions, "Action: Pave the yard; Who: Ada\nAction: Ask for offers; Who: Jan"},
		{"Summarise the mail.", mail, "The boiler is out since four."},
		{"What is the mail about?", mail, "The boiler is out since four."},
		{"Who is out since four?", mail, "The boiler is out since four."},
	} {
		got := strings.Join(strings.Fields(answer(t, ask(tc.question, tc.text)).Text), " ")
		if want := strings.Join(strings.Fields(tc.want), " "); !strings.Contains(got, want) {
			t.Errorf("%q is answered %q, want %q in it", tc.question, got, want)
		}
	}
}

// TestContrasts: of two things that are compared both are told, from one document.
func TestContrasts(t *testing.T) {
	const modes = "Songs are played in two modes. Shuffle plays them in any order. It never repeats one. Queue plays them as they were added. Both stop at the end."
	const page = "OPTIONS\n       --first\n              Plays the song on top at once.\n\n       --last\n              Plays what is at the bottom.\n\n       Neither --first nor the other works on radio."
	const halls = "The Great Hall was built in 1900.\n\n| Hall | Seats |\n| --- | --- |\n| Great Hall | 400 |\n| Small Hall | 90 |\n| Attic | 30 |"
	for _, tc := range []struct{ question, text, want, not string }{
		{"What is the difference between shuffle and queue?", modes, "Shuffle plays them in any order. It never repeats one. Queue plays them as they were added.", "two modes"},
		{"How do --first and --last differ?", page, "--first: Plays the song on top at once. --last: Plays what is at the bottom.", "Neither"},
		{"Which has more seats, the great hall or the small hall?", halls, "Hall: Great Hall; Seats: 400 Hall: Small Hall; Seats: 90", "Attic"},
		{"Which costs less rent on Sundays, the great hall or the small hall?", halls, "Nothing relevant", "\n\nHall: Small"},
	} {
		got := strings.Join(strings.Fields(answer(t, ask(tc.question, tc.text)).Text), " ")
		if !strings.Contains(got, tc.want) || strings.Contains(got, tc.not) {
			t.Errorf("%q is answered %q, want %q in it", tc.question, got, tc.want)
		}
	}
}

// TestManualPages: in plain text the lines of a paragraph are one, an entry is told with its
// term, and its term with what is said below it.
func TestManualPages(t *testing.T) {
	const ply = "PLY(1)\n\nOPTIONS\n       These options are known.\n\n       --gap=SECONDS\n              Waits between two songs.  What is played next is loaded in the\n" +
		"              meantime.\n\n              By default, songs follow each other after an interval of 4\n              seconds.\n\n" +
		"       -r, --repeat\n              Begins again with the first song when the last one is over.\n\n" +
		"       --mute\n              Plays nothing.\n\nFILES\n       /etc/ply.conf\n              Settings for all users."
	for _, tc := range []struct{ question, want string }{
		{"How many seconds are between two songs by default?", "--gap=SECONDS: By default, songs follow each other after an interval of 4 seconds."},
		{"How do I play the first song again after the last?", "-r, --repeat: Begins again with the first song when the last one is over."},
		{"--mute", "--mute: Plays nothing."},
	} {
		if got := answer(t, ask(tc.question, ply)).Text; !strings.Contains(got, tc.want) || strings.Contains(got, "\n ") {
			t.Errorf("%q is answered %q, want %q in it", tc.question, got, tc.want)
		}
	}
}

// TestRowsAndPrices: a price is an amount of money, a row about something else of the
// kind is no answer, and what is asked of a thing's price has to speak of the thing.
func TestRowsAndPrices(t *testing.T) {
	const rates = "# Rates\n\n| Item | Unit | Rate | Currency | House |\n| --- | --- | --- | --- | --- |\n| Dog | night | 22 | GBP | Calton |\n" +
		"| Late departure | stay | 40 | GBP | Calton |\n| Bicycle | day | 18 | EUR | Freiburg |"
	const roster = "# Roster\n\n| Day | Cook |\n| --- | --- |\n| Fri | Ada Moor |\n| Sat | Jan Kord |"
	const wedding = "Rebecca Ashdown has ordered flowers for the wedding from Petal Works. The hall holds ninety guests."
	for _, tc := range []struct {
		question, text, want string
		refused              bool
	}{
		{"What is the charge for a dog?", rates, "Item: Dog; Unit: night; Rate: 22", false},
		{"What does a bicycle cost at the Calton?", rates, "", true},
		{"Who is the cook on Friday?", roster, "Ada Moor", false},
		{"How much do the flowers cost?", wedding, "", true},
		{"What does a ticket cost?", "The ferry leaves at six. A ticket costs twelve crowns.", "A ticket costs twelve crowns.", false},
		{"Which tram goes to the Calton?", rates, "", true},
	} {
		got := answer(t, ask(tc.question, tc.text)).Text
		if strings.HasPrefix(got, "Nothing relevant") != tc.refused || !strings.Contains(got, tc.want) {
			t.Errorf("%q is answered %q, want %q in it; refused should be %v", tc.question, got, tc.want, tc.refused)
		}
	}
}

// TestComparedInContext: sentences are compared with the question where they stand, rows
// with the names of their columns, and the words of the question are told apart.
func TestComparedInContext(t *testing.T) {
	const text = "# Harbour\n\nThe harbour was dug in 1870. It was deepened twice. Ferries leave daily.\n\n| Ferry | Leaves |\n| --- | --- |\n| Anna | 08:10 |"
	var asked embedding.Text
	seen := map[string][]string{}
	meaning := func(_ context.Context, question embedding.Text, texts []embedding.Text) ([]embedding.Nearness, error) {
		asked = question
		near := make([]embedding.Nearness, len(texts))
		for i, x := range texts {
			for _, p := range x.Parts {
				seen[x.Text] = append(seen[x.Text], x.Text[p.Start:p.End])
				near[i].Words = append(near[i].Words, make([]float64, len(question.Parts)))
			}
		}
		return near, nil
	}
	if _, err := modeltest.Collect(t.Context(), extractive.New(comparing(meaning), nil), ask("How often was the harbour deepened?", text)); err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, p := range asked.Parts {
		words = append(words, asked.Text[p.Start:p.End])
	}
	if got := strings.Join(words, " "); !strings.Contains(got, "harbour deepened") {
		t.Errorf("the words of the question are %q", got)
	}
	prose := seen["Harbour: The harbour was dug in 1870. It was deepened twice. Ferries leave daily."]
	if len(prose) != 3 || prose[0] != "The harbour was dug in 1870." || prose[2] != "Ferries leave daily." {
		t.Errorf("the sentences were read as %q", seen)
	}
	if row := seen["Harbour: | Ferry | Leaves |\n| Anna | 08:10 |"]; len(row) != 1 || row[0] != "| Anna | 08:10 |" {
		t.Errorf("the row was read as %q", seen)
	}
}

// TestPlainTextQuestions asks what stands below the questions of a plain text, which are underlined or marked.
func TestPlainTextQuestions(t *testing.T) {
	const player = "Q. My player does not see the lists of songs that\n   the program wrote.\nA. Try the option -m when you make them.\n\n" +
		"Q. Is it fast?\nA. It takes four minutes.\n"
	const arrays = "1. How do I stop an array?\n~~~~~~~~~~~~~~~~~~~~~~~~~~\n  Unmount the file system first.\n\n" +
		"2. Which level should I use?\n~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n  Level 6 survives two broken disks.\n"
	for _, tc := range []struct{ question, text, want string }{
		{"Why does my player not see the lists of songs?", player, "A. Try the option -m when you make them."},
		{"Which level should I use?", arrays, "Level 6 survives two broken disks."},
		{"How do I stop an array?", arrays, "Unmount the file system first."},
	} {
		got := answer(t, ask(tc.question, tc.text)).Text
		if !strings.Contains(got, tc.want) || strings.Contains(got, "~~") {
			t.Errorf("%s: %q", tc.question, got)
		}
	}
}

// TestNamesAreNotMisspelt asks for a name that a word of the material resembles.
func TestNamesAreNotMisspelt(t *testing.T) {
	req := ask("Who wrote about Faust?", "")
	req.Passages = nil
	for _, text := range []string{"It was nobody's fault but mine, so I wrote a tool.", "The tool copies files at night.", "Nobody wrote to us."} {
		req.Passages = append(req.Passages, passage.Passage{ID: "P" + text[:1], Kind: passage.Artifact, ArtifactID: text[:1], Citable: true, Text: text, Score: .2})
	}
	if got := answer(t, req).Text; !strings.HasPrefix(got, "Nothing relevant") {
		t.Errorf("got %q", got)
	}
}

// TestToldBefore: numbers that somebody tells of himself before he asks need not stand in the answer, those that he asks for do.
func TestToldBefore(t *testing.T) {
	const pay = "For bills above 400 pounds you may pay in three monthly instalments without interest."
	for question, want := range map[string]string{
		"The bill is 600 pounds. May I pay it in instalments?": "For bills above 400 pounds",
		"May I pay the bill 2291 in instalments?":              "Nothing relevant",
	} {
		req := searched("fees", question, pay)
		if got := answer(t, req).Text; !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q", question, got)
		}
	}
}

// TestContents asks what a table of contents has in its words and a section answers.
func TestContents(t *testing.T) {
	const text = "# Answers\n\n1. The reader stays busy until the browser is closed\n2. The reader complains about the exit code of the browser\n\n" +
		"## 1. The reader stays busy until the browser is closed\n\nStart the browser in the background.\n\n" +
		"## 2. The reader complains about the exit code of the browser\n\nThat release misreads the code. Take 2.19 or a newer one."
	if got := answer(t, ask("Why does the reader complain about the exit code of the browser?", text)).Text; !strings.HasPrefix(got, "That release misreads the code.") {
		t.Errorf("got %q", got)
	}
}

// TestSaysWhatItIs prefers what something is to what else is said of it.
func TestSaysWhatItIs(t *testing.T) {
	const text = "Keeper is licensed under version 2 of the licence.\n\nKeeper is a collection of tools that store files.\n"
	if got := answer(t, ask("What is Keeper?", text)).Text; !strings.HasPrefix(got, "Keeper is a collection") {
		t.Errorf("got %q", got)
	}
	const manual = "Lock the vault while it is written.\n\nThe layout of the vault cannot be changed.\n\nA **vault** is a directory with pieces of files.\n"
	if got := answer(t, searched("manual", "What is a vault?", manual)).Text; !strings.HasPrefix(got, "A **vault** is a directory") {
		t.Errorf("got %q", got)
	}
}

// TestHeadsOfRecords: the head of a record names who wrote it, not who wrote another one.
func TestHeadsOfRecords(t *testing.T) {
	const minutes = "# Minutes of the Works Meeting\n\n22 September 2026, drawing office\n\n**Present:** Ada Berg (chair), Bo Ray\n**Minutes:** Cleo Marsh\n\n" +
		"The minutes of 18 August were approved. The next meeting takes place in three weeks."
	const budget = "# Budget report 2026\n\nAuthor: Dan Fox\n\nThe rent of the hall was raised by 3 %."
	for question, want := range map[string]string{
		"Who took the minutes of the works meeting?":               "**Minutes:** Cleo Marsh",
		"Who wrote the minutes of the works meeting in September?": "**Minutes:** Cleo Marsh",
		"Who wrote the budget report?":                             "Author: Dan Fox",
		"Who wrote the accident report of the laboratory?":         "Nothing relevant",
	} {
		if got := answer(t, ofDocuments(question, minutes, budget)).Text; !strings.HasPrefix(got, want) {
			t.Errorf("%q is answered %q, want %q", question, got, want)
		}
	}
}

// TestCalledSo: what has the name that is to be defined comes before what is done with it, whatever a judge says.
func TestCalledSo(t *testing.T) {
	const manual = "A checkpoint starts by itself when the file has 1000 pages.\n\nMoving the pages back into the database is called a \"checkpoint\".\n\nAny program can start a checkpoint."
	if got := answer(t, searched("manual", "What is a checkpoint?", manual)).Text; !strings.HasPrefix(got, "Moving the pages back into the database is called") {
		t.Errorf("got %q", got)
	}
}

// TestNotMissing does not say that the material has nothing on a word that it has, however that is written.
func TestNotMissing(t *testing.T) {
	const manual = "The KC-3 knows twenty programmes.\n\nThe fan of the kiln can be stopped by hand, at any time, from the rear."
	got := answer(t, searched("manual", "What does the fan of the kiln cost with the KC-3?", manual)).Text
	if !strings.HasPrefix(got, "Nothing relevant") || strings.Contains(got, "“KC-3”") {
		t.Errorf("got %q", got)
	}
}

// TestWaysOfSomethingElse asks how something is done of which the material has the place alone.
func TestWaysOfSomethingElse(t *testing.T) {
	meaning := func(_ context.Context, question embedding.Text, texts []embedding.Text) ([]embedding.Nearness, error) {
		near := make([]embedding.Nearness, len(texts))
		for i, x := range texts {
			near[i].Whole = .6
			for range x.Parts {
				words := make([]float64, len(question.Parts))
				for k, p := range question.Parts {
					if strings.Contains(x.Text, question.Text[p.Start:p.End]) {
						words[k] = 1
					}
				}
				near[i].Words = append(near[i].Words, words)
			}
		}
		return near, nil
	}
	for question, refused := range map[string]bool{
		"How do I reset my password for the online portal of the laboratory?": true,
		"How do I read reports in the online portal of the laboratory?":       false,
	} {
		req := searched("contract", question, "The laboratory keeps all reports in its online portal for six years. You can read reports there.")
		got, err := modeltest.Collect(t.Context(), extractive.New(comparing(meaning), nil), req)
		if err != nil || strings.HasPrefix(got.Text, "Nothing relevant") != refused {
			t.Errorf("%s: %q, %v", question, got.Text, err)
		}
	}
}

// TestCompared: sentences far behind the best one by their words are not compared by meaning, in a document that came with
// the question all are; and what comes near in meaning as a whole, and in no word, answers nothing.
func TestCompared(t *testing.T) {
	const text = "The harbour of Kellan was deepened in 1974.\n\nIn Kellan bread is baked at four.\n\nThe library lends films.\n\nSheep graze on the hill."
	var compared int
	whole := 0.1
	meaning := func(_ context.Context, question embedding.Text, texts []embedding.Text) ([]embedding.Nearness, error) {
		near := make([]embedding.Nearness, len(texts))
		compared = 0
		for i, text := range texts {
			compared += len(text.Parts)
			near[i] = embedding.Nearness{Whole: whole, Words: make([][]float64, len(text.Parts))}
			for k := range text.Parts {
				near[i].Words[k] = make([]float64, len(question.Parts))
			}
		}
		return near, nil
	}
	said := func(question string, kind passage.Kind) string {
		req := ask(question, text)
		req.Passages[0].Kind, req.Passages[0].ArtifactID = kind, "guide"
		got, err := modeltest.Collect(t.Context(), extractive.New(comparing(meaning), nil), req)
		if err != nil {
			t.Fatal(err)
		}
		return got.Text
	}
	const harbour = "In which year was the harbour of Kellan deepened?"
	if said(harbour, passage.Artifact); compared != 1 {
		t.Errorf("%d sentences of what a search found were compared", compared)
	}
	if said(harbour, passage.Document); compared != 4 {
		t.Errorf("%d sentences of a given document were compared", compared)
	}
	whole = .7
	if got := said("Which flag lets the tool follow symbolic links?", passage.Artifact); !strings.HasPrefix(got, "Nothing relevant") {
		t.Errorf("what is near in no word answers %q", got)
	}
}

// TestInContext: in a document that came with the question, what a pronoun stands for comes with the answer, unless a date
// or an amount is asked for, which says all by itself.
func TestInContext(t *testing.T) {
	const council = "Parliament may not decide on matters that are kept for the council. These include abortion, energy and drug policy."
	const town = "The council of the valley meets in May, in the hall of the mill. It was founded in 1921 by the towns."
	answered(t, "Which matters like abortion or drug policy are there?", council, "Parliament may not decide on matters that are kept for the council.")
	if got := answer(t, ask("When was it founded by the towns?", town)).Text; !strings.HasPrefix(got, "It was founded in 1921") {
		t.Errorf("a date says all by itself: %q", got)
	}
}

// TestGermanWords: verbs whose first syllable stands at the end, nouns of verbs, participles and parts of compounds are the
// words of a German question; ordinals end no sentence.
func TestGermanWords(t *testing.T) {
	const text = "Die Kita öffnet um 7:15 Uhr. Süßigkeiten bleiben zu Hause, an Geburtstagen darf ein Kuchen mitgebracht werden.\n\n" +
		"Eine Kündigung ist für beide Seiten erstmals zum 30. April 2028 möglich. Das Büro liegt im 2. Obergeschoss links, der Keller daneben."
	for question, want := range map[string]string{
		"Wann macht die Kita auf?":                     "Die Kita öffnet um 7:15 Uhr.",
		"Darf ich einen Geburtstagskuchen mitbringen?": "an Geburtstagen darf ein Kuchen",
		"Wann kann ich frühestens kündigen?":           "30. April 2028",
		"Wo liegt das Büro?":                           "im 2. Obergeschoss links",
	} {
		if got := answer(t, searched("kita", question, text)).Text; !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
	}
	later := strings.Repeat("Die Gruppen gehen gern in den Wald und an den Strand. ", 8) + text
	if got := answer(t, searched("kita", "Wann wurde das Haus gebaut?", later)).Text; !strings.HasPrefix(got, "Nothing relevant") {
		t.Errorf("what says no time answers when: %q", got)
	}
}

// TestNamesThatBegin: a name that stands within sentences is one at the beginning of a sentence, too.
func TestNamesThatBegin(t *testing.T) {
	const text = "The tap at the north gate leaks. Paul will have it repaired by the end of October. Rosa asked Paul for the bill."
	if got := answer(t, searched("minutes", "Who repairs the tap?", text)).Text; !strings.Contains(got, "Paul will have it repaired") {
		t.Errorf("who repairs it: %q", got)
	}
}

// TestCalled: what a document is called by does not answer what is asked of it, and what is asked of one thing or person is
// not told by what is said of another.
func TestCalled(t *testing.T) {
	const tour = "SMALL GROUP TOUR \"CORK, TILES AND PORT\"\nLisbon to Porto, 10 to 17 May 2025\nFarrow Travel, Bath\n\n" +
		"Your tour leader is Ines Carvalho, mobile +351 900 555 204. She speaks three languages.\n\nLuggage\nEach traveller may check in one case of 20 kg and take one bag of 8 kg.\n"
	const practice = "# Willow Lane Dental Practice\n\nThe practice is led by Dr Helen Okafor, who joined in 2006.\n\n## Staff\n\nDr James Sutter looks after most patients with root canals. " +
		"Marta Lindqvist is our hygienist; she works on Tuesdays and Fridays.\n\n## Fees\n\n| Treatment | Fee |\n|---|---|\n| New patient examination | £62 |\n| Root canal, molar | £520 |\n\n" +
		"Bring any denture that you wear. Bring a list of your medicines."
	const museum = "# Pellworth Museum of Timekeeping\n\nIt shows clocks of six centuries.\n\n## Tickets\n\n| Ticket | At the door | Online |\n|---|---|---|\n| Adult | £11.50 | £10.00 |\n| Child | £5.00 | £4.50 |\n"
	const bus = "# Bürgerbus Talheim\n\nAuskunft erhalten Sie montags unter 07133 555 287. Bei Interesse hilft Ihnen Gisela Hornung weiter."
	const school = "Minutes of the society's meeting on Thursday\nGuest: Councillor Brian Oakes\nApologies: Joan Whitcombe\n\nThe minutes were read by the chair. The meeting closed early."
	for question, want := range map[string]string{
		"Who leads the Cork, Tiles and Port tour?":                                   "Your tour leader is Ines Carvalho",
		"On which days does Dr James Sutter work at Willow Lane?":                    "Nothing relevant",
		"How much does Willow Lane charge for a new denture?":                        "Nothing relevant",
		"How much does Willow Lane charge for a root canal?":                         "Treatment: Root canal, molar; Fee: £520",
		"What does an adult ticket for the clock museum cost online?":                "Ticket: Adult",
		"Unter welcher Telefonnummer kann ich Gisela Hornung vom Bürgerbus anrufen?": "Nothing relevant",
		"Who was the guest at the society's meeting?":                                "Guest: Councillor Brian Oakes",
		"Who is the deputy of Dr Helen Okafor?":                                      "Nothing relevant",
		"How old is Ines Carvalho?":                                                  "Nothing relevant",
		"When is Ines Carvalho's birthday?":                                          "Nothing relevant",
		"What are the opening hours of Farrow Travel?":                               "Nothing relevant",
		"Where does Marta Lindqvist live?":                                           "Nothing relevant",
		"How loud is the tour bus in decibels?":                                      "Nothing relevant",
	} {
		if got := answer(t, ofDocuments(question, tour, practice, museum, bus, school)).Text; !strings.HasPrefix(got, want) {
			t.Errorf("%q is answered %q, want %q", question, got, want)
		}
	}
}

// TestUnitsAndOtherNames: units are told by their signs, what something is called besides by marks and brackets, how long it was
// so by years; what a question says of the document itself asks for nothing.
func TestUnitsAndOtherNames(t *testing.T) {
	const kitchen = "The oven reaches 565 °C in 20 minutes. The kitchen measures 42 m². The dish washer, also known as \"the beast\", is cleaned daily. " +
		"The old canteen was in operation from 1970 to 1998."
	for _, tc := range []struct{ question, text, want string }{
		{"How many degrees Celsius does the oven reach?", kitchen, "565 °C"},
		{"How many square metres does the kitchen measure?", kitchen, "42 m²"},
		{"What is the nickname of the dish washer?", kitchen, "the beast"},
		{"What is another way of referring to the dish washer?", kitchen, "the beast"},
		{"What is the nickname of the oven?", kitchen, ""},
		{"How long was the old canteen in operation?", kitchen, "from 1970 to 1998"},
		{"According to the text, how many degrees does the oven reach?", kitchen, "565 °C"},
		{"What does the document say about the dish washer?", kitchen, "The dish washer"},
	} {
		found(t, "lake", tc.question, tc.text, tc.want)
	}
}

// TestSettingsAndRows: what is so out of the box comes with what a setting is for, a row that is named tells what stands above its
// values, and who is in charge of something is its lead.
func TestSettingsAndRows(t *testing.T) {
	const manual = "# Manual\n\n## listen-address\n\nSpecifies:\n\nThe address and port on which the proxy will listen for requests.\n\nType of value:\n\n[IP-Address]:Port\n\n" +
		"Default value:\n\n127.0.0.1:8118\n\nNotes:\n\nYou can use this statement multiple times to make the proxy listen on more ports."
	const fares = "| Route | Adult single | Adult return | Dog |\n|---|---|---|---|\n| Norddeich - Juist | 19.50 | 35 | 8 |\n| Norddeich - Helgoland | 44 | 79 | 15 |"
	const plan = "Our fifth hall\n\nProject lead: Anselm Richter\n\nThe project in Erfurt opens in May."
	for _, tc := range []struct{ question, text, want string }{
		{"On which address and port does the proxy listen out of the box?", manual, "127.0.0.1:8118"},
		{"What does a return ticket for a cat to Helgoland cost?", fares, ""},
		{"What is the adult return to Helgoland?", fares, "79"},
		{"boiling point of Virosept Plus", "# Virosept Plus\n\n| Property | Value |\n|---|---|\n| Flash point | 63 °C |\n| Density at 20 °C | 0.99 g/ml |", ""},
		{"flash point of Virosept Plus", "# Virosept Plus\n\n| Property | Value |\n|---|---|\n| Flash point | 63 °C |\n| Density at 20 °C | 0.99 g/ml |", "63 °C"},
		{"Who is in charge of the project?", plan, "Anselm Richter"},
		{"How high is the deposit?", "On signature a deposit of EUR 120,000 is lodged. The mast is 12 m high.", "EUR 120,000"},
	} {
		found(t, "lake", tc.question, tc.text, tc.want)
	}
}

// TestWaysAndEntries: entries of a manual that are not indented have their options as terms, a way is told by the steps or by what
// says how, and who holds an office is told by a name.
func TestWaysAndEntries(t *testing.T) {
	const options = "# Options\n\n`-n`\n\n`--no-scrape`\n\nSkip the scraping phase. Saves time.\n\n`-Z bytes`\n\n`--max-rate=bytes`\n\nMaximum rate, in bytes per second. " +
		"Use this option to limit the bandwidth of a copy over a network.\n\n`--delay=interval`\n\nInitial delay before the copy starts to check for slow reads. Defaults to 30 seconds.\n\n" +
		"`-l`\n\nTo run the trimming alone, specify also `--no-scrape`. It is for experts."
	const claims = "# Claiming your money\n\n1. Open your trip and choose \"Claim\".\n2. Attach all receipts.\n3. Send the claim to your approver.\n\n" +
		"Claims for travel expenses must be handed in within six weeks of the return."
	const expenses = "# What we pay\n\nHotels are paid.\n\n# Not reimbursed\n\nThe institute does not reimburse:\n\n- minibar and films\n- seat upgrades\n- clothing and luggage"
	const courses = "The timetable of the autumn is as follows.\n\nCourse                Day       Room    Tutor            Fee\n" +
		"Yoga                  Monday    14      Inés Carbajal    £138\nWatercolour painting  Tuesday   Studio1 Geraint Powell   £164\n" +
		"Bicycle repair        Saturday  Workshop Mick Dunleavy   £75"
	const leader = "The Project Secretary is appointed by the Project Leader and the current Project Secretary. The Developers elect the Project Leader."
	const allowances = "| Destination | Hotel per night | Daily allowance |\n| --- | --- | --- |\n| France | 140 € | 41 € |\n| Japan | 175 € | 52 € |"
	const biscuits = "Whisk the whites until stiff and fold in the almonds for the almond biscuits. Keep the biscuits in a tin."
	for _, tc := range []struct{ question, text, want string }{
		{"What does the option --no-scrape do?", options, "Skip the scraping phase."},
		{"How do I limit the bandwidth of a copy?", options, "`--max-rate=bytes`: Use this option"},
		{"How long does the copy wait before it checks for slow reads?", options, "30 seconds"},
		{"How do I hand in my travel expenses?", claims, "Open your trip and choose \"Claim\".\nAttach all receipts."},
		{"What things are not reimbursed?", expenses, "minibar and films\nseat upgrades\nclothing and luggage"},
		{"How much is watercolour painting?", courses, "Fee: £164"},
		{"Who teaches bicycle repair?", courses, "Tutor: Mick Dunleavy"},
		{"Who is the current Project Leader?", leader, ""},
		{"Is the daily allowance higher in France or in Japan?", allowances, "Daily allowance: 41 €\nDestination: Japan"},
		{"How long do the almond biscuits keep?", biscuits, ""},
		{"wen is bycicle repair", courses, "Day: Saturday"},
	} {
		found(t, "lake", tc.question, tc.text, tc.want)
	}
}

// TestKeysAndTimes: tables that are drawn with lines are tables, how often something is done is told by how often, who wrote
// something by who did.
func TestKeysAndTimes(t *testing.T) {
	const keys = "Mail has scores. The default of the score will never delete a message for you, as was said.\n\n┌────────┬────────────────┬──────────────────┐\n│  Key   │    Function    │   Description    │\n" +
		"├────────┼────────────────┼──────────────────┤\n│d       │<delete-message>│delete the message│\n├────────┼────────────────┼──────────────────┤\n│/       │<search>        │search for a word │\n└────────┴────────────────┴──────────────────┘"
	const backups = "The `check` operation verifies backups by their sums. Verify the backups of the office every Monday. The pump is painted white."
	const mutt = "If this option is set, Mutt will never write out the Bcc header. Mutt was written by Michael Elkins."
	const german = "# Gewinne\n\nEin realisierter Gewinn entsteht beim Verkauf. Ein nichtrealisierter Gewinn steht noch aus."
	for _, tc := range []struct{ question, text, want string }{
		{"How do I delete a message?", keys, "Key: d; Function: <delete-message>; Description: delete the message"},
		{"How often are the backups verified?", backups, "every Monday"},
		{"How often is the pump painted?", backups, ""},
		{"Who wrote Mutt?", mutt, "Michael Elkins"},
		{"Who wrote Mutt?", mutt[:strings.Index(mutt, "Mutt was")], ""},
		{"What was the last name of the player who scored?", "On the next play, Miller scored, and the player was cheered by all.", "Miller"},
		{"Was ist ein realisierter Gewinn?", german, "entsteht beim Verkauf"},
	} {
		found(t, "lake", tc.question, tc.text, tc.want)
	}
}

// TestOtherThings: what is counted, done, paid and attended is that of the question, and what leads nowhere is refused.
func TestOtherThings(t *testing.T) {
	const manual = "# Tux\n\nIf the lockfile exists, Tux Paint is not run too many times at once. Set the grid in Tux Paint with the option --grid.\n\n" +
		"The checkpoint is written each time the interval passes (the default value for this is 30 minutes)."
	const minutes = "# Minutes of 11 March\n\nPresent: Alan Pickering (chair), Ruth Mbeki.\n\nApologies: Farida Sultan.\n\nThe hall is painted."
	const staff = "# Staff\n\n| Name | Extension | In charge of |\n| --- | --- | --- |\n| Priya Raman | 14 | drugs |"
	const garden = "# Satzung\n\nKaninchen dürfen gehalten werden, höchstens sechs Tiere je Parzelle. Jede Parzelle leistet acht Stunden im Jahr."
	const secretary = "# Elections\n\nRob Finch steps down as secretary after nine years. Lin Po was elected the new secretary with all votes."
	const recipes = "# Fish pie\n\n| Ingredient | Amount |\n| --- | --- |\n| Prawns | 150 g |\n\nInstead of prawns you may take four eggs. Passwords of the stove do not expire."
	for _, tc := range []struct{ question, text, want string }{
		{"How many schools use Tux Paint?", manual, ""},
		{"How do I use layers in Tux Paint?", manual, ""},
		{"How often is a checkpoint written?", manual, "30 minutes"},
		{"Who was missing from the meeting of 11 March?", minutes, "Farida Sultan"},
		{"How much does Priya Raman earn?", staff, ""},
		{"Wie viele Parzellen hat der Verein?", garden, ""},
		{"Who is the new secretary?", secretary, "Lin Po"},
		{"What can I use in place of the prawns?", recipes, "Instead of prawns"},
		{"When do passwords expire?", recipes, "do not expire"},
	} {
		found(t, "lake", tc.question, tc.text, tc.want)
	}
}

// TestWordsBeforeCode: what two things are is told by the sentences that say it, not by code that is named alike; code that has
// little of a question is no answer.
func TestWordsBeforeCode(t *testing.T) {
	const indexes = "# Indexes\n\nThere are two kinds of secondary index:\n\n* Global secondary index - An index that spans all partitions of the table.\n" +
		"* Local secondary index - An index with the same partition key as the table.\n\nAn example:\n\n```ts\ntable.addLocalSecondaryIndex({\n" +
		"  indexName: 'second',\n  sortKey: { name: 'sk', type: Type.NUMBER },\n});\n```\n\n```ts\nwriteCapacity: Capacity.autoscaled({ minCapacity: 5, maxCapacity: 20 }),\n```\n"
	got := answer(t, ask("What is the difference between a global and a local secondary index?", indexes)).Text
	if !strings.Contains(got, "spans all partitions") || !strings.Contains(got, "the same partition key") || strings.Contains(got, "sortKey") {
		t.Errorf("the difference: %q", got)
	}
	if got := answer(t, ask("What is the maximum item size of the table?", indexes)).Text; !strings.HasPrefix(got, "Nothing relevant") {
		t.Errorf("the size: %q", got)
	}
}

// TestFollowingList: a sentence that speaks of what follows brings the list below it, without a colon, too.
func TestFollowingList(t *testing.T) {
	const text = "# Hooks\n\nTo enable a hook, add a script with one of the following names to the folder.\n\n" +
		"- `pre-load` runs before data are read.\n- `post-save` runs after data were written.\n\nScripts must be executable."
	got := answer(t, ask("How do I enable a hook?", text)).Text
	if !strings.Contains(got, "pre-load") || !strings.Contains(got, "post-save") {
		t.Errorf("got %q", got)
	}
}

// TestLedInto: what a sentence leads into comes with it, whatever brought that sentence into the answer.
func TestLedInto(t *testing.T) {
	const permits = "# How to apply\n\nOnline applications for a permit are dealt with at once. You need:\n\n- proof that you live in the zone;\n" +
		"- the registration document of the vehicle.\n\nPermits are digital.\n"
	const order = "Two things that came up\n\nDaniel asked about taking down the wall to the dining room. We looked at the plans: it bears the floor above, " +
		"so an engineer has to see it first.\n\nYour builder sets the new socket for the lamp.\n"
	found(t, "permits.docx", "Are online applications dealt with at once?", permits, "the registration document of the vehicle")
	found(t, "order.eml", "Can you take down the wall to the dining room?", order, "it bears the floor above")
}

// TestToldWithTheQuestion: what a turn, an earlier one or the system prompt tells is material, too.
func TestToldWithTheQuestion(t *testing.T) {
	const library = "The library opens at nine on weekdays. Late fees are 20 pence a day."
	none := "I answer from documents"
	for _, tc := range []struct {
		system string
		turns  []string
		want   string
	}{
		{"", []string{"Context: " + library + "\n\nQuestion: How high are the late fees?"}, "Late fees are 20 pence a day."},
		{"", []string{library + "\n\nHow high are the late fees?"}, "Late fees are 20 pence a day."},
		{"", []string{library + " When does it open?", "And how high are the late fees?"}, "Late fees are 20 pence a day."},
		{"Answer by the context.\n\nContext: " + library, []string{"How high are the late fees?"}, "Late fees are 20 pence a day."},
		{"", []string{"My cat is called Max.", "What is my cat called?"}, "My cat is called Max."},
		{"", []string{library + "\n\nWho founded the orchestra?"}, "Nothing relevant"},
		{"", []string{"I have a question. Who founded the orchestra?"}, none},
		{"", []string{"Who founded the orchestra?"}, none},
		{"Answer politely.", []string{"Who founded the orchestra?"}, none},
	} {
		req := modeltest.Request()
		req.MaxTokens, req.Messages = 1000, nil
		if tc.system != "" {
			req.System = []message.System{{Text: tc.system}}
		}
		for i, turn := range tc.turns {
			if i > 0 {
				req.Messages = append(req.Messages, message.Input{Role: message.RoleAssistant, Content: message.Content{message.NewText("Yes.")}})
			}
			req.Messages = append(req.Messages, message.Input{Role: message.RoleUser, Content: message.Content{message.NewText(turn)}})
		}
		if got := answer(t, req).Text; !strings.HasPrefix(got, tc.want) {
			t.Errorf("%q of %q is answered %q, want %q", tc.turns, tc.system, got, tc.want)
		}
	}
}

// TestLetters: of a letter its questions are searched for and answered.
func TestLetters(t *testing.T) {
	const lease = "The Tenants pay a deposit of £1,557 before moving in. Water rates are paid by the Landlord. Pets are not allowed."
	letter := "Hi there,\n\nwe moved in in April. " + strings.Repeat("The neighbours told us that the roof used to leak, and my sister in Leeds may marry. ", 8) +
		"So here is what I would like to ask you: Who pays for water?\n\nMany thanks,\nDaniel"
	found(t, "lease.docx", letter, lease, "Water rates are paid by the Landlord.")
	req := searched("lease.docx", letter, lease)
	req.Passages = nil
	req.Tools = []model.Tool{{Name: "search", Server: true, InputSchema: message.Object(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`)}}
	if got := answer(t, req); len(got.Calls) != 1 || strings.Join(got.Calls[0].Pieces, "") != `{"query":"Who pays for water?"}` {
		t.Errorf("searched for %v", got.Calls)
	}
}

// TestStepsAtTheBeginning: what leads into steps below a title is no line above a letter.
func TestStepsAtTheBeginning(t *testing.T) {
	found(t, "kettle.md", "How do I descale the kettle?", "# Kettle\n\nTo descale the kettle:\n\n1. Fill it with water and vinegar.\n2. Boil it twice.\n",
		"Fill it with water and vinegar.\nBoil it twice.")
}

// TestSummaryOfALetter: a letter has no sections, its paragraphs are what it is made of; its greetings say nothing.
func TestSummaryOfALetter(t *testing.T) {
	const letter = "Dear parents,\n\nYear 4 goes to Pinewood Camp on 15 October. The coach leaves at 8:30. It is blue. It has seats. It has a driver.\n\n" +
		"The trip costs £165 per child.\n\nThe permission slip must be back by Friday.\n\nKind regards,\nHelen Abbott"
	got := answer(t, ask("Summarise the letter.", letter)).Text
	if strings.Contains(got, "Dear") || strings.Contains(got, "regards") || !strings.Contains(got, "£165") || !strings.Contains(got, "slip") {
		t.Errorf("the summary is %q", got)
	}
}

// TestLabelledQuestions: a question by its label is no answer, also where it has no mark of one; what follows it is.
func TestLabelledQuestions(t *testing.T) {
	const faq = "Q:\n\nI downloaded a film and it does not play!\n\nA:\n\nThe file is broken or a fake.\n\nQ:\n\nThe film is jerky.\n\nA:\n\nUse a larger cache."
	found(t, "faq.html", "The film I downloaded does not play", faq, "The file is broken or a fake.")
	found(t, "faq.html", "Why is the film jerky?", faq, "Use a larger cache.")
}

// TestStamps: a line that says who wrote what is below it is no answer by itself, and is said with what is.
func TestStamps(t *testing.T) {
	const ticket = "Ticket 88213\n\n2026-10-12 08:04  Moira Quill (customer)\nThe nightly backup fails since Saturday.\n\n" +
		"2026-10-12 08:31  Ann Reyes (support)\nPlease restart the backup appliance. Tell me the colour of its lamp.\n"
	if got := answer(t, searched("ticket.txt", "What should be done with the backup appliance?", ticket)).Text; !strings.HasPrefix(got,
		"2026-10-12 08:31  Ann Reyes (support): Please restart the backup appliance.") {
		t.Errorf("%q", got)
	}
}

// TestPointing: what says something of the sentence before it is said with that sentence, other sentences are not.
func TestPointing(t *testing.T) {
	for _, c := range []struct{ question, text, want string }{
		{"How do I make sure that no password stays on the clipboard?",
			"The preferences have three tabs. Set the delay to a few seconds, and what was copied is wiped. This ensures that no password stays on the clipboard.",
			"Set the delay to a few seconds, and what was copied is wiped. This ensures that no password stays on the clipboard."},
		{"What is a snapshot?", "The disk is read once a night. The state of all files is kept under its date. This is called a snapshot.",
			"The state of all files is kept under its date. This is called a snapshot."},
		{"What does the device measure?", "Rain is forecast in the north for all of next week, and the roads will be closed. That device measures the pressure of the air.",
			"That device measures the pressure of the air."},
	} {
		if got := answer(t, ask(c.question, c.text)).Text; got != c.want {
			t.Errorf("%q is answered %q, want %q", c.question, got, c.want)
		}
	}
}
