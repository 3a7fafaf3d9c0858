package oidc_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"

	"lectern/shared/auth"
	"lectern/shared/auth/oidc"
	"lectern/shared/fault"
)

// provider is an OpenID provider that signs what it is told to.
type provider struct {
	*httptest.Server
	mu    sync.Mutex
	keys  map[string]crypto.Signer
	asked map[string]int
	down  bool
	gives map[string]any // by the token endpoint, for the code "good"
}

func newProvider(t *testing.T) *provider {
	t.Helper()
	p := &provider{keys: map[string]crypto.Signer{}, asked: map[string]int{}}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p.keys["one"] = key
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.asked[r.URL.Path]++
		if p.down {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		if strings.HasSuffix(r.URL.Path, "/openid-configuration") {
			json.NewEncoder(w).Encode(map[string]any{"issuer": p.URL, "jwks_uri": p.URL + "/keys", "authorization_endpoint": p.URL + "/auth",
				"token_endpoint": p.URL + "/token", "id_token_signing_alg_values_supported": []string{"RS256", "ES256", "HS256", "none"}})
			return
		}
		if r.URL.Path == "/token" {
			if r.FormValue("code") != "good" || r.FormValue("client_id") != "page" || r.FormValue("code_verifier") != "verifier" ||
				r.FormValue("redirect_uri") != "https://page.example/" || r.Header.Get("Authorization") != "" {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusBadRequest)
				w.Write([]byte(`{"error":"invalid_grant"}`))
				return
			}
			w.Header().Set("Content-Type", "application/json")
			json.NewEncoder(w).Encode(p.gives)
			return
		}
		var set jose.JSONWebKeySet
		for id, k := range p.keys {
			set.Keys = append(set.Keys, jose.JSONWebKey{Key: k.Public(), KeyID: id, Use: "sig"})
		}
		json.NewEncoder(w).Encode(set)
	}))
	t.Cleanup(p.Close)
	return p
}

func sign(t *testing.T, algorithm jose.SignatureAlgorithm, key any, id string, claims map[string]any) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: jose.JSONWebKey{Key: key, KeyID: id}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := signer.Sign(raw)
	if err != nil {
		t.Fatal(err)
	}
	token, err := signed.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}

type clock struct{ now time.Time }

func (c *clock) read() time.Time { return c.now }

func source(t *testing.T, setting string) (*oidc.Source, *clock) {
	t.Helper()
	o, err := oidc.Parse(setting)
	if err != nil {
		t.Fatal(err)
	}
	c := &clock{time.Now()}
	return oidc.New(o, c.read), c
}

// TestTokens: a genuine token for this service is a caller with the collections of its
// claims; every other one is refused, and says why.
func TestTokens(t *testing.T) {
	p := newProvider(t)
	s, c := source(t, p.URL+"?audience=lectern&audience=other-name&collections=reads")
	good := func(change map[string]any) map[string]any {
		claims := map[string]any{"iss": p.URL, "sub": "ann", "aud": "lectern", "exp": c.now.Add(time.Hour).Unix(), "reads": []string{"handbook"}}
		for name, v := range change {
			if claims[name] = v; v == nil {
				delete(claims, name)
			}
		}
		return claims
	}
	rs := func(change map[string]any) string { return sign(t, jose.RS256, p.keys["one"], "one", good(change)) }
	for name, test := range map[string]struct {
		token string
		want  []string // collections
	}{
		"a list":                 {rs(nil), []string{"handbook"}},
		"several audiences":      {rs(map[string]any{"aud": []string{"else", "other-name"}}), []string{"handbook"}},
		"client_id, without aud": {rs(map[string]any{"aud": nil, "client_id": "lectern", "token_use": "access"}), []string{"handbook"}},
		"a string":               {rs(map[string]any{"reads": "a, b c"}), []string{"a", "b", "c"}},
		"all":                    {rs(map[string]any{"reads": "*"}), nil},
		"no claim":               {rs(map[string]any{"reads": nil}), []string{}},
	} {
		got, ok, err := s.Find(t.Context(), test.token)
		if diff := cmp.Diff(test.want, got.Collections); !ok || err != nil || diff != "" || got.Tenant == "" || got.Key == "" || got.Admin() {
			t.Errorf("%s: %+v, %v, %v\n%s", name, got, ok, err, diff)
		}
	}
	stranger, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(p.keys["one"].Public())
	if err != nil {
		t.Fatal(err)
	}
	payload, err := json.Marshal(good(nil))
	if err != nil {
		t.Fatal(err)
	}
	enc := base64.RawURLEncoding.EncodeToString
	parts := strings.Split(rs(nil), ".")
	for name, token := range map[string]string{
		"expired":                    rs(map[string]any{"exp": c.now.Add(-time.Second).Unix()}),
		"not yet":                    rs(map[string]any{"nbf": c.now.Add(time.Hour).Unix()}),
		"another audience":           rs(map[string]any{"aud": "shop"}),
		"no audience":                rs(map[string]any{"aud": nil}),
		"client_id beside aud":       rs(map[string]any{"aud": "shop", "client_id": "lectern"}),
		"another issuer":             rs(map[string]any{"iss": "https://accounts.example"}),
		"no subject":                 rs(map[string]any{"sub": nil}),
		"odd collections":            rs(map[string]any{"reads": map[string]any{"x": 1}}),
		"a stranger's key":           sign(t, jose.RS256, stranger, "one", good(nil)),
		"an unknown key":             sign(t, jose.RS256, stranger, "two", good(nil)),
		"the public key as a secret": sign(t, jose.HS256, public, "one", good(nil)),
		"no signature":               enc([]byte(`{"alg":"none"}`)) + "." + enc(payload) + ".",
		"other claims":               parts[0] + "." + enc(payload[:len(payload)-1]) + "." + parts[2],
		"garbage":                    "ey.ey.ey",
	} {
		if got, ok, err := s.Find(t.Context(), token); ok || !fault.Is(err, fault.Unauthorized) {
			t.Errorf("%s: %+v, %v, %v", name, got, ok, err)
		}
	}
	for _, token := range []string{"", "lectern-ABC", "ey", "a.b.c"} {
		if _, ok, err := s.Find(t.Context(), token); ok || err != nil {
			t.Errorf("%q is no token: %v, %v", token, ok, err)
		}
	}
	if n := p.asked["/keys"]; n > 2 {
		t.Errorf("the provider was asked %d times for its keys", n)
	}
}

// TestSubjects: two subjects share no sessions, and one has the same in every token.
func TestSubjects(t *testing.T) {
	p := newProvider(t)
	s, c := source(t, p.URL+"?audience=lectern")
	of := func(sub string) auth.Principal {
		got, _, err := s.Find(t.Context(), sign(t, jose.RS256, p.keys["one"], "one",
			map[string]any{"iss": p.URL, "sub": sub, "aud": "lectern", "exp": c.now.Add(time.Hour).Unix(), "jti": rand.Text()}))
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if a, b := of("ann"), of("bob"); a.Tenant == b.Tenant || a.Key == b.Key || of("ann").Tenant != a.Tenant {
		t.Errorf("tenants: %+v, %+v", a, b)
	}
}

// TestProviderChanges: new keys are taken up; a provider that cannot be asked is not
// the caller's fault, and is not asked again and again.
func TestProviderChanges(t *testing.T) {
	p := newProvider(t)
	s, c := source(t, p.URL+"?audience=lectern")
	find := func(id string, algorithm jose.SignatureAlgorithm) error {
		_, ok, err := s.Find(t.Context(), sign(t, algorithm, p.keys[id], id,
			map[string]any{"iss": p.URL, "sub": "ann", "aud": "lectern", "exp": c.now.Add(time.Hour).Unix()}))
		if err == nil && !ok {
			t.Fatalf("a token signed by %s is not known", id)
		}
		return err
	}
	p.down = true
	for range 3 {
		if err := find("one", jose.RS256); !fault.Is(err, fault.Unavailable) {
			t.Fatalf("a provider that is down: %v", err)
		}
	}
	if n := p.asked["/.well-known/openid-configuration"]; n != 1 {
		t.Errorf("a provider that is down was asked %d times", n)
	}
	p.down = false
	c.now = c.now.Add(time.Minute)
	if err := find("one", jose.RS256); err != nil {
		t.Fatal(err)
	}
	two, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	p.keys["two"] = two
	p.mu.Unlock()
	c.now = c.now.Add(time.Minute)
	if err := find("two", jose.ES256); err != nil {
		t.Errorf("a new key: %v", err)
	}
	p.mu.Lock()
	p.down = true
	p.keys["three"] = two
	p.mu.Unlock()
	c.now = c.now.Add(time.Minute)
	if err := find("three", jose.ES256); !fault.Is(err, fault.Unavailable) {
		t.Errorf("an unknown key while the provider is down: %v", err)
	}
	if err := find("one", jose.RS256); err != nil {
		t.Errorf("a known key while the provider is down: %v", err)
	}
}

func TestParse(t *testing.T) {
	got, err := oidc.Parse("https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_abc?audience=a&audience=b&collections=cognito:groups")
	want := oidc.Options{Issuer: "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_abc", Audiences: []string{"a", "b"}, Collections: "cognito:groups"}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	for _, bad := range []string{"", "issuer", "http://issuer.example?audience=a", "https://issuer.example", "https://issuer.example?audience=",
		"https://issuer.example?audience=a&audiences=b", "https://issuer.example?audience=a&scope=email", "https://user:pass@issuer.example?audience=a", "https://issuer.example?audience=a#x",
		"ftp://issuer.example?audience=a", "https://issuer.example?audience=a;b=%zz"} {
		if o, err := oidc.Parse(bad); err == nil {
			t.Errorf("%q is taken: %+v", bad, o)
		}
	}
}

// TestExchange: the code of somebody who signed in on the page gives a token that this
// service accepts, or none.
func TestExchange(t *testing.T) {
	p := newProvider(t)
	s, c := source(t, p.URL+"?audience=page&client=page&scope=email+groups")
	start, err := s.SignIn(t.Context())
	if want := (oidc.Start{Address: p.URL + "/auth", Client: "page", Scopes: []string{"openid", "email", "groups"}}); err != nil || !cmp.Equal(start, want) {
		t.Fatalf("%+v, %v", start, err)
	}
	signed := func(audience string) string {
		return sign(t, jose.RS256, p.keys["one"], "one", map[string]any{"iss": p.URL, "sub": "ann", "aud": audience, "exp": c.now.Add(time.Hour).Unix()})
	}
	mine, other := signed("page"), signed("shop")
	for name, test := range map[string]struct {
		gives map[string]any
		code  string
		want  string
		err   fault.Code
	}{
		"an id token beside an opaque one": {map[string]any{"access_token": "opaque", "token_type": "Bearer", "id_token": mine, "expires_in": 600}, "good", mine, 0},
		"an access token":                  {map[string]any{"access_token": mine, "token_type": "Bearer", "id_token": other, "expires_in": 600}, "good", mine, 0},
		"tokens for another service":       {map[string]any{"access_token": other, "token_type": "Bearer", "id_token": other}, "good", "", fault.Forbidden},
		"a bad code":                       {nil, "bad", "", fault.Malformed},
	} {
		p.gives = test.gives
		token, lasts, err := s.Exchange(t.Context(), test.code, "verifier", "https://page.example/")
		if token != test.want || test.want == "" && !fault.Is(err, test.err) || test.want != "" && (err != nil || lasts < 500*time.Second || lasts > 700*time.Second) {
			t.Errorf("%s: %.20q, %s, %v", name, token, lasts, err)
		}
	}
	p.down = true
	if _, _, err := s.Exchange(t.Context(), "good", "verifier", "https://page.example/"); !fault.Is(err, fault.Unavailable) {
		t.Errorf("a provider that is down: %v", err)
	}
	without, _ := source(t, p.URL+"?audience=page")
	if _, _, err := without.Exchange(t.Context(), "good", "verifier", "https://page.example/"); !fault.Is(err, fault.Unsupported) || without.Offers() {
		t.Errorf("without a client: %v", err)
	}
	var none *oidc.Source
	if _, err := none.SignIn(t.Context()); !fault.Is(err, fault.Unsupported) || none.Offers() {
		t.Errorf("without a provider: %v", err)
	}
}
