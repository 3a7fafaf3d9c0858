package plainsql_test

import (
	"testing"

	"lectern/shared/database"
)

func bills() *database.Schema {
	return sheet("invoices", text("invoice_no", "INV-1", "INV-2", "INV-3", "INV-4"), text("customer", "Studio Nord", "Hansen"), day("invoice_date"), day("due_date"),
		number("net_eur"), whole("vat_pct"), number("gross_eur"), text("status", "open", "paid", "overdue"), day("paid_on"))
}

func donated() *database.Schema {
	s := sheet("donations", text("donation_id", "D1", "D2"), day("gift_date"), text("donor_name", "Ann Lee", "Bo Ray"), text("campaign", "Winter Shelter", "School Meals"),
		number("amount_usd"))
	s.Tables[0].Columns[2].Repeats, s.Tables[0].Columns[3].Repeats = true, true
	return s
}

func fuel() *database.Schema {
	return sheet("fuel_log", day("date"), text("driver", "Pat", "Kim"), text("fuel", "Diesel", "Petrol"), number("litres"), number("price_per_l_eur"))
}

func receipts() *database.Schema {
	s := sheet("vereinsausgaben", day("datum"), text("beleg_nr", "B-1", "B-2"), text("kategorie", "Porto", "Trikots"), number("netto_eur"), whole("mwst_percent"),
		number("brutto_eur"), text("zahlungsart", "bar", "Karte"))
	s.Tables[0].Columns[2].Repeats, s.Tables[0].Columns[6].Repeats = true, true
	return s
}

func staff() *database.Schema {
	return sheet("employees", text("name", "Anna Keller", "Tom Fisher", "Nina Petrova"), text("department", "IT", "Sales"), number("salary_eur"), day("start_date"),
		text("email", "anna.keller@x.example", "tom.fisher@x.example", "nina.petrova@x.example"))
}

func association() *database.Schema {
	return sheet("mitglieder", whole("mitgliedsnr"), text("vorname", "Petra", "Klaus", "Jan"), text("nachname", "Lindner", "Nagel", "Barth"), day("geburtsdatum"),
		day("eintrittsdatum"), text("abteilung", "Tennis", "Fußball"), number("jahresbeitrag_eur"), text("bezahlt", "ja", "nein"))
}

func results() *database.Schema {
	return sheet("football_results", whole("matchday"), day("date"), text("home_team", "Ashford", "Riverton"), text("away_team", "Ashford", "Riverton"),
		whole("home_goals"), whole("away_goals"), whole("attendance"), text("referee", "A. Bishop", "C. Dalton"))
}

func animals() *database.Schema {
	return sheet("zoo_animals", text("name", "Luna", "Nala", "Rajah"), text("species", "Snowy owl", "Lion"), text("class", "Bird", "Mammal"), number("weight_kg"),
		text("keeper", "Doris", "Tobias"), number("feed_kg_per_day"))
}

func lent() *database.Schema {
	return sheet("library_loans", text("loan", "L1", "L2", "L3", "L4"), text("member", "Nina Osei", "Mia Fontaine"), text("title", "The Witches", "Emma"),
		text("author", "Roald Dahl", "Jane Austen"), day("borrowed"), day("due"), day("returned"), number("late_fee"))
}

func flights() *database.Schema {
	return sheet("july_flights", text("flight", "SK600", "AL117", "SK425"), text("airline", "Skylark", "Alba"), day("date"), whole("flying_time_min"),
		text("status", "on time", "delayed"), whole("delay_min"), number("fare"))
}

func feast() *database.Schema {
	return sheet("summer_party_budget", text("item", "Hall rental", "Buffet", "Band"), text("category", "Venue", "Catering"), number("planned"), number("actual"),
		text("paid", "yes", "no"), day("due"))
}

func oven() *database.Schema {
	return sheet("baeckerei_juni", day("datum"), text("artikel", "Brezel", "Käsekuchen"), number("preis_per_stück"), whole("gebacken"), whole("verkauft"), whole("übrig"))
}

func schoolMarks() *database.Schema {
	return sheet("schulnoten", text("name", "Ida Beck", "Tim Busch", "Leon Wolf"), text("klasse", "8a", "8b"), number("deutsch"), number("mathe"), whole("fehltage"),
		text("bemerkung", "sehr fleißig", "Sport befreit"))
}

func fleet() *database.Schema {
	return sheet("fuhrpark", text("kennzeichen", "OL-A 1", "OL-B 2", "OL-C 3"), text("kraftstoff", "Diesel", "Benzin", "Elektro"), number("verbrauch_l_per_100km"),
		whole("km_stand"), day("zugelassen_am"), text("tüv_bis", "2026-04", "2026-07"), text("fahrer", "Tanja Richter", "Heike Voß"))
}

func meterReadings() *database.Schema {
	return sheet("stromzaehler", day("ablesedatum"), text("einheit", "Wohnung 1", "Wohnung 2", "Laden EG"), number("verbrauch_kwh"), number("kosten_eur"))
}

func keys() *database.Schema {
	return sheet("club_members", text("first_name", "Mona", "Ben"), text("surname_initial", "A.", "T."), text("has_key", "yes", "no"), text("paid", "yes", "no"),
		day("paid_on"), day("joined"), text("e_mail", "a@x.example", "b@x.example"))
}

func choir() *database.Schema {
	return sheet("choir_attendance", text("singer", "Agnes Holm", "Bertram Quist", "Rufus Bright"), text("voice", "Soprano", "Bass"), day("joined"),
		whole("rehearsals_attended"), number("fee_paid_eur"))
}

func pledges() *database.Schema {
	return sheet("charity_run", text("sponsor", "Hartwell Bakery", "Owen Drury"), text("type", "business", "private"), text("runner", "Mei", "Oscar"),
		number("pledged_usd"), number("received_usd"), day("pledge_date"))
}

func tours() *database.Schema {
	return sheet("delivery_tours", text("tour", "T1", "T2", "T3", "T4"), day("date"), text("route", "Airport", "Coast"), whole("parcels"), text("late_back", "yes", "no"))
}

func nursery() *database.Schema {
	return sheet("baumschule", text("art_nr", "B1", "B2", "B3"), text("pflanze", "Liguster", "Quitte"), text("gruppe", "Hecke", "Obst"), whole("bestand_stück"),
		number("preis_eur"), text("lieferant", "Baumgut Süd", "Grünhof"))
}

func household() *database.Schema {
	return sheet("insurance_list", text("item", "E-bike", "Violin", "Oak table"), text("room", "Hall", "Study"), text("bought", "2015-10", "2019-07"), number("price_paid_eur"))
}

func homes() *database.Schema {
	return sheet("rental_flats", text("flat", "M01", "M02", "H01"), whole("rooms"), number("size_m2"), text("tenant", "Abara", "Rasmussen"))
}

func account() *database.Schema {
	s := sheet("bank_statement", day("booking_date"), text("payee", "Aldi", "Northern Power"), text("purpose", "Electricity", "Groceries"),
		text("category", "Food", "Income", "Utilities"), number("amount_gbp"), number("balance_gbp"))
	s.Tables[0].Columns[4].Signed = true
	return s
}

func applications() *database.Schema {
	return sheet("job_applications", day("applied_on"), text("company", "Halden", "Fenix"), text("position", "Data Analyst", "Controller"),
		number("salary_offered_eur"), text("status", "Offer", "Rejected"))
}

func translations() *database.Schema {
	return sheet("uebersetzungen", text("auftrag", "A1", "A2", "A3", "A4"), text("ausgangssprache", "Deutsch", "Englisch"), text("zielsprache", "Deutsch", "Englisch"))
}

func squad() *database.Schema {
	return sheet("football_squad", text("player", "Emil Sandberg", "Ben Hartley"), text("position", "Midfielder", "Goalkeeper"), whole("apps"), whole("goals"))
}

func relics() *database.Schema {
	return sheet("museum_objects", text("object", "Harmonium", "Tankard"), text("maker", "Mason", "Eardley"), whole("year_made"), text("full_tank", "yes", "no"))
}

func trees() *database.Schema {
	s := sheet("street_tree_survey", text("tree_no", "T001", "T002", "T003"), text("species", "Oak", "Lime"), whole("planted"), text("work_needed", "fell", "prune", "none"))
	s.Tables[0].Columns[2].Years = true
	return s
}

func moves() *database.Schema {
	return sheet("lagerbewegungen", day("datum"), text("bewegungsart", "Zugang", "Abgang"), whole("menge"), text("geprüft", "ja", "nein"))
}

func lunches() *database.Schema {
	return sheet("school_lunch_orders", day("date"), text("class", "4A", "4B"), whole("meals_ordered"), whole("of_which_vegetarian"), number("total_gbp"),
		text("within_limits", "yes", "no"))
}

func hikes() *database.Schema {
	return sheet("hiking_log", day("day"), text("route", "Goatfell", "Ben Nevis", "Loch Leven"), text("area", "Highlands", "Arran"), number("distance_km"),
		text("with", "Kids", "Moira"))
}

func shifts() *database.Schema {
	return sheet("volunteer_hours", day("day"), text("volunteer", "Ana Ruiz", "Yusuf Demir"), whole("hours"), text("first_shift", "yes", "no"),
		text("signed_off_by", "R. Monk", "D. Hall"))
}

func boardGames() *database.Schema {
	return sheet("board_games", text("title", "Wingspan", "Catan"), whole("published"), text("lieferant", "Elmo", "Nord"))
}

// TestReadSheetsOfOthers: questions over sheets that people keep for themselves, in the words of others than who wrote the
// grammar.
func TestReadSheetsOfOthers(t *testing.T) {
	checkAll(t, []asked{
		{bills(), "What is the gross total of all invoices that are not paid yet (open and overdue together)?", `SELECT SUM("gross_eur") AS "total_gross_eur" FROM "invoices" WHERE ("status" <> 'paid' OR "status" IS NULL) AND "status" IN ('open', 'overdue')`},
		{bills(), "What is the median net amount of an invoice?", `SELECT AVG(x) AS "median_net_eur" FROM (SELECT "net_eur" AS x FROM "invoices" WHERE "net_eur" IS NOT NULL ORDER BY x LIMIT 2 - (SELECT COUNT(*) FROM "invoices" WHERE "net_eur" IS NOT NULL) % 2 OFFSET (SELECT (COUNT(*) - 1) / 2 FROM "invoices" WHERE "net_eur" IS NOT NULL))`},
		{staff(), "What is Anna's email?", `SELECT DISTINCT "email" FROM "employees" WHERE LOWER("name") LIKE '%anna%' LIMIT 100`},
		{staff(), "How many people work in each department?", `SELECT "department", COUNT(*) AS "count" FROM "employees" GROUP BY "department" ORDER BY "department"`},
		{association(), "Wer ist als Letzter in den Verein eingetreten?", `SELECT ("vorname" || ' ' || "nachname"), MAX("eintrittsdatum") AS "result" FROM "mitglieder" WHERE "eintrittsdatum" IS NOT NULL GROUP BY ("vorname" || ' ' || "nachname") HAVING MAX("eintrittsdatum") = (SELECT MAX("eintrittsdatum") FROM "mitglieder" WHERE "eintrittsdatum" IS NOT NULL GROUP BY ("vorname" || ' ' || "nachname") ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{association(), "Wie viele Mitglieder sind vor dem 1. Januar 2010 eingetreten?", `SELECT COUNT(*) AS "count" FROM "mitglieder" WHERE "eintrittsdatum" < '2010-01-01'`},
		{association(), "Wie viele Mitglieder haben ein Eintrittsdatum vor dem 1. Januar 2010?", `SELECT COUNT(*) AS "count" FROM "mitglieder" WHERE "eintrittsdatum" < '2010-01-01'`},
		{association(), "Hat Petra Lindner ihren Beitrag schon bezahlt?", `SELECT * FROM "mitglieder" WHERE "vorname" = 'Petra' AND "nachname" = 'Lindner' AND "bezahlt" = 'ja' LIMIT 100`},
		{results(), "How many goals were scored altogether?", `SELECT SUM(COALESCE("home_goals", 0) + COALESCE("away_goals", 0)) AS "total_goal" FROM "football_results"`},
		{results(), "Which referee was in charge of the most matches?", `SELECT "referee", COUNT(*) AS "count" FROM "football_results" WHERE "referee" IS NOT NULL AND "referee" <> '' GROUP BY "referee" HAVING COUNT(*) = (SELECT COUNT(*) FROM "football_results" WHERE "referee" IS NOT NULL AND "referee" <> '' GROUP BY "referee" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{animals(), "How many animals does each keeper look after?", `SELECT "keeper", COUNT(*) AS "count" FROM "zoo_animals" GROUP BY "keeper" ORDER BY "keeper"`},
		{animals(), "Who looks after Nala?", `SELECT DISTINCT "keeper" FROM "zoo_animals" WHERE "name" = 'Nala' ORDER BY 1 LIMIT 100`},
		{lent(), "How many books haven't been brought back yet?", `SELECT COUNT(*) AS "count" FROM "library_loans" WHERE "returned" IS NULL`},
		{lent(), "How much has Mia Fontaine run up in late fees altogether?", `SELECT SUM("late_fee") AS "total_late_fee" FROM "library_loans" WHERE "member" = 'Mia Fontaine'`},
		{flights(), "Which flight had the longest delay?", `SELECT "flight", MAX("delay_min") AS "result" FROM "july_flights" WHERE "delay_min" IS NOT NULL GROUP BY "flight" HAVING MAX("delay_min") = (SELECT MAX("delay_min") FROM "july_flights" WHERE "delay_min" IS NOT NULL GROUP BY "flight" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{flights(), "How many flights fell on a Monday?", `SELECT COUNT(*) AS "count" FROM "july_flights" WHERE strftime('%w', "date") IN ('1')`},
		{feast(), "How many guests are coming to the party?", ``},
		{feast(), "Which item overshot its budget by the largest amount of money?", `SELECT "item", SUM("actual" - "planned") AS "result" FROM "summer_party_budget" WHERE "actual" > "planned" AND "actual" - "planned" IS NOT NULL GROUP BY "item" HAVING SUM("actual" - "planned") = (SELECT SUM("actual" - "planned") FROM "summer_party_budget" WHERE "actual" > "planned" AND "actual" - "planned" IS NOT NULL GROUP BY "item" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{oven(), "Mit welchem Artikel wurde insgesamt der meiste Umsatz gemacht?", `SELECT "artikel", SUM("verkauft" * "preis_per_stück") AS "result" FROM "baeckerei_juni" WHERE "verkauft" * "preis_per_stück" IS NOT NULL GROUP BY "artikel" HAVING SUM("verkauft" * "preis_per_stück") = (SELECT SUM("verkauft" * "preis_per_stück") FROM "baeckerei_juni" WHERE "verkauft" * "preis_per_stück" IS NOT NULL GROUP BY "artikel" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{oven(), "Wie viele Brezeln gingen insgesamt über die Theke?", `SELECT SUM("verkauft") AS "total_verkauft" FROM "baeckerei_juni" WHERE "artikel" = 'Brezel'`},
		{schoolMarks(), "Wer hat die beste Note in Mathe?", `SELECT "name", MIN("mathe") AS "result" FROM "schulnoten" WHERE "mathe" IS NOT NULL GROUP BY "name" HAVING MIN("mathe") = (SELECT MIN("mathe") FROM "schulnoten" WHERE "mathe" IS NOT NULL GROUP BY "name" ORDER BY 1 LIMIT 1) ORDER BY 1 LIMIT 100`},
		{schoolMarks(), "Welche Note hat Leon in Mathe?", `SELECT DISTINCT "mathe" FROM "schulnoten" WHERE LOWER("name") LIKE '%leon%' LIMIT 100`},
		{schoolMarks(), "Ist Ida in Mathe besser als Tim?", ``},
		{fleet(), "Wie viele Dieselfahrzeuge haben wir?", `SELECT COUNT(*) AS "count" FROM "fuhrpark" WHERE "kraftstoff" = 'Diesel'`},
		{fleet(), "Durchschnittlicher Verbrauch der Benziner in l/100km?", `SELECT AVG("verbrauch_l_per_100km") AS "average_verbrauch_l_per_100km" FROM "fuhrpark" WHERE "kraftstoff" = 'Benzin'`},
		{fleet(), "Welche Fahrzeuge müssen im Juli 2026 zum TÜV?", `SELECT * FROM "fuhrpark" WHERE ("tüv_bis" || '-01') >= '2026-07-01' AND ("tüv_bis" || '-01') < '2026-08-01' LIMIT 100`},
		{fleet(), "Bei wie vielen Fahrzeugen ist kein Fahrer eingetragen?", `SELECT COUNT(*) AS "count" FROM "fuhrpark" WHERE ("fahrer" IS NULL OR "fahrer" = '')`},
		{meterReadings(), "Wie viel Strom hat der Laden verbraucht?", `SELECT SUM("verbrauch_kwh") AS "total_verbrauch_kwh" FROM "stromzaehler" WHERE LOWER("einheit") LIKE '%laden%'`},
		{meterReadings(), "In welchem Monat war der Verbrauch aller Einheiten am höchsten?", `SELECT strftime('%Y-%m', "ablesedatum") AS "month", SUM("verbrauch_kwh") AS "result" FROM "stromzaehler" WHERE "verbrauch_kwh" IS NOT NULL GROUP BY strftime('%Y-%m', "ablesedatum") HAVING SUM("verbrauch_kwh") = (SELECT SUM("verbrauch_kwh") FROM "stromzaehler" WHERE "verbrauch_kwh" IS NOT NULL GROUP BY strftime('%Y-%m', "ablesedatum") ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{keys(), "Does Mona have a key?", `SELECT * FROM "club_members" WHERE "first_name" = 'Mona' AND "has_key" = 'yes' LIMIT 100`},
		{keys(), "When was Mona paid?", `SELECT DISTINCT "paid_on" FROM "club_members" WHERE "first_name" = 'Mona' LIMIT 100`},
		{keys(), "How many members have no email address on file?", `SELECT COUNT(*) AS "count" FROM "club_members" WHERE ("e_mail" IS NULL OR "e_mail" = '')`},
		{keys(), "What is the hourly rate of Mona?", ``},
		{choir(), "who joined the choir last?", `SELECT "singer", MAX("joined") AS "result" FROM "choir_attendance" WHERE "joined" IS NOT NULL GROUP BY "singer" HAVING MAX("joined") = (SELECT MAX("joined") FROM "choir_attendance" WHERE "joined" IS NOT NULL GROUP BY "singer" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{choir(), "For how many singers is there no fee entered?", `SELECT COUNT(*) AS "count" FROM "choir_attendance" WHERE ("fee_paid_eur" IS NULL OR "fee_paid_eur" = 0)`},
		{pledges(), "sum of pledges made in March 2025", `SELECT SUM("pledged_usd") AS "total_pledged_usd" FROM "charity_run" WHERE "pledge_date" >= '2025-03-01' AND "pledge_date" < '2025-04-01'`},
		{pledges(), "Average pledge of the business sponsors?", `SELECT AVG("pledged_usd") AS "average_pledged_usd" FROM "charity_run" WHERE "type" = 'business'`},
		{tours(), "Average parcels per tour on the Airport route?", `SELECT AVG("parcels") AS "average_parcels" FROM "delivery_tours" WHERE "route" = 'Airport'`},
		{tours(), "How many tours came back late?", `SELECT COUNT(*) AS "count" FROM "delivery_tours" WHERE "late_back" = 'yes'`},
		{nursery(), "Wie viele Artikel kommen vom Lieferanten Baumgut Süd?", `SELECT COUNT(*) AS "count" FROM "baumschule" WHERE "lieferant" = 'Baumgut Süd'`},
		{nursery(), "Was ist der gesamte Warenwert der Heckenpflanzen in Euro (Bestand mal Preis)?", `SELECT SUM("bestand_stück" * "preis_eur") AS "total_bestand_stück_preis_eur" FROM "baumschule" WHERE "gruppe" = 'Hecke'`},
		{household(), "what is the oldest purchase on the list?", `SELECT "item", MIN(("bought" || '-01')) AS "result" FROM "insurance_list" WHERE ("bought" || '-01') IS NOT NULL GROUP BY "item" HAVING MIN(("bought" || '-01')) = (SELECT MIN(("bought" || '-01')) FROM "insurance_list" WHERE ("bought" || '-01') IS NOT NULL GROUP BY "item" ORDER BY 1 LIMIT 1) ORDER BY 1 LIMIT 100`},
		{account(), "How much did I spend on food in February?", `SELECT SUM((-"amount_gbp")) AS "total_amount_gbp" FROM "bank_statement" WHERE "category" = 'Food' AND strftime('%m', "booking_date") = '02' AND "amount_gbp" < 0`},
		{account(), "What did I earn in March?", `SELECT SUM("amount_gbp") AS "total_amount_gbp" FROM "bank_statement" WHERE strftime('%m', "booking_date") = '03' AND "amount_gbp" > 0`},
		{account(), "What was my balance at the end of March?", `SELECT DISTINCT "balance_gbp" FROM "bank_statement" WHERE strftime('%m', "booking_date") = '03' AND "booking_date" = (SELECT MAX("booking_date") FROM "bank_statement" WHERE strftime('%m', "booking_date") = '03') LIMIT 100`},
		{account(), "What did the electricity cost over the four months?", `SELECT SUM((-"amount_gbp")) AS "total_amount_gbp" FROM "bank_statement" WHERE "purpose" = 'Electricity' AND "amount_gbp" < 0`},
		{applications(), "Which company offered the highest salary?", `SELECT "company", MAX("salary_offered_eur") AS "result" FROM "job_applications" WHERE "salary_offered_eur" IS NOT NULL GROUP BY "company" HAVING MAX("salary_offered_eur") = (SELECT MAX("salary_offered_eur") FROM "job_applications" WHERE "salary_offered_eur" IS NOT NULL GROUP BY "company" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{applications(), "How many people applied for the job at Halden?", ``},
		{translations(), "Wie viel Prozent der Aufträge hatten Englisch als Zielsprache?", `SELECT 100.0 * SUM(CASE WHEN "zielsprache" = 'Englisch' THEN 1 ELSE 0 END) / COUNT(*) AS "percent" FROM "uebersetzungen"`},
		{squad(), "How many goals per appearance did Emil Sandberg score?", `SELECT SUM("goals") * 1.0 / NULLIF(SUM("apps"), 0) AS "goals_per_apps" FROM "football_squad" WHERE "player" = 'Emil Sandberg'`},
		{squad(), "How many goals did the midfielders score together?", `SELECT SUM("goals") AS "total_goals" FROM "football_squad" WHERE "position" = 'Midfielder'`},
		{relics(), "Who donated the harmonium?", ``},
		{relics(), "How many times was the tank not filled completely?", `SELECT COUNT(*) AS "count" FROM "museum_objects" WHERE "full_tank" = 'no'`},
		{trees(), "How many trees have to be felled?", `SELECT COUNT(*) AS "count" FROM "street_tree_survey" WHERE "work_needed" = 'fell'`},
		{trees(), "What did it cost to plant tree T001?", ``},
		{moves(), "wie viele bewegungen wurden noch nicht geprüft", `SELECT COUNT(*) AS "count" FROM "lagerbewegungen" WHERE "geprüft" = 'nein'`},
		{lunches(), "How many vegetarian meals did class 4A order in total?", `SELECT SUM("of_which_vegetarian") AS "total_of_which_vegetarian" FROM "school_lunch_orders" WHERE "class" = '4A'`},
		{lunches(), "How many meals were ordered altogether on 10 September 2024?", `SELECT SUM("meals_ordered") AS "total_meals_ordered" FROM "school_lunch_orders" WHERE "date" >= '2024-09-10' AND "date" < '2024-09-11'`},
		{lunches(), "How many orders were out of limits?", `SELECT COUNT(*) AS "count" FROM "school_lunch_orders" WHERE "within_limits" = 'no'`},
		{sheet("kitchen_temperature_log", day("day"), text("appliance", "Fridge 1", "Hot counter"), number("temp_c")), "What is the difference between the highest and the lowest hot counter temperature?", `SELECT MAX("temp_c") - MIN("temp_c") AS "difference" FROM "kitchen_temperature_log" WHERE "appliance" = 'Hot counter'`},
		{hikes(), "How many hikes did I do with the kids?", `SELECT COUNT(*) AS "count" FROM "hiking_log" WHERE "with" = 'Kids'`},
		{hikes(), "What was my longest hike by distance?", `SELECT "route", MAX("distance_km") AS "result" FROM "hiking_log" WHERE "distance_km" IS NOT NULL GROUP BY "route" HAVING MAX("distance_km") = (SELECT MAX("distance_km") FROM "hiking_log" WHERE "distance_km" IS NOT NULL GROUP BY "route" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{hikes(), "How long did Goatfell take?", ``},
		{shifts(), "How many shifts did R. Monk sign off?", `SELECT COUNT(*) AS "count" FROM "volunteer_hours" WHERE "signed_off_by" = 'R. Monk'`},
		{boardGames(), "Which publisher made Wingspan?", ``},
		{boardGames(), "Wie lang ist die Lieferzeit für Wingspan?", ``},
		{sheet("costs", text("item", "Rent", "Food"), number("january_2024"), number("february_2024"), number("march_2024"), number("april_2024"), number("may_2024"), number("june_2024")),
			"total Rent from March 2024 to June 2024", `WITH "costs_by_time" AS (SELECT "item", '2024-01-01' AS "begins", '01 january_2024' AS "time", "january_2024" AS "amount" FROM "costs" UNION ALL SELECT "item", '2024-02-01' AS "begins", '02 february_2024' AS "time", "february_2024" AS "amount" FROM "costs" UNION ALL SELECT "item", '2024-03-01' AS "begins", '03 march_2024' AS "time", "march_2024" AS "amount" FROM "costs" UNION ALL SELECT "item", '2024-04-01' AS "begins", '04 april_2024' AS "time", "april_2024" AS "amount" FROM "costs" UNION ALL SELECT "item", '2024-05-01' AS "begins", '05 may_2024' AS "time", "may_2024" AS "amount" FROM "costs" UNION ALL SELECT "item", '2024-06-01' AS "begins", '06 june_2024' AS "time", "june_2024" AS "amount" FROM "costs") SELECT SUM("amount") AS "total_amount" FROM "costs_by_time" WHERE "item" = 'Rent' AND "begins" >= '2024-03-01' AND "begins" < '2024-07-01'`},
		{sheet("bills", text("name", "a", "b"), number("amount"), number("amount_2")), "What is the sum of amount?", ``},
		{sheet("bills", text("name", "a", "b"), number("amount"), number("amount_2")), "What is the sum of amount 2?", `SELECT SUM("amount_2") AS "total_amount_2" FROM "bills"`},
		{homes(), "3 biggest flats by size", `SELECT "flat", SUM("size_m2") AS "result" FROM "rental_flats" WHERE "size_m2" IS NOT NULL GROUP BY "flat" ORDER BY 2 DESC, 1 LIMIT 3`},
	})
}

func plants() *database.Schema {
	return sheet("nursery_stock", text("plant", "Sage", "Rosemary"), text("bed", "A", "B"), whole("spring_sold"), whole("spring_lost"), whole("autumn_sold"))
}

func bookedRooms() *database.Schema {
	return sheet("bookings", text("booking", "B1", "B2"), text("room_type", "Single", "Double"), text("channel", "Booking portal", "Phone"),
		text("status", "Confirmed", "Cancelled", "No-show"))
}

func samples() *database.Schema {
	return sheet("lab_samples", text("sample_id", "S1", "S2"), text("parameter", "Nitrate", "Iron"), number("result"), number("limit"), whole("turnaround_days"))
}

func fund() *database.Schema {
	s := sheet("accounts", day("date"), text("fund", "Hall", "Roof"), number("received"), number("spent"), number("issues"), number("arrivals"))
	for i := 2; i < 6; i++ {
		s.Tables[0].Columns[i].Gaps = true
	}
	return s
}

func tenancies() *database.Schema {
	s := sheet("plots", text("tenant", "Ann Lee", "Bo Ray"), number("rent_gbp"), whole("tenant_since"))
	s.Tables[0].Columns[2].Years = true
	return s
}

func congress() *database.Schema {
	s := sheet("registrations", whole("reg_no"), text("name", "Ann Lee", "Bo Ray"), text("ticket_code", "EB", "REG", "DAY"), text("paid", "yes", "no"))
	s.Tables = append(s.Tables, database.Table{Name: "tickets", Columns: []database.Column{text("ticket_code", "EB", "REG", "DAY"), number("price_eur")}})
	return s
}

func readOff() *database.Schema {
	return sheet("zaehlerablesung", day("ablesedatum"), text("gebäude", "Rathaus", "Turnhalle"), number("verbrauch_kwh"), text("art", "abgelesen", "geschätzt"))
}

// TestReadOffices: what ordinary users of offices ask a sheet, as strangers wrote it.
func TestReadOffices(t *testing.T) {
	checkAll(t, []asked{
		{plants(), "How many plants were sold in spring altogether?", `SELECT SUM("spring_sold") AS "total_spring_sold" FROM "nursery_stock"`},
		{plants(), "How many plants are in bed A?", `SELECT COUNT(*) AS "count" FROM "nursery_stock" WHERE "bed" = 'A'`},
		{bookedRooms(), "Cancellation rate of the Booking portal in percent", `SELECT 100.0 * SUM(CASE WHEN "status" = 'Cancelled' THEN 1 ELSE 0 END) / COUNT(*) AS "percent" FROM "bookings" WHERE "channel" = 'Booking portal'`},
		{bookedRooms(), "No-show rate for doubles in percent", `SELECT 100.0 * SUM(CASE WHEN "status" = 'No-show' THEN 1 ELSE 0 END) / COUNT(*) AS "percent" FROM "bookings" WHERE "room_type" = 'Double'`},
		{bookedRooms(), "cancellation rate per channel", `SELECT "channel", 100.0 * SUM(CASE WHEN "status" = 'Cancelled' THEN 1 ELSE 0 END) / COUNT(*) AS "percent" FROM "bookings" GROUP BY "channel" ORDER BY "channel"`},
		{samples(), "In how many samples did the result exceed the limit?", `SELECT COUNT(*) AS "count" FROM "lab_samples" WHERE "result" > "limit"`},
		{samples(), "Which nitrate samples were under the limit?", `SELECT * FROM "lab_samples" WHERE "parameter" = 'Nitrate' AND "result" < "limit" LIMIT 100`},
		{samples(), "How many samples have a limit above 50?", `SELECT COUNT(*) AS "count" FROM "lab_samples" WHERE "limit" > 50`},
		{fund(), "Received minus spent for the Hall fund", `SELECT SUM(COALESCE("received", 0) - COALESCE("spent", 0)) AS "total_received_spent" FROM "accounts" WHERE "fund" = 'Hall'`},
		{fund(), "What is arrivals minus issues?", `SELECT SUM(COALESCE("arrivals", 0) - COALESCE("issues", 0)) AS "total_arrivals_issues" FROM "accounts"`},
		{tenancies(), "Who has been a tenant the longest?", `SELECT "tenant", MIN("tenant_since") AS "result" FROM "plots" WHERE "tenant_since" IS NOT NULL GROUP BY "tenant" HAVING MIN("tenant_since") = (SELECT MIN("tenant_since") FROM "plots" WHERE "tenant_since" IS NOT NULL GROUP BY "tenant" ORDER BY 1 LIMIT 1) ORDER BY 1 LIMIT 100`},
		{tenancies(), "Name the tenants who joined after 2015", `SELECT DISTINCT "tenant", "tenant_since" FROM "plots" WHERE "tenant_since" > 2015 LIMIT 100`},
		{congress(), "How many people have registered?", `SELECT COUNT(*) AS "count" FROM "registrations"`},
		{congress(), "How much money is still outstanding from those who haven't paid?", `SELECT SUM("tickets"."price_eur") AS "total_price_eur" FROM "registrations" JOIN "tickets" ON "registrations"."ticket_code" = "tickets"."ticket_code" WHERE "registrations"."paid" = 'no'`},
		{sheet("fuel_log", text("driver", "Pat", "Kim"), number("litres"), number("labour")), "Top 3 drivers by litres filled", `SELECT "driver", SUM("litres") AS "result" FROM "fuel_log" WHERE "litres" IS NOT NULL GROUP BY "driver" ORDER BY 2 DESC, 1 LIMIT 3`},
		{sheet("repairs", text("mechanic", "Pat", "Kim"), number("labour")), "What is the total labour charged per mechanic?", `SELECT "mechanic", SUM("labour") AS "total_labour" FROM "repairs" GROUP BY "mechanic" ORDER BY "mechanic"`},
		{sheet("repairs", text("mechanic", "Pat", "Kim"), number("labour")), "Which cost centre was charged the most?", ``},
		{sheet("branches", text("branch", "North", "South"), number("loans_films"), number("loans_games")), "How many more films than games in total?", `SELECT ABS(SUM("loans_films" - "loans_games")) AS "total_loans_films_loans_games" FROM "branches"`},
		{sheet("hofladen", text("artikel", "Spargel", "Honig"), number("menge_kg"), number("preis_je_kg")), "Wie viel Kilo Spargel wurden verkauft?", `SELECT SUM("menge_kg") AS "total_menge_kg" FROM "hofladen" WHERE "artikel" = 'Spargel'`},
		{sheet("huts", text("hut", "Fern", "Alm"), text("region", "North", "South"), whole("beds")), "How many beds are there in North?", `SELECT SUM("beds") AS "total_beds" FROM "huts" WHERE "region" = 'North'`},
		{sheet("huts", text("hut", "Fern", "Alm"), text("region", "North", "South"), whole("beds")), "How many beds does Fern have?", `SELECT DISTINCT "beds" FROM "huts" WHERE "hut" = 'Fern' LIMIT 100`},
		{sheet("deliveries", day("date"), text("carrier", "Ann", "Bo"), number("weight_kg")), "On which date did the heaviest delivery come in?", `SELECT * FROM "deliveries" WHERE "weight_kg" = (SELECT MAX("weight_kg") FROM "deliveries" WHERE "weight_kg" IS NOT NULL) LIMIT 100`},
		{sheet("lessons", text("teacher", "Ann", "Bo"), whole("minutes")), "What percentage of lessons lasted 60 minutes?", `SELECT 100.0 * SUM(CASE WHEN "minutes" = 60 THEN 1 ELSE 0 END) / COUNT(*) AS "percent" FROM "lessons"`},
		{sheet("fines", text("ticket_no", "A1", "A2"), number("fine"), text("status", "open", "paid")), "What is the total amount of the fines that are still open?", `SELECT SUM("fine") AS "total_fine" FROM "fines" WHERE "status" = 'open'`},
		{readOff(), "Wie viele Ablesungen sind geschätzt?", `SELECT COUNT(*) AS "count" FROM "zaehlerablesung" WHERE "art" = 'geschätzt'`},
		{readOff(), "Durchschnittlicher Verbrauch pro Ablesung in der Turnhalle", `SELECT AVG("verbrauch_kwh") AS "average_verbrauch_kwh" FROM "zaehlerablesung" WHERE "gebäude" = 'Turnhalle'`},
		{sheet("ferry", text("sailing", "S1", "S2"), text("route", "Skerra", "Inish"), whole("passengers")), "Median number of passengers per sailing on the Skerra route", `SELECT AVG(x) AS "median_passengers" FROM (SELECT "passengers" AS x FROM "ferry" WHERE "route" = 'Skerra' AND "passengers" IS NOT NULL ORDER BY x LIMIT 2 - (SELECT COUNT(*) FROM "ferry" WHERE "route" = 'Skerra' AND "passengers" IS NOT NULL) % 2 OFFSET (SELECT (COUNT(*) - 1) / 2 FROM "ferry" WHERE "route" = 'Skerra' AND "passengers" IS NOT NULL))`},
		{sheet("jobs", text("client", "Ann", "Bo"), number("hours"), number("rate_per_hour")), "What is the average hourly rate?", `SELECT AVG("rate_per_hour") AS "average_rate_per_hour" FROM "jobs"`},
		{sheet("printshop_jobs", text("job", "P1", "P2"), day("ordered"), day("delivered"), whole("copies"), number("price")), "total revenue", ``},
		{donated(), "What is the highest donation for Winter Shelter?", `SELECT * FROM "donations" WHERE "campaign" = 'Winter Shelter' AND "amount_usd" = (SELECT MAX("amount_usd") FROM "donations" WHERE "campaign" = 'Winter Shelter' AND "amount_usd" IS NOT NULL) LIMIT 100`},
		{donated(), "What is the median donation?", `SELECT AVG(x) AS "median_amount_usd" FROM (SELECT "amount_usd" AS x FROM "donations" WHERE "amount_usd" IS NOT NULL ORDER BY x LIMIT 2 - (SELECT COUNT(*) FROM "donations" WHERE "amount_usd" IS NOT NULL) % 2 OFFSET (SELECT (COUNT(*) - 1) / 2 FROM "donations" WHERE "amount_usd" IS NOT NULL))`},
		{donated(), "How many donors gave more than once?", `SELECT COUNT(*) AS "count" FROM (SELECT "donor_name" FROM "donations" WHERE "donor_name" IS NOT NULL AND "donor_name" <> '' GROUP BY "donor_name" HAVING COUNT(*) > 1) AS g`},
		{donated(), "How many donors only gave once?", `SELECT COUNT(*) AS "count" FROM (SELECT "donor_name" FROM "donations" WHERE "donor_name" IS NOT NULL AND "donor_name" <> '' GROUP BY "donor_name" HAVING COUNT(*) = 1) AS g`},
		{donated(), "How many donors gave more than 100?", `SELECT COUNT(DISTINCT "donor_name") AS "count" FROM "donations" WHERE "amount_usd" > 100`},
		{fuel(), "What did we spend on diesel (litres times price per litre)?", `SELECT SUM("litres" * "price_per_l_eur") AS "total_litres_price_per_l_eur" FROM "fuel_log" WHERE "fuel" = 'Diesel'`},
		{fuel(), "How much did we spend in March 2025?", `SELECT SUM("litres" * "price_per_l_eur") AS "total_litres_price_per_l_eur" FROM "fuel_log" WHERE "date" >= '2025-03-01' AND "date" < '2025-04-01'`},
		{fuel(), "What is the average price per litre?", `SELECT AVG("price_per_l_eur") AS "average_price_per_l_eur" FROM "fuel_log"`},
		{receipts(), "Wie viele Belege gibt es?", `SELECT COUNT(*) AS "count" FROM "vereinsausgaben"`},
		{receipts(), "Wie viele Belege wurden bar bezahlt?", `SELECT COUNT(*) AS "count" FROM "vereinsausgaben" WHERE "zahlungsart" = 'bar'`},
		{receipts(), "Wie groß ist der Unterschied zwischen Brutto und Netto über alle Belege zusammen?", `SELECT ABS(SUM("brutto_eur" - "netto_eur")) AS "total_brutto_eur_netto_eur" FROM "vereinsausgaben"`},
		{sheet("returns", text("return_no", "R1", "R2"), day("order_date"), day("return_date"), number("refund_eur")), "On average, how many days are there between the order date and the return date?", `SELECT AVG((julianday("return_date") - julianday("order_date"))) AS "average_days" FROM "returns"`},
		{sheet("stock", text("part", "Bolt", "Nut"), whole("qty_on_hand"), number("unit_cost_eur")), "Which parts are out of stock (0 on hand)?", `SELECT * FROM "stock" WHERE "qty_on_hand" = 0 LIMIT 100`},
		{sheet("calls", text("ticket", "T1", "T2"), text("topic", "Billing", "Login"), number("wait_s")), "Median wait in seconds for billing calls", `SELECT AVG(x) AS "median_wait_s" FROM (SELECT "wait_s" AS x FROM "calls" WHERE "topic" = 'Billing' AND "wait_s" IS NOT NULL ORDER BY x LIMIT 2 - (SELECT COUNT(*) FROM "calls" WHERE "topic" = 'Billing' AND "wait_s" IS NOT NULL) % 2 OFFSET (SELECT (COUNT(*) - 1) / 2 FROM "calls" WHERE "topic" = 'Billing' AND "wait_s" IS NOT NULL))`},
	})
}
