package extractive_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/message"
)

// TestFillsWhatIsSaid: a structured answer has what the text says of its fields, and
// nothing else of it.
func TestFillsWhatIsSaid(t *testing.T) {
	const (
		invoice = `Invoice number: INV-99. Amount: 1240.50. Due date: 2026-12-04. Paid: no.`
		prose   = "Acme Ltd sent invoice number INV-99 in May. The total amount is EUR 1,240.50 and is due on 4 December 2026. It has not been paid. " +
			"The parcel weighs 71.5 kg and holds 12 boxes. The contact is Ann Lee (ann@acme.example)."
		all = `"invoice_number":{"type":"string"},"amount":{"type":"number"},"due_date":{"type":"string","format":"date"},"paid":{"type":"boolean"}`
	)
	for _, tc := range []struct{ name, text, properties, want string }{
		{"labels", invoice, all, `{"invoice_number":"INV-99","amount":1240.5,"due_date":"2026-12-04","paid":false}`},
		{"labels after an instruction", "Extract invoice_number, amount, due_date and paid from: " + invoice, all,
			`{"invoice_number":"INV-99","amount":1240.5,"due_date":"2026-12-04","paid":false}`},
		{"lines", "Please extract the data.\n\n**Invoice no.:** INV-99\nAmount\t1,240.50 EUR\n| Due date | 4 December 2026 |\nPaid: yes", all,
			`{"invoice_number":"INV-99","amount":1240.5,"due_date":"2026-12-04","paid":true}`},
		{"commas", "invoiceNumber: INV-99, amount: -1240.50, dueDate: December 4, 2026, paid: yes", all,
			`{"invoice_number":"INV-99","amount":-1240.5,"due_date":"2026-12-04","paid":true}`},
		{"no marks", "Invoice number INV-99. Amount 1240.50. It is due on 4 December 2026 and has not been paid.", all,
			`{"invoice_number":"INV-99","amount":1240.5,"due_date":"2026-12-04","paid":false}`},
		{"sentences", prose, all + `,"weight_kg":{"type":"number"},"boxes":{"type":"integer"},"contact":{"type":"string"},"email":{"type":"string"}`,
			`{"invoice_number":"INV-99","amount":1240.5,"due_date":"2026-12-04","paid":false,"weight_kg":71.5,"boxes":12,"contact":"Ann Lee (ann@acme.example)","email":"ann@acme.example"}`},
		{"an identifier without its word", "Acme Ltd sent invoice INV-99 on 3 May 2026.", `"invoice_number":{"type":"string"},"order_id":{"type":"string"}`,
			`{"invoice_number":"INV-99","order_id":""}`},
		{"nothing", "The garden has a pond with INV-99 and 3 ducks.", all + `,"note":{"type":["string","null"]},"state":{"enum":["open","closed"]},
			"rate":{"anyOf":[{"type":"number"},{"type":"null"}]},"kind":{"enum":["a7",null]},"tags":{"type":"array","items":{"type":"string"}}`,
			`{"invoice_number":"","amount":0,"due_date":"","paid":false,"note":null,"state":"open","rate":null,"kind":null,"tags":[]}`},
		{"identifiers are no numbers", "The order INV-99 of 2026-12-04 at 10:30 has version 1.2.3.", `"amount":{"type":"number"},"order":{"type":"integer"}`,
			`{"amount":0,"order":0}`},
		{"descriptions", "Total: 15. Customer: Ann Lee.", `"sum":{"type":"number","description":"the total"},"name":{"type":"string","description":"Name of the customer"}`,
			`{"sum":15,"name":"Ann Lee"}`},
		{"nested", "Customer name: Ann Lee. Customer city: Ulm. Amount: 5", `"customer":{"type":"object","properties":{"name":{"type":"string"},"city":{"type":"string"}},"required":["name","city"]}`,
			`{"customer":{"name":"Ann Lee","city":"Ulm"}}`},
		{"lists and options", "Tags: red, green and blue. Status: closed. Priority: high", `"tags":{"type":"array","items":{"type":"string"}},"status":{"enum":["open","closed"]},"priority":{"enum":["low","high"]}`,
			`{"tags":["red","green","blue"],"status":"closed","priority":"high"}`},
		{"negations", "The door isn't locked. The window was never opened. The lamp is unlit. If the gate is closed, ring.",
			`"locked":{"type":"boolean"},"window_opened":{"type":"boolean"},"is_lit":{"type":"boolean"},"closed":{"type":["boolean","null"]}`,
			`{"locked":false,"window_opened":false,"is_lit":false,"closed":null}`},
		{"affirmed", "The door is locked. The invoice has been paid.", `"locked":{"type":"boolean"},"is_paid":{"type":"boolean"},"urgent":{"type":"boolean"}`,
			`{"locked":true,"is_paid":true,"urgent":false}`},
		{"units", "The tower is 330 m high and weighs 10,100 tonnes. 25% of it is paint, and it costs $12.",
			`"height_m":{"type":"number"},"tonnes":{"type":"number"},"percent":{"type":"number"},"price_usd":{"type":"number"}`,
			`{"height_m":330,"tonnes":10100,"percent":25,"price_usd":12}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var properties, got, want map[string]any
			if err := json.Unmarshal([]byte("{"+tc.properties+"}"), &properties); err != nil {
				t.Fatal(err)
			}
			var names []string
			for name := range properties {
				names = append(names, name)
			}
			schema, err := json.Marshal(map[string]any{"type": "object", "properties": properties, "required": names, "additionalProperties": false})
			if err != nil {
				t.Fatal(err)
			}
			req := ask(tc.text)
			req.Format = message.Object(schema)
			text := answer(t, req).Text
			if err := json.Unmarshal([]byte(text), &got); err != nil {
				t.Fatalf("answer = %s: %v", text, err)
			}
			if err := json.Unmarshal([]byte(tc.want), &want); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("of %q (-want +got):\n%s", tc.text, d)
			}
		})
	}
}
