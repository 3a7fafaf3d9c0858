package plainsql

import (
	"slices"
	"strings"
	"sync"
)

// concepts are words that mean nearly the same in names of columns and in questions about
// them, a line each: a word of a question stands for a column whose name has another of its
// line, where no column has the word itself.
const conceptLines = `
price cost fee charge beitrag tariff preis kosten gebühr entgelt
amount sum value money total betrag summe wert geld volume revenue turnover sale taking umsatz erlös einnahme income expense spending \
 spent spend ausgabe ausgaben expenditure ausgegeben netto brutto
owe owes owed arrear arrears debt outstanding balance saldo rückstand schulden behind
absent absence abwesend fehltage gefehlt fehlen fehlzeit
done finished completed complete erledigt fertig abgeschlossen beendet
cancelled canceled storniert abgesagt
electricity power energy strom energie kwh mwh ertrag erzeugung generation
waste wasted thrown throw discarded abfall weggeworfen
company companies business firm corporate firma unternehmen
individual private privat
salary wage pay earning gehalt lohn verdienst earn verdienen verdient
rent miete kaltmiete warmmiete
duration length minute hour hr dauer länge time zeit stunde labour last
quantity qty copy copies piece unit menge anzahl stück count pcs
stock inventory bestand lagerbestand lager vorrat hand available verfügbar
minimum min reorder threshold mindestbestand meldebestand mindest
planned plan budget target soll geplant estimate estimated ansatz voranschlag haushaltsansatz
actual ist real
date day datum tag when wann
due deadline fällig fälligkeit fällige
start begin beginning entry joined join hired hire eintritt einstellung eingestellt employed joining
end finish finished until leave ende austritt expire expiry expiration expires gültig
birth born birthday geburtsdatum geboren geburt dob
age old alter alt
city town place location ort stadt standort site wohnort where
country land nation
address adresse street straße anschrift
phone telephone telefon tel mobile handy telefonnummer
email mail
customer client buyer shopper consumer kunde kundin kundschaft auftraggeber abnehmer account
child kid kinder
adult erwachsener erwachsene
ship vessel boat ferry schiff boot fähre
aufgenommen aufnahme admitted admission intake
build built baujahr gebaut errichtet constructed construction
writer author autor autorin verfasser
book buch title titel
film movie
audience attendance attendee spectator zuschauer publikum visitor besucher guest
ticket admission eintrittskarte
species sort variety sorte art type
wait waiting wartezeit
delay late lateness verspätung
refund reimbursement erstattung rückzahlung repay repaid
winner win won sieger gewinner gewonnen
branch filiale outlet shop niederlassung standort site
sale sell sold verkauf verkäufe verkauft absatz
pack package packung box carton karton
doctor physician arzt ärztin clinician gp
appointment termin consultation
trade craft gewerk
manager leiter leiterin head chief supervisor boss vorgesetzter
brand marke maker manufacturer hersteller producer
colour color farbe
language sprache
nationality nation herkunft origin
gender sex geschlecht
speed geschwindigkeit
course kurs seminar workshop lehrgang training
trainer coach instructor dozent referent speaker
session lesson unterricht
squad crew mannschaft
fine penalty mahngebühr bußgeld strafe
loan borrowing ausleihe lending borrow lend lent
reader borrower leser entleiher
reason cause grund ursache
complaint beschwerde reklamation
error fault defect fehler mangel störung
repair maintenance reparatur wartung
component bauteil ersatzteil spare
machine device equipment gerät maschine anlage
warehouse depot storage lagerort
shelf regal bin
shipment consignment sendung dispatch
carrier courier haulier spediteur
driver fahrer fahrerin
route strecke tour linie line
passenger fahrgast
trip journey fahrt ride
fuel kraftstoff sprit
contract agreement vertrag
premium versicherungsbeitrag
damage claim schaden
profit margin surplus gewinn überschuss
loss deficit verlust
interest zins zinsen
deposit kaution anzahlung
tip trinkgeld
overtime überstunden
shift schicht
population einwohner inhabitant resident
rain rainfall niederschlag precipitation regen
meal dish gericht speise
beverage drink getränk
pet animal tier
vaccinated geimpft
house haus häuser property immobilie building gebäude
apartment flat wohnung
floor etage storey stockwerk
exam test prüfung klausur
advance vorschuss
royalty tantieme
exhibition ausstellung
artist künstler künstlerin
publisher verlag
print printed gedruckt paperback
supplier vendor lieferant hersteller manufacturer
employee worker staff mitarbeiter mitarbeiterin person colleague beschäftigter angestellter
department team division abteilung bereich unit
job position role function funktion beruf stelle occupation profession
temperature temp temperatur grad degree
weight mass gewicht kg kilo weigh weighs
height tall höhe
area size sqm fläche größe m2 acre hectare hektar ha quadratmeter
capacity seat places plätze kapazität sitzplätze
term zahlungsziel frist day
discount rabatt reduction nachlass
vat tax steuer mwst
status state stand zustand
category type kind group kategorie art gruppe klasse
item product article artikel produkt ware goods part teil
order bestellung auftrag
invoice bill rechnung
holiday vacation urlaub resturlaub
grade mark note score punkt result ergebnis
vehicle car auto fahrzeug
registration plate kennzeichen
guest gast visitor besucher
night nacht übernachtung
mileage km distance kilometer kilometerstand odometer strecke
member mitglied
donor giver spender spenderin
donation gift spende
owner eigentümer besitzer inhaber
tenant mieter mieterin renter
yield harvest ernte ertrag harvested cut geerntet
consumption verbrauch usage
pupil student schüler schülerin
teacher lehrer lehrerin
mechanic technician mechaniker monteur
room zimmer
payment zahlung
bathroom bad
bed bett schlafzimmer
paid bezahlt settled beglichen
comment note remark bemerkung notiz anmerkung
subject fach
class klasse
field feld schlag acker
crop kultur frucht
purchase purchased bought kauf gekauft
delivery delivered lieferung geliefert
`

var concepts = sync.OnceValue(func() map[string][]int { return conceptsOf(conceptLines) })

func conceptsOf(lines string) map[string][]int {
	out := map[string][]int{}
	for i, line := range strings.Split(strings.TrimSpace(strings.ReplaceAll(lines, "\\\n", "")), "\n") {
		for _, w := range strings.Fields(line) {
			out[w] = append(out[w], i)
		}
	}
	return out
}

// conceptsOfWord returns the concepts of a word, or of the last part of a compound, such as
// "Kaufpreis".
func conceptsOfWord(word string) []int {
	list := concepts()
	if found := list[word]; found != nil || len(word) < 2*leastPart {
		return found
	}
	for i := 3; i <= len(word)-leastPart; i++ {
		if found := list[word[i:]]; found != nil {
			return found
		}
	}
	return nil
}

// alike reports whether two words are of one concept.
func alike(a, b string) bool { return meets(conceptsOfWord(a), conceptsOfWord(b)) }

// meets reports whether two lists of concepts have one in common.
func meets(a, b []int) bool {
	for _, i := range a {
		if slices.Contains(b, i) {
			return true
		}
	}
	return false
}

// quality is an adjective: which way its most goes, and the parts of names of columns that it
// may speak of, of numbers and of dates; a date goes the other way where backwards is set.
type quality struct {
	way       int
	of        string
	dates     string
	backwards bool
}

const (
	priced  = "price cost fee charge rate preis kosten gebühr miete rent amount betrag"
	dated   = "born birth geboren geburtsdatum birthday dob date datum hired start eintritt opened founded built year baujahr purchase bought joined since"
	lasting = "duration length minute hour hr day night dauer länge term time zeit tage stunden zahlungsziel"
)

// qualities are adjectives by their stem, of which compared forms are made.
var qualities = map[string]quality{
	"expensive": {1, priced, "", false}, "dear": {1, priced, "", false}, "pricey": {1, priced, "", false}, "teuer": {1, priced, "", false},
	"cheap": {-1, priced, "", false}, "günstig": {-1, priced, "", false}, "billig": {-1, priced, "", false},
	"old": {1, "age alter", dated, true}, "alt": {1, "age alter", dated, true}, "ält": {1, "age alter", dated, true},
	"young": {-1, "age alter", "birth born geboren geburtsdatum", true}, "jung": {-1, "age alter", "birth born geboren geburtsdatum", true},
	"jüng": {-1, "age alter", "birth born geboren geburtsdatum", true},
	"new":  {-1, "age alter", dated, true}, "neu": {-1, "age alter", dated, true},
	"recent": {1, "", dated, false}, "recently": {1, "", dated, false},
	"late": {1, "", dated, false}, "early": {-1, "", dated, false}, "früh": {-1, "", dated, false},
	"spät": {1, "", dated, false},
	"long": {1, lasting, "", false}, "lang": {1, lasting, "", false}, "läng": {1, lasting, "", false},
	"short": {-1, lasting, "", false}, "kurz": {-1, lasting, "", false}, "kürz": {-1, lasting, "", false},
	"heavy": {1, "weight gewicht kg mass", "", false}, "schwer": {1, "weight gewicht kg", "", false},
	"light": {-1, "weight gewicht kg mass", "", false}, "leicht": {-1, "weight gewicht kg", "", false},
	"tall": {1, "height höhe", "", false}, "high": {1, "height höhe", "", false}, "hoch": {1, "height höhe", "", false},
	"höch": {1, "height höhe", "", false}, "höh": {1, "height höhe", "", false},
	"low": {-1, "height höhe", "", false}, "niedrig": {-1, "", "", false}, "nied": {-1, "", "", false},
	"big":   {1, "area size fläche größe capacity amount quantity betrag menge", "", false},
	"large": {1, "area size fläche größe capacity amount quantity betrag menge", "", false},
	"groß":  {1, "area size fläche größe capacity amount quantity betrag menge", "", false},
	"größ":  {1, "area size fläche größe capacity amount quantity betrag menge", "", false},
	"great": {1, "amount quantity", "", false},
	"small": {-1, "area size fläche größe capacity amount quantity betrag menge", "", false},
	"klein": {-1, "area size fläche größe capacity amount quantity betrag menge", "", false},
	"thick": {1, "diameter girth thickness circumference umfang durchmesser dicke", "", false},
	"dick":  {1, "diameter girth thickness circumference umfang durchmesser dicke stammumfang", "", false},
	"wide":  {1, "width breite", "", false}, "breit": {1, "width breite", "", false},
	"deep": {1, "depth tiefe", "", false},
	"tief": {1, "depth tiefe", "", false},
	"fast": {1, "speed geschwindigkeit kmh", "", false}, "schnell": {1, "speed geschwindigkeit kmh", "", false},
	"strong": {1, "abv alcohol alkohol strength", "", false},
	"stark":  {1, "abv alcohol alkohol stärke", "", false}, "stärk": {1, "abv alcohol alkohol stärke", "", false},
	"steep": {1, "climb climbing gradient", "", false},
	"hot":   {1, "temperature temp temperatur", "", false}, "warm": {1, "temperature temp temperatur", "", false},
	"wärm": {1, "temperature temp temperatur", "", false}, "cold": {-1, "temperature temp temperatur", "", false},
	"kalt": {-1, "temperature temp temperatur", "", false}, "kält": {-1, "temperature temp temperatur", "", false},
}

// extremes are words that say which way alone.
var extremes = map[string]int{"stärksten": 1, "most": 1, "highest": 1, "maximum": 1, "max": 1, "top": 1, "meisten": 1, "meiste": 1,
	"höchste": 1, "höchsten": 1,
	"last": 1, "latest": 1, "letzte": 1, "letzten": 1, "largest": 1, "biggest": 1, "größte": 1, "größten": 1,
	"least": -1, "lowest": -1, "fewest": -1, "minimum": -1, "min": -1, "bottom": -1, "wenigsten": -1, "wenigste": -1, "niedrigste": -1,
	"niedrigsten": -1, "first": -1, "erste": -1, "ersten": -1, "smallest": -1, "kleinste": -1, "kleinsten": -1, "geringste": -1,
	"geringsten": -1, "häufigsten": 1, "häufigste": 1, "seltensten": -1, "earliest": -1, "früheste": -1, "frühesten": -1}

// qualityOf returns the adjective that a word is the most of, or compares with.
func qualityOf(word string, endings ...string) (quality, bool) {
	for _, ending := range endings {
		base, ok := strings.CutSuffix(word, ending)
		if !ok {
			continue
		}
		for _, try := range []string{base, base + "e", strings.TrimSuffix(base, "i") + "y", base[:max(0, len(base)-1)]} {
			if q, ok := qualities[try]; ok && len(try) > 1 {
				return q, true
			}
		}
	}
	return quality{}, false
}

var (
	mostEndings = []string{"est", "ste", "sten", "ster", "stes", "este", "esten", "ester", "estes"}
	moreEndings = []string{"er", "r", "ere", "eren"}
	negating    = set(`not no without except excluding nicht kein keine keinen keiner keines ohne außer ausser never neither nor missing lack
		lacks lacking fehlt fehlen unless n`)
	// rowWords are what rows are called that say what was done.
	rowWords = set(`sale sales transaction transactions purchase purchases case cases item items verkauf verkäufe verkäufen buchung buchungen
		eintrag einträge einträgen vorgang vorgänge fall fälle posten datensätze zeilen`)
	// generic words say of what kind a measure is, and nothing more.
	generic   = set("tickets copies items price prices cost costs piece pieces units points score marks amount value figure level column sum betrag wert höhe spalte")
	spreading = set(`distributed distribution distribute breakdown break split spread verteilen verteilt verteilung aufteilung aufgeteilt`)
	grouping  = set("per by each every je pro jede jeder jedes jedem jeden nach")
	// rates are parts of names of columns whose sum means nothing.
	rates = set(`deposit kaution price salary wage rate ratio percent discount vat mwst steuer date age alter preis gehalt lohn quote rabatt unit each
		score temperature temperatur year jahr built baujahr vintage jahrgang einzelpreis ph floor etage grade note bedroom bed`)
	yesWords    = set("yes true y ja j wahr x ✓ done oui si sí")
	noWords     = set("no false n nein - falsch non 0")
	openWords   = set("unpaid open outstanding offen offene offenen unbezahlt unbezahlte unbezahlten owing unsettled pending")
	personNouns = set(`people person persons employee employees staff member members colleagues colleague worker workers mitarbeiter
		mitarbeiterinnen beschäftigte beschäftigten personen leute patients patient guests guest tenants tenant pupils pupil
		students student children mitglied mitglieder schüler schülerinnen kinder gäste customers customer clients donors donor kunden mieter
		spender participants teilnehmer`)
	personFields = strings.Fields(`name employee mitarbeiter person member mitglied customer kunde client guest gast donor spender tenant mieter pupil
		student schüler driver fahrer mechanic inspector tester agent operator technician contractor translator tutor rider actor director
		writer author autor
		candidate applicant bewerber pilot nurse doctor arzt seller verkäufer consultant berater bearbeiter sachbearbeiter
		examiner prüfer owner contact patient teacher trainer author participant teilnehmer buyer
		borrower reader leser entleiher runner läufer player spieler passenger holder`)
	labelFields = strings.Fields("name title titel item product artikel article produkt bezeichnung description beschreibung")
	// neutral words say that something is or was, or how the question is put.
	neutral = set(`finden findet fand statt travelled traveled gingen ging season saison received submitted filed eingegangen eingereicht verbraucht verbrauchten brauchten brauchte consumed möchten
		programme program catalogue register include includes included including contain contains also carried transported moved covered
		erzeugt produziert produced generated
		until hatte got lasted lasts lasting dauern dauerte dauerten gedauert everything because ended ends
		costing costs cost left completely ihren ihre ihr ihrem seine seinen sein erst brings bring shown managed end
		ende zurückgelegt gefahren benutzt raise raised raises grow grown grows reach reached take took produce produced bring
		fetched collect
		collected achieve achieved generate generated donate donated contribute contributed hosted attend attended teach
		teaches drive drove driven employ employed rented own owned treated serve served handle handled 
		visited ordered during often ausgeben einnehmen eingenommen erzielt erzielen brachte gebracht besucht gebucht
		bestellt geerntet angebaut verdienen verdient kosten kostet liefert betrieb reordering reordered the a an of in is are
		was were be been being there do does did done we our us i have has had having me my you your please for with from on at
		that this to and their them they its it he she his her as so if than then s t can could would should will shall may much
		many how what which who whose whom where when give gives gave given show list tell find name names database table tables
		row rows record records entry entries data sheet sheets spreadsheet file overall altogether together combined all total
		far yet already still currently now moment present once ever any some only single came come comes coming made make makes
		making takes taken taking got get gets gotten went go goes going placed sold sell sells bought buy buys buying
		work works worked working used use uses using spent spend paid pay pays earn earns earned brought booked registered
		recorded listed belong belongs exist exists counts count counted happen happened stay stayed stays live lives living
		called call say says stand stands whats through via handed put need needs needed into
		within back away off up out down number numbers figure figures whole entire one ones kept keep keeps held hold holds run
		runs ran about regarding concerning each other der die das den dem des ein eine einer einen einem eines im ist sind war
		waren wird wurde wurden werden worden gibt gab es wie hoch viel viele vielen welche welcher welches welchen welchem hat
		haben hatte hatten wer wen wem wann wo für von vom und zu zum zur mit bei beim zeige zeig liste alle allen aller alles
		bitte insgesamt am auf aus bis um als dass sich noch schon bisher mir uns unser unsere unserer unseren zusammen gesamt
		gesamte gesamten gesamter jemand man diese dieser dieses diesem bereits kommt kamen kam kommen gemacht machen macht
		gehören gehört liegt liegen steht stehen heißt arbeiten arbeitet gearbeitet verkauft gekauft einzelne einzelnen lauten
		lautet beträgt betragen wir ich ihr sie euch er ins fürs drauf drin dabei gehen geht ging wohl denn mal gestellt bezahlt
		bezahlen zahlen zahlt leben lebt wohnen wohnt bekommen bekommt erhalten erhält gegeben gespendet gekostet oft anzahl 
		 `)
)

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
