package functions

import "slices"

// Area is a part of what table and bucket keep. A function may use only the areas
// that its row names.
type Area int

// The areas.
const (
	Documents Area = iota // registry, texts and originals of ingested documents
	Tasks                 // ingests and deletions that run later, and their callbacks
	Messages              // async messages and their logs, and kept responses
	Batches               // of chats, and their results
	Files                 // session files, the names of their places, and uploads under way
	Skills
	Answers     // of requests that may be repeated
	Payloads    // of calls between functions
	Identity    // of the stores, and what sweeps remember
	Probe       // what /ready asks for
	Credentials // keys that were made while the service runs
	Usage       // what keys used
	Recent      // what was accepted lately
)

// Partitions returns the patterns of an area's partitions in the table.
func (a Area) Partitions() []string {
	return [][]string{
		Documents: {"artifacts/*", "collections"}, Tasks: {"task/*", "callback/*"}, Messages: {"message/*", "stream/*", "response/*"},
		Batches: {"batch/*"},
		Files:   {"files/*", "uploads"}, Skills: {"skills/*"}, Answers: {"idempotency/*"}, Payloads: nil, Identity: {"identity", "sweep"},
		Probe: {"ready"}, Credentials: {"keys"}, Usage: {"usage", "usage/*"}, Recent: {"recent/*"},
	}[a]
}

// Keys returns the patterns of an area's keys in the bucket.
func (a Area) Keys() []string {
	return [][]string{
		Documents: {"documents/*", "originals/*"}, Tasks: {"tasks/*"}, Messages: {"requests/*"}, Batches: {"batches/*"},
		Files: {"files/*", "places/*"}, Skills: {"skills/*"},
		Answers: nil, Payloads: {"invoke/*"}, Identity: {"identity"}, Probe: {"ready"},
		Credentials: nil, Usage: nil, Recent: nil,
	}[a]
}

// Readable returns the areas that a function reads, those that it writes too.
func (n Needs) Readable() []Area {
	return slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(n.ReadsIn), n.WritesIn...))))
}
