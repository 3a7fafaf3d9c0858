package letter

import "testing"

func TestForms(t *testing.T) {
	for text, want := range map[string][3]bool{
		"Dear parents and carers,":               {false, true, false},
		"Hi Anna,":                               {false, true, false},
		"Kind regards,":                          {false, true, false},
		"Mit freundlichen Grüßen":                {false, true, false},
		"Dear is the boat that the club bought.": {false, false, false},
		"Subject: The boat":                      {true, false, true},
		"Who sent the letter?":                   {false, false, true},
		"The boat is sold.":                      {false, false, false},
	} {
		if got := [3]bool{Head.In(text), Greeting.In(text), Asked.In(text)}; got != want {
			t.Errorf("%q is head, greeting, question about: %v, want %v", text, got, want)
		}
	}
}
