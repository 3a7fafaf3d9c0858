package system

import (
	"context"
	"strings"
)

type signIn struct {
	Available bool   `json:"available"`
	Address   string `json:"authorization_endpoint,omitempty"`
	Client    string `json:"client_id,omitempty"`
	Scope     string `json:"scope,omitempty"`
}

func (d Deps) signIn(ctx context.Context, _ *struct{}) (signIn, error) {
	if !d.OIDC.Offers() {
		return signIn{}, nil
	}
	start, err := d.OIDC.SignIn(ctx)
	if err != nil {
		return signIn{}, err
	}
	return signIn{true, start.Address, start.Client, strings.Join(start.Scopes, " ")}, nil
}

type code struct {
	Code     string `json:"code" required:"true" minlen:"1" maxlen:"4096"`
	Verifier string `json:"code_verifier" required:"true" minlen:"43" maxlen:"128" doc:"of PKCE, by which the code was asked for"`
	Redirect string `json:"redirect_uri" required:"true" minlen:"1" maxlen:"2048" doc:"the page to which the provider sent the code"`
}

type signedIn struct {
	Token string `json:"access_token" doc:"to send as a bearer token"`
	Lasts int    `json:"expires_in" doc:"seconds"`
}

func (d Deps) signedIn(ctx context.Context, in *code) (signedIn, error) {
	token, lasts, err := d.OIDC.Exchange(ctx, in.Code, in.Verifier, in.Redirect)
	return signedIn{token, int(lasts.Seconds())}, err
}
