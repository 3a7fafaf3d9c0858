package lexicon

import (
	"slices"
	"strings"
	"sync"
)

// concepts are words that mean nearly the same in names of columns and in questions about
// them, a line each: a word of a question stands for a column whose name has another of its
// line, where no column has the word itself. A line that begins with a space goes on with the one before.
const conceptLines = `
price cost fee charge bill beitrag tariff preis kosten gebühr entgelt
amount sum value worth money total betrag summe wert geld volume revenue turnover sale
 taking umsatz erlös einnahme income expense spending spent spend ausgabe ausgaben expenditure ausgegeben netto
 brutto
owe owes owed arrear arrears debt outstanding balance saldo rückstand schulden behind
absent absence abwesend fehltage gefehlt fehlen fehlzeit
done finished completed complete erledigt fertig abgeschlossen beendet resolved solved closed fixed resolution gelöst behoben geschlossen
rating rated satisfaction stars review bewertung zufriedenheit
cancelled canceled storniert abgesagt
collected picked fetched abgeholt
electricity power energy strom energie kwh mwh ertrag erzeugung generation
rest remaining remainder übrig verbleibend restlich
feed food futter
feed fed feeding eingespeist einspeisung einspeisen
solar panel panels sun sonne pv photovoltaik solaranlage
einzug eingezogen einziehen
auszug ausgezogen ausziehen
gespräch talk meeting rede reden spreche sprechen
waste wasted thrown throw discarded abfall weggeworfen
company companies business firm corporate firma unternehmen
individual private privat
rep salesperson salesman saleswoman seller salesmen verkäufer verkäuferin vertreter vertriebler
groceries grocery supermarket lebensmittel
savings saving save saved saves ersparnis ersparnisse gespart sparen
salary payroll wage pay earning gehalt lohn verdienst earn verdienen verdient
rent miete kaltmiete warmmiete
duration length minute hour hr dauer länge time zeit stunde labour last
quantity qty copy copies piece unit auflage menge anzahl stück count pcs
stock inventory bestand lagerbestand lager vorrat hand available verfügbar
minimum min reorder threshold mindestbestand meldebestand mindest
planned plan budget target soll geplant estimate estimated ansatz voranschlag haushaltsansatz
actual ist real
date day datum tag when wann
due deadline fällig fälligkeit fällige
start begin begins began begun beginning begann begannen beginnt begonnen eingetreten eingetretene eingetretenen eintritte
 entry joined join hired hire since seit
 eintritt einstellung eingestellt employed joining
end finish finished until leave ende austritt expire expiry expiration expires gültig
birth born birthday geburtsdatum geboren geburt dob geb gebdat geburtstag
age old alter alt
city town place location ort stadt standort site wohnort where
country land nation
address adresse street straße anschrift
phone telephone telefon tel mobile handy telefonnummer
email mail
customer client buyer shopper consumer kunde kundin kundschaft auftraggeber abnehmer account
child kid kinder
left quit resigned departed ausgetreten austritt austritte verlassen verließen
start starting starts arrival anreise angefangen anfang beginn beginnend
adult erwachsener erwachsene
ship vessel boat ferry schiff boot fähre
aufgenommen aufnahme admitted admission intake
annahme angenommen abgegeben accepted
build built baujahr gebaut errichtet constructed construction
writer author autor autorin verfasser
book buch title titel
film movie
audience attendance attended attendee spectator crowd zuschauer publikum visitor besucher guest
ticket admission eintrittskarte
ticket issue problem incident störung anfrage
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
participant teilnehmer anmeldung anmeldungen registration attendee signup enrolment
squad crew mannschaft
fine penalty mahngebühr bußgeld strafe
loan borrowing borrowed ausleihe ausgeliehen lending borrow lend lent checkout checked issued verliehen entliehen
reader borrower leser entleiher
reason cause grund ursache
complaint beschwerde reklamation
error fault defect fehler mangel störung kaputt kaputte kaputter kaputtes kaputten defekt defekte defekter defektes defekten broken faulty
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
fuel kraftstoff sprit benzin diesel petrol getankt tanken vertankt tankkosten
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
department dept team division abteilung bereich unit
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
category type kind genre group kategorie art gruppe klasse
item product article artikel produkt ware goods part teil
order bestellung auftrag
invoice bill rechnung
holiday vacation urlaub resturlaub
grade mark note score punkt result ergebnis
centre center zentrum
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
pupil student learner schüler schülerin
teacher lehrer lehrerin
mechanic technician mechaniker monteur
room zimmer
payment zahlung
bathroom bad
bed bett schlafzimmer
paid bezahlt gezahlt überwiesen entrichtet settled beglichen
comment remark bemerkung notiz anmerkung
subject fach
class klasse
field feld schlag acker
crop kultur frucht
purchase purchased bought buy buys kauf gekauft kaufte
goal scored scorer tor torschütze
acquire acquired acquisition erworben erwerb
insured insurance ins versichert versicherung
warranty guarantee garantie gewährleistung
subscription sub
returned return back zurück rückgabe zurückgegeben
calorie kcal kalorie kalorien energy energie
protein eiweiß
fat fett
carb carbs carbohydrate carbohydrates kohlenhydrate
eingang eingegangen eingehend eingezahlt received
delivery delivered lieferung geliefert
`

var concepts = sync.OnceValue(func() map[string][]int { return conceptsOf(conceptLines) })

func conceptsOf(lines string) map[string][]int {
	out := map[string][]int{}
	for i, line := range strings.Split(strings.TrimSpace(strings.ReplaceAll(lines, "\n ", " ")), "\n") {
		for _, w := range strings.Fields(line) {
			out[w] = append(out[w], i)
		}
	}
	return out
}

// ConceptsOf returns the concepts of a word, or of the last part of a compound, such as
// "Kaufpreis".
func ConceptsOf(word string) []int {
	list := concepts()
	if found := list[word]; found != nil || len(word) < LeastPart+1 {
		return found
	}
	for _, ending := range []string{"n", "en", "e", "er", "ern", "s", "es"} { // of German nouns
		base, ok := strings.CutSuffix(word, ending)
		if !ok || len(base) < LeastPart {
			continue
		}
		if found := list[base]; found != nil {
			return found
		}
		if found := list[plural.Replace(base)]; found != nil {
			return found
		}
	}
	if len(word) < 2*LeastPart {
		return nil
	}
	for i := 3; i <= len(word)-LeastPart; i++ {
		if found := list[word[i:]]; found != nil {
			return found
		}
	}
	return nil
}

// Alike reports whether two words are of one concept.
func Alike(a, b string) bool { return Meets(ConceptsOf(a), ConceptsOf(b)) }

// Meets reports whether two lists of concepts have one in common.
func Meets(a, b []int) bool {
	for _, i := range a {
		if slices.Contains(b, i) {
			return true
		}
	}
	return false
}
