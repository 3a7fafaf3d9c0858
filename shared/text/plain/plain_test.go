package plain_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/fault/cputest"
	"lectern/shared/text/plain"
)

func TestHeadings(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"manual page": {"PLY(1)    Commands    PLY(1)\n\nNAME\n       ply - plays\n\nSEE ALSO\n\n       other(1)\n\n   Sub\n       text\n", []string{"2 NAME", "2 SEE ALSO"}},
		"underlined": {"Guide\n=====\n\nText.\n\nFirst steps\n-----------\nText.\n\n*****\nAbove\n*****\n\nMore\n\nAgain\n----- \n\nSo\n--------\n",
			[]string{"2 Guide", "3 First steps", "4 Above", "3 Again", "3 So"}},
		"underlined questions": {"Answers\n-------\n\n1. How do I stop it?\n~~~~~~~~~~~~~~~~~~~~\n  Press the button.\n\nIt is so.\n---\n",
			[]string{"2 Answers", "3 1. How do I stop it?"}},
		"underlined behind the number": {"0. START\n   =====\n\nText.\n", []string{"2 0. START"}},
		"questions and answers": {"Q. Is it loud?\nA. No.\n\nQ: How big?\n\nA: Ten\n\nQ1. Why?\nNobody knows.\n\nF: Wie alt?\nA: Neu.\n\nQ. No answer\n",
			[]string{"6 Is it loud?", "6 Wie alt?"}},
		"numbered": {"1. Purpose\nThis says why.\n\n1.1 Scope\n\nAll of it.\n\n2 Terms\n\nNone.\n\n10.2.3 Deep\nText\n",
			[]string{"2 1. Purpose", "3 1.1 Scope", "2 2 Terms", "4 10.2.3 Deep"}},
		"labelled": {"Mietvertrag\n\n§ 1 Mietgegenstand\nVermietet wird.\n\nArticle 2 – Durée\nUne heure.\n\nChapter IV\n\nIt goes on.\n",
			[]string{"2 § 1 Mietgegenstand", "2 Article 2 – Durée", "2 Chapter IV"}},
		"no headings": {"1. Open the valve\n2. Close it\n\n1. Open\n\n2. Close\n\n3. Wait\n   a moment\n\nSection 4 says so.\n\nNAME: Ann\n\nTOTAL\nDUE\n\n" +
			"A line\n--\n\n| a |\n---\n\nOption        Cost\n------------------\nRepair        310\n\nEND", nil},
		"inside a paragraph": {"First line\nArticle 3 – Not one\ngoes on", nil},
		"nothing":            {"", nil},
	} {
		var got []string
		for _, h := range plain.Headings(c.text) {
			got = append(got, fmt.Sprint(h.Level, " ", h.Title))
			if span := c.text[h.Start:h.End]; !strings.Contains(span, h.Title) || strings.TrimSpace(span) != span {
				t.Errorf("%s: the span of %q is %q", name, h.Title, span)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

func TestTitle(t *testing.T) {
	for text, want := range map[string]string{
		"\n\nHouse rules\n\nBe kind.":     "House rules",
		"PLY(1)    Cmds   PLY(1)\n\nNAME": "PLY(1) Cmds PLY(1)",
		"House rules\nBe kind.":           "",
		"Allotment Society\nMinutes of the annual meeting\n\nThe meeting was opened by the chair at seven.\n":                 "Allotment Society Minutes of the annual meeting",
		"Foss Ltd\nUnit 9\nWexcombe\n\nMs Eldridge\n5 Beacon Terrace\n\nOffer of employment: Technician\n\nDear Ms Eldridge,": "Offer of employment: Technician",
		"From: Ann\nSubject: Your tickets\n\nHi Bo,":                                                                          "Your tickets",
		"Foss Ltd\nUnit 9\nWexcombe\n\n23 May\n\nDear Bo,":                                                                    "",
		"House rules\n\n \n":          "",
		"Be kind.\n\nMore":            "",
		"From: Ann\n\nMore":           "",
		"Dear Ann,\nThe rent is 500.": "",
		"Hi":                          "",
		"Dear Ann,\n\nsee you there\n\nBest regards\nTom\n": "",
		"\n \nRegards":       "",
		"1. Purpose\n\nMore": "",
		"":                   "",
	} {
		h, ok := plain.Title(text)
		if h.Title != want || ok != (want != "") || ok && (h.Level != 1 || h.Start > h.End) {
			t.Errorf("Title(%q) = %+v, %v, want %q", text, h, ok, want)
		}
	}
}

func TestQuestionOfTwoLines(t *testing.T) {
	const text = "Q. My player is slow,\n   why?\nA. It is old.\n"
	got := plain.Headings(text)
	if len(got) != 1 || got[0].Title != "My player is slow, why?" || text[got[0].End:] != "\nA. It is old.\n" {
		t.Errorf("Headings(%q) = %+v", text, got)
	}
}

func TestLongQuestion(t *testing.T) {
	for _, text := range []string{"Q. " + strings.Repeat("why ", 100) + "\nA. So.\n", "Q. Why\n" + strings.Repeat("not ", 100) + "\nA. So.\n"} {
		if got := plain.Headings(text); len(got) != 0 {
			t.Errorf("a heading of %d bytes", len(got[0].Title))
		}
	}
}

// TestLinear gives inputs on which a careless search takes quadratic time.
func TestLinear(t *testing.T) {
	for _, unit := range []string{"\n", "A\n", "A\n---\n\n", "-\n", " \n", "§ 1\n\n", "1. A\n\n", "Q. A\n", "Q. A\nB\n\n"} {
		text := strings.Repeat(unit, 1_000_000/len(unit))
		cputest.Most(t, 10*time.Second, fmt.Sprintf("1 MB of %q", unit), func() { plain.Headings(text) })
	}
}

func FuzzHeadings(f *testing.F) {
	f.Add("Guide\n===\n\n§ 1 A\ntext\n\nNAME\n   x\n")
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, h := range plain.Headings(text) {
			if h.Start < last || h.End <= h.Start || h.End > len(text) || h.Level < 1 || h.Level > 6 {
				t.Fatalf("heading %+v after %d of %d bytes", h, last, len(text))
			}
			last = h.End
		}
		plain.Title(text)
	})
}

func TestHeadingsWithoutMarks(t *testing.T) {
	const text = "SMALL GROUP TOUR \"CORK AND TILES\"\nLisbon to Porto, 10 to 17 May\n\nDear parents\nWe are pleased to tell you about the visit of the classes 5H and 5M, which is in May.\n\n" +
		"Why we go\nThe visit helps the children to become more independent and to work as a team.\n\n" +
		"What to bring\n- walking boots\n- a torch\n\n" +
		"Programme\n   Wednesday: river walk\n   Thursday: canoeing\n\n" +
		"4. USE OF THE FLAT\n4.1 The flat is to be used as a private home for no more than three persons.\n\n" +
		"Kiln Road\nThornaby Vale\n\n" +
		"The coach leaves from the lower car park at 8:45.\nPlease have your child there by 8:20, since it does not wait for anybody.\n\n" +
		"Yours sincerely\nMartin Eastwick, who is the headteacher of the school in Kiln Road, Thornaby."
	var got []string
	for _, h := range plain.Headings(text) {
		got = append(got, fmt.Sprint(h.Level, " ", h.Title))
	}
	if want := []string{`1 SMALL GROUP TOUR "CORK AND TILES"`, "3 Why we go", "3 What to bring", "3 Programme", "2 4. USE OF THE FLAT"}; !slices.Equal(got, want) {
		t.Errorf("Headings = %q, want %q", got, want)
	}
}
