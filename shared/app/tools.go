package app

import "lectern/shared/app/config"

// Place is where a tool runs in a deployment of functions. In the local service
// every tool runs in the one process.
type Place int

const (
	// InChat tools run in each function that answers chats.
	InChat Place = iota
	// InTools tools run in the function of the group tools, because they link
	// database drivers or readers of web pages.
	InTools
)

// Tool is a row of the table of tools.
type Tool struct {
	Type string // of tools[].type
	Runs Place
}

// Tools lists the tools of the service, given the settings. The types are
// repeated here because importing the tools' packages would link them; a test
// compares the table with the tools.
func Tools(c *config.Config) []Tool {
	list := []Tool{
		{"semantic_search_v1", InChat},
		{"skills_v1", InChat},
		{"tool_search_tool_regex", InChat},
		{"tool_search_tool_bm25", InChat},
		{"database_query_v1", InTools},
		{"tabular_analysis_v1", InTools},
		{"web_fetch_v1", InTools},
	}
	if c.SearchWeb != "" {
		list = append(list, Tool{"web_search_v1", InTools})
	}
	return list
}
