package plainsql

// Words by their roles, English and German.
var (
	// linking words are no values.
	linking = set("the a an of in is are was were there do does did we our us i have has had all me please for with from on at that to and their its it " +
		"database table row rows record records entry entries data what how much many show list give find which who whose where when having each every every per by " +
		"placed work works get got be been amount amounts value values single overall name names number " +
		"der die das den dem des ein eine einer im in ist sind war waren gibt es wie hoch viel viele welche welcher welches welchen hat haben wer wann was für von " +
		"und zu mit pro je bei zeige liste alle bitte insgesamt am an")
	countWords = []string{"how many", "number of", "count of", "count", "wie viele", "wieviele", "anzahl der", "anzahl"}
	aggregated = map[string]aggregate{"total": sum, "sum": sum, "altogether": sum, "summe": sum, "gesamt": sum, "gesamtsumme": sum,
		"average": average, "mean": average, "avg": average, "durchschnitt": average, "durchschnittlich": average, "durchschnittliche": average,
		"mittelwert": average}
	numbers = []string{"two zwei", "three drei", "four vier", "five fünf", "six sechs", "seven sieben", "eight acht", "nine neun", "ten zehn"}
	units   = set("eur usd chf gbp kg g km m cm pcs percent pct id no nr number gross net")
	months  = []string{"january januar jan", "february februar feb", "march märz mar", "april apr", "may mai", "june juni jun",
		"july juli jul",
		"august aug", "september sep sept", "october oktober oct okt", "november nov", "december dezember dec dez"}
)
