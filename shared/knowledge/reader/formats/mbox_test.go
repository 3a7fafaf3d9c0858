package formats_test

import (
	"errors"
	"strings"
	"testing"

	"lectern/shared/knowledge/reader"
)

// mailbox has a question, its answer that quotes it, a mail with a line that begins with
// "From", and what is none.
const mailbox = `From ann@example.com Mon Jan  1 10:00:00 2024
From: Ann <ann@example.com>
To: bob@example.com
Subject: Keys
Message-ID: <1@example.com>
Date: Mon, 1 Jan 2024 10:00:00 +0000

Where do I leave the keys of the archive when I go on
holiday?
From Monday on I am away.

>From here it is a short way.

From bob@example.com Mon Jan  1 11:00:00 2024
From: Bob <bob@example.com>
Subject: Re: Keys
Message-ID: <2@example.com>
In-Reply-To: <1@example.com>

Leave them with Cho.

On Mon, 1 Jan 2024, Ann <ann@example.com>
wrote:
> Where do I leave the keys of the archive when I
> go on holiday?

The porter has one, too.

From - Tue Jan  2 11:00:00 2024
X-Mozilla-Status: 0009
From: Eve <eve@example.com>
Subject: Deleted

Gone.

From 17@xxx Tue Jan 02 11:00:00 +0000 2024
From: Cho <cho@example.com>
Message-ID: <3@example.com>

Bob wrote:
> > Which keys?
> Those of the cellar, which we had to have made anew in
> spring.
> Yes.

>5 of them are lost.
`

// TestMailbox: each mail is a section. A quotation from another of its mails is left out,
// any other is one.
func TestMailbox(t *testing.T) {
	for _, data := range []string{mailbox, strings.ReplaceAll(mailbox, "\n", "\r\n")} {
		d := read(t, "a.mbox", data)
		want := `# Keys

- From: Ann <ann@example.com>
- To: bob@example.com
- Date: Mon, 1 Jan 2024 10:00:00 +0000

Where do I leave the keys of the archive when I go on
holiday?
From Monday on I am away.

From here it is a short way.

# Re: Keys

- From: Bob <bob@example.com>

Leave them with Cho.

The porter has one, too.

# (no subject)

- From: Cho <cho@example.com>

Bob wrote:

> > Which keys?

> Those of the cellar, which we had to have made anew in spring.
> Yes.

\>5 of them are lost.`
		if d.Text != want {
			t.Errorf("Text = %s\nwant %s", d.Text, want)
		}
		if len(d.Warnings) != 1 || d.Title != "" {
			t.Errorf("Warnings = %q, Title = %q, want one about a deleted mail and none", d.Warnings, d.Title)
		}
	}
	if got := builtin(t).Sniff([]byte(mailbox)); got != ".mbox" {
		t.Errorf("Sniff(mailbox) = %q", got)
	}
	if got := builtin(t).Sniff([]byte("From 2019 to 2024, at 10:00: sold\nnothing")); got != ".txt" {
		t.Errorf("Sniff(text) = %q", got)
	}
	for _, text := range []string{"no mail at all", mailbox[:46] + "\n\nnothing"} {
		if _, err := builtin(t).Read(t.Context(), reader.Source{Name: "a.mbox", Data: []byte(text)}, reader.Limits{}); err == nil {
			t.Errorf("Read(%q) = nil, want an error", text)
		}
	}
	_, err := builtin(t).Read(t.Context(), reader.Source{Name: "a.mbox", Data: []byte(strings.Repeat(mailbox, 100))}, reader.Limits{Nodes: 500})
	if err == nil || errors.Unwrap(err) != nil && !strings.Contains(err.Error(), "500") {
		t.Errorf("Read with a limit of nodes = %v, want a refusal", err)
	}
}

// TestEMLQuotes: quoted lines are a quotation, without a mark that escapes them, also in HTML.
func TestEMLQuotes(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"text", "\n\nYes.\n\nAm 3. Mai 2024 schrieb Jo:\n\n>> Which day?\n> Friday.\n>\n> Bye\n", "Yes.\n\nAm 3. Mai 2024 schrieb Jo:\n\n> > Which day?\n\n> Friday.\n\n> Bye"},
		{"no answer", "\n\n> Which day?\n", "> Which day?"},
		{"HTML", "\nContent-Type: text/html\n\n<p>Yes.</p><div>On 3 May Jo wrote:<br><blockquote><div>Which day?</div><blockquote><p>Any<br>day</p></blockquote></blockquote></div>",
			"Yes.\n\nOn 3 May Jo wrote:\n\n> Which day?\n\n> > Any\n> > day"},
	} {
		d := read(t, "a.eml", "From: a@x.org\nTo: b@x.org\nSubject: S"+c.body)
		if want := "# S\n\n- From: a@x.org\n- To: b@x.org\n\n" + c.want; d.Text != want {
			t.Errorf("%s: Text = %q, want %q", c.name, d.Text, want)
		}
	}
}
