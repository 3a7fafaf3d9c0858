package document

import (
	"regexp"
	"strings"
)

// defaults are the titles, in lower case and without brackets around them, that programs
// give a document that has none, in the languages that these programs speak most.
var defaults = regexp.MustCompile(`^(?:` + strings.Join([]string{
	`anonymous|unspecified|unknown|unnamed|none|null|undefined|no title|title|document title|default|\{title\}`,
	`new document|new tab|about:blank|(?:word |html |pdf |text )?document|powerpoint presentation|presentation`,
	`untitled(?:[ _-]?\d+)?(?: (?:document|spreadsheet|presentation|form|page|notebook|drawing|design|diagram|file))?(?:[ _-]?\d+)?`,
	`(?:document|doc|book|workbook|presentation|slide|sheet|publication|drawing|page)[ _-]?\d+`,
	`scan(?:ned document)?(?:[ _-]?\d+)*`,
	`unbenannt(?:es dokument|e präsentation|e tabelle)?(?:[ _-]?\d+)?|ohne titel|kein titel|dokument|powerpoint-präsentation`,
	`(?:dokument|mappe|präsentation|folie|tabelle)[ _-]?\d+`,
	`sans titre|document sans titre|présentation powerpoint|(?:classeur|présentation|diapositive)[ _-]?\d+`,
	`sin título|documento sin título|presentación de powerpoint|senza titolo|presentazione standard di powerpoint`,
	`(?:documento|libro|cartel|presentación|presentazione|diapositiva)[ _-]?\d+`,
}, "|") + `)$`)

// drafts are titles that name the file which a program printed.
var drafts = regexp.MustCompile(`^microsoft (?:office )?(?:word|powerpoint|excel|publisher|visio|outlook)(?: - .*)?$|` +
	`^.+\.(?:docx?|dotx?|rtf|odt|pptx?|odp|xlsx?|ods|tex|dvi|indd|qxp|vsdx?|wpd)$`)

// Generated reports whether a title says nothing of its document, because a program made
// it up: "(anonymous)", "Untitled document", "Microsoft Word - offer.doc", "Slide 1".
func Generated(title string) bool {
	lower := strings.ToLower(strings.TrimSpace(title))
	return drafts.MatchString(lower) || defaults.MatchString(strings.TrimSpace(strings.Trim(lower, "()[]<>\"'")))
}
