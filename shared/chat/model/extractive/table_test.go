package extractive_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"lectern/shared/chat/model"
	"lectern/shared/chat/model/extractive"
	"lectern/shared/chat/model/extractive/reckon"
	"lectern/shared/chat/model/modeltest"
	"lectern/shared/database/sqldrivers"
	"lectern/shared/message"
	"lectern/shared/message/passage"
	"lectern/shared/text/chunk"
	"lectern/shared/text/document"
)

const jobs = "# Jobs\n\n| Job | Boat | Customer | Quoted | Invoiced | Status |\n|---|---|---|---|---|---|\n" +
	"| J-101 | Petrel | Henrik Solberg | 4200 | 4650 | closed |\n| J-102 | Sandpiper | Fiona Marsh | 980 | 980 | closed |\n" +
	"| J-103 | Grey Goose | Northwater | 12500 | 0 | in progress |\n| J-104 | Lady Ann | Oskar Lind | 7300 | 7100 | closed |\n" +
	"| J-105 | Tern | Walter Pryce | 2650 | 0 | waiting for parts |\n\nThe list is kept by the yard."

const people = "# Members\n\n| Name | Dept | City | Age | Remote | Salary | Joined |\n|--|--|:-:|--:|--|--:|--|\n" +
	"| Ann | IT | Lyon | 39 | yes | 41200 | 2014-03-01 |\n| Bob | Sales | Hull | 51 | no | 36400 | 2017-05-09 |\n" +
	"| Dan | IT | Hull | 45 | no | 28750 | 2021-11-30 |\n| Eve | Sales | Lyon | 28 | yes | 19800 | 2023-01-15 |\n\nKept by the office."

// TestConditions: what a question asks of the rows is understood, or nothing is computed.
func TestConditions(t *testing.T) {
	key := regexp.MustCompile(`J-10\d`)
	for question, want := range map[string]string{
		"How many jobs are closed?":                      "3: J-101 J-102 J-104",
		"How many jobs are not closed?":                  "2: J-103 J-105",
		"How many jobs have a status other than closed?": "2: J-103 J-105",
		"Wie viele Jobs sind nicht closed?":              "2: J-103 J-105",
		"How many jobs are not in progress?":             "4: J-101 J-102 J-104 J-105",
		"How many jobs were quoted above 4200?":          "2: J-103 J-104",
		"How many jobs were quoted at least 4200?":       "3: J-101 J-103 J-104",
		"Which jobs are not closed?":                     "J-103 J-105",
		"Which jobs are closed?":                         "J-101 J-102 J-104",
		"Which jobs does Henrik Solberg have?":           "J-101",
		"Which closed job was quoted highest?":           "J-104",
		"Which job was quoted highest?":                  "J-103",
	} {
		got := answer(t, ask(question, jobs)).Text
		number, keys, counted := strings.Cut(want, ": ")
		if !counted {
			number, keys = "", want
		}
		if strings.Join(key.FindAllString(got, -1), " ") != keys || counted != strings.HasPrefix(got, number+":\n") {
			t.Errorf("%q is answered %q, want %q", question, got, want)
		}
	}
	key = regexp.MustCompile(`Ann|Bob|Dan|Eve`)
	for question, want := range map[string]string{
		"What is the highest age in IT?":            "Dan",
		"What is the highest age?":                  "Bob",
		"Who earns the most?":                       "Ann",
		"Who joined first?":                         "Ann",
		"Who joined last?":                          "Eve",
		"How many names are remote?":                "Ann Eve",
		"How many names are not remote?":            "Bob Dan",
		"How many names joined after 2017?":         "Dan Eve",
		"How many names joined since 2017?":         "Bob Dan Eve",
		"How many names joined before 2017?":        "Ann",
		"Which name has the lowest salary in Lyon?": "Eve",
	} {
		got := answer(t, ask(question, people)).Text
		if keys := strings.Join(key.FindAllString(got, -1), " "); keys != want {
			t.Errorf("%q is answered %q, want %q", question, got, want)
		}
	}
	for _, question := range []string{"How many jobs were quoted below 980?", "How many jobs were quoted at no more than 980?",
		"How many jobs were quoted at least 1000 and at most 5000?", "How many jobs were quoted over 5%?", "How many jobs are from after 03/04/2025?", "How many jobs were quoted between 1000 and 5000?",
		"How many jobs are closed or in progress?"} {
		if got := answer(t, ask(question, jobs)).Text; regexp.MustCompile(`^\d+( \(|:)`).MatchString(got) {
			t.Errorf("%q is counted: %q", question, got)
		}
	}
}

const goods = "# Goods\n\n| Product | Stock | Price | Reordered |\n|---|---|---|---|\n| Oak desk | 12 | 420 | 2026-11-30 |\n" +
	"| Chair | 0 | 75 | 2026-12-03 |\n| Locker | 0 | 540 | 2027-01-09 |\n| Lamp | 14 | 129 | 2026-12-20 |\n\nKept by the shop."

const invoices = "# Invoices\n\n| Invoice | Customer | Due date | Status |\n|---|---|---|---|\n| INV-1 | Alder | 2026-12-04 | open |\n" +
	"| INV-2 | Borough | 2026-12-18 | open |\n| INV-3 | Cress | 2026-11-10 | paid |\n| INV-4 | Dunmore | 2026-11-12 | overdue |\n\nKept by the office."

// TestStockAndMonths: what is there is told by its number, a month by the days in it, and what
// is denied by rows that do not say it.
func TestStockAndMonths(t *testing.T) {
	key := regexp.MustCompile(`Oak desk|Chair|Locker|Lamp|INV-\d`)
	for question, want := range map[string]string{
		"How many products are out of stock?":           "2: Chair Locker",
		"How many products are in stock?":               "2: Oak desk Lamp",
		"Which products are sold out?":                  "Chair Locker",
		"Which products are in stock?":                  "Oak desk Lamp",
		"How many products were reordered in December?": "2: Chair Lamp",
		"Which invoices are due in December 2026?":      "INV-1 INV-2",
		"How many invoices are due in November 2026?":   "2: INV-3 INV-4",
		"Which invoices have not been paid?":            "INV-1 INV-2 INV-4",
	} {
		material := goods
		if strings.Contains(question, "invoices") {
			material = invoices
		}
		got := answer(t, ask(question, material)).Text
		number, keys, counted := strings.Cut(want, ": ")
		if !counted {
			number, keys = "", want
		}
		if strings.Join(key.FindAllString(got, -1), " ") != keys || counted != strings.HasPrefix(got, number+":\n") {
			t.Errorf("%q is answered %q, want %q", question, got, want)
		}
	}
	desks := strings.NewReplacer("Chair", "Steel desk", "Lamp", "Pine desk").Replace(goods)
	for question, want := range map[string]string{
		"Which desks cost less than £400?":          "Steel desk Pine desk",
		"Which products cost more than 400 pounds?": "Oak desk Locker",
		"Which desks are out of stock?":             "Steel desk",
	} {
		got := answer(t, ask(question, desks)).Text
		if keys := strings.Join(regexp.MustCompile(`(?:Oak|Steel|Pine) desk|Locker`).FindAllString(got, -1), " "); keys != want {
			t.Errorf("%q is answered %q, want %q", question, got, want)
		}
	}
	if got := answer(t, ask("Who has not paid?", invoices)).Text; strings.HasPrefix(got, "Invoice: INV-3") {
		t.Errorf("who has not paid: %q", got)
	}
	if got := answer(t, ask("How many jobs are out of stock?", jobs)).Text; regexp.MustCompile(`^\d+( \(|:)`).MatchString(got) {
		t.Errorf("without a column for it: %q", got)
	}
}

// TestPartsOfTables: a table that several passages have is computed over as a whole, and not
// where one of them is missing.
func TestPartsOfTables(t *testing.T) {
	texts := []string{"# Shop\n\n| Product | Price |\n|---|---|\n| Chalk | 6 |\n| Shoe | 124 |", "| Brush | 7 |\n| Rope | 142 |", "| Pad | 189 |\n\nThe end."}
	parts := make([]passage.Passage, len(texts))
	at := 0
	for i, text := range texts {
		parts[i] = passage.Passage{ID: "AB1" + string(rune('1'+i)), Kind: passage.Artifact, ArtifactID: "prices", Key: text, Text: text, Start: at,
			Continues: i < 2, Citable: true, Score: .5}
		if i > 0 {
			parts[i].Columns = "| Product | Price |"
		}
		at += len(text) + 1
	}
	for question, want := range map[string]string{"Which product has the highest price?": "Product: Pad; Price: 189", "What is the cheapest product?": "Product: Chalk; Price: 6",
		"How many products are there?": "5:\n\nProduct: Chalk; Price: 6"} {
		req := ask(question)
		req.Passages = []passage.Passage{parts[2], parts[0], parts[1]}
		if got := answer(t, req).Text; !strings.HasPrefix(got, want) {
			t.Errorf("%q is answered %q, want %q", question, got, want)
		}
		req.Passages = []passage.Passage{parts[2], parts[0]}
		if got := answer(t, req).Text; strings.HasPrefix(got, want) || regexp.MustCompile(`^\d:`).MatchString(got) {
			t.Errorf("without a part %q is answered %q", question, got)
		}
	}
}

// TestRecordsComputed: lines that name their values are computed over like rows, and what is missing
// of a table is searched for before.
func TestRecordsComputed(t *testing.T) {
	const staff = "# Staff\n\n- Name: Ann; Team: IT; Salary: 41200\n- Name: Bob; Team: HR; Salary: 36400\n- Name: Dan; Team: IT; Salary: 28750\n\nKept by the office."
	for question, want := range map[string]string{
		"How many names are in IT?":         "2:\n\nName: Ann; Team: IT; Salary: 41200\nName: Dan",
		"How many names are not in IT?":     "1:\n\nName: Bob",
		"Which name has the lowest salary?": "Name: Dan; Team: IT; Salary: 28750",
		"Who earns the most in HR?":         "Name: Bob; Team: HR; Salary: 36400",
	} {
		if got := answer(t, ask(question, staff)).Text; !strings.HasPrefix(got, want) {
			t.Errorf("%q is answered %q, want %q", question, got, want)
		}
	}
	req := ask("Which name has the lowest salary?")
	req.Tools = []model.Tool{{Name: "search", Server: true,
		InputSchema: message.Object(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`)}}
	first, second, _ := strings.Cut(staff, "- Name: Dan")
	result := message.Input{Role: message.RoleUser, Content: message.Content{&message.ToolResult{}}}
	req.Messages = append(req.Messages, result)
	req.Passages = []passage.Passage{{ID: "AB11", Kind: passage.Artifact, ArtifactID: "staff", Key: "1", Headings: []string{"Staff"}, Text: strings.TrimSpace(first),
		Continues: true, Score: .5}}
	if got := answer(t, req); len(got.Calls) != 1 || strings.Join(got.Calls[0].Pieces, "") != `{"query":"Staff Name Team Salary"}` {
		t.Fatalf("calls = %+v", got.Calls)
	}
	req.Messages = append(req.Messages, result)
	req.Passages = append(req.Passages, passage.Passage{ID: "AB12", Kind: passage.Artifact, ArtifactID: "staff", Key: "2", Headings: []string{"Staff"},
		Text: "- Name: Dan" + second, Start: len(strings.TrimSpace(first)) + 1, Score: .4})
	if got := answer(t, req); len(got.Calls) != 0 || !strings.HasPrefix(got.Text, "Name: Dan") {
		t.Errorf("after both: %+v", got)
	}
}

// TestLongGivenTable: a table of a plain text that was sent with the question is computed over
// as a whole, however many passages it makes.
func TestLongGivenTable(t *testing.T) {
	text := "# Items\n\n| Item | Price | Status |\n|---|---|---|\n"
	for i := range 200 {
		text += fmt.Sprintf("| item%d | %d | %s |\n", i, 100+(i*37)%199, []string{"open", "closed", "lost"}[i%3])
	}
	var list []passage.Passage
	for _, c := range chunk.Split(&document.Document{Text: text, Root: document.Node{Type: document.Root, End: len(text)}}) {
		list = append(list, passage.Passage{ID: fmt.Sprintf("A%03d", c.Order), Kind: passage.Document, Key: fmt.Sprint(c.Start), Text: c.Text, Start: c.UTF16Start,
			Columns: c.Columns, Continues: c.Continues, Citable: true})
	}
	if len(list) < 5 {
		t.Fatalf("%d passages", len(list))
	}
	list[len(list)-1].Last = true
	for question, want := range map[string]string{"Which item has the highest price?": "Item: item43; Price: 298;", "How many items are not closed?": "133 (1–",
		"Which closed item has the lowest price?": "Item: item199; Price: 100;"} {
		req := ask(question)
		req.Passages = list
		if got := answer(t, req).Text; !strings.HasPrefix(got, want) {
			t.Errorf("%q is answered %q, want %q", question, got, want)
		}
	}
	req := ask("How many items are not closed?")
	if req.Passages = list[:3]; !strings.HasPrefix(answer(t, req).Text, "Nothing relevant") {
		t.Errorf("over a part: answered %q", answer(t, req).Text)
	}
}

// TestUnclearTables: what may be meant otherwise, or cannot be read, is not computed.
func TestUnclearTables(t *testing.T) {
	table := func(rows ...string) string {
		return "# Regions\n\n| Region | Revenue | Staff |\n|---|---|---|\n| " + strings.Join(rows, " |\n| ") + " |\n\nThe end."
	}
	plain := table("North | 500 | 3", "South | 1900 | 90", "East | 900 | 5")
	for _, tc := range []struct{ question, text, not string }{
		{"Which region has the second highest revenue?", plain, "South"},
		{"Which region does not have the highest revenue?", plain, "South"},
		{"Which region has the highest revenue?", table("North | 500 | 3", "South | (12) | 90", "East | 900 | 5"), "South"},
		{"Which region has the highest revenue?", table("North | nan | 3", "South | 12 | 90", "East | 900 | 5"), "North"},
		{"Which region has the highest revenue?", table("North | 1.234 € | 3", "South | 999 € | 90", "East | 87 € | 5"), "South"},
		{"Which region has the highest revenue?", table("North | 2 kg | 3", "South | 500 g | 90", "East | 300 g | 5"), "South"},
		{"Which region has the highest revenue?", table("North | 900 | 3", "South | 900 | 90", "East | 5 | 5"), "North"},
		{"Which region has the highest revenue?", table("North | 900 | 3", "Germany total | 2000 | 90", "East | 5 | 5"), "total"},
		{"How many regions are there?", plain + "\n\n" + strings.Replace(plain, "North", "West", 1), "3:"},
	} {
		if got := answer(t, ask(tc.question, tc.text)).Text; strings.HasPrefix(got, tc.not) || strings.HasPrefix(got, "Region: "+tc.not) {
			t.Errorf("%q over %q is answered %q", tc.question, tc.text, got)
		}
	}
	for _, tc := range []struct{ question, text, want string }{
		{"Which region has the highest revenue?", plain, "Region: South"},
		{"Which region has the highest revenue?", table("North | 500 | 3", "South | 1900", "East | 900 | 5"), "South"},
		{"Which region has the highest revenue?", table("North | nan | 3", "South | 12 | 90", "East | 900 | 5"), "Region: East"},
		{"How many regions have a staff of 5?", plain, "1:"},
		{"How many regions are there? Which region has the highest revenue?", plain, "3:"},
		{"How many regions have a revenue over 1600?", strings.Replace(plain, "| Staff", "| 2020", 1), "1:"},
	} {
		if got := strings.TrimPrefix(answer(t, ask(tc.question, tc.text)).Text, "| "); !strings.HasPrefix(got, tc.want) {
			t.Errorf("%q over %q is answered %q, want %q", tc.question, tc.text, got, tc.want)
		}
	}
	var many strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&many, "- a%d: 1; b%d: 2\n", i, i)
	}
	if got := answer(t, ask("Which a1 has the highest b1?", many.String())).Text; got == "" {
		t.Error("no answer over records of many names")
	}
}

// TestDays: a row of another day than the question's is about something else.
func TestDays(t *testing.T) {
	const rota = "# Rota\n\n- date: 2026-05-18; hall: Mill; role: Supervisor; name: Lena Forsberg\n- date: 2026-05-23; hall: Mill; role: Supervisor; name: Tomasz Wilk\n" +
		"- date: 2026-05-29; hall: Mill; role: Supervisor; name: Lena Forsberg"
	if got := answer(t, ask("Who is the supervisor in Mill on 23 May 2026?", rota)).Text; !strings.Contains(got, "Wilk") || strings.Contains(got, "Lena") {
		t.Errorf("on the 23rd: %q", got)
	}
	if got := answer(t, ask("Who is the supervisor in Mill on 20 May 2026?", rota)).Text; !strings.HasPrefix(got, "Nothing relevant") {
		t.Errorf("on the 20th: %q", got)
	}
}

// TestMeasuredTables: measures of several units are compared, also where dots lead to them, and an adjective or a unit names
// the column.
func TestMeasuredTables(t *testing.T) {
	const platforms = "# Fernbox\n\n| Platform | Memory | Disk space |\n|---|---|---|\n| Windows | 4 GB | 900 MB |\n| Android | 3 GB | 180 MB |\n| Server | 8 GB | 2 GB |\n\nThe end."
	const recipes = "# Recipes\n\n| Recipe | Serves | Total time |\n|---|---|---|\n| Pie | 6 people | 1 h 20 min |\n| Buns | 12 buns | 3 h 30 min (plus overnight) |\n| Jam | 5 jars | 55 min |\n\nThe end."
	const keys = "8. KEYS\nTwo sets of keys are handed over. Lost keys are charged as follows:\n   Flat door key ........... £18\n   Main entrance fob ....... £40\n" +
		"   Letterbox key ........... £9\n   Cellar key .............. £14\n\n9. THE END\nThat is all there is to say here."
	for question, want := range map[string]string{
		"Which platform needs the least disk space?":               "Platform: Android;",
		"Which of the three platforms needs the least disk space?": "Platform: Android;",
		"Which platform needs the most disk space?":                "Platform: Server;",
		"Which recipe needs the most hours?":                       "Recipe: Buns;",
		"Which recipe takes the shortest time?":                    "Recipe: Jam;",
		"Which lost key is the cheapest?":                          "Letterbox key ........... £9",
		"What is charged for a lost cellar key?":                   "Cellar key .............. £14",
		"Which lost key is the most expensive?":                    "Main entrance fob ....... £40",
	} {
		if got := answer(t, ask(question, platforms, recipes, keys)).Text; !strings.HasPrefix(got, want) {
			t.Errorf("%q is answered %q, want %q", question, got, want)
		}
	}
}

// TestAlignedTables: lines whose cells blanks part are rows of a table, in plain text too.
func TestAlignedTables(t *testing.T) {
	const pans = "WHICH PAN GOES WHERE\n\nRange                        Dishwasher   Oven up to   Hobs\nTarn (stainless steel)       yes          240 °C       all, including induction\n" +
		"Forge (carbon steel)         no           300 °C       all, including induction\nGlass lids                   yes          175 °C       not applicable\n\nThat is all."
	const ferry = "FARES TO SKERRIN\n\n                     Single      Return\nAdult                £8.50       £15.00\nCar up to 5 metres   £29.50      £52.00\nBicycle              £3.00       £6.00\n\nThe driver is not included."
	const bridge = "Three courses were examined:\n\n    Course               Cost        Advice of the office\n    -----------------------------------------------------\n" +
		"    Repair of bearings   310,000     not advised\n    New deck             640,000     advised at length\n    New bridge           dear        too early\n\nSo it was done."
	for question, want := range map[string]string{
		"What does a new deck cost?":                           "Course: New deck; Cost: 640,000; Advice of the office: advised at length",
		"Which range withstands the highest oven temperature?": "Range: Forge (carbon steel); Dishwasher: no; Oven up to: 300 °C; Hobs: all, including induction",
		"How much is a return for a bicycle?":                  "Bicycle; Single: £3.00; Return: £6.00",
		"What does a single for an adult cost to Skerrin?":     "Adult; Single: £8.50; Return: £15.00",
		"What does a single for a motorhome cost to Skerrin?":  "Nothing relevant",
	} {
		if got := answer(t, ofDocuments(question, pans, ferry, bridge)).Text; !strings.HasPrefix(got, want) {
			t.Errorf("%q is answered %q, want %q", question, got, want)
		}
	}
}

// TestPastedTables: lines of comma-separated values, or of cells copied from a spreadsheet, are rows of a table, also in a fence.
func TestPastedTables(t *testing.T) {
	const sales = "Region,Manager,Sales 2024,Sales 2025\nNorth,Ada Quill,120500,131200\nSouth,Ben Okoro,98000,87650\neast,Cleo Marsh,143900,150010"
	for name, text := range map[string]string{"commas": sales, "tabs": strings.ReplaceAll(sales, ",", "\t"), "semicolons": strings.ReplaceAll(sales, ",", ";"),
		"fenced": "```csv\n" + sales + "\n```", "between prose": "These are our sales, by region:\n\n" + sales + "\n\nThat is all, thanks."} {
		for question, want := range map[string]string{
			"What were the sales in 2025 in the South?":   "Region: South; Manager: Ben Okoro; Sales 2024: 98000; Sales 2025: 87650",
			"Who is the manager of the East?":             "Region: east; Manager: Cleo Marsh; Sales 2024: 143900; Sales 2025: 150010",
			"Which region had the highest sales in 2024?": "Region: east; Manager: Cleo Marsh; Sales 2024: 143900; Sales 2025: 150010",
			"What is the telephone number of Ada Quill?":  "Nothing relevant",
		} {
			if got := answer(t, ask(question, text)).Text; !strings.HasPrefix(got, want) || strings.Count(got, "Region") > 1 {
				t.Errorf("%s: %q is answered %q, want %q", name, question, got, want)
			}
		}
	}
}

// TestPastedColumns: names of columns may have units, and a cell without one is what its column and its row say.
func TestPastedColumns(t *testing.T) {
	const parts = "Artikel;Lager;Preis (EUR);Lieferant\nSchraube M6;1.200;0,12;Huber\nWinkel 40;310;1,95;Krause\nDübel 8;2.400;0,05;Meier"
	const staff = "Employee\tTeam\tHoliday left\tStart\nAnna Berg\tSales\t12\t01/04/2019\nTom Reed\tIT\t3\t15/09/2021\nZoe Park\tIT\t21\t03/01/2023"
	for _, c := range []struct{ text, question, want string }{
		{parts, "Wer ist der Lieferant von Winkel 40?", "Artikel: Winkel 40; Lager: 310; Preis (EUR): 1,95; Lieferant: Krause"},
		{staff, "How many days of holiday does Zoe Park have left?", "Employee: Zoe Park; Team: IT; Holiday left: 21; Start: 03/01/2023"},
		{staff, "How many days of sick leave does Zoe Park have left?", "Nothing relevant"},
	} {
		if got := answer(t, ask(c.question, c.text)).Text; !strings.HasPrefix(got, c.want) {
			t.Errorf("%q is answered %q, want %q", c.question, got, c.want)
		}
	}
}

// TestComputedTables: what is counted, summed up or compared over a table is computed, with the rows that it is of.
func TestComputedTables(t *testing.T) {
	const staff = "Name\tDepartment\tCity\tHolidays left\nAnn Lee\tSales\tLeeds\t4\nBob Ray\tIT\tYork\t0\nCid Orr\tSales\tLeeds\t12\nDee Fox\tHR\tHull\t"
	const ages = "name,age\nAnn,39\nBob,41\nCid,28"
	const hikes = "# Summer hikes\n\nBring good boots. The bus leaves at 8.\n\n| Tour | Km | Difficulty |\n|---|---|---|\n| Heron | 8.5 | easy |\n| Crow | 16.2 | hard |\n| Mill | 5.8 | easy |"
	m := extractive.New(nil, reckon.New(sqldrivers.Opener(nil, sqldrivers.Options{}), nil, nil))
	for _, c := range []struct{ text, question, want string }{
		{staff, "How many people work in Leeds?", "2:\n\nName: Ann Lee; Department: Sales; City: Leeds; Holidays left: 4\nName: Cid Orr; Department: Sales; City: Leeds; Holidays left: 12"},
		{staff, "Who has no holidays left?", "Name: Bob Ray; Department: IT; City: York; Holidays left: 0"},
		{staff, "How many holidays left has Dee Fox?", "Nothing relevant"},
		{staff, "How many people work in Rome?", "Nothing relevant"},
		{ages, "How old is Bob?", "name: Bob; age: 41"},
		{ages, "Who is the oldest?", "name: Bob; age: 41"},
		{ages, "What is the average age?", "36:\n\nname: Ann; age: 39\nname: Bob; age: 41\nname: Cid; age: 28"},
		{ages, "How old is Zoe?", "Nothing relevant"},
		{hikes, "Which hikes are easy?", "Tour: Heron; Km: 8.5; Difficulty: easy\nTour: Mill; Km: 5.8; Difficulty: easy"},
		{hikes, "How many hikes are longer than 20 km?", "0:\n\n| Tour | Km | Difficulty |"},
	} {
		got, err := modeltest.Collect(t.Context(), m, ask(c.question, c.text))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(got.Text, c.want) {
			t.Errorf("%q is answered %q, want %q", c.question, got.Text, c.want)
		}
	}
}

// TestTablesGoOn: parts of a delimited table that are passages of their own belong to it, unless nothing names their columns.
func TestTablesGoOn(t *testing.T) {
	m := extractive.New(nil, reckon.New(sqldrivers.Opener(nil, sqldrivers.Options{}), nil, nil))
	parts := []string{"name,town\nAnn,Leeds\nBob,York\nCid,Leeds", "Dee,York\nEve,Leeds\nFay,Hull", "Gus,York\nHal,Leeds\nIda,Hull"}
	for columns, want := range map[string]string{"| name | town |": "4:\n\nname: Ann; town: Leeds\n", "| % | # |": "", "": ""} {
		req := ask("How many people are in Leeds?", parts...)
		start := 0
		for i := range req.Passages {
			p := &req.Passages[i]
			p.Kind, p.DocumentIndex, p.Start, p.Continues, p.Last = passage.Document, 0, start, i < len(parts)-1, i == len(parts)-1
			if i > 0 {
				p.Columns = columns
			}
			start += len(p.Text) + 1
		}
		got, err := modeltest.Collect(t.Context(), m, req)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(got.Text, want) {
			t.Errorf("with %q: %q, want %q", columns, got.Text, want)
		}
	}
}

// TestCrosswise: of things beside each other, the one that has most of what is asked for is named before the row that tells it.
func TestCrosswise(t *testing.T) {
	const page = "# Technical data\n\n|  | Tern 40 | Gull 60 | Skua 90 |\n| --- | --- | --- | --- |\n| Loading volume | 40 litres | 60 litres | 90 litres |\n" +
		"| Power | 6.0 kW | 9.5 kW | 8 kW |\n| Weight empty | 145 kg | 0.2 t | 385 kg |\n| Heating time | 6 h | 7 h | 390 min |\n| Price | £900 | £1,200 | £1,150 |\n\nAll have a lamp."
	const years = "| Year | 2023 | 2024 | 2025 |\n| --- | --- | --- | --- |\n| Passengers | 1,000 people | 1,200 people | 900 people |\n| Fuel | 30 t | 20 t | 25 t |"
	for _, question := range []string{"Which is the highest year?", "Which year is the latest?", "What is the most recent year of these?", "Which is the largest of the years?"} {
		answer(t, ask(question, years)) // their names are numbers, too, and no property
	}
	const towns = "| Town | People | Beds |\n| --- | --- | --- |\n| Ulm | 900 | 20 |\n| Aue | 800 | 10 |\n| Kehl | 100 | 40 |"
	for question, want := range map[string]string{
		"Which model needs the most power?":                     "Gull 60:\n\nPower; Tern 40: 6.0 kW; Gull 60: 9.5 kW; Skua 90: 8 kW",
		"Which model is the heaviest by weight?":                "Skua 90:\n\nWeight empty; Tern 40: 145 kg; Gull 60: 0.2 t; Skua 90: 385 kg",
		"Which is heavier, the Tern 40 or the Gull 60?":         "Gull 60:\n\nWeight empty; Tern 40: 145 kg; Gull 60: 0.2 t; Skua 90: 385 kg",
		"Which heats faster, the Gull 60 or the Skua 90?":       "Skua 90:\n\nHeating time; Tern 40: 6 h; Gull 60: 7 h; Skua 90: 390 min",
		"Which is cheaper, the Gull 60 or the Skua 90?":         "Skua 90:\n\nPrice; Tern 40: £900; Gull 60: £1,200; Skua 90: £1,150",
		"Which model has the smallest loading volume?":          "Tern 40:\n\nLoading volume; Tern 40: 40 litres; Gull 60: 60 litres; Skua 90: 90 litres",
		"How much does the Tern 40 weigh?":                      "Weight empty; Tern 40: 145 kg; Gull 60: 0.2 t; Skua 90: 385 kg",
		"Which town has the most beds?":                         "Town: Kehl; People: 100; Beds: 40",
		"Which is more expensive, the Tern 40 or the Skua 90 ?": "Skua 90:\n\nPrice; Tern 40: £900; Gull 60: £1,200; Skua 90: £1,150",
	} {
		if got := answer(t, ask(question, page, towns)).Text; !strings.HasPrefix(got, want) {
			t.Errorf("%q is answered %q, want %q", question, got, want)
		}
	}
}
