package lexicon

import "strings"

// Words by what they are in a question, or in a name of a column.
var (
	Negating = Set(`non not no without except excluding nicht kein keine keinen keiner keines ohne außer ausser never neither nor
		missing lack
		lacks lacking fehlt fehlen unless n`)
	// RowWords are what rows are called that say what was done.
	RowWords = Set(`sale sales transaction transactions purchase purchases case cases item items verkauf verkäufe verkäufen buchung buchungen
		eintrag einträge einträgen vorgang vorgänge fall fälle posten position positionen datensätze zeilen`)
	// Generic words say of what kind a measure is, and nothing more.
	Generic   = Set("mark grade grades result results reading readings count rate tickets copies items price prices cost costs piece pieces units points score marks amount value figure level column sum betrag wert höhe spalte")
	Spreading = Set(`distributed distribution distribute breakdown break split spread verteilen verteilt verteilung aufteilung aufgeteilt`)
	Grouping  = Set("per by each every je pro jede jeder jedes jedem jeden nach")
	// Rates are parts of names of columns whose sum means nothing.
	Rates = Set(`deposit kaution price salary wage rate ratio percent discount vat mwst steuer date age alter preis gehalt lohn quote
		rabatt unit each
		score temperature temperatur year jahr built baujahr vintage jahrgang einzelpreis ph floor etage grade note bedroom bed
		rating satisfaction star bewertung zufriedenheit zensur
		height girth diameter circumference höhe breite tiefe durchmesser umfang`)
	YesWords = Set("yes true y ja j wahr x ✓ done oui si sí")
	NoWords  = Set("no false n nein - falsch non 0")
	// Currencies are signs and words of money behind or before an amount.
	Currencies = strings.Fields("€ £ $ euro euros pound pounds dollar dollars")
	// Costing are verbs of what somebody pays for something.
	Costing = Set("pay pays paid paying cost costs costing zahlt zahlen bezahlt kostet kosten")
	// DeedEndings are how nouns end for what somebody did, behind what the noun for him begins with: applications of applicants.
	DeedEndings = Set("ation ations s ing ings ung ungen ment ments e en es ions ion")
	// Auxiliary are verbs behind what is counted.
	Auxiliary = Set("were was are is have has had did do does wurden wurde waren war sind haben hat hatten")
	// Nones are what stands in a column of text for nothing.
	Nones = Set("none nil n/a na - – — keine keiner keins kein nichts")
	// Inapplicable are what stands in a column of yes and no where neither is so.
	Inapplicable = Set("n/a na unknown ? unbekannt entfällt k.a. tbd")
	OpenWords    = Set(`unpaid open outstanding owed owe owes offen offene offenen unbezahlt unbezahlte unbezahlten owing unsettled pending
		schuldet schulden schuldig ausstehend ausstehende ausstehenden`)
	PersonNouns = Set(`kollege kollegen kollegin kolleginnen people person persons employee employees staff member members colleagues
		colleague worker workers mitarbeiter
		mitarbeiterinnen beschäftigte beschäftigten personen leute patients patient guests guest tenants tenant pupils pupil
		students student children mitglied mitglieder schüler schülerinnen kinder gäste customers customer clients donors donor kunden mieter
		spender participants teilnehmer`)
	PersonFields = strings.Fields(`name employee mitarbeiter person member mitglied customer kunde client guest gast donor spender
		tenant mieter pupil
		student schüler driver fahrer mechanic inspector tester agent operator technician contractor translator tutor rider actor director
		writer author autor
		candidate applicant bewerber pilot nurse doctor arzt seller verkäufer consultant berater bearbeiter sachbearbeiter
		examiner prüfer owner contact patient teacher trainer author participant teilnehmer buyer
		borrower reader leser entleiher requester requestor reporter caller melder antragsteller runner läufer player spieler passenger holder
		techniker monteur bewohner mitbewohner resident lodger flatmate housemate roommate absolvent assignee responsible user nutzer volunteer helfer instructor salesperson`)
	LabelFields = strings.Fields("name title titel item product artikel article produkt bezeichnung description beschreibung")
	// Vague are verbs that say no more than that something was so, or was used up, done or spent, as people talk.
	Vague = Set(`ausgegeben bother bothers bothering bothered burn burns burned burnt tied chase chasing chased
		rack racked clock clocked chalk
		chalked shell
		shelled fork forked splash splashed blow blew blown guzzle guzzled munch gobble gobbled swallow swallowed crank cranked knock
		knocked notch
		notched total totalled totaled pop popped turn turned turns wise
		carry carries habe jetzt dran unterwegs reads read liest las gelesen wrote schrieb eats eat fressen frisst here hier dort
		vertritt vertreten
		einbringt eingebracht bringt darf dürfen durfte durften allowed permitted
		abgerissen abgespult abreißen runtergespult heruntergespult runtergeschrubbt reingegangen reingelaufen reingeflossen reingeflossenen
		draufgegangen rausgegangen rausgehauen rausgeschmissen verballert verpulvert verbraten hingeblättert gelöhnt berappt geschluckt
		gefressen
		verschlungen weggegangen drangegangen angefallen zusammengekommen zusammengefahren aufgelaufen losgeworden`)
	// Neutral words say that something is or was, or how the question is put.
	Neutral = Set(`see saw seen send sends sent scored treat treats müssen muss must verbrauchte consume consumes consumed aktuell
		derzeit zurzeit momentan want wants wanted choose chose chosen prefer prefers preferred wünschen wünscht verursacht verursachen
		angefallen entstanden caused
		incurred stored lagern gelagert geleistet geleisteten können kann
		simply actually really careful something anyone anybody someone somebody irgendjemand
		kosteten kostete based everyone everybody sees treats rein raus betreut betreuen issue happening located situated stattgefunden
		eingezahlt überwiesen damit einfach eigentlich
		issued ausgestellt beschäftigt entfallen entfällt book log logged nennen nenne sag sagen angeben stammen
		stammt finden findet fand statt travelled traveled gingen ging season saison received submitted filed eingegangen eingereicht
		verbraucht verbrauchten brauchten brauchte consumed möchten
		programme program catalogue register include includes included including contain contains also carried transported moved covered
		erzeugt produziert produced generated
		until hatte got lasted lasts lasting dauern dauerte dauerten gedauert everything because ended ends
		costing costs cost left completely ihren ihre ihr ihrem seine seinen sein erst brings bring shown managed end
		ende zurückgelegt gefahren benutzt raise raised raises grow grown grows reach reached take took produce produced bring
		fetched collect
		collected filled poured pumped achieve achieved generate generated donate donated contribute contributed hosted attend attended teach
		teaches drive drove driven employ employed rented own owned treated serve served handle handled 
		visited ordered during often ausgeben einnehmen eingenommen erzielt erzielen brachte gebracht besucht gebucht
		lag lagen liegen liegt bestellt geerntet angebaut verdienen verdient kosten kostet liefert betrieb reordering reordered the a an of in
		is are
		was were be been being there do does did done we our us i have has had having me my you your please for with from on at
		that this to and their them they its it he she his her as so if than then s t can could would should will shall may much
		many how what which who whose whom where when give gives gave given show list tell find name names database table tables
		row rows record records entry entries data sheet sheets spreadsheet file overall altogether together combined all total
		far yet already still only nur ausschließlich currently now moment present once ever any some only single came come comes coming
		made make makes
		making takes taken taking got get gets gotten went go goes going placed sold sell sells bought buy buys buying
		work works worked working used use uses using spent spend paid pay pays earn earns earned brought booked registered
		recorded listed belong belongs exist exists counts count counted happen happened stay stayed stays live lives living
		called call say says stand stands whats through via handed put need needs needed into
		within back away off up out down number numbers figure figures whole entire one ones kept keep keeps held hold holds run
		spends receives produces wins drinks zuständig responsible charge
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
	// Linking words are no values.
	Linking = Set("the a an of in is are was were there do does did we our us i have has had all me please for with from on at that to and their its it " +
		"database table row rows record records entry entries data what how much many show list give find which who whose where when having each every every per by " +
		"placed work works get got be been amount amounts value values single overall name names number " +
		"der die das den dem des ein eine einer im in ist sind war waren gibt es wie hoch viel viele welche welcher welches welchen hat haben wer wann was für von " +
		"und zu mit pro je bei zeige liste alle bitte insgesamt am an")
	CountWords = []string{"how many", "number of", "count of", "count", "wie viele", "wieviele", "wie vielen", "wievielen", "anzahl der",
		"anzahl"}
	numbers = []string{"two zwei", "three drei", "four vier", "five fünf", "six sechs", "seven sieben", "eight acht", "nine neun",
		"ten zehn"}
	Units    = Set("eur usd chf gbp kg g km m cm pcs percent pct id no nr number gross net")
	weekdays = []string{"sunday sonntag", "monday montag", "tuesday dienstag", "wednesday mittwoch", "thursday donnerstag", "friday freitag",
		"saturday samstag sonnabend"}
	weekends = Set("weekend weekends wochenende wochenenden")
	months   = []string{"january januar jan", "february februar feb", "march märz mar mrz mär", "april apr", "may mai", "june juni jun",
		"july juli jul",
		"august aug", "september sep sept", "october oktober oct okt", "november nov", "december dezember dec dez"}
)

// Things that say nothing more than that rows are spoken of.
var (
	// ThingNouns are general words for what rows are of.
	ThingNouns = Set(`device devices asset assets gadget gadgets food goods material stuff freight cargo thing things item items piece pieces object objects article articles
		product products entry entries
		car cars vehicle vehicles book books house houses home homes place places animal animals event events visit visits
		booking bookings arrival arrivals departure departures trip trips tour tours job jobs task tasks order orders case cases
		test tests check checks sample samples measurement measurements reading readings race races match matches game games
		session sessions request requests absence absences antrag anträge appointment appointments lot lots sailing sailings flight flights
		run runs meeting meetings occasion occasions
		time times unit units property properties
		pet pets tool tools machine machines room rooms
		showing showings screening screenings performance performances lesson lessons shift shifts treatment treatments class classes
		delivery deliveries rental rentals repair repairs inspection inspections loan loans sale sales feeding feedings aufgabe aufgaben
		vorstellung vorstellungen vorführung vorführungen aufführung aufführungen schicht schichten lieferung lieferungen reparatur
		reparaturen behandlung behandlungen ausleihe ausleihen einsatz einsätze kontrolle kontrollen
		sache sachen ding dinge stück stücke gegenstand gegenstände objekt objekte artikel posten eintrag einträge fall fälle
		auto autos wagen fahrzeug fahrzeuge buch bücher haus häuser tier tiere veranstaltung veranstaltungen besuch besuche
		buchung buchungen fahrt fahrten auftrag aufträge bestellung bestellungen prüfung prüfungen messung messungen probe proben
		termin termine spiel spiele sitzung sitzungen zahlung zahlungen rechnung rechnungen spende spenden wohnung wohnungen`)
	// GeneralNouns are words for anything.
	GeneralNouns = Set(`thing things item items piece pieces object objects article articles entry entries record records case cases
		unit units
		food goods material stuff line lines sache sachen ding dinge stück stücke gegenstand gegenstände objekt objekte posten eintrag einträge
		fall
		fälle`)
	// Anything are words for whatever rows are of, that say not even of what kind.
	Anything = Set("thing things stuff item items ones sache sachen ding dinge zeug")
	// Folk are general words for people whom rows may be of.
	Folk = Set(`kid kids child youngster youngsters teenager teenagers jugendliche jugendlichen kindern schülern
		schülerin mitgliedern teilnehmern gästen spielern läufern player players runner runners swimmer swimmers singer singers rider riders 
		folk folks visitor visitors attendee attendees parent parents neighbour neighbours
		resident residents user users applicant applicants candidate candidates competitor competitors entrant entrants
		participant participants finisher finishers traveller travellers passenger passengers
		spieler spielerin spielerinnen läufer läuferinnen sänger sängerinnen teilnehmer teilnehmerinnen besucher besucherinnen
		bewohner bewohnerinnen nutzer nutzerinnen bewerber bewerberinnen kandidaten gäste
		fahrgäste reisende kunden patienten leute`)
	// Young are words for people who are not grown up.
	Young = Set(`kid kids child children youngster youngsters teenager teenagers jugendliche jugendlichen kind kinder kindern`)
	// OurPlaces are words for who keeps a table, or where.
	OurPlaces = Set(`club school company firm shop store workshop museum farm hotel house office business team organisation
		organization charity
		society association library gallery garage practice clinic hospital studio factory plant yard site restaurant cafe town village
		community parish gym pool zoo theatre theater cinema bakery pharmacy church nursery kindergarten hostel campsite marina list register
		book books records season year event race competition exam system plan diary calendar planner
		verein schule firma betrieb laden geschäft werkstatt museum hof hotel haus büro unternehmen praxis labor klinik gemeinde stadt
		dorf anlage solaranlage liste buch register saison jahr rennen wettkampf lauf wettbewerb kartei bestand`)
)
