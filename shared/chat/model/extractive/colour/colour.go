// Package colour tells what asks for a colour, and what tells one.
package colour

import "lectern/shared/chat/model/extractive/lazy"

var (
	// Asked matches what asks for a colour.
	Asked = lazy.New(`(?i)\b(?:which|what) colou?rs?\b|\bwhat(?:'s| is| are| was| were) the colou?rs?\b|\bwelche farben?\b`)

	// Told matches colours.
	Told = lazy.New(`(?i)\b(?:(?:dark|light|pale|bright|deep|navy|dunkel|hell)?-?(?:red|blue|green|yellow|white|black|gr[ae]y|brown|orange|pink|purple|violet|turquoise|beige|gold(?:en)?|silver|` +
		`cream|crimson|scarlet|maroon|cyan|magenta|ivory|bronze|navy|khaki|anthracite|transparent|colourless|rot|blau|gr[üu]n|gelb|wei(?:ß|ss)|schwarz|grau|braun|rosa|lila|violett|türkis|silbern?|golden)` +
		`(?:e[nrsm]?|ish)?)\b|#[0-9a-f]{6}\b`)
)
