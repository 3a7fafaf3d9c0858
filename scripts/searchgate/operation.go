package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// operation is one that a collection of vectors has. What is not listed it does
// not have: refreshes, scrolls, deletes and updates by query, ids of one's own.
//
// Source: Amazon OpenSearch Service, "Supported operations and plugins in Amazon
// OpenSearch Serverless".
type operation struct {
	methods    string // separated by spaces
	path       string // a pattern; {i} is an index
	permission string // of a policy of data
}

var operations = []operation{
	{"PUT", "/{i}", "aoss:CreateIndex"},
	{"DELETE", "/{i}", "aoss:DeleteIndex"},
	{"GET HEAD", "/{i}", "aoss:DescribeIndex"},
	{"GET", "/{i}/_mappings?", "aoss:DescribeIndex"},
	{"GET", "/{i}/_settings?(/[^/]+)?", "aoss:DescribeIndex"},
	{"GET", "/_cat/indices(/[^/]+)?", "aoss:DescribeIndex"},
	{"GET", "/_resolve/index/[^/]+", "aoss:DescribeIndex"},
	{"POST PUT", "/{i}/_mappings?", "aoss:UpdateIndex"},
	{"PUT", "/{i}/_settings?", "aoss:UpdateIndex"},
	{"POST PUT", "(/{i})?/_bulk", "aoss:WriteDocument"},
	{"POST", "/{i}/_doc", "aoss:WriteDocument"},
	{"DELETE", "/{i}/_doc/[^/]+", "aoss:WriteDocument"},
	{"POST", "/{i}/_update/[^/]+", "aoss:WriteDocument"},
	{"GET POST", "(/{i})?/_m?search", "aoss:ReadDocument"},
	{"GET POST", "(/{i})?/_count", "aoss:ReadDocument"},
	{"GET POST", "(/{i})?/_mget", "aoss:ReadDocument"},
	{"GET HEAD", "/{i}/_(doc|source)/[^/]+", "aoss:ReadDocument"},
	{"GET POST", "/{i}/_(explain|field_caps|analyze|validate/query)(/[^/]+)?", "aoss:ReadDocument"},
}

// find returns the operation of a request, and its index, which may be empty.
func find(method, path string) (op operation, index string, ok bool) {
	for _, op := range operations {
		pattern := regexp.MustCompile("^" + strings.ReplaceAll(op.path, "{i}", "([^_/][^/]*)") + "$")
		m := pattern.FindStringSubmatch(path)
		if m == nil || !strings.Contains(" "+op.methods+" ", " "+method+" ") {
			continue
		}
		if len(m) > 1 && strings.Contains(op.path, "{i}") {
			index = strings.TrimPrefix(m[1], "/")
		}
		return op, index, true
	}
	return operation{}, "", false
}

// refusal is an answer of the collection itself.
type refusal struct {
	status       int
	kind, reason string
}

func (r *refusal) body() []byte {
	cause := map[string]any{"type": r.kind, "reason": r.reason}
	body, err := json.Marshal(map[string]any{"error": map[string]any{"type": r.kind, "reason": r.reason, "root_cause": []any{cause}}, "status": r.status})
	if err != nil {
		return nil // strings and numbers always encode
	}
	return body
}

func invalid(format string, args ...any) *refusal {
	return &refusal{http.StatusBadRequest, "illegal_argument_exception", fmt.Sprintf(format, args...)}
}

// check returns why a collection would refuse an operation's parameters and body.
func check(op operation, query url.Values, body []byte) *refusal {
	for _, name := range []string{"refresh", "scroll", "routing", "pipeline", "wait_for_active_shards", "op_type"} {
		if query.Has(name) {
			return invalid("the parameter %s is not supported", name)
		}
	}
	switch op.permission {
	case "aoss:CreateIndex", "aoss:UpdateIndex":
		return checkIndex(body)
	case "aoss:WriteDocument":
		if strings.HasSuffix(op.path, "_bulk") {
			return checkBulk(body)
		}
	case "aoss:ReadDocument":
		if found := member(body, "script", "scroll", "script_fields", "runtime_mappings"); found != "" {
			return invalid("%s is not supported", found)
		}
	}
	return nil
}

// checkIndex: a collection chooses engine, method, replicas and refreshes itself.
func checkIndex(body []byte) *refusal {
	for _, name := range []string{"engine", "method", "model_id", "compression_level"} {
		if member(body, name) != "" {
			return &refusal{http.StatusBadRequest, "mapper_parsing_exception", "Field parameter '" + name + "' is not supported"}
		}
	}
	if found := member(body, "refresh_interval", "number_of_replicas", "number_of_shards"); found != "" {
		return invalid("the setting %s is not supported", found)
	}
	return nil
}

// checkBulk: ids are the collection's.
func checkBulk(body []byte) *refusal {
	lines := bytes.Split(bytes.TrimRight(body, "\n"), []byte("\n"))
	for i := 0; i < len(lines); i++ {
		var action map[string]map[string]any
		if err := json.Unmarshal(lines[i], &action); err != nil || len(action) != 1 {
			return invalid("line %d is no action", i+1)
		}
		for verb, of := range action {
			_, id := of["_id"]
			switch verb {
			case "index", "create":
				if id {
					return invalid("Document ID is not supported in create/index operation request")
				}
				i++
			case "update":
				i++
			case "delete":
			default:
				return invalid("line %d is no action", i+1)
			}
			if _, routed := of["routing"]; routed {
				return invalid("routing is not supported")
			}
		}
	}
	return nil
}

// member returns the first of the names that is a member of any object of the
// JSON values in body.
func member(body []byte, names ...string) string {
	d := json.NewDecoder(bytes.NewReader(body))
	for {
		var v any
		if err := d.Decode(&v); err != nil {
			return ""
		}
		for _, name := range names {
			if has(v, name) {
				return name
			}
		}
	}
}

func has(v any, name string) bool {
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			if k == name || strings.HasSuffix(k, "."+name) || has(inner, name) {
				return true
			}
		}
	case []any:
		for _, inner := range v {
			if has(inner, name) {
				return true
			}
		}
	}
	return false
}
