package plainsql

import "strings"

// Words by their roles, English and German.
var (
	refusing = set("not no never without except besides or nor neither nicht kein keine keinen ohne ausser außer oder best better delete drop update insert")
	linking  = set("the a an of in is are was were there do does did we our us i have has had all me please for with from on at that to and their its it " +
		"database table row rows record records entry entries data what how much many show list give find which who whose where when having each every every per by " +
		"placed work works get got be been amount amounts value values single overall name names number " +
		"der die das den dem des ein eine einer im in ist sind war waren gibt es wie hoch viel viele welche welcher welches welchen hat haben wer wann was für von " +
		"und zu mit pro je bei zeige liste alle bitte insgesamt am an")
	countWords = []string{"how many", "number of", "count of", "count", "wie viele", "wieviele", "anzahl der", "anzahl"}
	aggregated = map[string]aggregate{"total": sum, "sum": sum, "altogether": sum, "summe": sum, "gesamt": sum, "gesamtsumme": sum,
		"average": average, "mean": average, "avg": average, "durchschnitt": average, "durchschnittlich": average, "durchschnittliche": average,
		"mittelwert": average}
	// superlatives say which way; a word of a column may be among them.
	superlatives = map[string]int{"most": 1, "highest": 1, "largest": 1, "biggest": 1, "greatest": 1, "maximum": 1, "max": 1,
		"latest": 1, "last": 1,
		"newest": 1, "top": 1, "meisten": 1, "höchste": 1, "höchsten": 1, "größte": 1, "größten": 1, "teuerste": 1, "teuersten": 1, "letzte": 1,
		"least": -1, "lowest": -1, "smallest": -1, "minimum": -1, "min": -1, "fewest": -1, "cheapest": -1, "earliest": -1,
		"first": -1, "oldest": -1,
		"wenigsten": -1, "niedrigste": -1, "niedrigsten": -1, "kleinste": -1, "kleinsten": -1, "billigste": -1, "günstigste": -1, "erste": -1}
	// meant are words for what a column holds, by a part of the column's name.
	meant = map[string][]string{
		"cheapest": {"price", "cost", "preis"}, "expensive": {"price", "cost", "preis"}, "cheap": {"price", "cost", "preis"},
		"cost":  {"price", "cost", "preis"},
		"costs": {"price", "cost", "preis"}, "teuerste": {"preis", "price"}, "teuersten": {"preis", "price"}, "billigste": {"preis", "price"},
		"günstigste": {"preis", "price"}, "earn": {"salary", "wage", "gehalt"}, "earns": {"salary", "wage", "gehalt"}, "paid": {"salary", "wage"},
		"verdient": {"gehalt", "salary"}, "spent": {"amount", "cost", "betrag"}, "spending": {"amount", "betrag"},
		"expenses": {"amount", "expense", "betrag"},
		"ausgaben": {"betrag", "amount", "kosten"}, "beträge": {"betrag"}, "beträgen": {"betrag"}, "kosten": {"betrag", "kosten", "preis"},
		"ordered": {"quantity", "menge"},
		"sold":    {"quantity", "menge"}, "joined": {"hired", "joined", "start"}, "hired": {"hired"}, "eingestellt": {"hired", "eintritt"},
		"latest": {"date", "datum"}, "earliest": {"date", "datum"}, "oldest": {"date", "datum"}, "newest": {"date", "datum"}, "plans": {"plan"},
	}
	// persons are words for the rows of a table of people.
	persons = set("people person persons employee employees staff member members colleagues mitarbeiter personen leute who wer")
	// holders are names of columns whose values somebody may be, besides those of a table of people.
	holders = strings.Fields("member mitglied customer client kunde tenant mieter holder contact owner driver student patient trainer author")
	// intensive are parts of names of columns whose sum means nothing.
	intensive = set("price cost salary wage rate ratio percent discount vat date hired age preis gehalt quote rabatt unit score temperature year")
	units     = set("eur usd chf gbp kg g km m cm pcs percent pct id no nr number gross net")
	months    = []string{"january januar", "february februar", "march märz", "april april", "may mai", "june juni", "july juli",
		"august august",
		"september september", "october oktober", "november november", "december dezember"}
)
