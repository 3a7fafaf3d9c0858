// Package talk answers what people say to a model that is no question to documents:
// greetings, thanks, and what it is and can do.
package talk

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostBytes is the length of a text up to which it may be such talk.
const mostBytes = 80

// Reply returns what to say to a text that is nothing but talk; ok is false for others.
// bare tells that there is neither a document with the question nor a turn before it, so
// that a summary of nothing named is asked for.
func Reply(text string, bare bool) (reply string, ok bool) {
	if len(text) > mostBytes {
		return "", false
	}
	said := plain(text)
	for _, greeting := range greetings {
		if rest, ok := strings.CutPrefix(said, "|"+greeting+" "); ok {
			if reply := find("|"+rest, bare); reply != "" {
				return reply, true // Hello, who are you?
			}
		}
	}
	reply = find(said, bare)
	return reply, reply != ""
}

// find returns the reply to plain words; empty without one.
func find(said string, bare bool) string {
	if said == "||" {
		return ""
	}
	for _, e := range exchanges {
		if (bare || !e.bare) && strings.Contains(e.said, said) {
			return e.reply
		}
	}
	return ""
}

// polite are words that change nothing of what is said.
var polite = map[string]bool{"please": true, "lectern": true, "so": true, "very": true, "much": true, "a": true, "lot": true,
	"again": true, "all": true, "bitte": true}

// plain returns the words of a text in lower case, without marks and polite words, between
// bars. Most questions come by here, so it makes nothing but that.
func plain(text string) string {
	var room [2 * mostBytes]byte
	said, begin := append(room[:0], '|'), 1
	end := func() {
		switch word := said[begin:]; {
		case len(word) == 0:
			return
		case polite[string(word)]:
			said = said[:begin]
			return
		}
		said = append(said, ' ')
		begin = len(said)
	}
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			end()
			continue
		}
		said = utf8.AppendRune(said, unicode.ToLower(r))
	}
	end()
	if len(said) > 1 {
		said = said[:len(said)-1]
	}
	return string(append(said, '|'))
}

var greetings = []string{"hello", "hi", "hey", "hallo", "guten tag", "bonjour", "hola", "thanks", "thank you", "ok", "great",
	"danke", "merci", "gracias"}

// exchange is what people say, between bars, and what they are told.
type exchange struct {
	said, reply string
	bare        bool // only where nothing is named that it may be about
}

var exchanges = []exchange{
	{said: "|hello|hi|hey|hello there|hi there|hey there|good morning|good afternoon|good evening|good day|greetings|how are you|how are you doing|" +
		"how is it going|nice to meet you|test|", reply: "Hello. Ask me something about your documents: I answer with what they say, and show where."},
	{said: "|hallo|hallo zusammen|guten tag|guten morgen|guten abend|moin|servus|grüß gott|wie geht es dir|wie geht es ihnen|wie geht s|",
		reply: "Guten Tag. Fragen Sie mich etwas zu Ihren Dokumenten: Ich antworte mit dem, was darin steht, und zeige, wo."},
	{said: "|bonjour|salut|bonsoir|coucou|ça va|comment ça va|comment allez vous|",
		reply: "Bonjour. Posez-moi une question sur vos documents : je réponds par ce qu’ils disent, et je montre où."},
	{said: "|hola|buenos días|buenas tardes|buenas noches|qué tal|cómo estás|",
		reply: "Hola. Pregúnteme algo sobre sus documentos: respondo con lo que dicen y muestro dónde."},

	{said: "|thanks|thank you|thx|many thanks|cheers|great|perfect|ok|okay|got it|i see|understood|nice|cool|well done|good job|awesome|great thanks|" +
		"ok thanks|okay thanks|perfect thanks|thanks for your help|thank you for your help|that helps|", reply: "You’re welcome. Ask on whenever you like."},
	{said: "|danke|danke schön|dankeschön|vielen dank|super|prima|alles klar|verstanden|ok danke|gut danke|super danke|",
		reply: "Gern. Fragen Sie weiter, wann Sie möchten."},
	{said: "|merci|merci beaucoup|merci bien|d accord|parfait|", reply: "Je vous en prie. Posez d’autres questions quand vous voulez."},
	{said: "|gracias|muchas gracias|vale|perfecto|entendido|", reply: "De nada. Pregunte más cuando quiera."},

	{said: "|bye|goodbye|good bye|bye bye|see you|see you later|good night|have a nice day|thanks bye|", reply: "Goodbye."},
	{said: "|tschüss|auf wiedersehen|bis bald|gute nacht|", reply: "Auf Wiedersehen."},
	{said: "|au revoir|à bientôt|bonne journée|bonne nuit|", reply: "Au revoir."},
	{said: "|adiós|hasta luego|", reply: "Adiós."},

	{said: "|who are you|what are you|what is your name|what s your name|who am i talking to|are you a robot|are you human|are you an ai|are you a bot|are you chatgpt|" +
		"are you claude|which model are you|what model are you|introduce yourself|tell me about yourself|who made you|who built you|are you real|",
		reply: "I am Lectern’s built-in model. I answer questions about documents with their own sentences, quoted and cited, and say so when they do not " +
			"answer. I make up no text of my own."},
	{said: "|wer bist du|wer sind sie|was bist du|wie heißt du|wie heißen sie|bist du ein roboter|bist du eine ki|",
		reply: "Ich bin das eingebaute Modell von Lectern. Ich beantworte Fragen zu Dokumenten mit deren eigenen Sätzen, zitiert und belegt, und sage, wenn sie " +
			"nicht antworten."},
	{said: "|qui es tu|qui êtes vous|comment t appelles tu|",
		reply: "Je suis le modèle intégré de Lectern. Je réponds aux questions sur des documents par leurs propres phrases, citées, et je dis quand ils ne répondent pas."},
	{said: "|quién eres|quién es usted|cómo te llamas|",
		reply: "Soy el modelo integrado de Lectern. Respondo a preguntas sobre documentos con sus propias frases, citadas, y digo cuándo no responden."},

	{said: "|what can you do|what can you do for me|what do you do|how can you help me|how can you help|can you help me|help|help me|how do you work|how does this work|" +
		"what can i ask|what can i ask you|what should i ask|what should i ask you|",
		reply: "Ask about your documents: facts, lists, steps, rows of tables, what a section says, a comparison, or a summary of a document that you name. " +
			"I quote the places that answer, each with its source, and say so when there is none."},
	{said: "|was kannst du|was können sie|was kann ich fragen|hilfe|wie funktioniert das|",
		reply: "Fragen Sie zu Ihren Dokumenten: Fakten, Listen, Schritte, Zeilen von Tabellen, was ein Abschnitt sagt, einen Vergleich oder eine Zusammenfassung " +
			"eines Dokuments, das Sie nennen. Ich zitiere die Stellen, die antworten, jede mit ihrer Quelle, und sage, wenn es keine gibt."},
	{said: "|que peux tu faire|que pouvez vous faire|aide|comment ça marche|",
		reply: "Posez des questions sur vos documents : faits, listes, étapes, lignes de tableaux, ou le résumé d’un document que vous nommez. Je cite les passages qui " +
			"répondent, avec leur source, et je dis quand il n’y en a pas."},
	{said: "|qué puedes hacer|qué puede hacer|ayuda|cómo funciona esto|",
		reply: "Pregunte sobre sus documentos: hechos, listas, pasos, filas de tablas o el resumen de un documento que nombre. Cito los pasajes que responden, con su " +
			"fuente, y digo cuándo no los hay."},

	{said: "|what documents do you have|which documents do you have|what documents are there|which documents are there|list documents|list the documents|" +
		"show documents|show the documents|show me documents|show me the documents|what files do you have|which files do you have|list files|list the files|what do you know|" +
		"what data do you have|what is this collection about|what is in this collection|what s in this collection|what is in the documents|what are the documents about|",
		reply: "I find passages in documents, but do not see which documents there are: the library on the page lists them, and GET /v1/artifacts/list " +
			"does for programs. Ask what you would like to know from them, or for the summary of one by its name."},
	{said: "|welche dokumente hast du|welche dokumente haben sie|welche dokumente gibt es|was weißt du|",
		reply: "Ich finde Stellen in Dokumenten, sehe aber nicht, welche es gibt: Die Bibliothek auf der Seite zeigt sie, Programmen GET " +
			"/v1/artifacts/list. Fragen Sie, was Sie daraus wissen möchten, oder nach der Zusammenfassung eines Dokuments, das Sie nennen."},

	{bare: true, said: "|summarise|summarize|summarise everything|summarize everything|summarise the documents|summarize the documents|summarise documents|summarize documents|" +
		"summarise my documents|summarize my documents|summary|give me summary|give me an overview|overview|tl dr|",
		reply: "Which document shall I summarise? Name it, as in “Summarise the staff handbook”."},
	{bare: true, said: "|zusammenfassung|fasse zusammen|fasse die dokumente zusammen|überblick|",
		reply: "Welches Dokument soll ich zusammenfassen? Nennen Sie es, wie in „Summarise the staff handbook“."},

	{said: "|tell me joke|tell me joke please|sing song|sing me song|tell me story|write poem|write me poem|", reply: "I only quote documents. Ask me something about yours."},
}
