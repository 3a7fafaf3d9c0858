package plainsql_test

import (
	"testing"

	"lectern/shared/database"
)

// sheet is a table, as people keep them, that is asked alone.
func sheet(name string, columns ...database.Column) *database.Schema {
	return &database.Schema{Tables: []database.Table{{Name: name, Columns: columns}}}
}

func bakery() *database.Schema {
	return sheet("cake_orders", database.Column{Name: "order_no", Type: "TEXT", Values: []string{"C-1", "C-2", "C-3", "C-4"}},
		database.Column{Name: "order_date", Type: "DATE"}, database.Column{Name: "customer", Type: "TEXT", Values: []string{"Hotel Lark", "Elm Cafe", "Ray"}},
		database.Column{Name: "item", Type: "TEXT", Values: []string{"Croissant", "Rye bread"}}, database.Column{Name: "qty", Type: "INTEGER"},
		database.Column{Name: "unit_price", Type: "REAL"}, database.Column{Name: "total", Type: "REAL"},
		database.Column{Name: "delivery", Type: "TEXT", Values: []string{"van", "pickup"}},
		database.Column{Name: "status", Type: "TEXT", Values: []string{"Open", "Paid", "Cancelled"}})
}

func parts() *database.Schema {
	return sheet("parts_stock", database.Column{Name: "sku", Type: "TEXT", Values: []string{"A1", "A2", "A3"}},
		database.Column{Name: "description", Type: "TEXT", Values: []string{"U-lock 230 mm", "Bell brass", "Rear light"}},
		database.Column{Name: "category", Type: "TEXT", Values: []string{"Locks", "Lights"}}, database.Column{Name: "on_hand", Type: "INTEGER"},
		database.Column{Name: "cost_each_eur", Type: "REAL"}, database.Column{Name: "shelf", Type: "TEXT", Values: []string{"S1", "S2"}},
		database.Column{Name: "last_delivery", Type: "DATE"})
}

func swimmers() *database.Schema {
	return sheet("club_members", database.Column{Name: "member_id", Type: "TEXT", Values: []string{"M1", "M2", "M3", "M4"}},
		database.Column{Name: "first_name", Type: "TEXT", Values: []string{"Ann", "Bob", "Cy"}},
		database.Column{Name: "surname", Type: "TEXT", Values: []string{"Lee", "Ray", "Poe", "Orr"}}, database.Column{Name: "d_o_b", Type: "DATE"},
		database.Column{Name: "squad", Type: "TEXT", Values: []string{"Masters", "Minnows"}}, database.Column{Name: "joined", Type: "DATE"},
		database.Column{Name: "annual_fee", Type: "INTEGER"}, database.Column{Name: "fee_paid", Type: "TEXT", Values: []string{"Yes", "No"}})
}

func energy() *database.Schema {
	return sheet("energy_log", database.Column{Name: "month", Type: "TEXT", Values: []string{"2022-01", "2023-02"}},
		database.Column{Name: "electricity_kwh", Type: "INTEGER"}, database.Column{Name: "gas_m3", Type: "INTEGER"},
		database.Column{Name: "water_m3", Type: "REAL"}, database.Column{Name: "electricity_cost", Type: "REAL"},
		database.Column{Name: "gas_cost", Type: "REAL"}, database.Column{Name: "read_by", Type: "TEXT", Values: []string{"Anne", "Jo"}},
		database.Column{Name: "remark", Type: "TEXT", Values: []string{"new meter", "guests"}})
}

func tickets() *database.Schema {
	return sheet("tickets_q1", database.Column{Name: "ticket", Type: "INTEGER"}, database.Column{Name: "opened", Type: "DATE"},
		database.Column{Name: "closed", Type: "DATE"}, database.Column{Name: "requester", Type: "TEXT", Values: []string{"P. Novak", "D. Osei"}},
		database.Column{Name: "agent", Type: "TEXT", Values: []string{"Farid", "Ines"}}, database.Column{Name: "hours_spent", Type: "REAL"},
		database.Column{Name: "rating", Type: "INTEGER"})
}

func loans() *database.Schema {
	return sheet("school_loans", database.Column{Name: "loan", Type: "INTEGER"}, database.Column{Name: "borrower", Type: "TEXT", Values: []string{"Ann", "Bo"}},
		database.Column{Name: "class", Type: "TEXT", Values: []string{"7A", "8B"}},
		database.Column{Name: "book_title", Type: "TEXT", Values: []string{"Holes", "Wonder", "Matilda"}},
		database.Column{Name: "author", Type: "TEXT", Values: []string{"Sachar", "Dahl"}}, database.Column{Name: "lent_on", Type: "DATE"},
		database.Column{Name: "due", Type: "DATE"}, database.Column{Name: "returned_on", Type: "DATE"}, database.Column{Name: "fine_gbp", Type: "REAL"})
}

func trips() *database.Schema {
	return sheet("fahrtenbuch", database.Column{Name: "fahrt_nr", Type: "INTEGER"}, database.Column{Name: "datum", Type: "DATE"},
		database.Column{Name: "fahrzeug", Type: "TEXT", Values: []string{"VW Caddy", "Ford Transit"}},
		database.Column{Name: "fahrer", Type: "TEXT", Values: []string{"Jana Vogt", "Emre Aslan"}},
		database.Column{Name: "zweck", Type: "TEXT", Values: []string{"Kundentermin", "Baustelle"}}, database.Column{Name: "km_start", Type: "INTEGER"},
		database.Column{Name: "km_ende", Type: "INTEGER"}, database.Column{Name: "strecke_km", Type: "INTEGER"},
		database.Column{Name: "getankt_l", Type: "REAL"}, database.Column{Name: "tankkosten_eur", Type: "REAL"},
		database.Column{Name: "bemerkung", Type: "TEXT", Values: []string{"Stau A7", "Umleitung"}})
}

func marks() *database.Schema {
	return sheet("mathe_noten", database.Column{Name: "nachname", Type: "TEXT", Values: []string{"Adler", "Becker", "Celik"}},
		database.Column{Name: "vorname", Type: "TEXT", Values: []string{"Jonas", "Lea", "Deniz"}},
		database.Column{Name: "klasse", Type: "TEXT", Values: []string{"8a", "8b"}}, database.Column{Name: "punkte_ka_1", Type: "INTEGER"},
		database.Column{Name: "punkte_ka_2", Type: "INTEGER"}, database.Column{Name: "gesamtnote", Type: "INTEGER"},
		database.Column{Name: "elterngespräch_am", Type: "DATE"})
}

func farmShop() *database.Schema {
	return sheet("hofladen_verkauf", database.Column{Name: "datum", Type: "DATE"},
		database.Column{Name: "produkt", Type: "TEXT", Values: []string{"Eier", "Honig", "Kartoffeln"}},
		database.Column{Name: "menge", Type: "INTEGER"}, database.Column{Name: "einheit", Type: "TEXT", Values: []string{"kg", "Gl", "Fl"}},
		database.Column{Name: "einzelpreis", Type: "REAL"}, database.Column{Name: "umsatz", Type: "REAL"},
		database.Column{Name: "verkäufer", Type: "TEXT", Values: []string{"Gerda", "Lukas"}})
}

func leave() *database.Schema {
	return sheet("urlaub_team", database.Column{Name: "name", Type: "TEXT", Values: []string{"Anja Koch", "Elif Demir"}},
		database.Column{Name: "abteilung", Type: "TEXT", Values: []string{"IT"}}, database.Column{Name: "urlaubstage_gesamt", Type: "INTEGER"},
		database.Column{Name: "genommen", Type: "INTEGER"}, database.Column{Name: "rest", Type: "INTEGER"},
		database.Column{Name: "stunden_pro_woche", Type: "REAL"}, database.Column{Name: "home_office", Type: "TEXT", Values: []string{"ja", "nein"}},
		database.Column{Name: "vertretung", Type: "TEXT", Values: []string{"Anja Koch", "Elif Demir"}})
}

func plots() *database.Schema {
	return sheet("garden_plots", database.Column{Name: "plot", Type: "TEXT", Values: []string{"1A", "1B", "2A"}},
		database.Column{Name: "holder", Type: "TEXT", Values: []string{"Doris Pike", "Hamid Rahimi", "Ted Marsh"}},
		database.Column{Name: "size_m2", Type: "INTEGER"}, database.Column{Name: "rent_p_a_gbp", Type: "REAL"},
		database.Column{Name: "rent_paid", Type: "TEXT", Values: []string{"yes", "no"}}, database.Column{Name: "last_inspection", Type: "DATE"},
		database.Column{Name: "inspection_result", Type: "TEXT", Values: []string{"good", "overgrown"}})
}

func wines() *database.Schema {
	return sheet("weinkeller", database.Column{Name: "wein", Type: "TEXT", Values: []string{"Barolo", "Chablis", "Riesling"}},
		database.Column{Name: "farbe", Type: "TEXT", Values: []string{"rot", "weiß"}}, database.Column{Name: "jahrgang", Type: "INTEGER"},
		database.Column{Name: "flaschen", Type: "INTEGER"}, database.Column{Name: "preis_je_flasche", Type: "REAL"},
		database.Column{Name: "bewertung", Type: "INTEGER"})
}

func classes() *database.Schema {
	return sheet("gym_attendance", database.Column{Name: "class_date", Type: "DATE"},
		database.Column{Name: "class", Type: "TEXT", Values: []string{"Spin", "Yoga"}},
		database.Column{Name: "instructor", Type: "TEXT", Values: []string{"Dana", "Rico"}}, database.Column{Name: "booked", Type: "INTEGER"},
		database.Column{Name: "attended", Type: "INTEGER"}, database.Column{Name: "waitlist", Type: "INTEGER"})
}

func tenants() *database.Schema {
	return sheet("mieterliste", database.Column{Name: "wohnung", Type: "TEXT", Values: []string{"1L", "1R", "2L"}},
		database.Column{Name: "mieter", Type: "TEXT", Values: []string{"Paul Winkler", "Nina Kaya", "Greta Lohse"}},
		database.Column{Name: "einzug", Type: "DATE"}, database.Column{Name: "zimmer", Type: "INTEGER"}, database.Column{Name: "kaltmiete", Type: "REAL"},
		database.Column{Name: "kaution_bezahlt", Type: "TEXT", Values: []string{"ja", "nein"}},
		database.Column{Name: "haustier", Type: "TEXT", Values: []string{"Hund", "Katze"}},
		database.Column{Name: "telefon", Type: "TEXT", Values: []string{"0176 1", "0160 2"}})
}

func stays() *database.Schema {
	return sheet("guesthouse_bookings", database.Column{Name: "booking_ref", Type: "TEXT", Values: []string{"G1", "G2", "G3"}},
		database.Column{Name: "guest", Type: "TEXT", Values: []string{"Imran Malik", "Sara Nilsen"}},
		database.Column{Name: "arrival", Type: "DATE"}, database.Column{Name: "departure", Type: "DATE"}, database.Column{Name: "adults", Type: "INTEGER"},
		database.Column{Name: "breakfast", Type: "TEXT", Values: []string{"yes", "no"}})
}

func gifts() *database.Schema {
	return sheet("charity_donations", database.Column{Name: "date", Type: "DATE"},
		database.Column{Name: "donor", Type: "TEXT", Values: []string{"Joe Tan", "Mary Quill"}}, database.Column{Name: "amount", Type: "REAL"},
		database.Column{Name: "campaign", Type: "TEXT", Values: []string{"Winter Appeal", "General"}})
}

func garageJobs() *database.Schema {
	return sheet("werkstatt_auftraege", database.Column{Name: "auftrag", Type: "TEXT", Values: []string{"A-1", "A-2", "A-3"}},
		database.Column{Name: "annahme", Type: "DATE"}, database.Column{Name: "abholung", Type: "DATE"},
		database.Column{Name: "kunde", Type: "TEXT", Values: []string{"Petra Lang", "Jens Otto"}},
		database.Column{Name: "fahrzeug", Type: "TEXT", Values: []string{"Golf", "Polo"}},
		database.Column{Name: "mechaniker", Type: "TEXT", Values: []string{"Sven", "Lena"}}, database.Column{Name: "arbeitsstunden", Type: "REAL"},
		database.Column{Name: "teilekosten_eur", Type: "REAL"}, database.Column{Name: "rechnungsbetrag_eur", Type: "REAL"})
}

func expenses() *database.Schema {
	return sheet("vereinskasse_ausgaben", database.Column{Name: "buchungsdatum", Type: "DATE"},
		database.Column{Name: "verwendungszweck", Type: "TEXT", Values: []string{"Hallenmiete", "Startgeld", "Bälle", "Netze"}},
		database.Column{Name: "kostenart", Type: "TEXT", Values: []string{"Miete", "Turniere", "Ausrüstung"}}, database.Column{Name: "betrag_eur", Type: "REAL"},
		database.Column{Name: "zahlungsart", Type: "TEXT", Values: []string{"Bar", "Karte"}},
		database.Column{Name: "beleg_vorhanden", Type: "TEXT", Values: []string{"ja", "nein"}})
}

// TestReadPlain: questions as people put them, in many words.
func TestReadPlain(t *testing.T) {
	for _, tc := range []struct {
		schema         *database.Schema
		question, want string
	}{
		{bakery(), "How much money is tied up in orders that are still open?", `SELECT SUM("total") AS "total_total" FROM "cake_orders" WHERE "status" = 'Open'`},
		{bakery(), "Leaving out anything cancelled, which customer spent the most with us?", `SELECT "customer", SUM("total") AS "result" FROM "cake_orders" WHERE ("status" <> 'Cancelled' OR "status" IS NULL) AND "total" IS NOT NULL GROUP BY "customer" HAVING SUM("total") = (SELECT SUM("total") FROM "cake_orders" WHERE ("status" <> 'Cancelled' OR "status" IS NULL) AND "total" IS NOT NULL GROUP BY "customer" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{bakery(), "number of croissants ordered in october 2024, pieces not orders", `SELECT SUM("qty") AS "total_qty" FROM "cake_orders" WHERE "item" = 'Croissant' AND "order_date" >= '2024-10-01' AND "order_date" < '2024-11-01'`},
		{bakery(), "What sort of things does Hotel Lark buy from us?", `SELECT DISTINCT "item" FROM "cake_orders" WHERE "customer" = 'Hotel Lark' ORDER BY 1 LIMIT 100`},
		{bakery(), "Give me the order numbers of everything that came to more than 100.", `SELECT DISTINCT "order_no" FROM "cake_orders" WHERE "total" > 100 LIMIT 100`},
		{bakery(), "Who drove the van for order C-3?", ``},
		{bakery(), "Could you tell me how many orders are cancelled (just the number)?", `SELECT COUNT(*) AS "count" FROM "cake_orders" WHERE "status" = 'Cancelled'`},
		{bakery(), "Which items are only sold to Hotel Lark?", ``},
		{parts(), "what are we completely out of?", `SELECT * FROM "parts_stock" WHERE "on_hand" = 0 LIMIT 100`},
		{parts(), "If I add up everything lying on the shelves at cost, how many euros is that?", `SELECT SUM("on_hand" * "cost_each_eur") AS "total_on_hand_cost_each_eur" FROM "parts_stock"`},
		{parts(), "where do I find the U-lock, which shelf", `SELECT DISTINCT "shelf" FROM "parts_stock" WHERE LOWER("description") LIKE '%u-lock%' ORDER BY 1 LIMIT 100`},
		{parts(), "average cost price of the stuff in the lights category?", `SELECT AVG("cost_each_eur") AS "average_cost_each_eur" FROM "parts_stock" WHERE "category" = 'Lights'`},
		{parts(), "Name the 3 articles we have the most pieces of.", `SELECT * FROM "parts_stock" WHERE "on_hand" IS NOT NULL ORDER BY "on_hand" DESC LIMIT 3`},
		{parts(), "What came in during February 2025?", `SELECT * FROM "parts_stock" WHERE "last_delivery" >= '2025-02-01' AND "last_delivery" < '2025-03-01' LIMIT 100`},
		{parts(), "What do customers pay for the brass bell?", ``},
		{swimmers(), "who do I need to chase, i.e. everyone with a No for the fee?", `SELECT DISTINCT ("first_name" || ' ' || "surname") FROM "club_members" WHERE "fee_paid" = 'No' ORDER BY 1 LIMIT 100`},
		{swimmers(), "How much have we taken in fees so far, counting just those marked as paid?", `SELECT SUM("annual_fee") AS "total_annual_fee" FROM "club_members" WHERE "fee_paid" = 'Yes'`},
		{swimmers(), "Who's our youngest member?", `SELECT ("first_name" || ' ' || "surname"), MAX("d_o_b") AS "result" FROM "club_members" WHERE "d_o_b" IS NOT NULL GROUP BY ("first_name" || ' ' || "surname") HAVING MAX("d_o_b") = (SELECT MAX("d_o_b") FROM "club_members" WHERE "d_o_b" IS NOT NULL GROUP BY ("first_name" || ' ' || "surname") ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{swimmers(), "Which members only joined in 2024?", `SELECT * FROM "club_members" WHERE "joined" >= '2024-01-01' AND "joined" < '2025-01-01' LIMIT 100`},
		{swimmers(), "How many kids are in the Masters?", ``},
		{plots(), "Which plots haven't been inspected yet?", `SELECT * FROM "garden_plots" WHERE "last_inspection" IS NULL LIMIT 100`},
		{plots(), "how much rent comes in per year if everybody pays?", `SELECT SUM("rent_p_a_gbp") AS "total_rent_p_a_gbp" FROM "garden_plots"`},
		{plots(), "who's got the biggest plot?", `SELECT "holder", SUM("size_m2") AS "result" FROM "garden_plots" WHERE "size_m2" IS NOT NULL GROUP BY "holder" HAVING SUM("size_m2") = (SELECT SUM("size_m2") FROM "garden_plots" WHERE "size_m2" IS NOT NULL GROUP BY "holder" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{plots(), "What does the average plot cost per year?", `SELECT AVG("rent_p_a_gbp") AS "average_rent_p_a_gbp" FROM "garden_plots"`},
		{plots(), "How many square metres do we have in total?", `SELECT SUM("size_m2") AS "total_size_m2" FROM "garden_plots"`},
		{plots(), "when was 1B last inspected?", `SELECT * FROM "garden_plots" WHERE "plot" = '1B' AND "last_inspection" = (SELECT MAX("last_inspection") FROM "garden_plots" WHERE "plot" = '1B' AND "last_inspection" IS NOT NULL) LIMIT 100`},
		{farmShop(), "Was ist im August am besten gelaufen?", `SELECT "produkt", SUM("umsatz") AS "result" FROM "hofladen_verkauf" WHERE strftime('%m', "datum") = '08' AND "umsatz" IS NOT NULL GROUP BY "produkt" HAVING SUM("umsatz") = (SELECT SUM("umsatz") FROM "hofladen_verkauf" WHERE strftime('%m', "datum") = '08' AND "umsatz" IS NOT NULL GROUP BY "produkt" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{farmShop(), "Wie viel haben wir mit Eiern eingenommen?", `SELECT SUM("umsatz") AS "total_umsatz" FROM "hofladen_verkauf" WHERE "produkt" = 'Eier'`},
		{farmShop(), "Wer hat am meisten umgesetzt?", `SELECT "verkäufer", SUM("umsatz") AS "result" FROM "hofladen_verkauf" WHERE "umsatz" IS NOT NULL GROUP BY "verkäufer" HAVING SUM("umsatz") = (SELECT SUM("umsatz") FROM "hofladen_verkauf" WHERE "umsatz" IS NOT NULL GROUP BY "verkäufer" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{farmShop(), "Was kostet ein Glas Honig?", `SELECT DISTINCT "einzelpreis" FROM "hofladen_verkauf" WHERE "einheit" = 'Gl' AND "produkt" = 'Honig' LIMIT 100`},
		{farmShop(), "Wie viele Kilo Kartoffeln sind rausgegangen?", `SELECT SUM("menge") AS "total_menge" FROM "hofladen_verkauf" WHERE "einheit" = 'kg' AND "produkt" = 'Kartoffeln'`},
		{farmShop(), "Welches Produkt bringt am wenigsten ein?", `SELECT "produkt", SUM("umsatz") AS "result" FROM "hofladen_verkauf" WHERE "umsatz" IS NOT NULL GROUP BY "produkt" HAVING SUM("umsatz") = (SELECT SUM("umsatz") FROM "hofladen_verkauf" WHERE "umsatz" IS NOT NULL GROUP BY "produkt" ORDER BY 1 LIMIT 1) ORDER BY 1 LIMIT 100`},
		{farmShop(), "Hat Gerda oder Lukas mehr verkauft?", `SELECT "verkäufer", SUM("umsatz") AS "result" FROM "hofladen_verkauf" WHERE "verkäufer" IN ('Gerda', 'Lukas') AND "umsatz" IS NOT NULL GROUP BY "verkäufer" HAVING SUM("umsatz") = (SELECT SUM("umsatz") FROM "hofladen_verkauf" WHERE "verkäufer" IN ('Gerda', 'Lukas') AND "umsatz" IS NOT NULL GROUP BY "verkäufer" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{leave(), "Wie viele Urlaubstage hat Elif noch?", `SELECT SUM("rest") AS "total_rest" FROM "urlaub_team" WHERE LOWER("name") LIKE '%elif%'`},
		{leave(), "Wer vertritt Anja Koch?", `SELECT DISTINCT "vertretung" FROM "urlaub_team" WHERE "name" = 'Anja Koch' ORDER BY 1 LIMIT 100`},
		{leave(), "Wer darf nicht ins Home-Office?", `SELECT * FROM "urlaub_team" WHERE "home_office" = 'nein' LIMIT 100`},
		{leave(), "Welche Kollegen arbeiten weniger als 40 Stunden?", `SELECT * FROM "urlaub_team" WHERE "stunden_pro_woche" < 40 LIMIT 100`},
		{leave(), "Durchschnittliche Wochenstunden pro Abteilung", `SELECT "abteilung", AVG("stunden_pro_woche") AS "average_stunden_pro_woche" FROM "urlaub_team" GROUP BY "abteilung" ORDER BY "abteilung"`},
		{leave(), "Was verdient Anja Koch?", ``},
		{bakery(), "Which orders are yet to be paid?", `SELECT * FROM "cake_orders" WHERE ("status" NOT IN ('Paid', 'Cancelled') OR "status" IS NULL) LIMIT 100`},
		{bakery(), "Which orders still need to be paid?", `SELECT * FROM "cake_orders" WHERE ("status" NOT IN ('Paid', 'Cancelled') OR "status" IS NULL) LIMIT 100`},
		{bakery(), "What does a rye bread cost?", `SELECT DISTINCT "unit_price" FROM "cake_orders" WHERE "item" = 'Rye bread' LIMIT 100`},
		{bakery(), "On how many days did we have orders in October 2024?", `SELECT COUNT(DISTINCT strftime('%Y-%m-%d', "order_date")) AS "count" FROM "cake_orders" WHERE "order_date" >= '2024-10-01' AND "order_date" < '2024-11-01'`},
		{bakery(), "which items did the Elm Cafe order?", `SELECT * FROM "cake_orders" WHERE "customer" = 'Elm Cafe' LIMIT 100`},
		{parts(), "When was the last delivery of all?", `SELECT * FROM "parts_stock" WHERE "last_delivery" = (SELECT MAX("last_delivery") FROM "parts_stock" WHERE "last_delivery" IS NOT NULL) LIMIT 100`},
		{parts(), "Which parts cost more than 50 euros apiece?", `SELECT * FROM "parts_stock" WHERE "cost_each_eur" > 50 LIMIT 100`},
		{parts(), "Which things never had a delivery?", `SELECT * FROM "parts_stock" WHERE "last_delivery" IS NULL LIMIT 100`},
		{parts(), "Do we have any bells left?", `SELECT SUM("on_hand") AS "total_on_hand" FROM "parts_stock" WHERE LOWER("description") LIKE '%bell%'`},
		{swimmers(), "Who still has to pay their fee?", `SELECT DISTINCT ("first_name" || ' ' || "surname"), "annual_fee" FROM "club_members" WHERE "fee_paid" = 'No' LIMIT 100`},
		{swimmers(), "Which squad is the biggest?", `SELECT "squad", COUNT(*) AS "count" FROM "club_members" WHERE "squad" IS NOT NULL AND "squad" <> '' GROUP BY "squad" HAVING COUNT(*) = (SELECT COUNT(*) FROM "club_members" WHERE "squad" IS NOT NULL AND "squad" <> '' GROUP BY "squad" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{energy(), "How much did we spend on gas in 2023?", `SELECT SUM("gas_cost") AS "total_gas_cost" FROM "energy_log" WHERE ("month" || '-01') >= '2023-01-01' AND ("month" || '-01') < '2024-01-01'`},
		{energy(), "What did electricity and gas cost us together in 2024?", `SELECT SUM("electricity_cost") AS "total_electricity_cost", SUM("gas_cost") AS "total_gas_cost", SUM(COALESCE("electricity_cost", 0) + COALESCE("gas_cost", 0)) AS "total_together" FROM "energy_log" WHERE ("month" || '-01') >= '2024-01-01' AND ("month" || '-01') < '2025-01-01'`},
		{energy(), "Who read the meters in March 2024?", `SELECT DISTINCT "read_by" FROM "energy_log" WHERE ("month" || '-01') >= '2024-03-01' AND ("month" || '-01') < '2024-04-01' LIMIT 100`},
		{energy(), "Did we use more gas in 2022 or 2023?", `SELECT SUM(CASE WHEN ("month" || '-01') >= '2022-01-01' AND ("month" || '-01') < '2023-01-01' THEN "gas_m3" ELSE 0 END) AS "2022", SUM(CASE WHEN ("month" || '-01') >= '2023-01-01' AND ("month" || '-01') < '2024-01-01' THEN "gas_m3" ELSE 0 END) AS "2023", SUM(CASE WHEN ("month" || '-01') >= '2022-01-01' AND ("month" || '-01') < '2023-01-01' THEN "gas_m3" ELSE 0 END) - SUM(CASE WHEN ("month" || '-01') >= '2023-01-01' AND ("month" || '-01') < '2024-01-01' THEN "gas_m3" ELSE 0 END) AS "difference" FROM "energy_log"`},
		{energy(), "How many cubic metres of gas did we burn in the whole of 2023?", `SELECT SUM("gas_m3") AS "total_gas_m3" FROM "energy_log" WHERE ("month" || '-01') >= '2023-01-01' AND ("month" || '-01') < '2024-01-01'`},
		{energy(), "Average monthly water use in 2024?", `SELECT AVG("water_m3") AS "average_water_m3" FROM "energy_log" WHERE ("month" || '-01') >= '2024-01-01' AND ("month" || '-01') < '2025-01-01'`},
		{energy(), "By how much did the electricity bill go up from 2022 to 2023?", `SELECT SUM(CASE WHEN ("month" || '-01') >= '2022-01-01' AND ("month" || '-01') < '2023-01-01' THEN "electricity_cost" ELSE 0 END) AS "2022", SUM(CASE WHEN ("month" || '-01') >= '2023-01-01' AND ("month" || '-01') < '2024-01-01' THEN "electricity_cost" ELSE 0 END) AS "2023", ABS(SUM(CASE WHEN ("month" || '-01') >= '2022-01-01' AND ("month" || '-01') < '2023-01-01' THEN "electricity_cost" ELSE 0 END) - SUM(CASE WHEN ("month" || '-01') >= '2023-01-01' AND ("month" || '-01') < '2024-01-01' THEN "electricity_cost" ELSE 0 END)) AS "difference" FROM "energy_log"`},
		{energy(), "How often was it Jo who read the meters?", `SELECT COUNT(*) AS "count" FROM "energy_log" WHERE "read_by" = 'Jo'`},
		{energy(), "for which month did we forget to write down the water?", `SELECT DISTINCT "month" FROM "energy_log" WHERE ("water_m3" IS NULL OR "water_m3" = 0) LIMIT 100`},
		{energy(), "How many guests did we have in 2023?", ``},
		{tickets(), "Who bothers us most often? I mean the person with the most tickets", `SELECT "requester", COUNT(*) AS "count" FROM "tickets_q1" WHERE "requester" IS NOT NULL AND "requester" <> '' GROUP BY "requester" HAVING COUNT(*) = (SELECT COUNT(*) FROM "tickets_q1" WHERE "requester" IS NOT NULL AND "requester" <> '' GROUP BY "requester" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{tickets(), "Who has the most tickets?", ``},
		{tickets(), "What's Farid's average rating?", `SELECT AVG("rating") AS "average_rating" FROM "tickets_q1" WHERE "agent" = 'Farid'`},
		{tickets(), "Which tickets took longer than a week between opening and closing?", `SELECT * FROM "tickets_q1" WHERE (julianday("closed") - julianday("opened")) > 7 LIMIT 100`},
		{loans(), "what do all the fines add up to?", `SELECT SUM("fine_gbp") AS "total_fine_gbp" FROM "school_loans"`},
		{loans(), "Who hasn't brought their book back?", `SELECT DISTINCT "borrower", "book_title" FROM "school_loans" WHERE "returned_on" IS NULL LIMIT 100`},
		{loans(), "How many loans were there to kids in 7A?", `SELECT COUNT(*) AS "count" FROM "school_loans" WHERE "class" = '7A'`},
		{loans(), "Who took out Wonder?", `SELECT * FROM "school_loans" WHERE "book_title" = 'Wonder' LIMIT 100`},
		{trips(), "Wie viele Kilometer ist der Ford Transit gefahren, wenn man alle Strecken zusammenzählt?", `SELECT SUM("strecke_km") AS "total_strecke_km" FROM "fahrtenbuch" WHERE "fahrzeug" = 'Ford Transit'`},
		{trips(), "Wer hat die meisten Kilometer abgerissen?", `SELECT "fahrer", SUM("strecke_km") AS "result" FROM "fahrtenbuch" WHERE "strecke_km" IS NOT NULL GROUP BY "fahrer" HAVING SUM("strecke_km") = (SELECT SUM("strecke_km") FROM "fahrtenbuch" WHERE "strecke_km" IS NOT NULL GROUP BY "fahrer" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{trips(), "Nenn mir die Nummern aller Fahrten über 195 km", `SELECT DISTINCT "fahrt_nr" FROM "fahrtenbuch" WHERE "strecke_km" > 195 LIMIT 100`},
		{trips(), "Wie lang ist so eine Fahrt zum Kundentermin im Schnitt (km)?", `SELECT AVG("strecke_km") AS "average_strecke_km" FROM "fahrtenbuch" WHERE "zweck" = 'Kundentermin'`},
		{trips(), "Wieviel Liter sind in den Caddy reingegangen?", `SELECT SUM("getankt_l") AS "total_getankt_l" FROM "fahrtenbuch" WHERE LOWER("fahrzeug") LIKE '%caddy%'`},
		{trips(), "An welchen Tagen stand jemand auf der A7 im Stau?", `SELECT DISTINCT "datum" FROM "fahrtenbuch" WHERE LOWER("bemerkung") LIKE '%a7%' AND LOWER("bemerkung") LIKE '%stau%' LIMIT 100`},
		{marks(), "Welchen Notenschnitt hat die 8b?", `SELECT AVG("gesamtnote") AS "average_gesamtnote" FROM "mathe_noten" WHERE "klasse" = '8b'`},
		{marks(), "Wie viele stehen insgesamt auf 1 oder 2?", `SELECT COUNT(*) AS "count" FROM "mathe_noten" WHERE "gesamtnote" IN (1, 2)`},
		{marks(), "Welche Klasse war in der ersten KA besser, 8a oder 8b?", `SELECT "klasse", AVG("punkte_ka_1") AS "result" FROM "mathe_noten" WHERE "klasse" IN ('8a', '8b') AND "punkte_ka_1" IS NOT NULL GROUP BY "klasse" HAVING AVG("punkte_ka_1") = (SELECT AVG("punkte_ka_1") FROM "mathe_noten" WHERE "klasse" IN ('8a', '8b') AND "punkte_ka_1" IS NOT NULL GROUP BY "klasse" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{marks(), "Mit den Eltern von welchen Kindern rede ich am 5. Februar 2025?", `SELECT * FROM "mathe_noten" WHERE "elterngespräch_am" >= '2025-02-05' AND "elterngespräch_am" < '2025-02-06' LIMIT 100`},
		{expenses(), "Was ging 2024 alles für Ausrüstung drauf?", `SELECT SUM("betrag_eur") AS "total_betrag_eur" FROM "vereinskasse_ausgaben" WHERE "kostenart" = 'Ausrüstung' AND "buchungsdatum" >= '2024-01-01' AND "buchungsdatum" < '2025-01-01'`},
		{expenses(), "Für welche Ausgaben gibt es keinen Beleg (also wo nein steht)?", `SELECT * FROM "vereinskasse_ausgaben" WHERE "beleg_vorhanden" = 'nein' LIMIT 100`},
		{expenses(), "Was war der dickste einzelne Posten?", `SELECT * FROM "vereinskasse_ausgaben" WHERE "betrag_eur" = (SELECT MAX("betrag_eur") FROM "vereinskasse_ausgaben" WHERE "betrag_eur" IS NOT NULL) LIMIT 100`},
		{expenses(), "Wieviel Prozent der Gesamtausgaben macht die Miete aus?", `SELECT 100.0 * SUM(CASE WHEN "kostenart" = 'Miete' THEN "betrag_eur" ELSE 0 END) / SUM("betrag_eur") AS "percent" FROM "vereinskasse_ausgaben"`},
		{expenses(), "wie hoch ist eine Barzahlung durchschnittlich", `SELECT AVG("betrag_eur") AS "average_betrag_eur" FROM "vereinskasse_ausgaben" WHERE "zahlungsart" = 'Bar'`},
		{bakery(), "How much did we pay the van?", ``},
		{bakery(), "When did Elm Cafe pay for order C-1?", ``},
		{bakery(), "What does it cost us to make a croissant?", ``},
		{bakery(), "What's the average order value for Hotel Lark?", `SELECT AVG("total") AS "average_total" FROM "cake_orders" WHERE "customer" = 'Hotel Lark'`},
		{bakery(), "How many orders are there per delivery method?", `SELECT "delivery", COUNT(*) AS "count" FROM "cake_orders" GROUP BY "delivery" ORDER BY "delivery"`},
		{bakery(), "Which item sells worst?", `SELECT "item", SUM("total") AS "result" FROM "cake_orders" WHERE "total" IS NOT NULL GROUP BY "item" HAVING SUM("total") = (SELECT SUM("total") FROM "cake_orders" WHERE "total" IS NOT NULL GROUP BY "item" ORDER BY 1 LIMIT 1) ORDER BY 1 LIMIT 100`},
		{parts(), "How many bells did we sell in January?", ``},
		{parts(), "How many customers bought a U-lock?", ``},
		{swimmers(), "When did Ann Lee pay her fee?", ``},
		{swimmers(), "How many members joined each year?", `SELECT strftime('%Y', "joined") AS "year", COUNT(*) AS "count" FROM "club_members" WHERE "joined" IS NOT NULL GROUP BY strftime('%Y', "joined") ORDER BY strftime('%Y', "joined")`},
		{energy(), "What did the new meter cost?", ``},
		{energy(), "What did the water cost in 2023?", ``},
		{energy(), "Total electricity cost 2024?", `SELECT SUM("electricity_cost") AS "total_electricity_cost" FROM "energy_log" WHERE ("month" || '-01') >= '2024-01-01' AND ("month" || '-01') < '2025-01-01'`},
		{energy(), "compare water in 2022 and 2023", `SELECT SUM(CASE WHEN ("month" || '-01') >= '2022-01-01' AND ("month" || '-01') < '2023-01-01' THEN "water_m3" ELSE 0 END) AS "2022", SUM(CASE WHEN ("month" || '-01') >= '2023-01-01' AND ("month" || '-01') < '2024-01-01' THEN "water_m3" ELSE 0 END) AS "2023", ABS(SUM(CASE WHEN ("month" || '-01') >= '2022-01-01' AND ("month" || '-01') < '2023-01-01' THEN "water_m3" ELSE 0 END) - SUM(CASE WHEN ("month" || '-01') >= '2023-01-01' AND ("month" || '-01') < '2024-01-01' THEN "water_m3" ELSE 0 END)) AS "difference" FROM "energy_log"`},
		{tickets(), "How many tickets did Farid close in February?", `SELECT COUNT(*) AS "count" FROM "tickets_q1" WHERE "agent" = 'Farid' AND strftime('%m', "closed") = '02'`},
		{tickets(), "How long does it take on average to close a ticket?", `SELECT AVG((julianday("closed") - julianday("opened"))) AS "average_days" FROM "tickets_q1"`},
		{tickets(), "How many days off did Ines take?", ``},
		{tickets(), "how many hours went into ticket 12?", `SELECT SUM("hours_spent") AS "total_hours_spent" FROM "tickets_q1" WHERE "ticket" = 12`},
		{loans(), "How many books does the library have?", ``},
		{loans(), "How many books does Ann have out at the moment?", `SELECT COUNT(*) AS "count" FROM "school_loans" WHERE "borrower" = 'Ann' AND "returned_on" IS NULL`},
		{loans(), "Who wrote Wonder?", `SELECT DISTINCT "author" FROM "school_loans" WHERE "book_title" = 'Wonder' ORDER BY 1 LIMIT 100`},
		{loans(), "Who paid the highest fine?", `SELECT "borrower", SUM("fine_gbp") AS "result" FROM "school_loans" WHERE "fine_gbp" IS NOT NULL GROUP BY "borrower" HAVING SUM("fine_gbp") = (SELECT SUM("fine_gbp") FROM "school_loans" WHERE "fine_gbp" IS NOT NULL GROUP BY "borrower" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{loans(), "Who reads the most?", `SELECT "borrower", COUNT(*) AS "count" FROM "school_loans" WHERE "borrower" IS NOT NULL AND "borrower" <> '' GROUP BY "borrower" HAVING COUNT(*) = (SELECT COUNT(*) FROM "school_loans" WHERE "borrower" IS NOT NULL AND "borrower" <> '' GROUP BY "borrower" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{loans(), "When was Matilda published?", ``},
		{trips(), "Wer ist am meisten gefahren?", `SELECT "fahrer", SUM("strecke_km") AS "result" FROM "fahrtenbuch" WHERE "strecke_km" IS NOT NULL GROUP BY "fahrer" HAVING SUM("strecke_km") = (SELECT SUM("strecke_km") FROM "fahrtenbuch" WHERE "strecke_km" IS NOT NULL GROUP BY "fahrer" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{trips(), "Wie oft wurde getankt?", `SELECT COUNT(*) AS "count" FROM "fahrtenbuch" WHERE "getankt_l" > 0`},
		{trips(), "Wer war am 13.05. unterwegs?", `SELECT * FROM "fahrtenbuch" WHERE strftime('%m-%d', "datum") = '05-13' LIMIT 100`},
		{trips(), "Was hat der Liter Sprit im Schnitt gekostet?", `SELECT SUM("tankkosten_eur") * 1.0 / NULLIF(SUM("getankt_l"), 0) AS "tankkosten_eur_per_getankt_l" FROM "fahrtenbuch"`},
		{trips(), "Wie schnell ist Jana gefahren?", ``},
		{trips(), "Wer war Beifahrer bei Fahrt 10?", ``},
		{trips(), "An wie vielen Tagen war der Transit unterwegs?", `SELECT COUNT(DISTINCT strftime('%Y-%m-%d', "datum")) AS "count" FROM "fahrtenbuch" WHERE LOWER("fahrzeug") LIKE '%transit%'`},
		{marks(), "Wie viele Schüler haben eine 4 oder schlechter?", `SELECT COUNT(*) AS "count" FROM "mathe_noten" WHERE "gesamtnote" >= 4`},
		{marks(), "Wer ist der Klassenlehrer der 8b?", ``},
		{marks(), "Wann hat Lea Becker Geburtstag?", ``},
		{marks(), "Mit wem habe ich noch kein Elterngespräch?", `SELECT DISTINCT ("vorname" || ' ' || "nachname") FROM "mathe_noten" WHERE "elterngespräch_am" IS NULL ORDER BY 1 LIMIT 100`},
		{expenses(), "Wofür haben wir am meisten ausgegeben?", `SELECT "kostenart", SUM("betrag_eur") AS "result" FROM "vereinskasse_ausgaben" WHERE "betrag_eur" IS NOT NULL GROUP BY "kostenart" HAVING SUM("betrag_eur") = (SELECT SUM("betrag_eur") FROM "vereinskasse_ausgaben" WHERE "betrag_eur" IS NOT NULL GROUP BY "kostenart" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{expenses(), "In welchem Monat haben wir am meisten ausgegeben?", `SELECT strftime('%Y-%m', "buchungsdatum") AS "month", SUM("betrag_eur") AS "result" FROM "vereinskasse_ausgaben" WHERE "betrag_eur" IS NOT NULL GROUP BY strftime('%Y-%m', "buchungsdatum") HAVING SUM("betrag_eur") = (SELECT SUM("betrag_eur") FROM "vereinskasse_ausgaben" WHERE "betrag_eur" IS NOT NULL GROUP BY strftime('%Y-%m', "buchungsdatum") ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{expenses(), "Wie hoch sind unsere Einnahmen?", ``},
		{expenses(), "Wie viele Bälle haben wir gekauft?", `SELECT COUNT(*) AS "count" FROM "vereinskasse_ausgaben" WHERE "verwendungszweck" = 'Bälle'`},
		{expenses(), "Wie viele Belege fehlen?", `SELECT COUNT(*) AS "count" FROM "vereinskasse_ausgaben" WHERE "beleg_vorhanden" = 'nein'`},
		{expenses(), "Wieviele Mitglieder hat der Verein?", ``},
		{leave(), "Wann geht Anja in Urlaub?", ``},
		{leave(), "Wie viele Krankheitstage hatte Elif?", ``},
		{plots(), "What does Doris Pike grow?", ``},
		{wines(), "Wie viele Flaschen Rotwein haben wir noch?", `SELECT SUM("flaschen") AS "total_flaschen" FROM "weinkeller" WHERE "farbe" = 'rot'`},
		{wines(), "Durchschnittspreis der Weißweine", `SELECT AVG("preis_je_flasche") AS "average_preis_je_flasche" FROM "weinkeller" WHERE "farbe" = 'weiß'`},
		{wines(), "Ältester Jahrgang?", `SELECT MIN("jahrgang") AS "result" FROM "weinkeller" WHERE "jahrgang" IS NOT NULL`},
		{wines(), "Welche Weine haben über 90 Punkte?", `SELECT * FROM "weinkeller" WHERE "bewertung" > 90 LIMIT 100`},
		{classes(), "How many people came to Spin?", `SELECT SUM("attended") AS "total_attended" FROM "gym_attendance" WHERE "class" = 'Spin'`},
		{classes(), "Longest waiting list?", `SELECT MAX("waitlist") AS "result" FROM "gym_attendance" WHERE "waitlist" IS NOT NULL`},
		{tenants(), "Wie viele Zweizimmerwohnungen gibt es?", `SELECT COUNT(*) AS "count" FROM "mieterliste" WHERE "zimmer" = 2`},
		{tenants(), "Wer hat die Kaution noch nicht gezahlt?", `SELECT * FROM "mieterliste" WHERE "kaution_bezahlt" = 'nein' LIMIT 100`},
		{tenants(), "Wer hat ein Haustier?", `SELECT * FROM "mieterliste" WHERE "haustier" IS NOT NULL AND "haustier" <> '' LIMIT 100`},
		{tenants(), "Wer ist nach 2020 eingezogen?", `SELECT * FROM "mieterliste" WHERE "einzug" >= '2021-01-01' LIMIT 100`},
		{tenants(), "Quadratmeterpreis von 1L?", ``},
		{stays(), "Who stayed the longest?", `SELECT "guest", MAX((julianday("departure") - julianday("arrival"))) AS "result" FROM "guesthouse_bookings" WHERE (julianday("departure") - julianday("arrival")) IS NOT NULL GROUP BY "guest" HAVING MAX((julianday("departure") - julianday("arrival"))) = (SELECT MAX((julianday("departure") - julianday("arrival"))) FROM "guesthouse_bookings" WHERE (julianday("departure") - julianday("arrival")) IS NOT NULL GROUP BY "guest" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{stays(), "How many people stayed without breakfast?", ``},
		{gifts(), "How much have we raised so far?", `SELECT SUM("amount") AS "total_amount" FROM "charity_donations"`},
		{gifts(), "How much did the Winter Appeal cost to run?", ``},
		{garageJobs(), "Welche Autos stehen noch bei uns?", `SELECT DISTINCT "fahrzeug" FROM "werkstatt_auftraege" WHERE "abholung" IS NULL ORDER BY 1 LIMIT 100`},
		{garageJobs(), "Wer hat am meisten gearbeitet?", `SELECT "mechaniker", SUM("arbeitsstunden") AS "result" FROM "werkstatt_auftraege" WHERE "arbeitsstunden" IS NOT NULL GROUP BY "mechaniker" HAVING SUM("arbeitsstunden") = (SELECT SUM("arbeitsstunden") FROM "werkstatt_auftraege" WHERE "arbeitsstunden" IS NOT NULL GROUP BY "mechaniker" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{garageJobs(), "Was haben wir im Februar eingenommen?", `SELECT SUM("rechnungsbetrag_eur") AS "total_rechnungsbetrag_eur" FROM "werkstatt_auftraege" WHERE strftime('%m', "annahme") = '02'`},
		{loans(), "How many times was Holes borrowed?", `SELECT COUNT(*) AS "count" FROM "school_loans" WHERE "book_title" = 'Holes'`},
		{loans(), "Which kid has borrowed the most books?", `SELECT "borrower", COUNT(*) AS "count" FROM "school_loans" WHERE "borrower" IS NOT NULL AND "borrower" <> '' GROUP BY "borrower" HAVING COUNT(*) = (SELECT COUNT(*) FROM "school_loans" WHERE "borrower" IS NOT NULL AND "borrower" <> '' GROUP BY "borrower" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{loans(), "Any books not back yet?", `SELECT * FROM "school_loans" WHERE "returned_on" IS NULL LIMIT 100`},
		{loans(), "How many fines were there?", `SELECT COUNT(*) AS "count" FROM "school_loans" WHERE "fine_gbp" > 0`},
		{swimmers(), "Anyone who's not paid from the Masters squad?", `SELECT DISTINCT ("first_name" || ' ' || "surname") FROM "club_members" WHERE "squad" = 'Masters' AND "fee_paid" = 'No' ORDER BY 1 LIMIT 100`},
		{trips(), "Wie viele Fahrten gab es zu Kunden?", `SELECT COUNT(*) AS "count" FROM "fahrtenbuch" WHERE LOWER("zweck") LIKE '%kunden%'`},
		{parts(), "Give me a list of everything that costs between 5 and 10 euros", `SELECT * FROM "parts_stock" WHERE "cost_each_eur" >= 5 AND "cost_each_eur" <= 10 LIMIT 100`},
		{energy(), "Which months cost us more than 250 in total for gas and electricity?", ``},
		{bakery(), "What is the most we've ever sold to one customer in one order?", ``},
		{tickets(), "Which agent came first?", ``},
		{garageJobs(), "Wie viel Geld steht noch auf dem Konto?", ``},
		{garageJobs(), "Wie viel verdient Sven?", ``},
		{garageJobs(), "Wie viele Mechaniker haben wir?", ``},
		{gifts(), "Who called Mary Quill?", ``},
		{tenants(), "Wie viele Personen wohnen in 1L?", ``},
		{tenants(), "Wann war die letzte Mieterhöhung?", ``},
		{trips(), "Wie viele Kinder sind mitgefahren?", ``},
		{sheet("bike_repairs", database.Column{Name: "job", Type: "TEXT", Values: []string{"F1", "F2", "F3", "F4"}},
			database.Column{Name: "customer", Type: "TEXT", Values: []string{"Ann Lee", "Bob Ray"}}, database.Column{Name: "bill_eur", Type: "REAL"},
			database.Column{Name: "status", Type: "TEXT", Values: []string{"collected", "ready for pick-up", "waiting for parts"}}),
			"How many repairs are still waiting to be picked up?", ``},
	} {
		writes(t, database.SQLite, tc.schema, []written{{tc.question, tc.want}})
	}
}
