// The guide in German: the words of guide.ts, by the ids of its groups and sections. A section
// without its words is a compile error, and so is a call without its title.
import type { CallTitle, GroupTitle, SectionID } from "./guide";

export const groups: Record<GroupTitle, string> = {
  Start: "Anfang", Documents: "Dokumente", Ask: "Fragen", "Search and tables": "Suche und Tabellen", More: "Weiteres",
};

interface Words { title: string; text: string; after?: string }

export const sections: Record<SectionID, Words> = {
  start: {
    title: "Eine belegte Antwort mit zwei Aufrufen",
    text: "Geben Sie dem Dienst ein Dokument, dann fragen Sie. Die Antwort ist eine Nachricht in der Form von Anthropics Messages API: eine "
      + "Liste von Inhaltsblöcken. Jeder belegte Satz ist ein eigener Block `text`, dessen `citations` das Dokument wörtlich zitieren, mit der "
      + "Stelle in seinem gespeicherten Text. Die Blöcke davor zeigen die Suche. Es braucht keinen Schlüssel, kein Modell und keinen Download: "
      + "Das eingebaute Modell zitiert.",
    after: "Die SDKs von Anthropic funktionieren unverändert, mit dieser Adresse als Basis-URL. Werkzeuge der Art `semantic_search_v1` laufen im "
      + "Dienst; Werkzeuge ohne Art sind Ihre eigenen und kommen als Blöcke `tool_use` zurück.",
  },
  auth: {
    title: "Anmeldung",
    text: "Von sich aus antwortet der Dienst nur diesem Rechner und verlangt keinen Schlüssel. Mit `SERVER_AUTH_ENABLED=true` trägt jede Anfrage "
      + "einen, in einer dieser Formen:\n\n| Kopfzeile | Wert |\n|---|---|\n| `Authorization` | `Bearer <Base64 von Name:Passwort>` oder ein Token Ihres "
      + "Identitätsanbieters |\n| `Authorization` | `Basic <Base64 von Name:Passwort>` |\n| `x-api-key` | `<Base64 von Name:Passwort>`, wie die SDKs von "
      + "Anthropic ihn senden |\n\nEin Schlüssel kann auf einige Sammlungen beschränkt sein (`LECTERN_KEYS`); andere ergeben dann 403. `GET /health`, die "
      + "Seite unter `/` und diese Anleitung brauchen keinen. Ohne Schlüssel ist die Antwort 401; ein falscher wird erst nach einer Viertelsekunde "
      + "beantwortet.",
  },
  errors: {
    title: "Fehler",
    text: "Ab Status 400 gibt es nur eine Form der Antwort. `detail` ist ein Satz oder bei 422 die Liste aller gefundenen Probleme, jedes mit seiner "
      + "Stelle.\n\n| Status | `error.type` | Wann |\n|---|---|---|\n| 400 | `invalid_request_error` | JSON, das nicht gelesen werden kann, oder eine unbekannte "
      + "Marke einer Seite |\n| 401 | `authentication_error` | kein Schlüssel oder ein falscher |\n| 403 | `permission_error` | eine Sammlung, die der Schlüssel "
      + "nicht erreicht, oder eine gesperrte Adresse |\n| 404 | `not_found_error` | unbekanntes Modell, Dokument, Skill oder unbekannte Aufgabe, Datei, Adresse |\n"
      + "| 409 | `conflict_error` | ein `Idempotency-Key`, dessen erste Anfrage noch läuft |\n| 413 | `request_too_large` | die Anfrage ist größer als erlaubt |\n"
      + "| 422 | `invalid_request_error` | verletzte Felder und Regeln; Dateien, die nicht gelesen werden können |\n| 429 | `rate_limit_error` | zu viel auf einmal; "
      + "warten Sie so lange, wie `retry-after` sagt |\n| 500, 503 | `api_error`, `overloaded_error` | unser Fehler; `x-should-retry` sagt, ob ein neuer Versuch lohnt |\n\n"
      + "Ein Werkzeug, das während der Arbeit scheitert, ist kein Fehler: Die Antwort ist 200, und sein Ergebnis hat `is_error`. Jede Antwort trägt eine `request-id`.",
  },
  ingest: {
    title: "Dokumente einlesen",
    text: "Ein Dokument hat einen Namen in einer Sammlung: `artifact` und `collection` (`vendor_collection`, wenn sie fehlt). `input` ist `text`, eine Datei "
      + "(`file`) als Base64 oder eine `uri`. `metadata.file_name` entscheidet, womit es gelesen wird; weitere Felder von `metadata` bleiben erhalten, und nach "
      + "ihnen kann gefiltert werden. Derselbe Inhalt noch einmal kostet keine Arbeit; neuer Inhalt ersetzt den alten sofort. Dateien eines Formulars gehen auch: "
      + "`curl -F collection=guide -F file=@handbook.pdf …/v1/artifacts/ingest`.",
    after: "Eine Datei, die nicht gelesen werden kann, ergibt 422, und `detail[0].type` ist eines von `encrypted_file`, `malformed_file`, `mismatched_mime_type`, "
      + "`unsupported_extension`, `empty_document`, `too_large`, `too_many_pages`; gespeichert wird dann nichts.",
  },
  tasks: {
    title: "Große Dokumente als Aufgaben",
    text: "`POST /v1/artifacts/ingest/async` antwortet sofort mit einer `task_id`. Fragen Sie nach ihrem Zustand: `PENDING`, `STARTED` (mit `progress`: Prozent, "
      + "Schritt, Seiten, Abschnitte, Sekunden bis zum Ende), `RETRY`, `SUCCESS`, `FAILURE`, `REVOKED`. An die `url` eines `callback` geht eine Nachricht, wenn sie "
      + "endet, unterschrieben nach Standard Webhooks.",
  },
  manage: {
    title: "Auflisten, lesen und löschen",
    text: "Zitate zählen im gespeicherten Text eines Dokuments: `start_char_index` und `end_char_index` sind Stellen darin, in UTF-16. Als `object` ist er ein Baum aus "
      + "Abschnitten, Absätzen, Listen und Tabellen und kann nach Knoten gefiltert werden. Die Datei, aus der ein Dokument entstand, kommt von "
      + "`GET /v1/artifacts/original` zurück.",
  },
  ask: {
    title: "Ausgewählte Dokumente befragen",
    text: "Der `context` eines Suchwerkzeugs sagt, was gelesen werden darf: eine Sammlung, einige `artifacts` davon oder was ein `metadata_filter` übrig lässt. Mehrere "
      + "Einträge können mehrere Sammlungen nennen. Eine Nachfrage sendet die Fragen und Antworten vor ihr mit.",
    after: "Wo nichts passt, trägt der Block des Textes `_meta: {\"nothing_relevant\": true}` und keine Zitate.",
  },
  stream: {
    title: "Eine Antwort als Strom",
    text: "Mit `stream: true` kommt die Antwort als Server-Sent Events, in dieser Reihenfolge; `content_block_…` wiederholt sich für jeden Block.\n\n| Ereignis | Trägt |\n"
      + "|---|---|\n| `message_start` | die Nachricht ohne Inhalt, `usage.input_tokens` |\n| `content_block_start` | `index` und den leeren Block; das Ergebnis eines Werkzeugs "
      + "kommt im Ganzen |\n| `content_block_delta` | `text_delta`, `thinking_delta`, `signature_delta`, `input_json_delta` oder `citations_delta`, gleich nach dem Satz, den es "
      + "belegt |\n| `content_block_stop` | `index` |\n| `message_delta` | `stop_reason` und die endgültige `usage` |\n| `message_stop` | das Ende |\n| `ping` | nichts; hält die "
      + "Verbindung offen |\n| `error` | einen Fehler nach dem ersten Byte |\n\nSchließen Sie die Verbindung, um anzuhalten. `POST /v1/messages/async` beginnt eine Antwort, die "
      + "ohne Sie weiterläuft: Folgen Sie ihr mit `GET /v1/messages/async/{id}/stream`, mit beliebig vielen Lesern, jedes Mal von Anfang an.",
  },
  shape: {
    title: "Antworten als JSON",
    text: "`output_config.format` verlangt ein JSON-Dokument, das Ihrem Schema entspricht. Mit Zitaten geht das nicht zusammen.",
  },
  check: {
    title: "Vor dem Fragen prüfen und zählen",
    text: "`validate` wendet dieselben Regeln an wie der Aufruf selbst und verbraucht keine Tokens; `count_tokens` zählt, wie viele es wären.",
  },
  search: {
    title: "Abschnitte suchen",
    text: "`hybrid_search` sucht nach Wörtern und Bedeutung, `keywords_search` nur nach Wörtern. Die Werte liegen zwischen 0 und 1. `explain` fügt hinzu, woraus sich jeder Wert "
      + "zusammensetzt und welche Wörter passen; `expand` den Text davor und danach.",
  },
  tables: {
    title: "Tabellen und Datenbanken befragen",
    text: "Tabellen und CSV-Dateien einer Sammlung werden mit SQL befragt, das das Modell schreibt; die Antwort enthält die Anweisung und die Zeilen als Text und als CSV. "
      + "`POST /v1/tools/database-query` tut dasselbe mit PostgreSQL, MySQL, SQL Server und SQLite-Dateien. In einem Chat heißen die Werkzeuge `tabular_analysis_v1` und "
      + "`database_query_v1`.",
  },
  embeddings: { title: "Einbettungen", text: "Vektoren desselben Modells, das auch der Index benutzt, in der Form von OpenAI." },
  files: {
    title: "Dateien und Skills",
    text: "Dateien gehören zu einer Sitzung: `scope_id`, der Name, den ein Chat als `container` angibt. Skills sind Bündel mit einer `SKILL.md`; ein Chat, dessen Werkzeug "
      + "`skills_v1` ihre Sammlung nennt, sieht, wofür sie gut sind, und lädt sie bei Bedarf. Beide nehmen Formulare an, in den Formen der SDKs von Anthropic.",
  },
  clients: {
    title: "Andere Clients",
    text: "`/mcp` ist der Dienst als MCP-Server (streamable HTTP), mit seiner Suche als Werkzeug. Chats können Ihre eigenen MCP-Server benutzen: `mcp_servers: [{name, url}]`. Mit "
      + "`Idempotency-Key` darf ein anlegendes POST 24 Stunden lang wiederholt werden.",
  },
  blocks: { title: "Inhaltsblöcke", text: "Was der `content` einer Nachricht enthalten kann, mit den Feldern. Zeiten und `_meta` haben alle." },
};

export const calls: Record<CallTitle, string> = {
  "Ingest a document": "Ein Dokument einlesen", "Ask it": "Danach fragen", "See whether your key is accepted": "Prüfen, ob Ihr Schlüssel angenommen wird",
  "A request with two problems": "Eine Anfrage mit zwei Problemen", "With metadata to filter on": "Mit Metadaten zum Filtern",
  "Which kinds of files can be read": "Welche Dateiarten gelesen werden", "Start a task": "Eine Aufgabe beginnen",
  "List the documents of a collection": "Die Dokumente einer Sammlung auflisten", "Read the stored text": "Den gespeicherten Text lesen",
  "Delete a document": "Ein Dokument löschen", "Collections and their sizes": "Sammlungen und ihre Größe",
  "Only what finance wrote since 2026": "Nur was die Finanzabteilung seit 2026 schrieb", "A follow-up": "Eine Nachfrage",
  "The events of a cited answer": "Die Ereignisse einer belegten Antwort", "Fill a schema": "Ein Schema füllen", Validate: "Prüfen", "Count tokens": "Tokens zählen",
  "Search with reasons": "Suchen mit Begründung", "Ingest a sheet": "Eine Tabelle einlesen", "Ask the sheet": "Die Tabelle befragen",
  "Embed two strings": "Zwei Texte einbetten", "The files of a session": "Die Dateien einer Sitzung", "The skills of a collection": "Die Skills einer Sammlung",
  "Ready, by part": "Bereit, Teil für Teil",
};
