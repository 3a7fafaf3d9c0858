package lexicon

import "strings"

// Leavings are parts of names of days on which somebody left.
var Leavings = strings.Fields("austritt leaving left leave departed departure resigned resignation ausgetreten ausgeschieden kündigung exit terminated termination moved_out auszug ausgezogen abholung abgeholt collected pickup")

// VacantWords say that nobody is in something.
var VacantWords = Set("empty vacant unoccupied unlet untenanted leer leerstehend leerstehende leerstehenden frei freie freien")

// TakenWords say that somebody is in something.
var TakenWords = Set("occupied let tenanted vermietet vermietete vermieteten belegt belegte belegten bewohnt bewohnte bewohnten")

// Dwellers are parts of names of columns that tell who or what is in something.
var Dwellers = Set("tenant mieter mieterin occupant occupier bewohner resident guest gast boat boot occupied")

// Sometimes are parts of names of amounts that only some rows have.
var Sometimes = strings.Fields("fine penalty mahngebühr strafe bußgeld tip trinkgeld discount rabatt refund erstattung")

// EverySpan are spans for which something is paid: what several things cost in one is summed.
var EverySpan = Set("month monat year jahr week woche annum")

// Recorded are words for what a cell that is not empty is.
var Recorded = Set("measured recorded entered given filled noted known taken set erfasst gemessen eingetragen angegeben bekannt")

// SizesOfYears are words for years as a size of somebody's age.
var SizesOfYears = Set("year years jahr jahre jahren")

// Rooms are parts of names of columns that say where something is.
var Rooms = strings.Fields("venue branch building room hall shelf warehouse depot station store filiale gebäude raum saal halle regal lager lagerort bin aisle rack drawer cabinet cupboard schrank fach")

// Averaging are words for an average.
var Averaging = Set("average mean avg compare durchschnitt durchschnittlich durchschnittliche durchschnittlicher durchschnittliches vergleiche")

// Leveled are parts of names of numbers that things are told apart by with an ordinal: the third floor.
var Leveled = strings.Fields("floor etage stock stockwerk storey grade class klasse level week woche round runde")

// Subjects are what pupils get marks in, as columns are called.
var Subjects = Set("math maths mathe mathematics mathematik english englisch german deutsch history geschichte physics physik biology biologie " +
	"chemistry chemie art kunst music musik sport pe geography erdkunde geographie science french französisch latin latein spanish spanisch religion ethik")

// YearWords are names of columns with years that are no dates.
var YearWords = Set("built vintage published released launched founded established premiered erschienen gegründet jahrgang")

// Earned are words for what is Earned.
var Earned = Set("revenue turnover umsatz sales umsätze sale erlös taking revenues einnahme")

// Anybody are words for everybody.
var Anybody = Set("people person persons personen leute")

// MoneyWords stand for the one column with money.
var MoneyWords = Set("money geld cash cost costs kosten expenses spending ausgaben income proceeds earnings einnahmen")

// Acquired are parts of names of days on which a thing came to those who keep the table.
var Acquired = strings.Fields("purchase purchased bought acquired acquisition built made kauf kaufdatum gekauft anschaffung angeschafft baujahr warranty garantie birth")

// GermanAsks are words of German questions that no English one has.
var GermanAsks = Set(`wie viel viele wieviele welche welcher welches welchen welchem wer wem wen wann wo ist sind haben hat hatte wurde wurden der das
	und für pro je im nach den dem von mit bei durchschnittliche durchschnittlicher anzahl summe anteil liste`)

// FromNow tell a time by the day of the question.
var FromNow = Set(`last past next this current previous coming recent letzte letzten letzter letztes nächste nächsten nächstes diese diesem diesen dieses
	vergangenen vorigen`)

// Forbidden ask for what no statement of the grammar says, or for more than one can.
var Forbidden = Set("yesterday today tomorrow gestern heute morgen ago drop delete update insert best beste besten better besser bessere worse schlechter correlation correlate trend why predict forecast")

// Changing are words for what changes in time, which no single value tells.
var Changing = Set(`grew growth increase increased increases decrease decreased rose risen dropped drop drops fell fallen declined changed gewachsen
	gestiegen gesunken`)

// Particles stand at the end of a German sentence, apart from their verb: "kommt … vor".
var Particles = Set("ab an auf aus ein vor zu mit nach zurück weg hin los um")

// MoreUnits are units besides those with sizes.
var MoreUnits = Set("h ha hr hrs pcm t l c sqm m2 ft2 m3 kwh mwh kw mw hl cl ml")

// PeopleGroups are parts of names of columns that say in which group somebody is.
var PeopleGroups = strings.Fields("squad team class group department section klasse gruppe abteilung mannschaft kurs riege")

// Judged are parts of names of columns with marks, of which the average counts.
var Judged = strings.Fields("rating satisfaction star bewertung zufriedenheit")

// LightVerbs say hardly what was done.
var LightVerbs = Set("take takes took taken give gave given make made get got do done")

// Presences end names of columns that say whether there is something.
var Presences = Set("vorhanden available present attached there exist exists existing liegt dabei received enclosed beigefügt eingereicht")

// StillOpen are words for what is not done yet.
var StillOpen = Set("open pending outstanding offen offene offenen")

// Opposites are words for what is not so, with the names of columns that say whether it is.
var Opposites = map[string]string{"failed": "passed bestanden", "inactive": "active aktiv", "absent": "present anwesend",
	"rejected": "accepted approved",
	"late":     "punctual pünktlich", "durchgefallen": "bestanden passed", "incomplete": "complete", "unavailable": "available"}

// Mails are parts of names of columns whose values repeat those of others.
var Mails = strings.Fields("email mail url website login username")

// Vacancies ask for what is left of something.
var Vacancies = strings.Fields("left remaining free available vacant unsold empty übrig frei freie freien verfügbar")

// Bookable are words for what is free when nobody has it, not when it costs nothing.
var Bookable = Set(`berth berths mooring moorings pitch pitches room rooms table tables desk desks slot slots space spaces plot plots garage garages box
	boxes kennel kennels stall stalls locker lockers cage cages lane lanes bay bays appointment appointments zimmer tisch tische liegeplatz
	liegeplätze stellplatz stellplätze parzelle parzellen termin termine raum räume garten gärten bett betten wohnung wohnungen`)

// Seats are parts of names of columns that tell how many there is room for.
var Seats = strings.Fields("seat capacity place spot bed platz plätze kapazität sitzplätze max maximum")

// Meters are parts of names of counters.
var Meters = Set("meter zähler zählerstand kilometerstand reading counter mileage odometer tacho")

// Periodic are parts of names of what is paid each month, or each year.
var Periodic = map[string][]string{
	"month": strings.Fields("monthly monatlich monatsbeitrag monatsmiete pcm"),
	"monat": strings.Fields("monatlich monatsbeitrag monatsmiete"),
	"year":  strings.Fields("annual yearly pa"), "annum": strings.Fields("annual yearly pa"),
	"jahr": strings.Fields("jährlich jahresbeitrag jahresgehalt"),
}

// Standing are words for how much there is at a time, which is not summed over times.
var Standing = Set("balance saldo kontostand restschuld")

// Outgoing are words for money that was spent, Incoming for money that came in.
var (
	Outgoing = Set("spend spends spent cost costs pay pays paid expense expenses spending ausgegeben ausgaben gekostet kostet kosten bezahlt gezahlt")
	Incoming = Set("earn earned income receive received came eingenommen einnahmen bekommen erhalten")
)

// ByAge are superlatives of how long ago something happened.
var ByAge = Set("oldest newest älteste neueste")

// Needed are parts of names of columns that tell what is still to be done.
var Needed = strings.Fields("needed required necessary todo planned recommended next nötig notwendig erforderlich empfohlen geplant")

// Inside are parts of names of columns that tell whether something is within limits.
var Inside = strings.Fields("within inside in innerhalb")
