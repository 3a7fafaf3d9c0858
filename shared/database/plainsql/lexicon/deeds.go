package lexicon

// MeasureWords are units in which something is measured.
var MeasureWords = Set(`euro euros eur dollar dollars usd pound pounds gbp chf percent prozent minute minutes minuten hour hours stunde stunden
		day days tag tage tagen week weeks woche wochen month months monat monate monaten year years jahr jahre jahren kg kilo
		kilos kilogram kilograms g gram grams litre litres liter liters l km kilometre kilometres kilometer kilometers m metre
		metres meter meters piece pieces stück units degree degrees grad times tonne tonnes tonnen hectare hectares hektar ha
		points punkte nights nächte hl kwh mwh mg ml kw mw bar hpa ppm db lux m2 m3 sqm qm quadratmeter quadratmetern kubikmeter celsius fahrenheit mm mph kmh rpm watt volt mb gb`)

// DeedWords are verbs for what happened to rows, which a table tells of only where something in it is called so.
var DeedWords = Set(`sold bought used ended finished cancelled canceled returned visited delivered left lost stolen moved booked employed work works
	worked working paid complained resigned appealed
	verkauft gekauft benutzt beendet storniert gekündigt besucht geliefert verloren gebucht bezahlt arbeiten gearbeitet`)

// Playing are verbs for what somebody does, of which a value says what.
var Playing = Set(`play plays played speak speaks spoke study studies studied learn learns learned practise practice do did drive drives like likes
	spielen spielt spielten sprechen spricht lernen lernt machen fahren fährt mögen turnen treiben`)

// Vehicles are words for what has a number plate.
var Vehicles = Set("car cars vehicle vehicles auto autos wagen fahrzeug fahrzeuge van vans fahrzeuge fahrzeugen kfz lkw transporter")

// Telling are verbs that tell of which rows something is asked: those that were missed, not all.
var Telling = Set(`missed skipped cancelled canceled lost won returned failed refused rejected declined delayed postponed repeated closed reopened resolved
	verpasst versäumt storniert abgesagt verloren gewonnen zurückgegeben abgelehnt verschoben`)

// Happened are words for what rows of another table may say of a thing or somebody.
var Happened = Set(`sent assigned taken given involved used booked ordered borrowed lent rented hired sold bought visited attended placed made received delivered played driven loaned
	benutzt gebucht bestellt ausgeliehen verliehen gemietet verkauft gekauft besucht bekommen erhalten gefahren geliefert gespielt
	gemacht gehabt
	anything etwas out aus`)

// Leading are words that lead to a value.
var Leading = Set("over by via through per with under from at in on for using über durch mit mittels bei aus im unter als as against")
