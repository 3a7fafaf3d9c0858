// Package letter tells the parts of a letter that say little of what it is about.
package letter

import "lectern/shared/chat/model/extractive/lazy"

// Asked matches questions about what stands above a letter.
var Asked = lazy.New(`(?i)\b(?:e-?mails?|mails?|letter|message|sent|sends?|sender|wrote|writes?|written|subject|recipients?|addressed|cc)\b`)

// Greeting matches how a letter begins and ends.
var Greeting = lazy.New(`(?i)^(?:(?:dear|hi|hello|good (?:morning|afternoon|evening)|sehr geehrte[rs]?|liebe[rs]?|hallo|guten tag|cher|chère|estimad[oa]s?)\b[^.]{0,80}[,!]|` +
	`(?:kind|best|warm|with (?:kind|best)) (?:regards|wishes)|yours\b[^.]{0,20},|mit (?:freundlichen|besten) grüßen|viele grüße)`)

// Head matches the lines above a letter.
var Head = lazy.New(`^(?:From|To|Cc|Date|Subject|Reply-To|Von|An|Datum|Betreff): `)
