package lambdahttp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"

	"lectern/shared/auth"
	"lectern/shared/fault"
)

type authorizerKey struct{}

// Caller returns the caller that the API's authorizer has named. A request that
// it did not see is fault.Unauthorized.
//
// principalId says who it is; each has sessions, messages and uploads of its own.
// collections in the authorizer's context says what it may use: "*" is every
// collection, a JSON list of names those; without it, none.
func Caller(r *http.Request) (auth.Principal, error) {
	said, _ := r.Context().Value(authorizerKey{}).(map[string]any)
	id, _ := said["principalId"].(string)
	if id == "" {
		return auth.Principal{}, fault.New(fault.Unauthorized, "the API's authorizer has named no principal")
	}
	sum := sha256.Sum256([]byte(id))
	p := auth.Principal{Tenant: "principal-" + hex.EncodeToString(sum[:12]), Collections: []string{}}
	switch text, _ := said["collections"].(string); text {
	case "":
	case "*":
		p.Collections = nil
	default:
		if err := json.Unmarshal([]byte(text), &p.Collections); err != nil || p.Collections == nil {
			return auth.Principal{}, fault.New(fault.Forbidden, `the authorizer's collections should be "*" or a JSON list of names`)
		}
	}
	return p, nil
}

func withAuthorizer(ctx context.Context, said map[string]any) context.Context {
	if said == nil {
		return ctx
	}
	return context.WithValue(ctx, authorizerKey{}, said)
}
