// Package functions lists the groups of endpoints, and the functions of the
// deployment. Each group is one HTTP handler: a route of the local service, and
// a function in the cloud.
package functions

import "strings"

// Group is one handler's share of the API.
type Group struct {
	Name     string
	Prefixes []string // paths that belong to it; the longest match wins
	Streams  bool     // answers as server-sent events
	MemoryMB int      // of its function
	PDF      bool     // its function reads PDF
}

// Architecture is that of the functions in the cloud, as AWS names it.
const Architecture = "arm64"

// Function is one function of the deployment, by the name of its zip.
type Function struct {
	Name     string
	MemoryMB int
	PDF      bool // carries the PDF reader
}

// ArchitectureAmong is that of the function where the others have the given one:
// the PDF reader carries code compiled for x86_64.
func (f Function) ArchitectureAmong(others string) string {
	if f.PDF {
		return "x86_64"
	}
	return others
}

// Functions returns those of the groups, in their order, and after them those
// that no path leads to.
func Functions() []Function {
	var all []Function
	for _, g := range Groups() {
		all = append(all, Function{Name: g.Name, MemoryMB: g.MemoryMB, PDF: g.PDF})
	}
	return append(all,
		Function{Name: "messages-worker", MemoryMB: 256},
		Function{Name: "artifacts-worker", MemoryMB: 1024, PDF: true},
		Function{Name: "files-worker", MemoryMB: 128},
		Function{Name: "system-sweep", MemoryMB: 256},
		Function{Name: "system-setup", MemoryMB: 128},
	)
}

// Groups returns every group. The last one takes what no other does.
//
// The group streams has all that is below /v1/messages/async/: who waits for
// an async message, asks for its status or ends it needs little memory and a
// long time, and should not take the room of those who answer. Its prefix ends
// in a slash, so the start of an async message itself stays with messages; a
// REST API does the same with ANY on /v1/messages/async/{proxy+}.
func Groups() []Group {
	return []Group{
		{Name: "streams", Prefixes: []string{"/v1/messages/async/"}, Streams: true, MemoryMB: 128},
		{Name: "messages", Prefixes: []string{"/v1/messages", "/v1/complete"}, Streams: true, MemoryMB: 256},
		{Name: "tokens", Prefixes: []string{"/v1/messages/count_tokens"}, MemoryMB: 256},
		{Name: "models", Prefixes: []string{"/v1/models"}, MemoryMB: 128},
		{Name: "embeddings", Prefixes: []string{"/v1/embeddings"}, MemoryMB: 256},
		{Name: "artifacts", Prefixes: []string{"/v1/artifacts", "/v1/collections"}, MemoryMB: 1024, PDF: true},
		{Name: "files", Prefixes: []string{"/v1/files", "/v1/blobs"}, MemoryMB: 256},
		{Name: "skills", Prefixes: []string{"/v1/skills"}, MemoryMB: 256},
		{Name: "primitives", Prefixes: []string{"/v1/primitives"}, MemoryMB: 256},
		{Name: "tools", Prefixes: []string{"/v1/tools"}, MemoryMB: 512},
		{Name: "mcp", Prefixes: []string{"/mcp"}, MemoryMB: 256},
		{Name: "system", Prefixes: []string{"/"}, MemoryMB: 128},
	}
}

// Of returns the group that a path belongs to: the one with the longest prefix
// of it, the last where none has one.
func Of(groups []Group, path string) Group {
	best, longest := groups[len(groups)-1], 0
	for _, g := range groups {
		for _, prefix := range g.Prefixes {
			if len(prefix) > longest && (path == prefix || strings.HasPrefix(path, strings.TrimSuffix(prefix, "/")+"/")) {
				best, longest = g, len(prefix)
			}
		}
	}
	return best
}
