package plainsql_test

import (
	"strings"
	"testing"

	"lectern/shared/database"
	"lectern/shared/database/plainsql"
)

// asked is a question and its statement, none where it is declined.
type asked struct {
	schema         *database.Schema
	question, want string
}

func checkAll(t *testing.T, list []asked) {
	t.Helper()
	for _, tc := range list {
		if got, _ := plainsql.Write(database.SQLite, tc.schema, tc.question); got != tc.want {
			t.Errorf("%q:\n%s\nwant\n%s", tc.question, got, tc.want)
		}
	}
}

func allotments() *database.Schema {
	return sheet("plots", text("plot", "A01", "A02", "B01", "B03"), text("tenant", "Abbott", "Kaya", "Quinn", ""), whole("size_sq_m"), number("rent_p_a"), day("let_since"),
		text("water", "yes", "no"), text("shed", "wood", "metal", "none"), text("deposit_paid", "Y", "N"), text("notes", "", "overgrown", "has bees", "shared tap"))
}

func screenings() *database.Schema {
	return sheet("screenings", day("date"), text("film", "Ran", "Alien", "Vertigo", "Stalker"), text("director", "Akira Kurosawa", "Ridley Scott", "Alfred Hitchcock"),
		whole("year"), whole("length_min"), whole("members"), whole("guests"), number("takings_eur"), text("projectionist", "Ana", "Bill", "Cem"), text("subtitled", "yes", "no"))
}

func clubhouse() *database.Schema {
	return sheet("vereinsheim", whole("buchungsnr"), text("mieter", "Familie Brandt", "Herr Pohl", "Chor Harmonie"), text("raum", "Saal", "Küche", "Kegelbahn"), day("datum"),
		whole("personen"), number("mietpreis"), number("kaution"), text("kaution_zurück", "ja", "nein"), text("reinigung", "selbst", "Firma"), day("bezahlt_am"))
}

func parkTrees() *database.Schema {
	planted := database.Column{Name: "planted", Type: "INTEGER", Years: true}
	return sheet("trees", text("tag", "K001", "K007", "K010"), text("species", "English oak", "Beech", "Scots pine", "Silver birch"), whole("girth_cm"), number("height_m"), planted,
		text("condition", "good", "fair", "poor", "dead"), day("last_inspected"), text("inspector", "Ms Ahmed", "Mr Doyle"))
}

func grants() *database.Schema {
	return sheet("grants", text("ref", "G-101", "G-110"), text("applicant", "Riverside Trust", "Youth Hub", "Dale Museum"), text("programme", "Arts", "Sport", "Heritage"), day("received"),
		text("decision", "approved", "rejected", "pending", "withdrawn"), day("decided_on"), number("asked_for_gbp"), number("awarded_gbp"), text("officer", "M. Lee", "R. Ito"))
}

func kennel() *database.Schema {
	dogs := sheet("kennel_dogs", text("chip_no", "91", "92", "93", "94"), text("dog", "Rex", "Bella", "Otto", "Luna"), text("breed", "Labrador", "Terrier"), day("born"),
		text("owner", "J. Marsh", "A. Cole"), day("last_jab"), day("next_due"), text("insured", "yes", "no"))
	stays := sheet("kennel_stays", text("dog", "Rex", "Bella", "Otto"), day("arrived"), day("left"), whole("nights"), text("run", "A1", "A2", "B1"), text("paid", "cash", "card", "open"))
	dogs.Tables = append(dogs.Tables, stays.Tables...)
	return dogs
}

func waterSamples() *database.Schema {
	return sheet("samples", text("sample", "W500", "W501", "W502"), text("site", "Bridge", "Inlet"), day("taken"), number("ph"), number("nitrate_mg_l"), text("result", "pass", "fail"))
}

func cashBook() *database.Schema {
	return sheet("kasse", whole("beleg"), day("datum"), text("kategorie", "Spenden", "Miete", "Porto"), text("text", "Sommerfest", "Tombola"), number("einnahme_eur"), number("ausgabe_eur"),
		text("zahlungsart", "bar", "Überweisung", "Karte"))
}

// TestReadClubs: words for none are empty cells, amounts and areas are told as people write them, the year of a thing tells how old it
// is, and what rows are called is counted, not the people in them.
func TestReadClubs(t *testing.T) {
	checkAll(t, []asked{
		{allotments(), "How many plots don't have a shed?", `SELECT COUNT(*) AS "count" FROM "plots" WHERE ("shed" IS NULL OR "shed" = '' OR "shed" = 'none')`},
		{allotments(), "How many plots have water and a shed?", `SELECT COUNT(*) AS "count" FROM "plots" WHERE "water" = 'yes' AND "shed" IS NOT NULL AND "shed" <> '' AND "shed" <> 'none'`},
		{allotments(), "How many plots have a water connection?", `SELECT COUNT(*) AS "count" FROM "plots" WHERE "water" = 'yes'`},
		{allotments(), "Which plots are bigger than 200 square metres?", `SELECT * FROM "plots" WHERE "size_sq_m" > 200 LIMIT 100`},
		{allotments(), "rent per square metre for each plot", `SELECT "plot", SUM("rent_p_a") * 1.0 / NULLIF(SUM("size_sq_m"), 0) AS "rent_p_a_per_size_sq_m" FROM "plots" GROUP BY "plot" ORDER BY "plot"`},
		{allotments(), "Which tenants pay 90 pounds?", `SELECT * FROM "plots" WHERE "rent_p_a" = 90 LIMIT 100`},
		{allotments(), "How many plots cost less than £60?", `SELECT COUNT(*) AS "count" FROM "plots" WHERE "rent_p_a" < 60`},
		{allotments(), "How many plots with water have a rent of 60?", `SELECT COUNT(*) AS "count" FROM "plots" WHERE "rent_p_a" = 60 AND "water" = 'yes'`},
		{allotments(), "How many different sizes are there?", `SELECT COUNT(DISTINCT "size_sq_m") AS "count" FROM "plots"`},
		{screenings(), "What is the newest film?", `SELECT "film", MAX("year") AS "result" FROM "screenings" WHERE "year" IS NOT NULL GROUP BY "film" HAVING MAX("year") = (SELECT MAX("year") FROM "screenings" WHERE "year" IS NOT NULL GROUP BY "film" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{screenings(), "How many films are longer than two and a half hours?", `SELECT COUNT(DISTINCT "film") AS "count" FROM "screenings" WHERE "length_min" > 150`},
		{screenings(), "Total running time of all screenings", `SELECT SUM("length_min") AS "total_length_min" FROM "screenings"`},
		{parkTrees(), "How many trees were planted in the 1960s?", `SELECT COUNT(*) AS "count" FROM "trees" WHERE "planted" <= 1969 AND "planted" >= 1960`},
		{parkTrees(), "Which trees were planted from 1960 to 1969?", `SELECT * FROM "trees" WHERE "planted" <= 1969 AND "planted" >= 1960 LIMIT 100`},
		{parkTrees(), "How many oaks were planted before 1900?", `SELECT COUNT(*) AS "count" FROM "trees" WHERE "planted" < 1900 AND LOWER("species") LIKE '%oak%'`},
		{parkTrees(), "How many trees did Ms Ahmed inspect in June?", `SELECT COUNT(*) AS "count" FROM "trees" WHERE "inspector" = 'Ms Ahmed' AND strftime('%m', "last_inspected") = '06'`},
		{parkTrees(), "Oldest tree in the park", `SELECT * FROM "trees" WHERE "planted" = (SELECT MIN("planted") FROM "trees" WHERE "planted" IS NOT NULL) LIMIT 100`},
		{grants(), "Total asked for vs total awarded", `SELECT SUM("asked_for_gbp") AS "total_asked_for_gbp", SUM("awarded_gbp") AS "total_awarded_gbp" FROM "grants"`},
		{grants(), "How many applications were rejected?", `SELECT COUNT(*) AS "count" FROM "grants" WHERE "decision" = 'rejected'`},
		{grants(), "Who handled the most applications?", ""},
		{grants(), "Number of decisions per month in 2024", ""},
		{kennel(), "How many stays haven't been paid?", `SELECT COUNT(*) AS "count" FROM "kennel_stays" WHERE ("paid" IS NULL OR "paid" = '' OR "paid" = 'open')`},
		{kennel(), "Which jabs are due in March 2026?", `SELECT * FROM "kennel_dogs" WHERE "next_due" >= '2026-03-01' AND "next_due" < '2026-04-01' LIMIT 100`},
		{kennel(), "Which dog came most often?", `SELECT "kennel_dogs"."dog", COUNT(*) AS "count" FROM "kennel_dogs" JOIN "kennel_stays" ON "kennel_dogs"."dog" = "kennel_stays"."dog" WHERE "kennel_dogs"."dog" IS NOT NULL AND "kennel_dogs"."dog" <> '' GROUP BY "kennel_dogs"."dog" HAVING COUNT(*) = (SELECT COUNT(*) FROM "kennel_dogs" JOIN "kennel_stays" ON "kennel_dogs"."dog" = "kennel_stays"."dog" WHERE "kennel_dogs"."dog" IS NOT NULL AND "kennel_dogs"."dog" <> '' GROUP BY "kennel_dogs"."dog" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{waterSamples(), "Which site has the highest nitrate?", `SELECT "site", MAX("nitrate_mg_l") AS "result" FROM "samples" WHERE "nitrate_mg_l" IS NOT NULL GROUP BY "site" HAVING MAX("nitrate_mg_l") = (SELECT MAX("nitrate_mg_l") FROM "samples" WHERE "nitrate_mg_l" IS NOT NULL GROUP BY "site" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{cashBook(), "Wie viele Einnahmen gab es per Überweisung?", `SELECT COUNT(*) AS "count" FROM "kasse" WHERE "zahlungsart" = 'Überweisung' AND "einnahme_eur" > 0`},
		{cashBook(), "Wie viel wurde bar bezahlt?", `SELECT SUM("ausgabe_eur") AS "total_ausgabe_eur" FROM "kasse" WHERE "zahlungsart" = 'bar'`},
		{cashBook(), "Was hat das Sommerfest eingebracht?", ""},
		{grants(), "How many of the applicants actually showed up?", ""},
		{grants(), "priciest application?", ""},
		{grants(), "Show me all rows.", `SELECT * FROM "grants" LIMIT 100`},
		{clubhouse(), "Zeig mir die ganze Tabelle", `SELECT * FROM "vereinsheim" LIMIT 100`},
		{kennel(), "Show me all rows.", ""},
		{clubhouse(), "What have the bookings of Chor Harmonie cost?", ""},
		{kennel(), "How many dogs are still away?", ""},
		{clubhouse(), "Wie viele Buchungen hatten mehr als 100 Personen?", `SELECT COUNT(*) AS "count" FROM "vereinsheim" WHERE "personen" > 100`},
		{clubhouse(), "Wer hat am meisten gezahlt?", ""},
		{clubhouse(), "Wie viel Miete haben wir im ersten Quartal 2025 eingenommen?", ""},
		{clubhouse(), "Welcher Raum bringt am meisten ein?", ""},
		{clubhouse(), "In welchem Monat gab es die meisten Buchungen?", `SELECT strftime('%Y-%m', "datum") AS "month", COUNT(*) AS "count" FROM "vereinsheim" WHERE "datum" IS NOT NULL GROUP BY strftime('%Y-%m', "datum") HAVING COUNT(*) = (SELECT COUNT(*) FROM "vereinsheim" WHERE "datum" IS NOT NULL GROUP BY strftime('%Y-%m', "datum") ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
	})
}

func boats() *database.Schema {
	s := sheet("boats", text("boat", "Kestrel", "Merlin", "Osprey", "Undine"), text("type", "Sloop", "Ketch", "Dinghy"), number("length_m"), text("berth", "A1", "B2"),
		text("owner", "Nora Lind", "Sean Byrne", "Lucy Grant"), whole("year_built"), number("mooring_fee_eur"), text("insured", "yes", "no"), day("last_inspection"))
	s.Tables[0].Columns[4].Repeats = true
	s.Tables[0].Columns[5].Years = true
	return s
}

func bloodDonations() *database.Schema {
	s := sheet("blood_donations", text("donor", "Ann Moss", "Dev Patel", "Hana Ito"), text("blood_group", "A+", "0-"), day("donation_date"), whole("volume_ml"),
		text("nurse", "Miller", "Stein"), text("city", "Leeds", "York"), text("first_time", "yes", "no"))
	for i := range s.Tables[0].Columns {
		s.Tables[0].Columns[i].Repeats = true
	}
	return s
}

func exhibits() *database.Schema {
	return sheet("exhibits", text("inventory_no", "M100", "M101", "M102"), text("title", "Blue vase", "The miller", "Sailor"), text("artist", "Mina Sato", "Henri Duval"),
		text("room", "Depot", "East wing"), day("acquired"), number("insured_value"), text("on_loan", "yes", "no"))
}

func kurse() *database.Schema {
	return sheet("kurse", text("kurs", "Yoga", "Pilates", "Töpfern"), text("dozent", "Frau Adler", "Herr Dorn"), text("wochentag", "Montag", "Mittwoch"), whole("teilnehmer"),
		whole("max_teilnehmer"), number("gebühr_eur"), day("beginn"))
}

func reparaturen() *database.Schema {
	return sheet("reparaturen", whole("auftragsnr"), text("kunde", "Lang", "Kaya", "Maier"), text("gerät", "Laptop", "Drucker"), text("fehler", "Display", "Akku"),
		day("annahme"), day("fertig_am"), text("techniker", "Tom", "Ines"), number("kosten"))
}

func TestReadThings(t *testing.T) {
	checkAll(t, []asked{
		{boats(), "Who owns the Kestrel?", `SELECT DISTINCT "owner" FROM "boats" WHERE "boat" = 'Kestrel' LIMIT 100`},
		{boats(), "Who owns more than 3 boats?", `SELECT "owner", COUNT(*) AS "count" FROM "boats" WHERE "owner" IS NOT NULL AND "owner" <> '' GROUP BY "owner" HAVING COUNT(*) > 3 ORDER BY 2 DESC, 1 LIMIT 100`},
		{boats(), "When was the Merlin built?", `SELECT DISTINCT "year_built" FROM "boats" WHERE "boat" = 'Merlin' LIMIT 100`},
		{boats(), "How many dinghies do we have?", `SELECT COUNT(*) AS "count" FROM "boats" WHERE "type" = 'Dinghy'`},
		{boats(), "How many passengers can the Merlin carry?", ""},
		{boats(), "How many berths are free?", ""},
		{bloodDonations(), "How many people donated blood?", `SELECT COUNT(DISTINCT "donor") AS "count" FROM "blood_donations"`},
		{bloodDonations(), "How much blood was donated in York?", `SELECT SUM("volume_ml") AS "total_volume_ml" FROM "blood_donations" WHERE "city" = 'York'`},
		{bloodDonations(), "Which donors gave blood more than five times?", `SELECT "donor", COUNT(*) AS "count" FROM "blood_donations" WHERE "donor" IS NOT NULL AND "donor" <> '' GROUP BY "donor" HAVING COUNT(*) > 5 ORDER BY 2 DESC, 1 LIMIT 100`},
		{exhibits(), "How many works do we own?", `SELECT COUNT(*) AS "count" FROM "exhibits"`},
		{exhibits(), "Who painted the Blue vase?", `SELECT DISTINCT "artist" FROM "exhibits" WHERE "title" = 'Blue vase' ORDER BY 1 LIMIT 100`},
		{exhibits(), "How many works were acquired in the 1990s?", `SELECT COUNT(*) AS "count" FROM "exhibits" WHERE "acquired" >= '1990-01-01' AND "acquired" < '2000-01-01'`},
		{exhibits(), "What did we acquire after 2015?", `SELECT * FROM "exhibits" WHERE "acquired" >= '2016-01-01' LIMIT 100`},
		{kurse(), "Wer gibt Töpfern?", `SELECT DISTINCT "dozent" FROM "kurse" WHERE "kurs" = 'Töpfern' ORDER BY 1 LIMIT 100`},
		{kurse(), "Wie viele freie Plätze hat Pilates?", `SELECT SUM("max_teilnehmer" - "teilnehmer") AS "total_max_teilnehmer_teilnehmer" FROM "kurse" WHERE "kurs" = 'Pilates'`},
		{kurse(), "Wie viel nehmen wir mit Yoga ein?", `SELECT SUM("teilnehmer" * "gebühr_eur") AS "total_teilnehmer_gebühr_eur" FROM "kurse" WHERE "kurs" = 'Yoga'`},
		{reparaturen(), "Wie viele Laptops wurden repariert?", `SELECT COUNT(*) AS "count" FROM "reparaturen" WHERE "gerät" = 'Laptop'`},
		{reparaturen(), "Wie viele Aufträge sind noch offen?", `SELECT COUNT(*) AS "count" FROM "reparaturen" WHERE "fertig_am" IS NULL`},
	})
}

func rolls() *database.Schema {
	s := sheet("bakery_customers", text("customerid", "C01", "C02"), text("name", "Café Morgenrot", "Hotel Bellevue"), text("town", "Ashford", "Brookside"))
	products := sheet("bakery_products", text("productid", "P01", "P02"), text("product", "Rye bread", "Baguette"), number("price_usd"))
	orders := sheet("bakery_orders", text("order", "B-1", "B-2"), day("order_date"), text("customerid", "C01", "C02"), text("productid", "P01", "P02"), whole("quantity"),
		text("paid", "yes", "no"))
	s.Tables = append(append(s.Tables, products.Tables...), orders.Tables...)
	return s
}

func budget() *database.Schema {
	return sheet("budget_2025", text("category", "Rent", "Groceries"), number("jan"), number("feb"), number("mar"), number("apr"), number("total"))
}

func cashbook() *database.Schema {
	return sheet("vereinskasse", text("beleg", "001", "002"), day("datum"), text("kategorie", "Sommerfest", "Miete"), number("einnahmen_eur"), number("ausgaben_eur"))
}

func instruments() *database.Schema {
	return sheet("inventar", text("gegenstand", "Tuba", "Stapelstuhl"), text("raum", "Lager", "Saal"), number("stückpreis"), whole("stück"), text("zustand", "gut", "defekt"))
}

// TestReadLinkedSheets: numbers in one word refer to what they are of, a total of months is no month, the number of the most is no
// value, and of two amounts a row may have only one.
func TestReadLinkedSheets(t *testing.T) {
	t.Parallel()
	const join = `"bakery_orders" JOIN "bakery_customers" ON "bakery_orders"."customerid" = "bakery_customers"."customerid"`
	checkAll(t, []asked{
		{rolls(), "How many orders did Hotel Bellevue place?", `SELECT COUNT(*) AS "count" FROM ` + join + ` WHERE "bakery_customers"."name" = 'Hotel Bellevue'`},
		{cashbook(), "Einnahmen minus Ausgaben des Sommerfests?", `SELECT SUM(COALESCE("einnahmen_eur", 0) - COALESCE("ausgaben_eur", 0)) AS "total_einnahmen_eur_ausgaben_eur" ` +
			`FROM "vereinskasse" WHERE "kategorie" = 'Sommerfest'`},
		{instruments(), "Wie viele Positionen sind defekt?", `SELECT COUNT(*) AS "count" FROM "inventar" WHERE "zustand" = 'defekt'`},
	})
	for question, want := range map[string]string{
		"Which customer has the most orders?":                `GROUP BY "bakery_customers"."name"`,
		"How much money do customers owe for unpaid orders?": `SUM("bakery_orders"."quantity" * "bakery_products"."price_usd")`,
		"Which product sold the most pieces?":                `GROUP BY "bakery_products"."product"`,
		"What are the 2 most expensive products?":            `LIMIT 2`,
	} {
		if got, _ := plainsql.Write(database.SQLite, rolls(), question); !strings.Contains(got, want) {
			t.Errorf("%q:\n%s\nwant %s", question, got, want)
		}
	}
	if got, _ := plainsql.Write(database.SQLite, budget(), "How much did we spend on groceries in March?"); !strings.HasSuffix(got,
		`WHERE "category" = 'Groceries' AND "begins" >= '2025-03-01' AND "begins" < '2025-04-01'`) &&
		!strings.Contains(got, `strftime('%m', "begins") = '03'`) || strings.Contains(got, `"total"`) {
		t.Errorf("groceries in March:\n%s", got)
	}
}
