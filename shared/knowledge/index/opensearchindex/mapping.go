package opensearchindex

import (
	"encoding/json"
	"fmt"
	"strings"

	"lectern/shared/knowledge/index"
)

// mappingVersion changes with the mapping and with what goes into its fields.
const mappingVersion = 1

// Fields of a document. The chunk itself lies unindexed in fieldChunk.
const (
	fieldID         = "id"
	fieldCollection = "collection"
	fieldArtifact   = "artifact"
	fieldGeneration = "generation"
	fieldOrder      = "order"
	fieldStems      = "stems"
	fieldGrams      = "grams"
	fieldWords      = "words"      // number of words
	fieldGramTotal  = "gram_total" // number of 4-grams
	fieldBytes      = "bytes"
	fieldMetadata   = "metadata"
	fieldVector     = "vector"
	fieldChunk      = "chunk"
)

type meta struct {
	Embedder   string `json:"embedder"`
	Dimensions int    `json:"dimensions"`
	Mapping    int    `json:"mapping"`
	Store      string `json:"store,omitempty"` // id of the set of stores that the index belongs to
}

func metaOf(s index.Stamp) meta {
	return meta{Embedder: s.Embedder, Dimensions: s.Dimensions, Mapping: mappingVersion}
}

// Name returns the name of the index for an embedder: one per model,
// dimension and version of the mapping.
func Name(prefix string, s index.Stamp) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '.':
			return r
		}
		return '-'
	}, strings.ToLower(s.Embedder))
	return fmt.Sprintf("%s-%s-%d-v%d", prefix, strings.Trim(clean, "-."), s.Dimensions, mappingVersion)
}

// Mapping returns the body that makes the index: settings and a strict
// mapping. refresh is the refresh interval, such as "1s"; "" leaves the
// server's, and a serverless collection takes no other.
func Mapping(server Server, s index.Stamp, refresh string) []byte {
	keyword := map[string]any{"type": "keyword"}
	tokens := map[string]any{"type": "text", "analyzer": "whitespace", "index_options": "freqs"}
	number := map[string]any{"type": "integer"}
	properties := map[string]any{
		fieldID: keyword, fieldCollection: keyword, fieldArtifact: keyword, fieldGeneration: keyword,
		fieldOrder: number, fieldWords: number, fieldGramTotal: number, fieldBytes: map[string]any{"type": "long"},
		fieldStems: tokens, fieldGrams: tokens,
		fieldMetadata: map[string]any{"type": "keyword", "doc_values": false},
		fieldChunk:    map[string]any{"type": "object", "enabled": false},
	}
	if s.Dimensions > 0 {
		properties[fieldVector] = server.vectorField(s.Dimensions)
	}
	settings := map[string]any{"knn": s.Dimensions > 0}
	if refresh != "" {
		settings["refresh_interval"] = refresh
	}
	body, err := json.Marshal(map[string]any{
		"settings": map[string]any{"index": settings},
		"mappings": map[string]any{
			"dynamic": "strict", "_meta": metaOf(s), "properties": properties,
			"_source": map[string]any{"excludes": []string{fieldVector, fieldStems, fieldGrams, fieldMetadata}},
		},
	})
	if err != nil {
		return nil // maps of strings and numbers always encode
	}
	return body
}
