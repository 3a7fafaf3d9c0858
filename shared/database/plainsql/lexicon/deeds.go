package lexicon

// MeasureWords are units in which something is measured.
var MeasureWords = Set(`euro euros eur dollar dollars usd pound pounds gbp chf percent prozent minute minutes minuten hour hours
		stunde stunden
		day days tag tage tagen week weeks woche wochen month months monat monate monaten year years jahr jahre jahren kg kilo
		kilos kilogram kilograms g gram grams litre litres liter liters l km kilometre kilometres kilometer kilometers m metre
		metres meter meters piece pieces stück units degree degrees grad times tonne tonnes tonnen hectare hectares hektar ha
		points punkte nights nächte hl kwh mwh mg ml kw mw bar hpa ppm db lux m2 ft2 m3 sqm qm quadratmeter quadratmetern kubikmeter celsius
		fahrenheit mm mph kmh rpm watt volt mb gb`)

// DeedWords are verbs for what happened to rows, which a table tells of only where something in it is called so.
var DeedWords = Set(`sell sells buy buys verkaufen kaufen sold bought used ended finished cancelled canceled returned visited
		delivered left lost stolen moved booked
		employed work works
	worked working paid complained resigned appealed
	verkauft gekauft benutzt beendet storniert gekündigt besucht geliefert verloren gebucht bezahlt arbeiten gearbeitet`)

// Playing are verbs for what somebody does, of which a value says what.
var Playing = Set(`play plays played speak speaks spoke study studies studied learn learns learned practise practice do did drive
		drives like likes
	spielen spielt spielten sprechen spricht lernen lernt machen fahren fährt mögen turnen treiben`)

// Used are words for having consumed something.
var Used = Set("used use uses consumed consume consumes verbraucht verbrauchte verbrauchten")

// Actually are words for what was done, and not only planned.
var Actually = Set("worked booked logged recorded spent used actual actually gearbeitet gebucht verbraucht")

// Planning are words for what was to be done.
var Planning = Set("budget budgeted planned plan target estimated geplant soll")

// Wages are words for what somebody is paid for work, Hourly those for how much that is for an hour.
var (
	Wages  = Set("earn earns earned wage wages pay paid payroll verdient verdienen lohn löhne")
	Hourly = Set("rate hour hourly stunde stundenlohn stundensatz")
)

// Highest are words for the most or the least of a number.
var Highest = Set(`highest lowest largest biggest smallest maximum minimum max min höchste höchsten höchster niedrigste niedrigsten
	größte größten kleinste kleinsten`)

// Yields are words for what is harvested.
var Yields = Set("yield yields yielded harvest harvested ernte geerntet ertrag")

// Vehicles are words for what has a number plate.
var Vehicles = Set("car cars vehicle vehicles auto autos wagen fahrzeug fahrzeuge van vans fahrzeuge fahrzeugen kfz lkw transporter")

// Telling are verbs that tell of which rows something is asked: those that were missed, not all.
var Telling = Set(`missed skipped cancelled canceled lost won returned failed refused rejected declined delayed postponed repeated
		closed reopened resolved
	verpasst versäumt storniert abgesagt verloren gewonnen zurückgegeben abgelehnt verschoben`)

// Happened are words for what rows of another table may say of a thing or somebody.
var Happened = Set(`sent assigned taken given involved used booked ordered borrowed lent rented hired sold bought visited attended
		placed made received delivered played driven loaned
	benutzt gebucht bestellt ausgeliehen verliehen gemietet verkauft gekauft besucht bekommen erhalten gefahren geliefert gespielt
	gemacht gehabt
	anything etwas out aus`)

// Leading are words that lead to a value.
var Leading = Set("over by via through per with under from at in on for using über durch mit mittels bei aus im unter als as against")

// Trading are verbs for what is sold and bought.
var Trading = Set("sell sells sold buy buys bought verkauft verkaufen verkaufte kauft kaufte gekauft")

// Spending are words that ask for money.
var Spending = Set("spend spends spent cost costs pay pays paid bill bills ausgegeben ausgeben gekostet kostet kosten bezahlt gezahlt zahlen eingenommen earned earn verdient")

// Numbering are words for a number by which rows are told apart.
var Numbering = Set("number numbers no id ids nr nummer nummern")

// Staff are words for who does the work, not for whom it is done.
var Staff = Set("employee employees staff colleague colleagues worker workers mitarbeiter mitarbeiterinnen beschäftigte beschäftigten kollege kollegen kollegin kolleginnen")

// Paying are words for what is done with money.
var Paying = Set(`pay pays paid spend spends spent earn earned cost costs buy buys bought give gave given donate donated bring
		brings brought raise raised
	revenue turnover sales income umsatz einnahmen ausgaben bezahlt ausgegeben eingenommen verdient kostet gekostet gespendet gebracht
	bringt geld money`)

// Frequent are verbs for what rows say that somebody did.
var Frequent = Set("read reads borrow borrows borrowed complain complains report reports bother bothers call calls ask asks liest leiht ausleiht meldet meldete")

// Doers are verbs, with parts of names of columns that say who does it.
var Doers = []struct{ Verbs, Of, Not string }{
	{"sold sell sells selling verkauft verkaufte", "salesperson seller rep salesman agent consultant verkäufer vertreter berater sales",
		"customer client buyer kunde käufer guest gast"},
	{"bought buy buys purchased ordered orders kaufte gekauft bestellt bestellte", "customer client buyer kunde käufer besteller",
		"seller rep agent verkäufer vertreter berater"},
	{"supplies supply supplied delivers deliver delivered liefert geliefert", "supplier vendor lieferant",
		"customer client buyer kunde käufer"},
	{"borrowed borrow borrows returned return kept read reads liest las gelesen fined damaged ausgeliehen geliehen zurückgegeben",
		"borrower reader leser entleiher ausleiher", "author title autor"},
	{"worked works working gearbeitet arbeitet", "mechaniker mechanic technician employee mitarbeiter worker monteur agent",
		"customer client kunde requester"},
	{"donated donate donates gave spendete gespendet schenkte", "donor giver source spender stifter",
		"maker artist author keeper owner hersteller künstler autor"},
	{"bekommen erhalten kriegt gekriegt receives received", "empfänger zahlungsempfänger recipient payee beneficiary", ""},
	{"drove drives drive driven fuhr fährt gefahren", "driver fahrer rider pilot", "customer client buyer kunde käufer guest gast"},
	{"baked cooked prepared packed gebacken gekocht gepackt", "baker cook chef packer bäcker koch",
		"customer client buyer kunde guest gast"},
	{"wrote written schrieb geschrieben", "author writer autor verfasser", "borrower reader leser customer kunde"},
	{"handled fixed solved resolved closed looked repaired repariert bearbeitet gelöst behoben",
		"agent technician mechanic handler assignee bearbeiter " +
			"sachbearbeiter techniker", "requester reporter customer client kunde"},
	{"sees see seen saw treats treat treated examined behandelt", "doctor physician vet therapist dentist arzt ärztin",
		"patient client customer"},
	{"manage manages managed betreut betreuen",
		"manager rep agent contact betreuer bearbeiter ansprechpartner leiter assignee responsible consultant berater keeper carer pfleger tierpfleger", ""},
	{"vertritt vertreten deputises deputizes substitutes", "vertretung vertreter deputy substitute cover", ""},
	{"bothers bother bothered reported raised requested asked opened complained gemeldet beantragt",
		"requester reporter caller customer client melder kunde", "agent technician bearbeiter"},
	{"teaches teach taught leads lead led runs run gives unterrichtet unterrichten leitet leiten gibt geben hält",
		"teacher instructor trainer tutor lehrer dozent leiter coach kursleiter guide host referent", "customer client student pupil teilnehmer kunde"},
	{"painted drew sculpted composed sang sings gemalt malte zeichnete komponiert komponierte",
		"artist painter sculptor composer singer künstler maler komponist", "owner lender donor room"},
	{"sent send sends posted mailed ships shipped schickt schickte verschickt gesendet", "sender absender consignor", "recipient receiver empfänger customer client"},
	{"directed directs inszenierte inszeniert", "director regisseur", "actor author"},
	{"cleaned cleans clean putzt putzte geputzt gereinigt", "cleaner resident bewohner reinigungskraft mitbewohner", "customer client owner"},
	{"lent lends lend loaned loans leiht lieh geliehen verliehen", "lender owner leihgeber besitzer", "artist author borrower"},
}

// Deeds are verbs with the parts of names of columns that say how much of it was done.
var Deeds = []struct{ Verbs, Of string }{
	{"picked picks pick harvested harvest geerntet gepflückt", "weight kg yield harvest ertrag gewicht erntemenge"},
	{"worked work works gearbeitet arbeitet", "hour hours stunde stunden h arbeitszeit arbeitsstunden labour"},
	{"drove driven drives drive travelled traveled gefahren fährt", "km distance strecke kilometer mileage"},
	{"sold sell sells verkauft ordered orders bestellt bestellen bestellte", "sold quantity qty menge pieces units stück anzahl copies"},
	{"waited wait waits gewartet", "wait waiting wartezeit"},
	{"supplies supply supplied delivers delivered liefert lieferte geliefert", "quantity qty menge stück anzahl pieces units"},
	{"produced produces erzeugt produziert", "output production kwh ertrag erzeugung"},
}

// Belonging are words for people who belong somewhere, whom rows are only about where they name somebody.
var Belonging = Set(`member members mitglied mitglieder mitgliedern pupil pupils student students schüler schülerinnen tenant
		tenants mieter
	mieterinnen children kinder kindern`)

// Words for money that comes, and that goes.
var (
	Incomes  = Set("einnahme einnahmen eingenommen einnehmen income earn earned earnings proceeds takings revenue erlös erlöse sponsoren spenden")
	Expenses = Set("ausgabe ausgaben expense expenses expenditure spending kosten cost costs purchase purchases")
)

// AnyDay are names of days that do not say what was on them.
var AnyDay = Set("date datum day tag")

// Containers are words for what rows are kept in.
var Containers = Set("list log stock book register buch liste kasse sheet data inventory bestand lager tabelle")

// Opposite are pairs of words before what is counted on two sides.
var Opposite = map[[2]string]bool{{"home", "away"}: true, {"away", "home"}: true, {"heim", "gast"}: true, {"heim", "auswärt"}: true,
	{"male", "female"}: true, {"adult", "child"}: true, {"morning", "afternoon"}: true}
