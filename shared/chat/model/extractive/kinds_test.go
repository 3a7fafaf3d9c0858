package extractive_test

import (
	"fmt"
	"strings"
	"testing"

	"lectern/shared/chat/model"
	"lectern/shared/message"
	"lectern/shared/message/passage"
)

// TestKindsOfAnswers: what is asked for decides which sentence answers: an amount, a name
// of a program's, a definition, a way to do something, each of two things, all of a label.
func TestKindsOfAnswers(t *testing.T) {
	const limits = "# Limits\n\nThe maximum length of a record name can be lowered by store3_limit(). The maximum length of a record name is defined by MAX_NAME. " +
		"The default value of MAX_NAME is 4096 bytes. Longer names are cut."
	const tables = "# Files\n\nA sales table in a file has a header. So the first lines of a file with a sales table look alike. " +
		"A sales table is read from a file with load_table() in one call."
	const log = "# Logs\n\nUnlike other modes, JRN mode is kept over a restart. A newer option (hereafter referred to as \"JRN\") appends a change to a journal. " +
		"To convert to JRN mode, restart."
	const chart = "# Charts\n\nTo scale, move or mirror a chart, drag it by the title. The margin is wide.\n\n" +
		"The caption command sets the title of a chart above it. The default is none."
	const minutes = "# Minutes\n\nDate: 3 May 2026, Room Elbe\n\nPresent: Ada Moor, Jan Kord\n\nAbsent: Lena Falk\n\nDecision: The yard is paved in June.\n\n" +
		"Action: Jan Kord asks for offers.\n\nAction: Ada Moor tells the tenants.\n\nNext meeting: 7 June 2026"
	for _, tc := range []struct{ question, text, want, not string }{
		{"What is the maximum length of a record name?", limits, "The default value of MAX_NAME is 4096 bytes.", "Longer"},
		{"Which function reads a sales table from a file?", tables, "A sales table is read from a file with load_table() in one call.", "alike"},
		{"What is JRN mode?", log, "hereafter referred to as", ""},
		{"How do I set the title of a chart?", chart, "The caption command sets the title of a chart above it. The default is none.", "The margin"},
		{"Who was absent and when is the next meeting?", minutes, "Next meeting: 7 June 2026", ""},
		{"Who was absent and when is the next meeting?", minutes, "Lena Falk", ""},
		{"List all actions and decisions of the minutes.", minutes, "Decision: The yard is paved in June.\nAction: Jan Kord asks for offers.\nAction: Ada Moor tells the tenants.", "Present"},
	} {
		got := answer(t, ask(tc.question, tc.text)).Text
		if !strings.Contains(got, tc.want) || tc.not != "" && strings.Contains(got, tc.not) {
			t.Errorf("%q is answered %q, want %q in it, not %q", tc.question, got, tc.want, tc.not)
		}
	}
}

// TestRefusesWhatIsNotThere: a near miss is offered at most, not given as the answer.
func TestRefusesWhatIsNotThere(t *testing.T) {
	const handbook = "# Handbook\n\nEvery full-time employee has 29 days of paid leave per calendar year. Parents may take up to 36 months off for each child.\n\n" +
		"# Release\n\nAction: Mei Lin informs the pilot customers by 16 October. The release has a new date."
	for _, tc := range []struct {
		question string
		refused  bool
	}{
		{"How many days of paid leave are there?", false},
		{"How many days of sabbatical leave are paid?", true},
		{"How many pilot customers does the release have?", true},
		{"What is the penalty for leave?", true},
	} {
		got := answer(t, ask(tc.question, handbook)).Text
		if strings.HasPrefix(got, "Nothing relevant") != tc.refused {
			t.Errorf("%q is answered %q; refused should be %v", tc.question, got, tc.refused)
		}
	}
}

// answered asks about a text; an empty want is a refusal.
func answered(t *testing.T, question, text, want string) {
	t.Helper()
	expect(t, ask(question, text), question, want)
}

// found asks about a text that a search found in an artifact; an empty want is a refusal.
func found(t *testing.T, artifact, question, text, want string) {
	t.Helper()
	expect(t, searched(artifact, question, text), question, want)
}

func expect(t *testing.T, req *model.Request, question, want string) {
	t.Helper()
	got := answer(t, req).Text
	if refused := strings.HasPrefix(got, "Nothing relevant"); refused != (want == "") || !strings.Contains(got, want) {
		t.Errorf("%q is answered %q, want %q in it", question, got, want)
	}
}

// TestNeeds: an address, a number, a version or a bound is answered by such alone, and
// something with an identifier or a number of its own not by another of the kind.
func TestNeeds(t *testing.T) {
	const office = "# Office\n\nThe office of the Calton is led by Ada Moor, whose deputy is on leave. Applications are sent to the office by post.\n\n" +
		"The office has version control for its texts. The hourly rate for the hall is agreed in June.\n\n" +
		"| Van | Seats | Due |\n| --- | --- | --- |\n| Van 2 | 9 | May |\n| Van 3 | 4 | June |"
	const reach = "# Reach us\n\nThe office answers the phone at 01225 555 0138 and mail to office@calton.example. A shelf holds up to 12 boxes. " +
		"Boxes are made of card. The program runs from version 3.2 on."
	const clinic = "# Clinic\n\nAfter an operation a dog walks ten minutes on the lead, three times a day. The railway inspected the closed line for two hours, " +
		"for which a claim follows. The cabinet has a lock with a code and a key. Ask for Ada Moor.\n\n" +
		"Two scanners were on trial in March. The first costs £23,900 and the second £19,450."
	for _, tc := range []struct{ question, text, want string }{
		{"To which e-mail address are applications sent?", office, ""},
		{"What is the phone number of the office?", office, ""},
		{"Which version of the texts does the office have?", office, ""},
		{"What is the hourly rate for the hall?", office, ""},
		{"What is Ada Moor's salary?", office, ""},
		{"What is the phone number of Ada Moor's deputy?", reach + "\n\nTell Ada Moor.", ""},
		{"When is Van 4 due?", office, ""},
		{"When is Van 3 due?", office, "Van: Van 3; Seats: 4; Due: June"},
		{"What is the phone number of the office?", reach, "01225 555 0138"},
		{"What is the e-mail address of the office?", reach, "office@calton.example"},
		{"How many boxes does a shelf hold at most?", reach, "A shelf holds up to 12 boxes."},
		{"Which version does the program need?", reach, "version 3.2"},
		{"For how many weeks must a dog rest after an operation?", clinic, ""},
		{"For how many minutes may a dog walk after an operation?", clinic, "After an operation a dog walks ten minutes"},
		{"How much does the railway claim for the closed line?", clinic, ""},
		{"What is the code of the lock on the cabinet?", clinic, ""},
		{"What is the correo electrónico de Ada Moor?", clinic, ""},
		{"How much were the two scanners that were on trial?", clinic, "Two scanners were on trial in March. The first costs £23,900"},
		{"What does a day ticket cost?", "# Fares\n\n| Ticket | Adult | Child |\n| --- | --- | --- |\n| Day | 6.8 | 3.4 |\n| Week | 19 | 9.5 |", "Adult: 6.8"},
	} {
		answered(t, tc.question, tc.text, tc.want)
	}
	for question, refused := range map[string]bool{"Who wrote report IR-2026-001?": true, "Who wrote report IR-2026-002?": false,
		"What did the yard cost in 2019?": true} {
		req := searched("report", question, "Report IR-2026-002, written by Ada Moor. The yard cost 900 EUR in 2026.")
		if got := answer(t, req).Text; strings.HasPrefix(got, "Nothing relevant") != refused {
			t.Errorf("%q is answered %q", question, got)
		}
	}
}

// TestRowsAndForms: a row answers for the thing that it names, the rows of a form for the one thing that it is about, and
// opening hours are told by hours.
func TestRowsAndForms(t *testing.T) {
	const fees = "# Fees\n\n| Operation | Fee |\n| --- | --- |\n| Cat spay | 80 |\n| Dog spay | 120 |\n| Rabbit castration | 60 |\n\n" +
		"A ferret and a goat may stay overnight. The cremation of animals is done by a firm."
	const handbook = "# Handbook\n\nIt applies at our three surgeries: Bracken (main surgery), Lower Tam (branch) and Quay (branch).\n\n" +
		"| Area | Who |\n| --- | --- |\n| Warden, Bracken | Cal Reeve |\n| Warden, Quay | Piers Holl |\n| Waste | Cal Reeve |"
	const consent = "# Consent\n\n| Owner | Mrs Delia Farn |\n| --- | --- |\n| Animal | Bramble, terrier |\n| Born | 9 May 2018 |\n| Microchip | 9772001 |\n| Weight | 8.6 kg |"
	const hours = "# Visit us\n\n| Surgery | Monday to Friday | Saturday |\n| --- | --- | --- |\n| Mill Lane | 8:00–19:00 | 8:30–13:00 |\n| Quay Street | 9:00–17:30 | closed |"
	for _, tc := range []struct{ question, text, want string }{
		{"Who is the warden at Quay?", handbook, "Area: Warden, Quay; Who: Piers Holl"},
		{"How much does a cat spay cost?", fees, "Operation: Cat spay; Fee: 80"},
		{"How much does a ferret spay cost?", fees, ""},
		{"How much is the spay of a goat?", fees, ""},
		{"What is the microchip number of Bramble?", consent, "Microchip: 9772001"},
		{"How heavy is Bramble?", consent, "Weight: 8.6 kg"},
		{"Who is the owner of Bramble?", consent, "Owner: Mrs Delia Farn"},
		{"What are the Saturday opening hours at Mill Lane?", hours, "Saturday: 8:30–13:00"},
		{"Until when is Mill Lane open on Saturday?", hours, "Saturday: 8:30–13:00"},
	} {
		answered(t, tc.question, tc.text, tc.want)
	}
}

// TestSeveralPlaces: a place that is one of several at the beginning of a document is not that of each of its rows.
func TestSeveralPlaces(t *testing.T) {
	req := ask("Who is the fire warden at Lower Tam?", "# Handbook\n\nIt applies at our three surgeries: Bracken (main surgery), Lower Tam (branch) and Quay "+
		"(branch).\n\nThese are responsible:\n\n| Area | Who |\n| --- | --- |\n| Fire warden, Bracken | Cal Reeve |\n| Fire warden, Quay | Piers Holl |\n| Waste | Cal Reeve |")
	req.Passages[0].Kind, req.Passages[0].ArtifactID = passage.Artifact, "handbook"
	if got := answer(t, req).Text; !strings.HasPrefix(got, "Nothing relevant") {
		t.Errorf("answered %q", got)
	}
}

// TestWrittenOtherwise: a word of the question counts where a text abbreviates it, writes
// it in full, in digits or as two words, has another form of it, or one that means the same.
func TestWrittenOtherwise(t *testing.T) {
	const text = "The U.N. sent Ada Moor to Ulmen. Later Moor taught at the town's academy. The play was first staged in 1974 at the Long House. " +
		"The 3rd tower holds an observatory. The Super Bowl of Ulmen is made of silver. Anyone who is sick rings the warden. The guild bought the mill."
	for question, want := range map[string]string{
		"Whom did the United Nations send to Ulmen?":      "The U.N. sent Ada Moor to Ulmen.",
		"Whom did the UN send to Ulmen?":                  "The U.N. sent Ada Moor to Ulmen.",
		"At what did Moor later teach?":                   "Later Moor taught at the town's academy.",
		"What was staged in the 1970s?":                   "The play was first staged in 1974",
		"What was staged in the 70's?":                    "The play was first staged in 1974",
		"What does the third tower hold?":                 "The 3rd tower holds an observatory.",
		"What is the superbowl of Ulmen made of?":         "The Super Bowl of Ulmen is made of silver.",
		"Whom does somebody ring who is ill?":             "Anyone who is sick rings the warden.",
		"Who was the buyer of the mill?":                  "The guild bought the mill.",
		"What was staged in the 1980s?":                   "",
		"What does the fourth tower of Ulmen's wall hold": "",
	} {
		got := answer(t, ask(question, text)).Text
		if want != "" && !strings.HasPrefix(got, want) || want == "" && strings.HasPrefix(got, "The play") {
			t.Errorf("%q is answered %q, want %q", question, got, want)
		}
	}
}

// TestRecords: lines that say the rows of a table are told apart by day and hour, and what
// stands below a heading that is a term defines it.
func TestRecords(t *testing.T) {
	const rota = "# Week 17\n\n- Day: Fri 24; Show: 19:30; Watch: Lou\n- Day: Sat 25; Show: 14:30; Watch: Petra\n- Day: Sat 25; Show: 19:30; Watch: Ben"
	if got := answer(t, ask("Who is on watch on Saturday evening?", rota)).Text; !strings.Contains(got, "Ben") || strings.Contains(got, "Petra") {
		t.Errorf("the rota says %q", got)
	}
	const guide = "# Guide\n\n## Relaxed shows\n\nOnce in each run. The lamps stay on and you may come and go.\n\n## Quiet room\n\nOpen at every show, not only at relaxed shows."
	if got := answer(t, ask("Explain what a relaxed show is.", guide)).Text; !strings.HasPrefix(got, "Once in each run. The lamps stay on") {
		t.Errorf("the guide says %q", got)
	}
}

// TestAsking: "when", "who" and "where" that only join parts of a question do not ask.
func TestAsking(t *testing.T) {
	const text = "# Alarms\n\nVisitors leave by the marked doors if the alarm rings.\n\nFor a test of visitors the alarm rings on 3 May 2026."
	if got := answer(t, ask("What do visitors do when the alarm rings?", text)).Text; !strings.HasPrefix(got, "Visitors leave") {
		t.Errorf("answered %q", got)
	}
	if got := answer(t, ask("When does the alarm ring for visitors?", text)).Text; !strings.HasPrefix(got, "For a test") {
		t.Errorf("answered %q", got)
	}
}

// TestCounts: what stands in the rows of a table is counted, each value once, with the
// conditions that the question names; a column of numbers is looked up, not counted.
func TestCounts(t *testing.T) {
	const suppliers = "# Suppliers\n\n| Supplier | City | Orders |\n| --- | --- | --- |\n| Kiesel | Hamburg | 12 |\n| Adler | Lyon | 7 |\n" +
		"| Brandt | Hamburg | 9 |\n| Total | | 28 |\n\nAll of them deliver within a week."
	for question, want := range map[string]string{
		"How many suppliers are in Hamburg?":     "2:\n\nSupplier: Kiesel; City: Hamburg; Orders: 12 [AB11]\nSupplier: Brandt; City: Hamburg; Orders: 9 [AB11]",
		"How many suppliers are there?":          "3:\n\nSupplier: Kiesel; City: Hamburg; Orders: 12 [AB11]\n",
		"How many different cities are there?":   "2:\n\nSupplier: Kiesel; City: Hamburg; Orders: 12 [AB11]\nSupplier: Adler; City: Lyon; Orders: 7 [AB11]",
		"How many orders has Adler?":             "Supplier: Adler; City: Lyon; Orders: 7 [AB11]",
		"How many suppliers are in Rotterdam?":   "Nothing relevant",
		"Wie viele Supplier gibt es in Hamburg?": "2:",
	} {
		req := ask(question, suppliers)
		req.Cite = true
		if got := answer(t, req).Text; !strings.HasPrefix(got, want) {
			t.Errorf("%q is answered %q, want %q", question, got, want)
		}
	}
	long := "# Items\n\n| Item | Note |\n| --- | --- |\n"
	for i := range 30 {
		long += fmt.Sprintf("| item%d | %s |\n", i, strings.Repeat("words ", 8))
	}
	if got := answer(t, ask("How many items are there?", long+"\nThe end.")).Text; !strings.HasPrefix(got, "30 (1–") {
		t.Errorf("a long table is answered %q", got)
	}
}

// TestRefusesInTheLanguage: what refuses begins alike in every language, and goes on in
// the question's.
func TestRefusesInTheLanguage(t *testing.T) {
	const hours = "Die Niederlassung Gdańsk ist montags von 8 bis 16 Uhr geöffnet und hat die Telefonnummer 0123."
	for question, want := range map[string]string{
		"Wie lautet die Faxnummer der Niederlassung Gdańsk?":                 "Nothing relevant: zu „Faxnummer“ steht nichts im Material. Am nächsten kommt:\n\nDie Niederlassung",
		"Wer hat die Oper komponiert?":                                       "Nothing relevant: zu „Wer hat die Oper komponiert?“ steht nichts im Material.",
		"Qui a composé cet opéra ?":                                          "Nothing relevant: le contenu ne dit rien au sujet de « Qui a composé cet opéra ? ».",
		"Who composed the opera?":                                            "Nothing relevant to “Who composed the opera?” was found in the material.",
		"What is the price of [AB11]?":                                       "Nothing relevant to “the price of (AB11)” was found in the material.",
		strings.Repeat("I have a boat. ", 20) + "\nWho painted it?":          "Nothing relevant to “I have a boat. Who painted it?” was found in the material.",
		"Wie lautet die Faxnummer vom Seminarhaus der Niederlassung Gdańsk?": "Nothing relevant: zu „Faxnummer“, „Seminarhaus“ steht",
	} {
		if got := answer(t, ask(question, hours)).Text; !strings.HasPrefix(got, want) {
			t.Errorf("%q is answered %q, want %q", question, got, want)
		}
	}
	const office = "The office in Riga opens at 8:30. Parking costs 4 euros a day. The canteen is closed on Fridays."
	want := "Nothing relevant to “the phone number of the office” was found in the material."
	if got := answer(t, ask("What is the phone number of the office?", office)).Text; !strings.HasPrefix(got, want) {
		t.Errorf("answered %q, want %q", got, want)
	}
}

// TestGiven: a document that the client sent with the question has its answer likelier than
// one that a search found.
func TestGiven(t *testing.T) {
	req := ask("Which entity has a monopoly on initiating treaties?", "The commission alone may initiate legislation, which gives it a monopoly.")
	if got := answer(t, req).Text; !strings.HasPrefix(got, "The commission alone") {
		t.Errorf("over a document: %q", got)
	}
	req.Passages[0].Kind, req.Passages[0].ArtifactID = passage.Artifact, "treaty"
	if got := answer(t, req).Text; !strings.HasPrefix(got, "Nothing relevant") {
		t.Errorf("over what a search found: %q", got)
	}
}

// TestScopes: the rows of a table that say what is asked for, a setting's title that has the
// value, and names at the beginning of a document, but not for how somebody is reached.
func TestScopes(t *testing.T) {
	const garages = "# Garages\n\n| Garage | Place | Let to |\n| --- | --- | --- |\n| G1 | court | A-05 |\n| G2 | court | free |\n| G3 | cellar | B-09 |\n" +
		"| G4 | cellar | free |\n\nThe list is of May."
	if got := answer(t, ask("Which garages are free?", garages)).Text; !strings.Contains(got, "G2") || !strings.Contains(got, "G4") ||
		strings.Contains(got, "G1") || strings.Contains(got, "G3") {
		t.Errorf("the free garages are %q", got)
	}
	const settings = "retry_delay (default: 300 seconds)\n\nHow often the queue is looked at.\n\nqueue_lifetime (default: 5 days)\n\n" +
		"How long a message stays in the queue before it goes back to its sender."
	if got := answer(t, ask("How long does a message stay in the queue before it goes back?", settings)).Text; !strings.HasPrefix(got, "queue_lifetime (default: 5 days)") {
		t.Errorf("the setting is %q", got)
	}
	const contract = "Lift Agreement between Aldermere Ltd and Verhoeven Lifts Ltd.\n\nPresent: Mara Holt (chair).\n\n# 4 Fees\n\n" +
		"The annual fee is 13,860 pounds. Please pay to IBAN CH93 0076 2011 6238 5295 7."
	for question, want := range map[string]string{
		"What is the annual fee of Verhoeven?":   "The annual fee is 13,860 pounds.",
		"What is the phone number of Verhoeven?": "Nothing relevant",
	} {
		req := searched("contract", question, contract)
		if got := answer(t, req).Text; !strings.HasPrefix(got, want) {
			t.Errorf("%q is answered %q, want %q", question, got, want)
		}
	}
}

// TestDecided: a question for a yes or a no is answered with the one that its entry begins with.
func TestDecided(t *testing.T) {
	const faq = "## Can it add redundancy?\n\nNo, it can't. Its maker looked into that for some years. To defend the archive against broken disks it would have to know all of them.\n\n" +
		"## Is it free?\n\nYes. It costs nothing."
	if got := answer(t, ask("Does it defend the archive against broken disks?", faq)).Text; !strings.HasPrefix(got, "No, it can't. To defend the archive") {
		t.Errorf("answered %q", got)
	}
}

// TestNotTold: what tells of something else than the question names is no answer to it: another
// place of a page, a list of who was there, another part of a program, a number of another kind.
func TestNotTold(t *testing.T) {
	halls := "# Our halls\n\nAda Moor keeps this page. " + strings.Repeat("She is glad of news. ", 15) + "\n\n## Ulmen\n\nThe hall has a stage and 40 seats. Ring the bell.\n\n" +
		"## Borken\n\nThe hall stands by the lake. Ask at the inn for the key.\n\n## Hire\n\nA hall is booked by letter in Borken too."
	const minutes = "# Minutes of the club\n\nPresent: Ada Moor (chair), Jan Kord, Lena Falk.\n\nExcused: Olaf Bree.\n\nThe yard is paved in June."
	const manual = "# frob\n\nThe --quiet option of frob hides all messages. The dry option pays off.\n\nWith max_size you cap a file. It is 40 MB."
	const boat = "# Boats\n\nThe Marlin 7 costs 900 EUR and seats 12.\n\n# Heron\n\nThe Heron 3 weighs 90 kg."
	const people = "# People\n\n| Task | Person | Extension | E-mail |\n| --- | --- | --- | --- |\n| Keys and bells | Ida Falk | 31 | falk@hall.example |\n" +
		"| Money | Jan Kord | 47 | kord@hall.example |"
	const faq = "# FAQ\n\n<details><summary>Should I lock the `boat` at night?</summary><br/>\n\nNo. Unless it is full, the watchman sees to it.\n\n</details>"
	for _, tc := range []struct{ question, text, want string }{
		{"How many seats does the hall in Ulmen have?", halls, "40 seats"},
		{"How is the hall in Borken booked?", halls, "by letter"},
		{"What does Jan Kord earn at the club?", minutes, ""},
		{"Who was excused?", minutes, "Olaf Bree"},
		{"Who was the chair of the club?", minutes, "Ada Moor (chair)"},
		{"What does the --dry-run option of frob do?", manual, ""},
		{"What does the --quiet option of frob do?", manual, "hides all messages"},
		{"What is the default of max_count?", manual, ""},
		{"How heavy is the Marlin 7?", boat, ""},
		{"How heavy is the Heron 3?", boat, "90 kg"},
		{"Who has extension 47?", people, "Jan Kord"},
		{"What is the e-mail address of the person in charge of bells?", people, "falk@hall.example"},
		{"Should the boat be locked at night?", faq, "No. Unless it is full"},
	} {
		answered(t, tc.question, tc.text, tc.want)
	}
	req := ask("How many seats does the hall in Borken have?", halls)
	req.Passages[0].Kind, req.Passages[0].ArtifactID, req.Passages[0].Headings = passage.Artifact, "halls", []string{"Our halls"}
	if got := answer(t, req).Text; !strings.HasPrefix(got, "Nothing relevant") {
		t.Errorf("seats in Borken are told from Ulmen: %q", got)
	}
}

// TestGermanOffice: a German question is answered by its nouns: what it is asked with, a compound
// that has one of them, and the year of a report count as there.
func TestGermanOffice(t *testing.T) {
	const people = "- Name: Jan Kord; Aufgabe: Gärtner; Zuständig für: Lindenhof; Telefon: 0301 4410; Raum: Schuppen 2\n" +
		"- Name: Ida Falk; Aufgabe: Kasse; Zuständig für: Mahnungen, Streit um Beiträge; Telefon: 0301 4411; Raum: 17"
	const report = "# Bericht über das Jahr 2024\n\nDie Jahreseinnahmen betrugen 48.000 Euro. Die Ausgaben waren niedriger. Die Zahl der Mitglieder stieg auf 310."
	const rules = "# Garten\n\nAuf den Wiesen ist nur Ballspiel ohne Schuhe erlaubt. Hartgummibälle sind dort verboten."
	for _, tc := range []struct{ question, text, want string }{
		{"Unter welcher Nummer erreiche ich den Gärtner vom Lindenhof?", people, "0301 4410"},
		{"In welchem Zimmer sitzt Frau Falk?", people, "Raum: 17"},
		{"An wen wende ich mich, wenn ich Streit um meine Beiträge habe?", people, "Ida Falk"},
		{"Welche Faxnummer hat Frau Falk?", people, ""},
		{"Wie hoch waren die Einnahmen im Jahr 2024?", report, "48.000 Euro"},
		{"Wie hoch waren die Spenden im Jahr 2024?", report, ""},
		{"Darf ich auf meiner Wiese mit Gummi spielen?", rules, "Hartgummibälle sind dort verboten"},
	} {
		answered(t, tc.question, tc.text, tc.want)
	}
}

// TestWhatStandsBeside: an answer takes the sentence that completes it: the default of an option, what a reason is
// given for, the paragraph below a title, who is meant after who is not.
func TestWhatStandsBeside(t *testing.T) {
	const manual = "# Settings\n\nLAMPLEVEL share of oil\n\nIf LAMPLEVEL is given, the lamp goes out when the oil is below that share. The share is a whole number. The default is 7 shares.\n\n" +
		"FLAGDELAY time in hours\n\nWith FLAGDELAY the flag stays up for so many hours after dusk. It is then taken down by the guard."
	const gate = "# Gate\n\nThe gate has no way to do this. The reason is that the gate opens to the road, where a barrier to lock from within would be in the way.\n\n" +
		"The wall is old. It stands since 1790."
	const inn = "# The new inn\n\nThe inn opens on 3 May 2026. Ida Falk will be in charge of it."
	const hours = "# Museum\n\nThe museum sells tickets to the garden, in Ulmen only.\n\n| Site | Saturday | Sunday |\n| --- | --- | --- |\n" +
		"| Ulmen | 9:30–16:45 | closed |\n| Borken | 10:00–12:00 | closed |"
	for _, tc := range []struct{ question, text, want string }{
		{"At which share of oil does the lamp go out if LAMPLEVEL is not set?", manual, "The default is 7 shares."},
		{"What is FLAGDELAY for?", manual, "With FLAGDELAY the flag stays up"},
		{"Can the gate be locked from within by a barrier to the road?", gate, "The gate has no way to do this. The reason is"},
		{"Who will be in charge of the inn?", inn, "Ida Falk"},
		{"Until when is the museum in Ulmen open on a Saturday?", hours, "9:30–16:45"},
	} {
		answered(t, tc.question, tc.text, tc.want)
	}
}

// TestGoesOn: a short question that begins with "and", or one with a German pronoun, is about the one before.
func TestGoesOn(t *testing.T) {
	const staff = "# Staff\n\nThe bell ringer is Jan Kord at Ulmen and Ida Falk at Old Borken. The inn at Old Borken has ten beds.\n\n" +
		"Frau Falk läutet die Glocke. Die Sprechzeit von Frau Falk ist am Montag von 9 bis 11 Uhr. Die Sprechzeit der Pfarrei ist am Freitag."
	for _, tc := range []struct{ before, question, want string }{
		{"Who is the bell ringer at Ulmen?", "And at Old Borken?", "Ida Falk"},
		{"Was macht Frau Falk?", "Wann hat sie Sprechzeit?", "Montag"},
	} {
		req := ask(tc.before, staff)
		req.Messages = append(req.Messages, message.Input{Role: message.RoleAssistant, Content: message.Content{message.NewText("Jan.")}},
			message.Input{Role: message.RoleUser, Content: message.Content{message.NewText(tc.question)}})
		if got := answer(t, req).Text; !strings.Contains(got, tc.want) {
			t.Errorf("%q after %q is answered %q, want %q in it", tc.question, tc.before, got, tc.want)
		}
	}
}

// TestOnlyNamed: a line that only names what is asked about, as a synopsis does, is no answer where something else tells,
// and of two things the definitions are quoted rather than a sentence that names both.
func TestOnlyNamed(t *testing.T) {
	const page = "frob keep [-q | --quiet] [<name>]\n\nfrob drop [--all] [<name>]\n\nThe frob keep command stores a name in the book."
	const valves = "# Valves of the pump\n\nYou can choose from either the steel valve or the brass valve. The brass valve leaks at times and needs no power. " +
		"The steel valve is tighter but needs power."
	for _, tc := range []struct{ question, text, want string }{
		{"What does frob keep do?", page, "The frob keep command stores a name in the book."},
		{"How does the brass valve of the pump differ from the steel one?", valves, "The brass valve leaks at times and needs no power. The steel valve is tighter"},
	} {
		answered(t, tc.question, tc.text, tc.want)
	}
	const mail = "# Minutes of the rowing club\n\nPresent: Ada Moor (chair), Jan Kord, Lena Falk.\n\nThe boat house gets a new roof. The regatta is in June. The fee stays as it is. " +
		"The oars are lent to the school."
	if got := answer(t, ask("Give me a summary of the minutes.", mail)).Text; strings.Contains(got, "Present") || !strings.Contains(got, "new roof") {
		t.Errorf("the summary is %q", got)
	}
}

// TestNeedsOfSearches: what has no value of the kind that is asked for answers nothing, in German too.
func TestNeedsOfSearches(t *testing.T) {
	for _, c := range []struct{ question, text, want string }{
		{"Was kostet der Bausatz ZB-40 für den Trockner?", "Ein Trockner darf nur mit dem Bausatz ZB-40 aufgesetzt werden.", refused},
		{"Was kostet der Bausatz ZB-40?", "Der Bausatz ZB-40 ist im Handel erhältlich und kostet 39 Euro.", "Der Bausatz ZB-40 ist im Handel"},
		{"Which days is the history room open?", "Drinks with a lid are fine, except in the history room, which is open.", refused},
		{"Which days is the history room open?", "The history room is open on Tuesdays and Fridays.", "The history room is open on Tuesdays"},
		{"How long does the ferry to Varra take?", "The ferry to Varra sails eleven miles along the coast.", refused},
		{"How long does the ferry to Varra take?", "The ferry to Varra sails eleven miles along the coast.\n\nThe ferry needs 75 minutes.", "The ferry needs 75 minutes."},
		{"What score did the boys' football team get?", "The girls' football team got a score of 3 to 1.", refused},
	} {
		req := searched("notes", c.question, c.text)
		if got := answer(t, req).Text; !strings.HasPrefix(got, c.want) {
			t.Errorf("%q is answered %q, want %q", c.question, got, c.want)
		}
	}
}

const refused = "Nothing relevant"

// TestRanges: a number of the question lies within a range that a row tells.
func TestRanges(t *testing.T) {
	const servers = "| Edition | Memory |\n| --- | --- |\n| Server, up to 10 users | 16 GB |\n| Server, 11 to 50 users | 32 GB |\n| Server, over 50 users | 64 GB |"
	for question, want := range map[string]string{
		"How much memory does the server need for 30 users?": "32 GB",
		"How much memory does the server need for 7 users?":  "16 GB",
		"How much memory does the server need for 80 users?": "64 GB",
	} {
		got := answer(t, ask(question, servers)).Text
		if first, _, _ := strings.Cut(got, "\n"); !strings.Contains(first, want) {
			t.Errorf("%q is answered %q, want %s first", question, got, want)
		}
	}
	const areas = "| Fläche | Beitrag |\n| --- | --- |\n| bis 50 m² | 98 Euro |\n| bis 150 m² | 201 Euro |\n| bis 90 m² | 133 Euro |"
	got := answer(t, ask("Wie hoch ist der Beitrag für eine Fläche von 70 m²?", areas)).Text
	if first, _, _ := strings.Cut(got, "\n"); !strings.Contains(first, "133") {
		t.Errorf("the contribution is %q", got)
	}
}

// TestPriceList: a record of a price list has a price, and one of text says it as a sentence.
func TestPriceList(t *testing.T) {
	req := searched("workshop_prices.xlsx", "How much is a full service for a racing bike?", "- Code: S03; Service: Full service; City bike: 129; Racing bike: 149; Days: 5")
	if got := answer(t, req).Text; !strings.Contains(got, "149") {
		t.Errorf("the price is %q", got)
	}
	req = searched("workshop_prices.xlsx", "What do they charge per hour for jobs that are not in the list?", "- Topic: Labour; Text: Work not on this list is charged at 62 euros an hour, in steps of ten minutes.")
	if got := answer(t, req).Text; !strings.Contains(got, "62 euros") || strings.HasPrefix(got, refused) {
		t.Errorf("the hour costs %q", got)
	}
}

// TestGermanKinds: an answer in German has the kind of value that is asked for, a year, a time of the day, a size, or the
// next sentence, which is about the same thing, does; a noun is no name.
func TestGermanKinds(t *testing.T) {
	const house = "Vermietet wird das Haus am Lindenweg 4. Große Feste sind im Haus anzumelden. Das Haus misst 82 Quadratmeter.\n\n" +
		"Lappen mit Öl können sich entzünden. Sie gehören in den Eimer aus Blech.\n\n" +
		"Die Pumpe ist laut. Bei Ausfall der Pumpe hilft der Nachbar, Herr Olsen.\n\nKinder ab 14 Jahren dürfen das Haus allein hüten."
	for _, tc := range []struct{ question, want string }{
		{"In welchem Jahr wurde das Haus am Lindenweg gebaut?", ""},
		{"Ab wann ist das Haus morgens geöffnet?", ""},
		{"Wie groß ist das Haus?", "82 Quadratmeter"},
		{"Wohin mit Lappen voll Öl?", "in den Eimer aus Blech"},
		{"Wer hilft, wenn die Pumpe ausfällt?", "Herr Olsen"},
	} {
		found(t, "haus", tc.question, house, tc.want)
	}
}

// TestTwoSides: a row lacks nothing where it is one of two that are compared.
func TestTwoSides(t *testing.T) {
	const rooms = "| Place | Double room |\n| --- | --- |\n| Guesthouse Lind | 58 |\n| The Net Loft | 44 |\n| Camp Pik | 14 |"
	got := answer(t, ask("Where do I pay less for a double room, at Guesthouse Lind or at The Net Loft?", rooms)).Text
	if !strings.Contains(got, "58") || !strings.Contains(got, "44") || strings.Contains(got, "14") {
		t.Errorf("both sides: %q", got)
	}
}

// TestNamesAndTimes: the name of somebody is answered by one, when something happens by a time or what it happens with, a
// price not by that of another paragraph.
func TestNamesAndTimes(t *testing.T) {
	const boat = "The boat may not reach top speed near the bank. The four \"Bess\" was damaged when it struck a post. Its cox had steered by the lights. The crew swam ashore.\n\n" +
		"The old hall is shown by a tour. It stands on the hill.\n\nThe Town Museum costs 8 crowns. Nora Pell runs the kiosk."
	for _, tc := range []struct{ question, want string }{
		{"What is the name of the cox who steered the Bess?", ""},
		{"When was the hall on the hill built?", ""},
		{"When was the Bess damaged?", "when it struck a post"},
		{"What does the tour of the old hall cost?", ""},
		{"Who is Nora Pell?", "Nora Pell runs the kiosk"},
		{"What speed does the boat reach?", ""},
	} {
		found(t, "club", tc.question, boat, tc.want)
	}
}

// TestRowsOfWholes: what a whole document is of, and that a price is the usual one, need not stand in a row; a number that
// is no part of a date tells no time.
func TestRowsOfWholes(t *testing.T) {
	const garden = "# Prices\n\n| Plot | Size | Annual rent | Reduced rent |\n| --- | --- | --- | --- |\n| Full plot | 120 m² | £52 | £30 |\n| Half plot | 60 m² | £28 | £16 |\n\n" +
		"# Play\n\nThe board of the game shows 24 streets. A game ends after the tenth night. Robins sing at dawn. Tea is served at four. The bell rings loudly."
	for _, tc := range []struct{ question, want string }{
		{"What does a full plot of the association cost a year at the normal price?", "£52"},
		{"When does a game end?", "after the tenth night"},
		{"When do robins sing?", "at dawn"},
		{"When is tea served?", "at four"},
		{"When does the bell ring?", "Nothing relevant"},
	} {
		if got := answer(t, searched("garden", tc.question, garden)).Text; !strings.Contains(got, tc.want) {
			t.Errorf("%q is answered %q, want %q in it", tc.question, got, tc.want)
		}
	}
}

// TestValuesOfTheirKind: a length is told by a length, pay by money, a birth and a building by what happened, a day by a day.
func TestValuesOfTheirKind(t *testing.T) {
	for _, tc := range []struct{ question, text, want string }{
		{"How many metres long is the motor ship Merle?", "The motor ship Merle has a crew of 3 instead of 7.", ""},
		{"When was Carl Lisle born?", "In 1896 she met Carl Lisle, the botanist.", ""},
		{"When was the tower built?", "The tower has been lit without a keeper since 1987.", ""},
		{"How much does the clerk earn a week?", "The clerk works part-time, 24 hours a week.", ""},
		{"By which day must applications be sent back?", "Applications are not sent back; whoever breaks something says so at once.", ""},
		{"What are the names of Ada Pell's daughters?", "Ada Pell married in 1959 and had three daughters.", ""},
		{"How deep is Lake Orm?", "Lake Orm was dammed and is 40 metres deep.", "40 metres"},
		{"When was the barn built?", "The barn dates from 1611.", "1611"},
		{"When was Emil Roth born?", "Emil Roth, born in 1902, kept it.", "1902"},
		{"How much does the clerk earn a week?", "The clerk is paid 420 euros a week.", "420"},
	} {
		found(t, "lake", tc.question, tc.text, tc.want)
	}
}

// TestTypesOfAnswers: what has another type of value than the one asked for is no answer: years and metres count nobody, a
// height is no length, a price no size, who holds an office has a name.
func TestTypesOfAnswers(t *testing.T) {
	for _, tc := range []struct{ question, text, want string }{
		{"How many members does the club have?", "Anybody who is at least ten years old and can swim 200 metres may become a member of the club.", ""},
		{"How many members does the club have?", "The club has 240 members in 3 towns.", "240"},
		{"Who is the secretary of the club?", "Applications to the club must reach the secretary by 30 September.", ""},
		{"Who is the treasurer of the club?", "The treasurer of the club is Paul Okafor.", "Okafor"},
		{"Wer ist die Heimleitung?", "Feiern sind der Heimleitung drei Tage vorher zu melden.", ""},
		{"How long is the Glass Bridge?", "The Glass Bridge spans the gorge at a height of 61 metres.", ""},
		{"How high is the Glass Bridge?", "The Glass Bridge spans the gorge at a height of 61 metres.", "61"},
		{"How long is the Miller's Path?", "The Miller's Path is 11 kilometres long.", "11"},
		{"How many clocks are in the castle?", "The castle was built between 1288 and 1310 and houses a collection of clocks.", ""},
		{"How old are the lifts?", "The lifts are inspected four times a year.", ""},
		{"How many people came to the party?", "In case of rain the party for the people of Ulm is moved to hall 2.", ""},
		{"How big is the island?", "A pitch on the island costs 22 euros a night.", ""},
		{"How big is the flat?", "The flat has 58 square metres.", "58"},
		{"What does the spray cost?", "The dose is one spray into each nostril up to three times a day.", ""},
		{"How long is the initial term of the agreement?", "The agreement runs for an initial term of thirty-six (36) months.", "36"},
		{"How many holidays do staff get?", "Staff get 29 days of holiday.", "29"},
		{"How many guests came to the dinner?", "The market was opened in 1835 with a dinner of guests from the whole county.", ""},
		{"How many guests came to the dinner?", "The dinner for the opening was attended by 2000 guests.", "2000"},
		{"How fast do swifts fly?", "Swifts fly for ten months of the year without landing.", ""},
		{"How fast do swifts fly?", "Swifts fly at up to 110 km/h.", "110"},
		{"When was the town hall built?", "The building of the town hall may be visited on 28 April at 16:00.", ""},
		{"When was the club founded?", "The rent of the club is due on 31 January.", ""},
		{"When was the club founded?", "The club has existed since 1924.", "1924"},
		{"Which city was the workshop in?", "The workshop on Friday went well.", ""},
		{"Which city was the workshop in?", "The workshop took place in Lisbon.", "Lisbon"},
		{"At what temperature does the soup cook?", "The soup cooks for 45 minutes.", ""},
		{"Is there a swimming pool in Vellmar?", "Vellmar lies on the river Aune, 40 minutes by train from Kassburg.", ""},
	} {
		found(t, "lake", tc.question, tc.text, tc.want)
	}
}

// TestWhoAndHowLong: who does something is told by people, how long something takes by a span of time, versions and days by the
// headings above; marks of sections and telephones are no amounts, colours are colours.
func TestWhoAndHowLong(t *testing.T) {
	const notes = "# Frob\n\n## Version 3.2 (released 5 November 2024)\n\n- Two-factor login by an app\n- Roles for members\n\n## Version 3.1 (released 2 May 2024)\n\n- Dark mode\n"
	const limits = "| Section | Bronze | Silver | Gold |\n|---|---|---|---|\n| C. Baggage | £750 | £1,500 | £2,500 |\n| D. Delay | £50 | £100 | £200 |"
	const wash = "| Programme | Time | Water |\n|---|---|---|\n| Eco | 3 h | 9.5 l |\n| Quick | 32 min | 8.5 l |\n| Auto | 2 h | 12 l |"
	const posts = "| Stelle | Person | Nummer |\n|---|---|---|\n| Betriebsarzt | Dr. Konstantin Wehrle | 4120 |\n| Pforte | Frau Lind | 4100 |"
	const scale = "# Descaling\n\nThe drop lights up when descaling is due. It takes 25 minutes.\n\n1. Empty the tray.\n2. Pour the bottle into the tank.\n3. Press both buttons."
	for _, tc := range []struct{ question, text, want string }{
		{"Who runs the chess evening?", "Chess evening: every other Thursday, 17:30", ""},
		{"Who runs the chess evening?", "The chess evening is run by the warden on Thursdays.", "warden"},
		{"Who lives in the flat?", "5.4 Not to smoke in the flat or in the stairwell.", ""},
		{"Wie viele Boote besitzt der Verein?", "(2) Fördernde Mitglieder des Vereins benutzen keine Boote.", ""},
		{"Wie viele Arbeitsstunden leistet ein Mitglied?", "(4) Jedes Mitglied leistet zwölf Arbeitsstunden im Jahr.", "zwölf"},
		{"How many books does the library own?", "Books of the library are kept by Mrs Yilmaz, phone 555-0163.", ""},
		{"How long does the cake bake?", "Eight walnuts go on the rim of the cake that they bake.", ""},
		{"How long does the cake bake?", "The cake bakes for 28 minutes.", "28 minutes"},
		{"How long will the batteries hold at Millbrook?", "Batteries at Havenport last eight hours and those at Millbrook four hours.", "four hours"},
		{"How many packing crates do I get?", "Three packing crates per person, blue labels for the office.", "Three"},
		{"What colour is the hull of the Petrel?", "The Petrel has the hull number NOR-28-0417.", ""},
		{"What colour is the hull of the Petrel?", "The Petrel has a dark blue hull.", "dark blue"},
		{"Since which version is there two-factor login?", notes, "Version 3.2"},
		{"How much would Gold pay out for lost baggage?", limits, "C. Baggage"},
		{"Which uses less water, Eco or Quick?", wash, "Quick"},
		{"Wie heißt der Betriebsarzt und unter welcher Nummer erreiche ich ihn?", posts, "4120"},
		{"How do I do the descaling?", scale, "Press both buttons"},
		{"Price for hiring a tandem for a day?", "| Bicycle | Day |\n|---|---|\n| City bike, to hire | £14 |\n| E-bike, to hire | £32 |", ""},
	} {
		found(t, "lake", tc.question, tc.text, tc.want)
	}
}

// TestNamesOfPeople: the name of somebody is told by a name, what is said of somebody else is none; a difference in something
// is told by both, what fits somewhere by its number.
func TestNamesOfPeople(t *testing.T) {
	const cars = "| Group | Example | Price per day |\n|---|---|---|\n| B | Skoda Fabia | £38 |\n| C | Ford Focus | £46 |\n| D | Volvo V60 | £71 |"
	for _, tc := range []struct{ question, text, want string }{
		{"What is the name of the on-call engineer?", "The on-call engineer had no rights to change the setting.", ""},
		{"What is the name of the on-call engineer?", "The on-call engineer was Hannah Coyle, who changed the setting.", "Hannah Coyle"},
		{"Who is the seller of the house?", "Client:    Ms Ottoline Greaves\nSurveyor:  Martin Scoble\n\nThe house was seen in May.", ""},
		{"What's the difference in daily price between the Skoda Fabia and the Ford Focus?", cars, "£46"},
		{"How many people fit in the Spinnaker Room?", "The Pilchard Room holds 12 people, the Spinnaker Room 40 people.", "40 people"},
		{"What does standing charge mean?", "**Standing charge:** a fixed amount per day for the connection, whether you use power or not.", "a fixed amount"},
		{"Who has to sign off a claim of £1,200?", "| Amount of the claim | Approved by |\n|---|---|\n| up to £250 | line manager |\n| £250 to £2,000 | department head |\n| above £2,000 | finance director |", "department head"},
		{"Can pupils in Year 4 bring a mobile phone to school?", "Only pupils in Year 6 may bring a mobile phone to school, from Year 4 on tablets.", "Only pupils in Year 6"},
		{"When does the Year 6 trip take place?", "The Year 5 trip takes place on 18 June.", ""},
		{"How many children are going on the trip?", "The trip of the children is one of classes 5K and 5M.", ""},
		{"What rating does Yvonne Krall have?", "Captain, A team: Yvonne Krall", ""},
		{"What part number does the mulching plug have?", "Push the mulching plug into the rear chute and cut off no more than a third.", ""},
		{"Wann beginnen die Osterferien?", "Frau Pfaff ist seit den Sommerferien im Ruhestand, die im Juli beginnen.", ""},
		{"how much is a saturday ticket if I buy it at the gate", "| Ticket | Advance | At the gate |\n|---|---|---|\n| Saturday only | £38 | £44 |\n| Sunday only | £30 | £36 |", "£44"},
		{"when does the place shut on a Saturday", "Opening hours\n\nMonday to Friday: 6:00 to 22:00\nSaturday: 7:30 to 19:00\nSunday: 8:00 to 17:00", "19:00"},
		{"What does a timing chain replacement cost?", "At 0.5 % replace the chain soon.", ""},
	} {
		found(t, "lake", tc.question, tc.text, tc.want)
	}
}

// TestNearMisses: what is told of another one of the kind, or without what is asked for, is no answer.
func TestNearMisses(t *testing.T) {
	const fans = "| Item | F-20 | F-35 |\n|---|---|---|\n| Noise, low fan speed | 38 dB | 43 dB |\n| Weight | 11 kg | 14 kg |"
	for _, tc := range []struct{ question, text, want string }{
		{"How loud is the F-35 at high fan speed?", fans, ""},
		{"How loud is the F-35 at low fan speed?", fans, "43 dB"},
		{"Which team found the fault ZX-417?", "The fault ZX-402 was found by the team of Port Ellen.", ""},
		{"Which team found the fault ZX-402?", "The fault ZX-402 was found by the team of Port Ellen.", "Port Ellen"},
		{"How many species were counted at P6?", "At P1 we counted 23 species. At P3 19 species were counted.", ""},
		{"Who broke the window in the gym?", "A window in the gym was broken during the Easter holidays and has been replaced.", ""},
		{"Who broke the window in the gym?", "The window in the gym was broken by Tom Reed.", "Tom Reed"},
		{"Who planted the willows at the weir?", "The willows at the weir, which were planted in 2016 to clean the effluent, must be cut.", ""},
		{"Until when is the café open on Sundays?", "On Sundays the café is open from 11.", ""},
		{"Until when is the café open on Sundays?", "On Sundays the café is open from 11 to 17.", "17"},
		{"When will the lifts be installed?", "New lifts are planned for houses 31 to 36.", ""},
		{"How much is delivery beyond 25 miles?", "Delivery costs £12 within 10 miles and £20 up to 25 miles.", ""},
		{"How much salt goes into the dough?", "The dough takes 200 g of rye, three spoonfuls of oil, salt and caraway.", ""},
		{"How much salt goes into the dough?", "The dough takes 200 g of rye, 5 g of salt and caraway.", "5 g"},
		{"What was the rent at Mill Lane?", "At Mill Lane we had two rooms and a yard.", ""},
		{"What is the highest salary?", "What is the highest salary: 71069.", "71069"},
		{"How old is the new president of the club?", "The new president of the club will look at a boat that is six years old.", ""},
		{"Which shipyard built the Petrel?", "The Petrel, built in 1884, lies in the yard of the museum.", ""},
	} {
		found(t, "lake", tc.question, tc.text, tc.want)
	}
}

// TestReasons: why something is so is told by a reason, and not by what it is the reason of.
func TestReasons(t *testing.T) {
	for _, tc := range []struct{ question, text, want string }{
		{"Why was the lease of the shop not renewed?", "The shop will be closed because the lease was not renewed.", ""},
		{"Why will the shop be closed?", "The shop will be closed because the lease was not renewed.", "because"},
		{"Why are the files of the clinic excluded?", "The files of the clinic are excluded. They stay on paper.", ""},
		{"Why are the files of the clinic excluded?", "The files of the clinic are excluded. The reason is that they are secret.", "secret"},
		{"Warum hat Herr Hollmann nicht kandidiert?", "Herr Hollmann hat nach 15 Jahren nicht mehr kandidiert. Er wurde verabschiedet.", ""},
		{"How many hectares of field became marsh?", "A gap of 80 metres was opened so that the field became marsh.", ""},
		{"How many hectares of field became marsh?", "12 hectares of field became marsh.", "12 hectares"},
		{"Which telephone number do we call to report a breach?", "A breach is reported within 24 hours by telephone.", ""},
		{"What is the premium for the insurance of the boat?", "The insurance of the boat is policy HB in the office.", ""},
	} {
		found(t, "lake", tc.question, tc.text, tc.want)
	}
}
