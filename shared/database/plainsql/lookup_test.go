package plainsql_test

import (
	"testing"

	"lectern/shared/database"
	"lectern/shared/database/plainsql"
)

// text, number and day are columns of a sheet.
func text(name string, values ...string) database.Column {
	return database.Column{Name: name, Type: "TEXT", Values: values}
}
func number(name string) database.Column { return database.Column{Name: name, Type: "REAL"} }
func whole(name string) database.Column  { return database.Column{Name: name, Type: "INTEGER"} }
func day(name string) database.Column    { return database.Column{Name: name, Type: "DATE"} }

func gym() *database.Schema {
	return sheet("memberships", whole("member_id"), text("full_name", "Ruby Shaw", "Leo Vance", "Zoe Park", "Mia Lund"), text("plan", "Basic", "Plus"),
		number("monthly_fee_gbp"), day("joined"), whole("visits"), database.Column{Name: "active", Type: "BOOLEAN"}, text("branch", "Leeds", "York"),
		text("personal_trainer", "Kim", "Dan"))
}

func shows() *database.Schema {
	return sheet("events", text("event", "Jazz Night", "Quiz Night", "Spring Gala", "Kids Fair"), text("type", "Concert", "Quiz", "Fair"),
		text("venue", "Old Mill", "Park"), day("date"), whole("tickets_sold"), number("ticket_price"), whole("capacity"), text("sponsor", "Kiesel", "Banner Ltd"))
}

func upkeep() *database.Schema {
	return sheet("wartung", text("auftrag", "W-101", "W-102", "W-103", "W-104", "W-105", "W-106"), text("anlage", "Aufzug", "Heizung"),
		text("techniker", "Huber", "Yilmaz"), day("datum"), number("dauer_std"), number("materialkosten"), text("status", "erledigt", "offen"))
}

func billing() *database.Schema {
	return sheet("invoices", text("invoice_no", "INV-1", "INV-2", "INV-3", "INV-4", "INV-5"), text("client", "Blue Harbor", "Pine & Co", "Metro Dental"),
		day("invoice_date"), day("due_date"), number("net_amount"), number("gross_amount"), day("paid_on"), text("account_manager", "Lena", "Omar"),
		text("country", "Norway", "Spain"))
}

func devices() *database.Schema {
	return &database.Schema{Tables: []database.Table{
		{Name: "equipment", Columns: []database.Column{text("asset_tag", "A1", "A2", "A3", "A4"), text("device", "Laptop A", "Drone", "Camera Sony", "Laptop B"),
			text("category", "Laptop", "Camera"), day("purchase_date"), number("price_eur"), text("room", "R101", "Lab 1")}},
		{Name: "equipment_checkouts", Columns: []database.Column{whole("checkout_id"), text("asset_tag", "A1", "A2", "A3"), text("teacher", "Ms Grey", "Mr Hall"),
			day("out_on"), day("back_on")}},
	}}
}

func race() *database.Schema {
	return sheet("race_results", whole("rank"), text("runner", "Kay Lowe", "Tim Bart", "Sia Voss", "Ana Cruz"), text("club", "Harriers", "Road Runners"),
		whole("age"), text("sex", "F", "M"), number("time_min"))
}

// ordered has orders, and the lines of them, whose column order_id speaks of orders too.
func ordered() *database.Schema {
	return &database.Schema{Tables: []database.Table{
		{Name: "customers", Columns: []database.Column{whole("customer_id"), text("name", "Ada Bell", "Kit Moor"), text("city", "Riga", "Turku")}},
		{Name: "order_items", Columns: []database.Column{whole("item_id"), whole("order_id"), whole("product_id"), whole("quantity")}},
		{Name: "orders", Columns: []database.Column{whole("order_id"), whole("customer_id"), day("ordered_on"), text("status", "open", "sent")}},
	}}
}

// TestReadLookups: what one row says, whether something is so, and what people say of a sheet without its words.
func TestReadLookups(t *testing.T) {
	for _, tc := range []struct {
		schema         *database.Schema
		question, want string
	}{
		{ordered(), "How many orders are there altogether?", `SELECT COUNT(*) AS "count" FROM "orders"`},
		{ordered(), "How many order items are there?", `SELECT COUNT(*) AS "count" FROM "order_items"`},
		{gym(), "Who trains with Kim?", `SELECT * FROM "memberships" WHERE "personal_trainer" = 'Kim' LIMIT 100`},
		{gym(), "How many members in Leeds visited more than 50 times?", `SELECT COUNT(*) AS "count" FROM "memberships" WHERE "branch" = 'Leeds' AND "visits" > 50`},
		{gym(), "Which members have not visited at all?", `SELECT * FROM "memberships" WHERE ("visits" IS NULL OR "visits" = 0) LIMIT 100`},
		{gym(), "Who came less than 20 times?", ``},
		{gym(), "Is Ruby Shaw still active?", `SELECT * FROM "memberships" WHERE "full_name" = 'Ruby Shaw' AND "active" = 1 LIMIT 100`},
		{gym(), "Did Leo Vance join before 2024?", `SELECT * FROM "memberships" WHERE "full_name" = 'Leo Vance' AND "joined" < '2024-01-01' LIMIT 100`},
		{gym(), "How much is the Plus plan?", `SELECT DISTINCT "monthly_fee_gbp" FROM "memberships" WHERE "plan" = 'Plus' LIMIT 100`},
		{gym(), "Where does Zoe Park train?", `SELECT DISTINCT "branch", "personal_trainer" FROM "memberships" WHERE "full_name" = 'Zoe Park' LIMIT 100`},
		{shows(), "Where was the Spring Gala held?", `SELECT DISTINCT "venue" FROM "events" WHERE "event" = 'Spring Gala' ORDER BY 1 LIMIT 100`},
		{shows(), "Which events took place in the Park?", `SELECT * FROM "events" WHERE "venue" = 'Park' LIMIT 100`},
		{shows(), "Which events were sold out?", `SELECT * FROM "events" WHERE "tickets_sold" >= "capacity" LIMIT 100`},
		{shows(), "How many free events were there?", `SELECT COUNT(*) AS "count" FROM "events" WHERE "ticket_price" = 0`},
		{shows(), "Which events cost nothing?", `SELECT * FROM "events" WHERE "ticket_price" = 0 LIMIT 100`},
		{shows(), "How many empty seats were there at the Quiz Night?", `SELECT SUM("capacity" - "tickets_sold") AS "total_capacity_tickets_sold" FROM "events" WHERE "event" = 'Quiz Night'`},
		{shows(), "Who sponsored the Quiz Night?", `SELECT DISTINCT "sponsor" FROM "events" WHERE "event" = 'Quiz Night' ORDER BY 1 LIMIT 100`},
		{upkeep(), "Welche Anlage musste am häufigsten gewartet werden?", `SELECT "anlage", COUNT(*) AS "count" FROM "wartung" WHERE "anlage" IS NOT NULL AND "anlage" <> '' GROUP BY "anlage" HAVING COUNT(*) = (SELECT COUNT(*) FROM "wartung" WHERE "anlage" IS NOT NULL AND "anlage" <> '' GROUP BY "anlage" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{upkeep(), "Wie oft wurde der Aufzug gewartet?", `SELECT COUNT(*) AS "count" FROM "wartung" WHERE "anlage" = 'Aufzug'`},
		{upkeep(), "Wie lange dauert eine Wartung im Durchschnitt?", `SELECT AVG("dauer_std") AS "average_dauer_std" FROM "wartung"`},
		{upkeep(), "Welche Aufträge kosteten mehr als 1500 Euro?", `SELECT * FROM "wartung" WHERE "materialkosten" > 1500 LIMIT 100`},
		{upkeep(), "Wer hatte die wenigsten Aufträge?", `SELECT "techniker", COUNT(*) AS "count" FROM "wartung" WHERE "techniker" IS NOT NULL AND "techniker" <> '' GROUP BY "techniker" HAVING COUNT(*) = (SELECT COUNT(*) FROM "wartung" WHERE "techniker" IS NOT NULL AND "techniker" <> '' GROUP BY "techniker" ORDER BY 1 LIMIT 1) ORDER BY 1 LIMIT 100`},
		{upkeep(), "Wer hat W-105 bearbeitet?", `SELECT DISTINCT "techniker" FROM "wartung" WHERE "auftrag" = 'W-105' ORDER BY 1 LIMIT 100`},
		{upkeep(), "Ist der Auftrag W-103 erledigt?", `SELECT * FROM "wartung" WHERE "auftrag" = 'W-103' AND "status" = 'erledigt' LIMIT 100`},
		{upkeep(), "Was verdient Huber?", ``},
		{billing(), "Which client owes us the most?", `SELECT "client", SUM("gross_amount") AS "result" FROM "invoices" WHERE "paid_on" IS NULL AND "gross_amount" IS NOT NULL GROUP BY "client" HAVING SUM("gross_amount") = (SELECT SUM("gross_amount") FROM "invoices" WHERE "paid_on" IS NULL AND "gross_amount" IS NOT NULL GROUP BY "client" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{billing(), "How much did Metro Dental pay in 2025?", `SELECT SUM("gross_amount") AS "total_gross_amount" FROM "invoices" WHERE "client" = 'Metro Dental' AND "paid_on" >= '2025-01-01' AND "paid_on" < '2026-01-01'`},
		{billing(), "How many clients does Lena manage?", `SELECT COUNT(DISTINCT "client") AS "count" FROM "invoices" WHERE "account_manager" = 'Lena'`},
		{billing(), "Who looks after Blue Harbor?", `SELECT DISTINCT "account_manager" FROM "invoices" WHERE "client" = 'Blue Harbor' LIMIT 100`},
		{billing(), "How many invoices over 5000 did we send to Norway?", `SELECT COUNT(*) AS "count" FROM "invoices" WHERE "country" = 'Norway' AND "gross_amount" > 5000`},
		{billing(), "How many invoices did we issue in December 2025?", `SELECT COUNT(*) AS "count" FROM "invoices" WHERE "invoice_date" >= '2025-12-01' AND "invoice_date" < '2026-01-01'`},
		{billing(), "What was our revenue in the first quarter of 2026?", `SELECT SUM("gross_amount") AS "total_gross_amount" FROM "invoices" WHERE "invoice_date" >= '2026-01-01' AND "invoice_date" < '2026-04-01'`},
		{billing(), "Which month of 2025 had the highest revenue?", `SELECT strftime('%Y-%m', "invoice_date") AS "month", SUM("gross_amount") AS "result" FROM "invoices" WHERE "invoice_date" >= '2025-01-01' AND "invoice_date" < '2026-01-01' AND "gross_amount" IS NOT NULL GROUP BY strftime('%Y-%m', "invoice_date") HAVING SUM("gross_amount") = (SELECT SUM("gross_amount") FROM "invoices" WHERE "invoice_date" >= '2025-01-01' AND "invoice_date" < '2026-01-01' AND "gross_amount" IS NOT NULL GROUP BY strftime('%Y-%m', "invoice_date") ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{devices(), "How many cameras do we have?", `SELECT COUNT(*) AS "count" FROM "equipment" WHERE "category" = 'Camera'`},
		{devices(), "How much did all the laptops cost?", `SELECT SUM("price_eur") AS "total_price_eur" FROM "equipment" WHERE "category" = 'Laptop'`},
		{devices(), "What is the total value of the equipment in R101?", `SELECT SUM("price_eur") AS "total_price_eur" FROM "equipment" WHERE "room" = 'R101'`},
		{devices(), "Who has the Camera Sony at the moment?", `SELECT DISTINCT "equipment_checkouts"."teacher" FROM "equipment_checkouts" JOIN "equipment" ON "equipment_checkouts"."asset_tag" = "equipment"."asset_tag" WHERE "equipment"."device" = 'Camera Sony' AND "equipment_checkouts"."back_on" IS NULL ORDER BY 1 LIMIT 100`},
		{devices(), "How many checkouts are still open?", `SELECT COUNT(*) AS "count" FROM "equipment_checkouts" WHERE "back_on" IS NULL`},
		{devices(), "Where is the drone kept?", `SELECT DISTINCT "room" FROM "equipment" WHERE "device" = 'Drone' ORDER BY 1 LIMIT 100`},
		{race(), "Who won?", `SELECT * FROM "race_results" WHERE "rank" = 1 LIMIT 100`},
		{race(), "Who came third?", `SELECT * FROM "race_results" WHERE "rank" = 3 LIMIT 100`},
		{race(), "Who was last?", `SELECT * FROM "race_results" WHERE "rank" = (SELECT MAX("rank") FROM "race_results") LIMIT 100`},
		{race(), "How many runners finished?", `SELECT COUNT(DISTINCT "runner") AS "count" FROM "race_results"`},
		{race(), "How many women took part?", `SELECT COUNT(*) AS "count" FROM "race_results" WHERE "sex" = 'F'`},
		{race(), "Who was the fastest woman?", `SELECT "runner", SUM("time_min") AS "result" FROM "race_results" WHERE "sex" = 'F' AND "time_min" IS NOT NULL GROUP BY "runner" HAVING SUM("time_min") = (SELECT SUM("time_min") FROM "race_results" WHERE "sex" = 'F' AND "time_min" IS NOT NULL GROUP BY "runner" ORDER BY 1 LIMIT 1) ORDER BY 1 LIMIT 100`},
		{race(), "Which club was the fastest on average?", `SELECT "club", AVG("time_min") AS "result" FROM "race_results" WHERE "time_min" IS NOT NULL GROUP BY "club" HAVING AVG("time_min") = (SELECT AVG("time_min") FROM "race_results" WHERE "time_min" IS NOT NULL GROUP BY "club" ORDER BY 1 LIMIT 1) ORDER BY 1 LIMIT 100`},
	} {
		writes(t, database.SQLite, tc.schema, []written{{tc.question, tc.want}})
	}
}

// TestDecides: a question whether something is so is answered by yes or no, unless only what it is about was read.
func TestDecides(t *testing.T) {
	for question, want := range map[string]bool{
		"Is Ruby Shaw active?": true, "Are there inactive members in York?": true, "Did Leo Vance join before 2024?": true,
		"Is Ruby Shaw still a member?": false, "Which members are active?": false, "How many members are active?": false,
	} {
		if list := plainsql.Read(database.SQLite, gym(), question); len(list) != 1 || list[0].Decides != want {
			t.Errorf("Read(%q) = %v, decides: %v expected", question, list, want)
		}
	}
}

func grades() *database.Schema {
	return sheet("grades", text("student", "Lea Brandt", "Tom Aziz", "Mira Kohl"), text("class", "9A", "9B"), whole("maths"), whole("english"), whole("absences"),
		text("teacher", "Mrs Low", "Mr Cane"))
}

func noten() *database.Schema {
	return sheet("noten", text("schüler", "Lea", "Tom", "Mira"), text("klasse", "7a", "7b"), whole("mathe"), whole("deutsch"), whole("fehltage"))
}

func cars() *database.Schema {
	return sheet("fleet", text("plate", "B-XY 100", "B-XY 101", "B-XY 102"), text("make", "VW", "Tesla"), whole("year"), whole("mileage_km"),
		text("fuel", "diesel", "electric"), text("driver", "Tom Aziz", "Ole Hansen"), day("next_service"))
}

func rides() *database.Schema {
	return sheet("fuhrpark", day("datum"), text("fahrer", "Krause", "Peters"), text("kennzeichen", "M-A 1", "M-B 2"), text("ziel", "Ulm", "Passau"),
		whole("kilometer"), number("kraftstoff_l"), number("kosten"))
}

func todos() *database.Schema {
	return sheet("tasks", text("task", "Task A1", "Task B2", "Task C3", "Task D4"), text("project", "App", "Website"), text("assignee", "Ali", "Bea"),
		text("status", "done", "in progress", "todo"), whole("estimated_hours"), whole("actual_hours"), day("deadline"))
}

func donations() *database.Schema {
	return sheet("spenden", text("spender", "Familie Arndt", "Anonym"), day("datum"), number("betrag"), text("zweck", "Jugend", "Nothilfe"),
		text("zahlungsart", "bar", "PayPal"), text("bescheinigung_verschickt", "ja", "nein"))
}

func visits() *database.Schema {
	return sheet("appointments", whole("appt_id"), text("patient", "Sara Nowak", "Ali Demir", "Max Adler"), text("doctor", "Dr Wolf", "Dr Shah"), day("date"),
		whole("duration_min"), text("type", "check-up", "vaccination"), text("status", "attended", "cancelled", "no-show"), number("fee"))
}

func leaves() *database.Schema {
	return sheet("leave", text("employee", "Ali Demir", "Tom Aziz", "Vera Simic"), text("leave_type", "vacation", "sick", "parental"), day("from"), day("to"),
		whole("days"), text("approved_by", "Rob Mills", "Vera Simic"))
}

func articles() *database.Schema {
	return sheet("stock", text("article", "Gloves", "Glue", "Tape"), text("supplier", "Olsen", "Kim"), whole("in_stock"), whole("minimum_stock"),
		number("unit_price"), text("shelf", "A1", "B1"))
}

// TestReadKinds: marks of pupils, vehicles, what is open or overdue, what was given, who did not come, units.
func TestReadKinds(t *testing.T) {
	for _, tc := range []struct {
		schema         *database.Schema
		question, want string
	}{
		{grades(), "Who has the best maths grade?", `SELECT "student", MAX("maths") AS "result" FROM "grades" WHERE "maths" IS NOT NULL GROUP BY "student" HAVING MAX("maths") = (SELECT MAX("maths") FROM "grades" WHERE "maths" IS NOT NULL GROUP BY "student" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{grades(), "Which class is best in Maths?", `SELECT "class", AVG("maths") AS "result" FROM "grades" WHERE "maths" IS NOT NULL GROUP BY "class" HAVING AVG("maths") = (SELECT AVG("maths") FROM "grades" WHERE "maths" IS NOT NULL GROUP BY "class" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{noten(), "Wer hat die beste Note in Mathe?", `SELECT "schüler", MIN("mathe") AS "result" FROM "noten" WHERE "mathe" IS NOT NULL GROUP BY "schüler" HAVING MIN("mathe") = (SELECT MIN("mathe") FROM "noten" WHERE "mathe" IS NOT NULL GROUP BY "schüler" ORDER BY 1 LIMIT 1) ORDER BY 1 LIMIT 100`},
		{noten(), "Welche Klasse ist in Deutsch besser?", `SELECT "klasse", AVG("deutsch") AS "result" FROM "noten" WHERE "deutsch" IS NOT NULL GROUP BY "klasse" HAVING AVG("deutsch") = (SELECT AVG("deutsch") FROM "noten" WHERE "deutsch" IS NOT NULL GROUP BY "klasse" ORDER BY 1 LIMIT 1) ORDER BY 1 LIMIT 100`},
		{noten(), "Wie ist der Notendurchschnitt in Deutsch?", `SELECT AVG("deutsch") AS "average_deutsch" FROM "noten"`},
		{noten(), "Wer hat eine 5 in Mathe?", `SELECT DISTINCT "schüler", "mathe" FROM "noten" WHERE "mathe" = 5 LIMIT 100`},
		{cars(), "Which cars are older than 2019?", `SELECT * FROM "fleet" WHERE "year" < 2019 LIMIT 100`},
		{cars(), "Average mileage of diesel vehicles", `SELECT AVG("mileage_km") AS "average_mileage_km" FROM "fleet" WHERE "fuel" = 'diesel'`},
		{cars(), "How many cars per fuel type?", `SELECT "fuel", COUNT(*) AS "count" FROM "fleet" GROUP BY "fuel" ORDER BY "fuel"`},
		{cars(), "What car does Tom Aziz drive?", `SELECT * FROM "fleet" WHERE "driver" = 'Tom Aziz' LIMIT 100`},
		{cars(), "What is the insurance of B-XY 101?", ``},
		{rides(), "Welches Fahrzeug hat die meisten Kilometer?", `SELECT "kennzeichen", SUM("kilometer") AS "result" FROM "fuhrpark" WHERE "kilometer" IS NOT NULL GROUP BY "kennzeichen" HAVING SUM("kilometer") = (SELECT SUM("kilometer") FROM "fuhrpark" WHERE "kilometer" IS NOT NULL GROUP BY "kennzeichen" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{rides(), "Wie hoch war der Verbrauch insgesamt?", `SELECT SUM("kraftstoff_l") AS "total_kraftstoff_l" FROM "fuhrpark"`},
		{rides(), "Was kostet eine Fahrt nach Passau im Durchschnitt?", `SELECT AVG("kosten") AS "average_kosten" FROM "fuhrpark" WHERE "ziel" = 'Passau'`},
		{rides(), "Längste Fahrt", `SELECT * FROM "fuhrpark" WHERE "kilometer" = (SELECT MAX("kilometer") FROM "fuhrpark" WHERE "kilometer" IS NOT NULL) LIMIT 100`},
		{todos(), "Which tasks are overdue?", `SELECT * FROM "tasks" WHERE ("status" <> 'done' OR "status" IS NULL) AND "deadline" < DATE('now') LIMIT 100`},
		{todos(), "Who has the most open tasks?", `SELECT "assignee", COUNT(*) AS "count" FROM "tasks" WHERE ("status" <> 'done' OR "status" IS NULL) AND "assignee" IS NOT NULL AND "assignee" <> '' GROUP BY "assignee" HAVING COUNT(*) = (SELECT COUNT(*) FROM "tasks" WHERE ("status" <> 'done' OR "status" IS NULL) AND "assignee" IS NOT NULL AND "assignee" <> '' GROUP BY "assignee" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{todos(), "How many hours were spent on the Website project?", `SELECT SUM("actual_hours") AS "total_actual_hours" FROM "tasks" WHERE "project" = 'Website'`},
		{todos(), "What share of tasks is still to do?", ``},
		{donations(), "Wie hoch war die höchste Spende?", `SELECT * FROM "spenden" WHERE "betrag" = (SELECT MAX("betrag") FROM "spenden" WHERE "betrag" IS NOT NULL) LIMIT 100`},
		{donations(), "Durchschnittliche Spende pro Zweck", `SELECT "zweck", AVG("betrag") AS "average_betrag" FROM "spenden" GROUP BY "zweck" ORDER BY "zweck"`},
		{donations(), "Wie viele Spender haben bar bezahlt?", `SELECT COUNT(DISTINCT "spender") AS "count" FROM "spenden" WHERE "zahlungsart" = 'bar'`},
		{donations(), "Für wie viele Spenden fehlt noch die Bescheinigung?", `SELECT COUNT(*) AS "count" FROM "spenden" WHERE "bescheinigung_verschickt" = 'nein'`},
		{visits(), "What is the no-show rate?", `SELECT 100.0 * SUM(CASE WHEN "status" = 'no-show' THEN 1 ELSE 0 END) / COUNT(*) AS "percent" FROM "appointments"`},
		{visits(), "How many patients did not show up?", `SELECT COUNT(DISTINCT "patient") AS "count" FROM "appointments" WHERE "status" = 'no-show'`},
		{visits(), "How many appointments were free of charge?", `SELECT COUNT(*) AS "count" FROM "appointments" WHERE "fee" = 0`},
		{visits(), "When is Sara Nowak's next appointment?", `SELECT * FROM "appointments" WHERE "patient" = 'Sara Nowak' AND "date" >= DATE('now') AND "date" = (SELECT MIN("date") FROM "appointments" WHERE "patient" = 'Sara Nowak' AND "date" >= DATE('now') AND "date" IS NOT NULL) LIMIT 100`},
		{visits(), "What is the total duration of Dr Shah's appointments in hours?", `SELECT SUM(("duration_min" * 1.0 / 60)) AS "total_duration_hours" FROM "appointments" WHERE "doctor" = 'Dr Shah'`},
		{leaves(), "What is the average number of days per approval?", `SELECT AVG("days") AS "average_days" FROM "leave"`},
		{leaves(), "Which requests are not approved yet?", `SELECT * FROM "leave" WHERE ("approved_by" IS NULL OR "approved_by" = '') LIMIT 100`},
		{leaves(), "Who approved most requests?", `SELECT "approved_by", COUNT(*) AS "count" FROM "leave" WHERE "approved_by" IS NOT NULL AND "approved_by" <> '' GROUP BY "approved_by" HAVING COUNT(*) = (SELECT COUNT(*) FROM "leave" WHERE "approved_by" IS NOT NULL AND "approved_by" <> '' GROUP BY "approved_by" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{leaves(), "Average length of parental leave", `SELECT AVG("days") AS "average_days" FROM "leave" WHERE "leave_type" = 'parental'`},
		{leaves(), "How many vacation days are left for Ali Demir?", ``},
		{articles(), "Which articles have more than 100 pieces in stock?", `SELECT * FROM "stock" WHERE "in_stock" > 100 LIMIT 100`},
		{articles(), "What is the total stock value?", `SELECT SUM("in_stock" * "unit_price") AS "total_in_stock_unit_price" FROM "stock"`},
		{articles(), "Where is the tape?", `SELECT DISTINCT "shelf" FROM "stock" WHERE "article" = 'Tape' ORDER BY 1 LIMIT 100`},
	} {
		writes(t, database.SQLite, tc.schema, []written{{tc.question, tc.want}})
	}
}

func rooms() *database.Schema {
	return sheet("bookings", text("booking", "BK1", "BK2", "BK3", "BK4"), text("guest", "Dr Chen", "Ms Byrne"), whole("room"), text("room_type", "Double", "Suite"),
		day("check_in"), day("check_out"), whole("children"), number("price_per_night"), text("status", "confirmed", "cancelled"))
}

func cellar() *database.Schema {
	return sheet("wines", text("wine", "Klee Berg", "Lune Vert", "Alba Rosso"), text("winery", "Kern", "Petit"), text("country", "Italy", "France"),
		text("grape", "Merlot", "Riesling"), whole("vintage"), whole("bottles"), number("price_eur"), whole("rating"))
}

func cash() *database.Schema {
	return sheet("cashbook", day("date"), text("description", "Printing", "Ticket sales"), text("category", "events", "admin"), number("income"), number("expense"))
}

func league() *database.Schema {
	return sheet("league", whole("position"), text("team", "City", "Rovers", "United"), whole("played"), whole("won"), whole("lost"), whole("points"))
}

// division is a league's table with letters for the names of its columns.
func division() *database.Schema {
	return sheet("division", text("team", "Ashford", "Carlow", "Fenwick Rovers"), whole("p"), whole("w"), whole("d"), whole("l"), whole("gf"), whole("ga"),
		whole("pts"), whole("position"))
}

// inns are places to stay at, with a price for each night.
func inns() *database.Schema {
	return sheet("inns", text("inn", "Alba", "Corona", "Bella Vista"), whole("stars"), number("price_per_night"), number("distance_to_centre_km"), number("kcal"))
}

func company() *database.Schema {
	return &database.Schema{Tables: []database.Table{
		{Name: "company_employees", Columns: []database.Column{whole("id"), text("name", "Ada Krol", "Ben Tan", "Mae West", "Fay Orr"),
			text("department", "Sales", "Support"), text("role", "Engineer", "Clerk"), number("salary_eur"), day("hired"), text("manager", "Ada Krol", "Ben Tan"),
			text("location", "Bern", "Graz")}},
		{Name: "company_departments", Columns: []database.Column{text("department", "Sales", "Support"), text("head", "Ada Krol", "Ben Tan"), number("annual_budget")}},
	}}
}

func parcels() *database.Schema {
	return sheet("parcels", text("tracking", "T1", "T2", "T3", "T4"), text("sender", "Acme", "Bolt"), text("recipient_city", "Oslo", "Riga"), number("weight_kg"),
		day("sent_on"), day("delivered_on"), text("carrier", "DHL", "UPS"), text("insured", "yes", "no"))
}

func kita() *database.Schema {
	return sheet("kita", text("kind", "Emil", "Frida", "Leni"), day("geburtsdatum"), text("gruppe", "Bären", "Füchse"), text("erzieherin", "Frau Wirth", "Frau Sauer"),
		number("monatsbeitrag"), text("allergien", "Nüsse", "Laktose"))
}

func verein() *database.Schema {
	return sheet("verein", whole("mitgl_nr"), text("name", "Clara Vogt", "Jan Roth", "Eva Lang"), text("abteilung", "Tennis", "Turnen"), day("geburtsdatum"),
		day("eintritt"), number("beitrag_eur"))
}

func flats() *database.Schema {
	return sheet("apartments", text("unit", "E1", "E6", "P1"), text("street", "Elm Street", "Park Lane"), whole("floor"), whole("rooms"), whole("size_m2"),
		number("rent_eur"), text("tenant", "Jan Roth", "Eva Lang"), day("lease_start"), day("lease_end"))
}

// TestReadDays: rooms, stocks, cash books, standings, staff, parcels, children, ages: as people ask of them.
func TestReadDays(t *testing.T) {
	for _, tc := range []struct {
		schema         *database.Schema
		question, want string
	}{
		{rooms(), "Which room is booked most often?", `SELECT "room", COUNT(*) AS "count" FROM "bookings" GROUP BY "room" HAVING COUNT(*) = (SELECT COUNT(*) FROM "bookings" GROUP BY "room" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{rooms(), "What is our cancellation rate?", `SELECT 100.0 * SUM(CASE WHEN "status" = 'cancelled' THEN 1 ELSE 0 END) / COUNT(*) AS "percent" FROM "bookings"`},
		{rooms(), "Which guests come with children?", `SELECT DISTINCT "guest" FROM "bookings" WHERE "children" > 0 ORDER BY 1 LIMIT 100`},
		{rooms(), "When does Dr Chen arrive?", `SELECT DISTINCT "check_in" FROM "bookings" WHERE "guest" = 'Dr Chen' LIMIT 100`},
		{rooms(), "Which month had the most arrivals?", `SELECT strftime('%Y-%m', "check_in") AS "month", COUNT(*) AS "count" FROM "bookings" WHERE "check_in" IS NOT NULL GROUP BY strftime('%Y-%m', "check_in") HAVING COUNT(*) = (SELECT COUNT(*) FROM "bookings" WHERE "check_in" IS NOT NULL GROUP BY strftime('%Y-%m', "check_in") ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{rooms(), "Which guests stayed longer than a week?", `SELECT DISTINCT "guest" FROM "bookings" WHERE (julianday("check_out") - julianday("check_in")) > 7 ORDER BY 1 LIMIT 100`},
		{cellar(), "How many bottles of Riesling are left?", `SELECT SUM("bottles") AS "total_bottles" FROM "wines" WHERE "grape" = 'Riesling'`},
		{cellar(), "Is there a Merlot from France?", `SELECT * FROM "wines" WHERE "grape" = 'Merlot' AND "country" = 'France' LIMIT 100`},
		{cellar(), "Which wines are from before 2015?", `SELECT * FROM "wines" WHERE "vintage" < 2015 LIMIT 100`},
		{cellar(), "Which country do most of our wines come from?", `SELECT "country", COUNT(*) AS "count" FROM "wines" WHERE "country" IS NOT NULL AND "country" <> '' GROUP BY "country" HAVING COUNT(*) = (SELECT COUNT(*) FROM "wines" WHERE "country" IS NOT NULL AND "country" <> '' GROUP BY "country" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{cash(), "How much did we spend on printing?", `SELECT SUM("expense") AS "total_expense" FROM "cashbook" WHERE "description" = 'Printing'`},
		{cash(), "How much did the ticket sales bring in?", `SELECT SUM("income") AS "total_income" FROM "cashbook" WHERE "description" = 'Ticket sales'`},
		{cash(), "What is the balance?", `SELECT SUM(COALESCE("income", 0) - COALESCE("expense", 0)) AS "total_income_expense" FROM "cashbook"`},
		{cash(), "Which category costs the most?", `SELECT "category", SUM("expense") AS "result" FROM "cashbook" WHERE "expense" IS NOT NULL GROUP BY "category" HAVING SUM("expense") = (SELECT SUM("expense") FROM "cashbook" WHERE "expense" IS NOT NULL GROUP BY "category" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{cash(), "Income and expense per month", `SELECT strftime('%Y-%m', "date") AS "month", SUM("income") AS "total_income", SUM("expense") AS "total_expense" FROM "cashbook" GROUP BY strftime('%Y-%m', "date") ORDER BY strftime('%Y-%m', "date")`},
		{league(), "How many games did City win?", `SELECT SUM("won") AS "total_won" FROM "league" WHERE "team" = 'City'`},
		{league(), "Which team is in third place?", `SELECT * FROM "league" WHERE "position" = 3 LIMIT 100`},
		{league(), "Which teams lost more than 5 games?", `SELECT * FROM "league" WHERE "lost" > 5 LIMIT 100`},
		{company(), "Who is the head of Support?", `SELECT "head" FROM "company_departments" WHERE "department" = 'Support' LIMIT 100`},
		{company(), "Which department pays best on average?", `SELECT "department", AVG("salary_eur") AS "result" FROM "company_employees" WHERE "salary_eur" IS NOT NULL GROUP BY "department" HAVING AVG("salary_eur") = (SELECT AVG("salary_eur") FROM "company_employees" WHERE "salary_eur" IS NOT NULL GROUP BY "department" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{company(), "What is the total payroll?", `SELECT SUM("salary_eur") AS "total_salary_eur" FROM "company_employees"`},
		{company(), "How many people were hired in 2020 or later?", `SELECT COUNT(*) AS "count" FROM "company_employees" WHERE "hired" >= '2020-01-01'`},
		{company(), "Where is Mae West based?", `SELECT DISTINCT "location" FROM "company_employees" WHERE "name" = 'Mae West' ORDER BY 1 LIMIT 100`},
		{parcels(), "Which carrier is the fastest on average?", `SELECT "carrier", AVG((julianday("delivered_on") - julianday("sent_on"))) AS "result" FROM "parcels" WHERE (julianday("delivered_on") - julianday("sent_on")) IS NOT NULL GROUP BY "carrier" HAVING AVG((julianday("delivered_on") - julianday("sent_on"))) = (SELECT AVG((julianday("delivered_on") - julianday("sent_on"))) FROM "parcels" WHERE (julianday("delivered_on") - julianday("sent_on")) IS NOT NULL GROUP BY "carrier" ORDER BY 1 LIMIT 1) ORDER BY 1 LIMIT 100`},
		{parcels(), "Which parcels took longer than 10 days?", `SELECT * FROM "parcels" WHERE (julianday("delivered_on") - julianday("sent_on")) > 10 LIMIT 100`},
		{parcels(), "How many parcels weigh between 10 and 20 kg?", `SELECT COUNT(*) AS "count" FROM "parcels" WHERE "weight_kg" >= 10 AND "weight_kg" <= 20`},
		{parcels(), "Parcels sent but not delivered", `SELECT * FROM "parcels" WHERE "delivered_on" IS NULL LIMIT 100`},
		{kita(), "Welche Kinder haben eine Allergie?", `SELECT * FROM "kita" WHERE "allergien" IS NOT NULL AND "allergien" <> '' LIMIT 100`},
		{kita(), "Wie viele Kinder betreut Frau Wirth?", `SELECT COUNT(*) AS "count" FROM "kita" WHERE "erzieherin" = 'Frau Wirth'`},
		{verein(), "Wie viele Mitglieder hat der Verein?", `SELECT COUNT(DISTINCT "mitgl_nr") AS "count" FROM "verein"`},
		{verein(), "Wie alt ist Clara Vogt?", `SELECT DISTINCT (strftime('%Y', 'now') - strftime('%Y', "geburtsdatum") - (strftime('%m-%d', 'now') < strftime('%m-%d', "geburtsdatum"))) AS "age" FROM "verein" WHERE "name" = 'Clara Vogt' LIMIT 100`},
		{verein(), "Neuestes Mitglied?", `SELECT * FROM "verein" WHERE "eintritt" = (SELECT MAX("eintritt") FROM "verein" WHERE "eintritt" IS NOT NULL) LIMIT 100`},
		{verein(), "Wie viele Mitglieder sind über 60?", `SELECT COUNT(DISTINCT "mitgl_nr") AS "count" FROM "verein" WHERE (strftime('%Y', 'now') - strftime('%Y', "geburtsdatum") - (strftime('%m-%d', 'now') < strftime('%m-%d', "geburtsdatum"))) > 60`},
		{verein(), "Wie hoch ist das durchschnittliche Alter?", `SELECT AVG((strftime('%Y', 'now') - strftime('%Y', "geburtsdatum") - (strftime('%m-%d', 'now') < strftime('%m-%d', "geburtsdatum")))) AS "average_age" FROM "verein"`},
		{flats(), "Average rent of 3-room flats", `SELECT AVG("rent_eur") AS "average_rent_eur" FROM "apartments" WHERE "rooms" = 3`},
		{flats(), "When does the lease of E6 run out?", `SELECT DISTINCT "lease_end" FROM "apartments" WHERE "unit" = 'E6' LIMIT 100`},
		{shows(), "How many tickets were left for Jazz Night?", `SELECT SUM("capacity" - "tickets_sold") AS "total_capacity_tickets_sold" FROM "events" WHERE "event" = 'Jazz Night'`},
		{shows(), "Which event had the lowest attendance rate?", `SELECT "event", SUM("tickets_sold") * 1.0 / NULLIF(SUM("capacity"), 0) AS "result" FROM "events" WHERE "tickets_sold" * 1.0 / NULLIF("capacity", 0) IS NOT NULL GROUP BY "event" HAVING SUM("tickets_sold") * 1.0 / NULLIF(SUM("capacity"), 0) = (SELECT SUM("tickets_sold") * 1.0 / NULLIF(SUM("capacity"), 0) FROM "events" WHERE "tickets_sold" * 1.0 / NULLIF("capacity", 0) IS NOT NULL GROUP BY "event" ORDER BY 1 LIMIT 1) ORDER BY 1 LIMIT 100`},
		{shows(), "List all events in order of date", `SELECT * FROM "events" ORDER BY "date" LIMIT 100`},
		{shows(), "Cheapest ticket", `SELECT MIN("ticket_price") AS "result" FROM "events" WHERE "ticket_price" IS NOT NULL`},
		{race(), "Top 3 runners", `SELECT "runner", SUM("rank") AS "result" FROM "race_results" WHERE "rank" IS NOT NULL GROUP BY "runner" ORDER BY 2, 1 LIMIT 3`},
		{race(), "Best Harriers runner", `SELECT "runner", SUM("rank") AS "result" FROM "race_results" WHERE "club" = 'Harriers' AND "rank" IS NOT NULL GROUP BY "runner" HAVING SUM("rank") = (SELECT SUM("rank") FROM "race_results" WHERE "club" = 'Harriers' AND "rank" IS NOT NULL GROUP BY "runner" ORDER BY 1 LIMIT 1) ORDER BY 1 LIMIT 100`},
		{race(), "Average time of women and men", `SELECT "sex", AVG("time_min") AS "average_time_min" FROM "race_results" WHERE "sex" IN ('F', 'M') GROUP BY "sex" ORDER BY "sex"`},
		{devices(), "Which category did we spend the most on?", `SELECT "category", SUM("price_eur") AS "result" FROM "equipment" WHERE "price_eur" IS NOT NULL GROUP BY "category" HAVING SUM("price_eur") = (SELECT SUM("price_eur") FROM "equipment" WHERE "price_eur" IS NOT NULL GROUP BY "category" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{gym(), "What's the monthly income from Plus members?", `SELECT SUM("monthly_fee_gbp") AS "total_monthly_fee_gbp" FROM "memberships" WHERE "plan" = 'Plus'`},
		{gym(), "When did Mia Lund sign up?", `SELECT DISTINCT "joined" FROM "memberships" WHERE "full_name" = 'Mia Lund' LIMIT 100`},
		{billing(), "Compare Lena and Omar by gross amount", `SELECT "account_manager", SUM("gross_amount") AS "total_gross_amount" FROM "invoices" WHERE "account_manager" IN ('Lena', 'Omar') GROUP BY "account_manager" ORDER BY "account_manager"`},
		{billing(), "How many invoices are more than 5000 euros gross?", `SELECT COUNT(*) AS "count" FROM "invoices" WHERE "gross_amount" > 5000`},
		{division(), "Which team lost the most games?", `SELECT "team", SUM("l") AS "result" FROM "division" WHERE "l" IS NOT NULL GROUP BY "team" HAVING SUM("l") = (SELECT SUM("l") FROM "division" WHERE "l" IS NOT NULL GROUP BY "team" ORDER BY 1 DESC LIMIT 1) ORDER BY 1 LIMIT 100`},
		{division(), "How many points is Ashford ahead of Carlow?", `SELECT SUM(CASE WHEN "team" = 'Ashford' THEN "pts" ELSE 0 END) AS "Ashford", SUM(CASE WHEN "team" = 'Carlow' THEN "pts" ELSE 0 END) AS "Carlow", ABS(SUM(CASE WHEN "team" = 'Ashford' THEN "pts" ELSE 0 END) - SUM(CASE WHEN "team" = 'Carlow' THEN "pts" ELSE 0 END)) AS "difference" FROM "division"`},
		{division(), "Who has more points, Carlow or Rovers?", `SELECT SUM(CASE WHEN "team" = 'Carlow' THEN "pts" ELSE 0 END) AS "Carlow", SUM(CASE WHEN "team" = 'Fenwick Rovers' THEN "pts" ELSE 0 END) AS "Fenwick Rovers", SUM(CASE WHEN "team" = 'Carlow' THEN "pts" ELSE 0 END) - SUM(CASE WHEN "team" = 'Fenwick Rovers' THEN "pts" ELSE 0 END) AS "difference" FROM "division"`},
		{division(), "Which team is bottom?", `SELECT * FROM "division" WHERE "position" = (SELECT MAX("position") FROM "division") LIMIT 100`},
		{division(), "How many goals did Carlow let in?", `SELECT SUM("ga") AS "total_ga" FROM "division" WHERE "team" = 'Carlow'`},
		{inns(), "Which is closer to the centre, Alba or Corona?", `SELECT SUM(CASE WHEN "inn" = 'Corona' THEN "distance_to_centre_km" ELSE 0 END) AS "Corona", SUM(CASE WHEN "inn" = 'Alba' THEN "distance_to_centre_km" ELSE 0 END) AS "Alba", SUM(CASE WHEN "inn" = 'Corona' THEN "distance_to_centre_km" ELSE 0 END) - SUM(CASE WHEN "inn" = 'Alba' THEN "distance_to_centre_km" ELSE 0 END) AS "difference" FROM "inns"`},
		{inns(), "How much more expensive is Corona than Alba?", `SELECT AVG(CASE WHEN "inn" = 'Corona' THEN "price_per_night" END) AS "Corona", AVG(CASE WHEN "inn" = 'Alba' THEN "price_per_night" END) AS "Alba", AVG(CASE WHEN "inn" = 'Corona' THEN "price_per_night" END) - AVG(CASE WHEN "inn" = 'Alba' THEN "price_per_night" END) AS "difference" FROM "inns"`},
		{inns(), "Which inns cost under 100 a night?", `SELECT * FROM "inns" WHERE "price_per_night" < 100 LIMIT 100`},
		{grades(), "Who is the headteacher?", ``},
		{todos(), "What is the budget of the Website project?", ``},
		{donations(), "Wie viele Mitglieder hat der Verein?", ``},
		{leaves(), "How many employees work here?", ``},
		{cars(), "How much fuel did the Tesla use?", ``},
	} {
		writes(t, database.SQLite, tc.schema, []written{{tc.question, tc.want}})
	}
}
