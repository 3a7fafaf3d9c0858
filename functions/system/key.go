package system

import (
	"context"

	"lectern/shared/auth"
)

// reach is what a key may do, in the words in which keys are made.
type reach struct {
	Admin       bool     `json:"admin" doc:"whether the key has no limits, and so may use /v1/admin"`
	Collections []string `json:"collections" doc:"that it may use; * is all"`
	Groups      []string `json:"groups" doc:"of endpoints that it may use; * is all"`
	PerMinute   *int     `json:"requests_per_minute"`
	PerDay      *int     `json:"tokens_per_day"`
}

func (d Deps) key(ctx context.Context, _ *struct{}) (reach, error) {
	p := auth.From(ctx)
	limit := func(n int) *int {
		if n == 0 {
			return nil
		}
		return &n
	}
	return reach{Admin: p.Admin(), Collections: orAll(p.Collections), Groups: orAll(p.Groups),
		PerMinute: limit(p.Limits.RequestsPerMinute), PerDay: limit(p.Limits.TokensPerDay)}, nil
}

func orAll(names []string) []string {
	if names == nil {
		return []string{"*"}
	}
	return names
}
