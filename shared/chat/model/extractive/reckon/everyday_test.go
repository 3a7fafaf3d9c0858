package reckon_test

import "testing"

// TestEveryday: questions in other words than the tables have, and with more than they need.
func TestEveryday(t *testing.T) {
	ask(t, []asked{
		{"", `Task|Assigned to|Due|Status
Book hall|Nora|12 May|done
Order cups||14 May|open
Print flyers|Ed|15 May|open
Borrow gazebo||20 May|open`, `
Which tasks have no Assigned to? => [1 3]
Which tasks are not assigned? => [1 3]
Which tasks have nobody assigned? => [1 3]
Which tasks are assigned to nobody? => [1 3]
Which tasks are unassigned? => [1 3]
what is assigned to Ed => [2]
is the hall booked? => [0]`},
		{"", `Dish|Who brings it|Serves
Lasagne|Kim|8
Green salad||6
Cheesecake|Lou|10
Bread||12`, `
What is nobody bringing yet? => [1 3]
who brings dessert? => none
What is Kim bringing? => [0]
what still needs someone to bring it? => [1 3]`},
		{"", `Month|Income|Rent|Groceries|Transport|Savings
Jan|4180|1150|512.40|142|900
Feb|4180|1150|478.90|138|900
Mar|4180|1150|530.15|155.5|700`, `
In how many months did we spend more than 150 euros on transport? => 1: [2]
In which months did we spend over €500 on groceries? => [0 2]
Which months cost more than 510 euros for groceries? => [0 2]`},
		{"orders", `Order|Date|Customer|Total|Status
1|2025-03-04|Ann|100|Delivered
2|2025-03-20|Bo|50|Delivered
3|2025-04-02|Ann|70|Delivered
4|2025-04-05|Ann|30|Cancelled`, `
What is the total value of the delivered orders from March 2025? => 150: [0 1]
How many orders from March 2025 are there? => 2: [0 1]
What did orders from April 2025 onwards come to? => 100: [2 3]
Which orders did we get from April 2025? => [2 3]`},
		{"fleet", `Registration|Make|Type|Fuel|Driver|Price (EUR)
A1|Ford|Van|Diesel|Bob|20000
A2|Kia|Car|Electric||30000
A3|VW|Van|Electric|Ann|40000
A4|Iveco|Truck|Diesel||60000`, `
How many vans do we have? => 2: [0 2]
How many electric vans do we have? => 1: [2]
How many diesel cars are there? => 0: []
How many cars do we have? => 1: [1]
Which electric vehicles do we have? => [1 2]
Which vehicles have nobody assigned to drive them? => [1 3]
Which vehicles have no driver? => [1 3]`},
		{"donations", `Date|Donor|Type|Amount|Campaign
2024-01-05|Ann|one-off|50|Roof
2024-02-01|Bo|monthly|20|Roof
2024-03-04|Cy|one-off|100|Garden`, `
How much was donated altogether? => 170: [0 1 2]
How much was donated for the Roof? => 70: [0 1]
How much did Ann donate? => 50: [0]
how much has been given in total => 170: [0 1 2]`},
		{"meter_readings", `date|meter|building|medium|consumption|status
2024-05-06|EL-15|Town Hall|electricity|900.5|ok
2024-05-13|EL-15|Town Hall|electricity|1164|ok
2024-05-06|WA-31|Pool|water|265.3|ok
2024-05-06|EL-16|Pool|electricity|300|estimated`, `
How many meters does the Pool have? => 2: [2 3]
How many readings were estimated? => 1: [3]
Average reading of EL-15 => 1032.25: [0 1]`},
		{"reparaturen", `Auftrag|Datum|Maschine|Halle|Art|Stunden|Materialkosten
R1|2024-01-18|Presse 2|Halle C|Elektrik|2,5|120,5
R2|2024-02-18|Presse 1|Halle A|Mechanik|4|80
R3|2024-03-18|Fräse 3|Halle C|Elektrik|3,5|60`, `
Wie lange dauert eine Reparatur in Halle C im Schnitt? => 3: [0 2]
Wie hoch waren die Lohnkosten für die Presse 2? => none
Wie hoch waren die Materialkosten für die Presse 2? => 120,5: [0]`},
		{"rechnungen", `Rechnungsnr|Kunde|Leistung|Rechnungsdatum|Fällig am|Bezahlt am|Netto|USt|Brutto|Mahnungen
R1|Schäfer|Wartung|2025-11-08|2025-11-22|2025-11-11|100|19|119|0
R2|Linde|Notdienst|2025-10-10|2025-10-24|2025-11-20|200|38|238|2
R3|Linde|Wartung|2024-10-10|2024-10-24||300|57|357|3`, `
Wie viel schuldet uns Linde noch, inklusive Steuer? => 357: [2]
Wie viele Rechnungen wurden zu spät bezahlt? => 1: [1]
Wie viele Rechnungen wurden erst nach dem Fälligkeitstag bezahlt? => 1: [1]
Wie hoch ist der Median der Rechnungsbeträge ohne Steuer? => 200: [0 1 2]
Welchen Betrag haben wir im letzten Quartal 2025 insgesamt in Rechnung gestellt, ohne Umsatzsteuer? => 300: [0 1]
Mit welchem Kunden haben wir netto den meisten Umsatz gemacht? => Linde: 500: [1 2]
Wie viel schuldet uns Linde noch brutto? => 357: [2]
Wie viel schuldet uns Linde noch? => 357: [2]
Wie viel hat Linde brutto noch nicht bezahlt? => 357: [2]
Wie viele Rechnungen wurden erst nach dem Fälligkeitsdatum bezahlt? => 1: [1]
Wie viele Rechnungen wurden nach der Fälligkeit bezahlt? => 1: [1]
Wie hoch ist der Median der Rechnungsbeträge netto? => 200: [0 1 2]
Wie viel haben wir im letzten Quartal 2025 netto in Rechnung gestellt? => 300: [0 1]
Wie viel haben wir 2025 netto in Rechnung gestellt? => 300: [0 1]
Welcher Kunde hat den meisten Umsatz netto? => Linde: 500: [1 2]
Welcher Kunde hat den höchsten Umsatz netto? => Linde: 500: [1 2]
Mit welchem Kunden haben wir netto am meisten Umsatz gemacht? => Linde: 500: [1 2]
Wie hoch war die Umsatzsteuer 2025? => 57: [0 1]
Wie hoch war die USt 2025? => 57: [0 1]`},
		{"members", `Surname|First name|Town|Annual fee|Joined|Paid 2026|Email
Todd|Howard|Thornbury|£30|25 Aug 2016|no|h@x
Shaw|Vikram|Alveston|£30|07 Jun 2001|no|
Lee|Kim|Thornbury|£15|07 Jun 2021|yes|`, `
How much money are we still owed in fees by those who have not paid for 2026? => £60: [0 1]
For how many members do we have no e-mail address? => 2: [1 2]
Who has been a member longest? => [1]
How many members have paid for 2026? => 1: [2]
How much in fees is owed by members who have not paid for 2026? => £60: [0 1]
What is the total fee of members who have not paid 2026? => £60: [0 1]
total annual fee not paid 2026 => £60: [0 1]
How many members have not paid for 2026? => 2: [0 1]
Who has been a member the longest? => [1]
Who joined first? => [1]`},
		{"orders", `Order No|Date|Customer|Product|Qty|Total|Sales Rep|Status
SO1|2025-03-04|Café Lindholm|Bench|2|€100.00|Harriet|Delivered
SO2|2025-03-20|Bo Ltd|Chair|5|€50.00|Dele|Delivered
SO3|2025-04-02|Café Lindholm|Chair|1|€70.00|Dele|Cancelled
SO4|2024-04-05|Bo Ltd|Lamp|3|€30.00|Harriet|Delivered`, `
How many orders did Café Lindholm place in 2025? => 2: [0 2]
Which salesperson brought in the most money over all orders, no matter what became of them? => Harriet: €130: [0 3]`},
		{"timesheets", `Date|Person|Project|Hours|Billable
2026-01-05|Ann|Mill|4|Y
2026-01-06|Bo|Mill|2|N
2026-01-07|Ann|Clinic|2|Y`, `
How many hours are not billable? => 2: [1]
How many hours can be billed? => 6: [0 2]
Has anybody booked time on Clinic yet? => Yes: [2]`},
		{"family budget", `Month|Income|Rent|Groceries|Electricity & gas|Savings
January|4180|1150|512.40|188.20|900
July|5120|1190|463.70|68.90|600
December|5890|1190|688.30|192.50|1300`, `
In which month did we spend the most on food shopping? => [2]
In which month did we spend the most on groceries? => [2]
How much more did electricity and gas cost in January than in July? => 119.30: [0 1]
How much did we save in total? => 2800: [0 1 2]
What do we spend on groceries in an average month? => 554.80: [0 1 2]
What is the difference in electricity gas between January and July? => 119.30: [0 1]
How much more electricity gas in January than in July? => 119.30: [0 1]
How much more did we spend on groceries in January than in July? => 48.70: [0 1]
How much higher was the rent in July than in January? => 40: [1 0]
By how much did groceries rise from July to December? => 224.60: [1 2]
How much did we spend on rent over the year? => 3530: [0 1 2]
How much did we spend on groceries in July? => 463.70: [1]
Which month was the income highest? => [2]
In which months did we save more than 800? => [0 2]
What was our total income? => 15190: [0 1 2]`},
		{"kurse", `Kurs|Dozent|Bereich|Gebühr|Plätze|Anmeldungen
Yoga|Ines|Gesundheit|96,00|15|14
Rücken|Ines|Gesundheit|78,50|18|18
Gitarre|Olaf|Musik|88,00|10|10
Chor|Eva|Musik|40,00|40|38
Töpfern|Uwe|Kunst|118,00|8|8`, `
Wie viele Kurse sind voll, haben also keinen freien Platz mehr? => 3: [1 2 4]
Wie viele Kurse sind voll? => 3: [1 2 4]
In welchem Bereich gibt es insgesamt die meisten Teilnehmer? => Musik: 48: [2 3]
Welcher Bereich hat die meisten Teilnehmer? => Musik: 48: [2 3]
Wie viele Plätze sind bei Yoga noch frei? => 1: [0]`},
		{"cafe_rota", `Name|Role|Mon|Tue|Wed|Hours this week|Hourly pay
Molly|Barista|Early|Off|Late|32|£12.40
Kofi|Barista|Late|Late|Off|40|£12.40
Jess|Supervisor|Early|Off|Off|40|£15.10
Suki|Supervisor|Off|Late|Late|30|£15.10`, `
Who is working on Wednesday? => [0 3]
At what time does the late shift begin? => none`},
		{"", `Month|Income|Rent
January|4180|1150
July|5120|1190
December|5890|1190`, `
What is the difference in income between January and July? => 940: [0 1]`},
		{"", `Month|Income|Rent
March|4180|1150
April|5120|1190
May|5890|1190`, `
What is the difference in income between March and April? => 940: [0 1]
What is the difference in income between April and May? => 770: [1 2]`},
		{"", `Month|Income|Rent
January 2026|4180|1150
July 2026|5120|1190
December 2026|5890|1190`, `
What is the difference in income between January and July? => 940: [0 1]`},
		{"harvests", `Year|Plot|Crop|Area ha|Tonnes|Price per tonne
2023|Mill Field|Wheat|4.2|30.9|239
2024|Mill Field|Wheat|4.2|38.9|219
2024|Long Acre|Barley|3.5|21.1|208
2025|Mill Field|Wheat|4.2|34.9|239`, `
In which year did Mill Field yield the most? => [1]`},
		{"weinkeller", `Nr|Wein|Weingut|Farbe|Jahrgang|Flaschen|Preis je Flasche
1|Silvaner|Hollerbach|weiß|2019|39|11,04
2|Spätburgunder|Kessler|rot|2018|12|31,5
3|Riesling GG|Kessler|weiß|2018|6|49`, `
Was ist der teuerste Rotwein? => [1]
Wie viele Rotweine haben wir? => 1: [1]
Wie viele verschiedene Weingüter gibt es? => 2: [0 1 2]`},
		{"properties", `Property|Town|Monthly rent|Lease end
A|Galway|€100|2026-02-03
B|Ennis|€150|2027-02-03`, `
How much rent do we take in per month altogether? => €250: [0 1]`},
		{"projects", `Project ID|Project Name|Client|Hourly Rate (EUR)|Budget Hours|Status
P02|Mill Lane Flats|Corrigan|78|350|Active
P07|Tennis Pavilion|Ashdown|74|90|Active`, `
How many hours have we worked for Corrigan in total? => none
Has anybody booked time on the Tennis Pavilion yet? => none
How many hours are budgeted for Mill Lane Flats? => 350: [0]
What are the budget hours of the Tennis Pavilion? => [1]`},
		{"fleet", `Registration|Make|Type|Driver
A1|Ford|Van|Bob
A2|Kia|Car|
A3|VW|Van|Ann`, `
How many different car makers are represented in our fleet, all vehicle types included? => 3: [0 1 2]
Which vehicles have nobody assigned to drive them? Give the registrations. => [1]`},
		{"staff", `Name|Dept|Salary EUR|Contract
Al|ADM|78000|Full-time
Bo|SRV|30000|Full-time
Cy|SRV|60000|Part-time`, `
Which department costs us the most in salaries? Give its full name. => SRV: 90000: [1 2]
Who earns the most? Just the name please. => [0]`},
	})
}

// TestOwnWords: questions as people put them, of tables that say the same in fewer words.
func TestOwnWords(t *testing.T) {
	ask(t, []asked{
		{"staff list", `Name|Team|Start|Wage/h
Ivy|Kitchen|2024-11-09|23.90
Tom|Kitchen|2018-02-23|22.10
Bea|Front|2021-06-06|18.50`, `
What is the average hourly wage? => 21.50: [0 1 2]
What is the average monthly wage? => none
What's the gap between our best paid and worst paid person? => 5.40: []
Who's the newest person on the payroll? => [0]`},
		{"club expenses", `Date|Item|Category|Paid by|Amount £
11/01/2026|Screws|Set|Nora|20.10
26/01/2026|Curtain|Set|Olu|248
26/02/2026|Crisps|Snacks|Greta|9.50`, `
Who has spent the most money? => [1]
who's laid out the most money for the club overall? => [1]
how many of the club expenses came out of Greta's pocket? => 1: [2]
did any one thing we bought for the club cost over 200 quid, and if so what? => [1]
What percentage of the entries belongs to the category Snacks? => 33.33 %: [2]
which of us has paid the least in total? => [2]`},
		{"bakery orders", `Order no|Customer|Product|Qty|Price each
1401|The Otter Inn|Bun|10|1.20
1402|The Otter Inn|Loaf|4|3.50
1403|Quay Cafe|Loaf|2|3.50`, `
what is the total of the Otter Inn's orders? => 26: [0 1]
how much did the Otter Inn's orders come to? => 26: [0 1]`},
		{"flat bills", `Date|What for|Amount
13 Nov 2025|Water|41.20
2 Dec 2025|Power|88
4 Jan 2026|Water|39`, `
How many bills are from 2025? => 2: [0 1]`},
		{"paint stock", `Product|Colour|qty|Price £|Supplier
Gloss|white|34|27.50|Hobbart
Gloss|turquoise|9|30|Hobbart
Brush||0|2.60|Toolbarn
Spray gun||3|89|Toolbarn`, `
Top 2 paint stock items by price => [3 1]
how many spray guns do we have? => 3: [3]
how many products of Toolbarn are in stock? => 1: [3]`},
		{"trip signups", `Member|Trip|Paid €
Marge|Salt Mine|57
Otis|Lake Steamer|
Hetty|Lake Steamer|20`, `
How many sign-ups are there for the Lake Steamer trip? => 2: [1 2]
did anyone pay more than 50 for a trip? who? => [0]
for which members is there a trip with nothing filled in under paid? => [1]`},
		{"invoices", `Invoice|Customer|Amount USD|Due|Status
RB-1|Puddlewick|100|2026-02-01|paid
RB-2|Puddlewick|250|2026-02-09|unpaid
RB-3|Zephyr|400|2026-03-01|unpaid`, `
What is the median invoice amount? => 250: [0 1 2]
What is the average invoice amount? => 250: [0 1 2]
how much does Puddlewick still owe us? => 250: [1]
which of the invoices nobody has paid has the earliest due date? => [1]`},
		{"mitglieder", `Name|Abteilung|Eintritt|Beitrag €|Bezahlt
Annegret|Kegeln|21.04.2016|60|ja
Bruno|Turnen|13.08.2021|84|nein
Carla|Turnen|05.03.2022|42|ja
Detlef|Kegeln|05.04.2022|42|ja`, `
Summe der Mitgliedsbeiträge je Abteilung => Kegeln: 102; Turnen: 126: [0 3 1 2]
Wie viel Prozent der Mitglieder haben ihren Beitrag nicht bezahlt? => 25 %: [1]
wie viele sind 2022 neu in den Verein gekommen? => 2: [2 3]`},
		{"cabin bookings", `Guest|Cabin|Arrival|nights
Thea|Fox|2026-01-16|12
Ines|Otter|2026-01-17|3`, `
who has the longest single stay in a cabin? => [0]`},
	})
}
