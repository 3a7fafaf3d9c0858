package label_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/chat/model/extractive/label"
	"lectern/shared/fault/cputest"
)

// TestNumbers: digits of identifiers, dates, times and versions are no numbers, and a
// hyphen is a sign only by itself.
func TestNumbers(t *testing.T) {
	for text, want := range map[string][]float64{
		"INV-99, A4, LX200b, v1.2.3, user_7, 2026-12-04, 4/12/2026, 10:30, 3rd, B12": nil,
		"on 4 December 2026, May 5, 2027 and 3. Mai":                                 nil,
		"-5 (−6.5) +7 to -8, 3-9 and 4–6":                                            {-5, -6.5, 7, -8, 4, 6},
		"1240.50. 1,240.50; 1.240,50, 384,400 km":                                    {1240.5, 1240.5, 1240.5, 384400},
		"$12, 71.5kg, 25%, 4.5/5, 3 of 4, a 5-year plan, #8":                         {12, 71.5, 25, 4.5, 3, 4, 5, 8},
	} {
		var got []float64
		for _, n := range label.Numbers(text) {
			got = append(got, n.Value)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("Numbers(%q) (-want +got):\n%s", text, d)
		}
	}
	all := label.All("two cats, 3 dogs and four birds")
	if len(all) != 3 || all[0].Value != 2 || all[1].Value != 3 || all[2].Value != 4 {
		t.Errorf("All = %v, want 2, 3, 4", all)
	}
}

// TestWords: names are read in the ways in which programs write them.
func TestWords(t *testing.T) {
	for name, want := range map[string]string{"due_date": "due date", "dueDate": "due date", "Due-Date": "due date", "Invoice #": "# invoice", "": ""} {
		if got := strings.Join(label.Words(name), " "); got != want {
			t.Errorf("Words(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestNearest: the value with the fitting name is taken, wherever it stands, and none of
// another name.
func TestNearest(t *testing.T) {
	text := label.Read("Net amount: 100\nAmount: 119\nInvoice date: 2026-05-03\nDue: 2026-06-01\nCustomer\n\nShip to:\nAnn Lee, Ulm\n")
	all := func(float64) bool { return true }
	for name, want := range map[string]float64{"amount": 119, "net_amount": 100, "netAmount": 100} {
		if n, ok := text.Number(label.Field{Name: name}, all); !ok || n != want {
			t.Errorf("%s = %v, %v, want %v", name, n, ok, want)
		}
	}
	for name, want := range map[string]string{"invoice_date": "2026-05-03", "due_date": "2026-06-01", "delivery_date": ""} {
		if day, _ := text.Date(label.Field{Name: name}); day != want {
			t.Errorf("%s = %q, want %q", name, day, want)
		}
	}
	for name, want := range map[string]string{"ship_to": "Ann Lee, Ulm", "customer": "", "gross_weight": ""} {
		if v, _ := text.String(label.Field{Name: name}); v != want {
			t.Errorf("%s = %q, want %q", name, v, want)
		}
	}
}

// TestLong: a text without an end mark takes no time.
func TestLong(t *testing.T) {
	for _, unit := range []string{"12 kg ", "a:", "7777", "kg: "} {
		cputest.Most(t, 5*time.Second, unit, func() {
			label.Read(strings.Repeat(unit, 1<<16)).Number(label.Field{Name: "weight_kg"}, func(float64) bool { return false })
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add("Amount: 1,240.50 EUR; due on 4 December 2026.", "amount")
	f.Add("| a | b |\nc:\n\nd\t5\xff", "aB")
	f.Fuzz(func(t *testing.T, text, name string) {
		read, field := label.Read(text), label.Field{Name: name, About: name}
		for _, n := range label.All(text) {
			if n.Start < 0 || n.End > len(text) || n.Start >= n.End {
				t.Fatalf("a number of %q is at [%d, %d)", text, n.Start, n.End)
			}
		}
		read.Bool(field)
		read.Date(field)
		read.List(field)
		read.Number(field, func(float64) bool { return true })
		read.Option(field, []string{"a", name})
		read.Mentioned([]string{"a", name})
		if v, ok := read.String(field); ok && v == "" {
			t.Fatalf("%q has an empty %q", text, name)
		}
	})
}
