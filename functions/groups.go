// Package functions lists the groups of endpoints and the functions of the
// deployment: paths, memory and needs. The local service routes by this table,
// infra builds the deployment from it, and a test compares each function's
// main with its row.
package functions

import (
	"slices"
	"strconv"
	"strings"
)

// Group is a set of endpoints that one function serves.
type Group struct {
	Function
	Prefixes []string // paths that belong to it; the longest match wins
	Streams  bool     // answers as server-sent events
}

// Architecture is the CPU architecture of the deployment, as AWS names it.
const Architecture = "arm64"

// Function is one function of the deployment; Name is the name of its zip.
type Function struct {
	Name     string
	MemoryMB int
	PDF      bool // links the PDF reader
	State    bool // belongs to what is kept, and goes with it
	Needs    Needs
}

// BuildFlags are those of `go build` for every function. The clients of AWS, whose calls wait
// for the network, are compiled without inlining, which makes a function a twentieth smaller; the rules of the built-in model,
// whose small helpers are called in many places, too, which saves 70 KB.
var BuildFlags = []string{"-tags", "lambda.norpc", "-trimpath", "-ldflags=-s -w -buildid=", "-gcflags=github.com/aws/...=-l",
	"-gcflags=lectern/shared/chat/model/extractive=-l"}

// CollectorPercent is GOGC of every function. A start makes many times what it keeps, and
// the collector would run through most of it: at 100 a start takes half as long again.
const CollectorPercent = "400"

// MemoryLimit is GOMEMLIMIT of the function: from nine tenths of its memory on the
// collector works for every byte.
func (f Function) MemoryLimit() string { return strconv.Itoa(f.MemoryMB*9/10) + "MiB" }

// Access is what a function may do with a store.
type Access int

// Levels of access; each includes the one before.
const (
	None Access = iota
	Reads
	Writes
)

// Queues of the deployment.
const (
	ChatQueue    = "chat"
	DefaultQueue = "default"
)

// BatchKind is the kind of the jobs of batches, which go through ChatQueue.
const BatchKind = "chat.batch"

// Needs lists what a function uses. Its settings and permissions follow from it.
type Needs struct {
	Records, Objects, Index Access
	ReadsIn, WritesIn       []Area   // of records and objects; what it writes it reads too
	Models                  bool     // lists the chat models
	Chats                   bool     // calls chat models
	Embeds                  bool     // calls the embedder
	Ranks                   bool     // ranks search hits, with the re-ranking model if one is configured
	OffersWeb, SearchesWeb  bool     // declares the web search tool; runs it
	Seals                   bool     // encrypts stored requests and payloads between functions
	Callbacks               bool     // sends callbacks
	Sends                   []string // queues that it sends to
	Consumes                string   // queue that invokes it, with its dead-letter queue
	Asks                    []string // functions that it invokes
}

// Starts reports whether the function starts state machines: those that send to
// the default queue choose, by the length of an ingest, which of both runs it.
func (f Function) Starts() bool { return slices.Contains(f.Needs.Sends, DefaultQueue) }

// Functions returns the functions of the groups, in order, then the functions
// that serve no path.
func Functions() []Function {
	var all []Function
	row := map[string]Function{}
	for _, g := range Groups() {
		all = append(all, g.Function)
		row[g.Name] = g.Function
	}
	// A worker needs what the synchronous endpoint needs.
	chat, ingest := row["messages"], row["artifacts"]
	chat.Name, chat.Needs.Consumes = "messages-worker", ChatQueue
	ingest.Name, ingest.Needs.Consumes = "artifacts-worker", DefaultQueue
	return append(all, chat, ingest,
		Function{Name: "files-worker", MemoryMB: 128, Needs: Needs{Records: Writes, Objects: Writes, WritesIn: []Area{Files}}},
		Function{Name: "system-sweep", MemoryMB: 256, Needs: Needs{
			Records: Writes, Objects: Writes, Index: Writes, Seals: true, Callbacks: true, Sends: []string{ChatQueue, DefaultQueue},
			WritesIn: []Area{Documents, Tasks, Messages, Batches, Files, Skills, Identity},
		}},
		Function{Name: "system-setup", MemoryMB: 128, Needs: Needs{Records: Writes, Objects: Writes, Index: Writes,
			ReadsIn: []Area{Documents, Files, Skills}, WritesIn: []Area{Identity}}},
		Function{Name: "system-empty", MemoryMB: 128, State: true, Needs: Needs{Objects: Writes}},
	)
}

// outside is the number of callers that are no function.
const outside = 254

// Number returns the place of a function in the table, from 1: the last part of the
// loopback address by which its calls are told apart in an emulated deployment.
func Number(name string) int {
	for i, f := range Functions() {
		if f.Name == name {
			return i + 1
		}
	}
	return outside
}

// ArchitectureAmong returns the function's architecture, given that of the
// others: the PDF reader contains code compiled for x86_64.
func (f Function) ArchitectureAmong(others string) string {
	if f.PDF {
		return "x86_64"
	}
	return others
}

// Groups returns every group. The last one is the fallback for unmatched paths.
//
// The group streams serves everything below /v1/messages/async/: following an
// async message takes little memory but a long time, and should not use the
// concurrency of the function that answers. The prefix ends in a slash, so that
// starting an async message stays with messages; a REST API does the same with
// ANY on /v1/messages/async/{proxy+}.
func Groups() []Group {
	knowledge := Needs{Records: Reads, Objects: Reads, Index: Reads, Embeds: true, Ranks: true, ReadsIn: []Area{Documents}}
	kept := func(area Area) Needs { return Needs{Records: Writes, Objects: Writes, WritesIn: []Area{area, Answers}} }
	groups := []Group{
		{Prefixes: []string{"/v1/messages/async/"}, Streams: true, Function: Function{Name: "streams", MemoryMB: 128, Needs: Needs{
			Records: Writes, Objects: Writes, Seals: true, Sends: []string{ChatQueue}, WritesIn: []Area{Messages},
		}}},
		{Prefixes: []string{"/v1/messages", "/v1/complete", "/v1/chat", "/v1/responses"}, Streams: true, Function: Function{Name: "messages", MemoryMB: 256, Needs: Needs{
			Records: Writes, Objects: Writes, Index: Reads, Models: true, Chats: true, Embeds: true, Ranks: true, OffersWeb: true, Seals: true,
			Sends: []string{ChatQueue}, Asks: []string{"artifacts", "tools"},
			ReadsIn: []Area{Documents, Skills}, WritesIn: []Area{Messages, Batches, Files, Answers, Payloads, Recent},
		}}},
		{Prefixes: []string{"/v1/messages/count_tokens"}, Function: Function{Name: "tokens", MemoryMB: 256, Needs: Needs{
			Records: Reads, Objects: Writes, Index: Reads, Models: true, Chats: true, Embeds: true, Ranks: true, OffersWeb: true, Seals: true,
			Asks: []string{"artifacts", "tools"}, ReadsIn: []Area{Documents, Files, Skills}, WritesIn: []Area{Payloads},
		}}},
		{Prefixes: []string{"/v1/models"}, Function: Function{Name: "models", MemoryMB: 128, Needs: Needs{
			Records: Reads, Models: true, ReadsIn: []Area{Documents},
		}}},
		{Prefixes: []string{"/v1/embeddings"}, Function: Function{Name: "embeddings", MemoryMB: 256, Needs: Needs{Embeds: true}}},
		{Prefixes: []string{"/v1/artifacts", "/v1/collections"}, Function: Function{Name: "artifacts", MemoryMB: 1024, PDF: true, Needs: Needs{
			Records: Writes, Objects: Writes, Index: Writes, Models: true, Chats: true, Embeds: true, Seals: true, Callbacks: true,
			Sends: []string{DefaultQueue}, ReadsIn: []Area{Files}, WritesIn: []Area{Documents, Tasks, Answers, Payloads, Recent},
		}}},
		{Prefixes: []string{"/v1/files", "/v1/blobs"}, Function: Function{Name: "files", MemoryMB: 256, Needs: kept(Files)}},
		{Prefixes: []string{"/v1/skills"}, Function: Function{Name: "skills", MemoryMB: 256, Needs: kept(Skills)}},
		{Prefixes: []string{"/v1/primitives", "/v1/citations"}, Function: Function{Name: "primitives", MemoryMB: 256, Needs: knowledge}},
		{Prefixes: []string{"/v1/tools"}, Function: Function{Name: "tools", MemoryMB: 512, Needs: Needs{
			Records: Reads, Objects: Writes, Index: Reads, Models: true, Chats: true, Embeds: true, Ranks: true, OffersWeb: true,
			SearchesWeb: true, Seals: true,
			Asks: []string{"artifacts"}, ReadsIn: []Area{Documents, Files, Skills}, WritesIn: []Area{Payloads},
		}}},
		{Prefixes: []string{"/mcp"}, Function: Function{Name: "mcp", MemoryMB: 256, Needs: knowledge}},
		{Prefixes: []string{"/v1/admin"}, Function: Function{Name: "admin", MemoryMB: 128, Needs: Needs{
			ReadsIn: []Area{Tasks, Messages, Recent}, WritesIn: []Area{Credentials},
		}}},
		{Prefixes: []string{"/"}, Function: Function{Name: "system", MemoryMB: 128,
			Needs: Needs{Records: Reads, Objects: Reads, Index: Reads, ReadsIn: []Area{Probe}}}},
	}
	// Each asks who calls, and counts what the caller uses.
	for i := range groups {
		n := &groups[i].Needs
		n.Records, n.ReadsIn, n.WritesIn = Writes, append(n.ReadsIn, Credentials), append(n.WritesIn, Usage)
	}
	return groups
}

// Of returns the group with the longest prefix of path, or the last group if
// none matches.
func Of(groups []Group, path string) Group {
	best, longest := len(groups)-1, 0
	for i := range groups {
		for _, prefix := range groups[i].Prefixes {
			if len(prefix) > longest && (path == prefix || below(path, strings.TrimSuffix(prefix, "/"))) {
				best, longest = i, len(prefix)
			}
		}
	}
	return groups[best]
}

func below(path, dir string) bool {
	return strings.HasPrefix(path, dir) && len(path) > len(dir) && path[len(dir)] == '/'
}
