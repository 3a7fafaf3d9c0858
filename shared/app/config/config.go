// Package config reads and validates the settings; no other package reads the
// environment. Package app interprets them. It imports no driver, so that infra
// can list the settings.
package config

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lectern/shared/auth"
)

// Setting is one environment variable.
type Setting struct {
	Name, Default, Meaning string
}

// Settings lists every setting, in the order of the README's table.
func Settings() []Setting {
	return []Setting{
		{"LECTERN_ADDR", "127.0.0.1:8080", "listen address of the local service"},
		{"LECTERN_DATA", ".data", "data directory of the embedded drivers; one process at a time"},
		{"LECTERN_CHAT", "extractive:", "chat models, comma list, the first is `default`"},
		{"LECTERN_STRICT_MODELS", "no", "`yes` answers 404 to unknown names of models, those of the `claude` family too"},
		{"LECTERN_EMBEDDING", "minilm:", "embedder of documents and queries"},
		{"LECTERN_RERANK", "", "re-ranking model that judges the first hits of a search"},
		{"LECTERN_OBJECTS", "disk:", "where files and documents are kept"},
		{"LECTERN_RECORDS", "bolt:", "where registries and tasks are kept"},
		{"LECTERN_INDEX", "local:", "where chunks are searched; `opensearch+https://host`, of AWS with `?service=es` or `?service=aoss`"},
		{"LECTERN_SWEEP", "guarded", "`all` lets a sweep free more than a third of what is stored"},
		{"LECTERN_TASKS", "local:", "what runs async messages and ingests"},
		{"LECTERN_WEBHOOK_SECRET", "", "signs callbacks; made at the first start"},
		{"LECTERN_FILES", "session,skills", "namespaces of session files; `none` turns the files API off"},
		{"LECTERN_ORIGINALS", "yes", "`no` keeps the text of what is ingested, and not the file"},
		{"LECTERN_BATCH_DAYS", "29", "days for which a batch is kept with its results, 1 to 366"},
		{"LECTERN_RESPONSE_DAYS", "30", "days for which responses of OpenAI's wire are kept, unless a request says otherwise; 0 keeps none"},
		{"LECTERN_HOSTS", "", "names by which clients reach the service, beside loopback and its own address; counts where no keys are asked for"},
		{"LECTERN_OPEN", "no", "`yes` lets everybody in, without keys, on an address that is not loopback; `key` makes a key at the first start"},
		{"LECTERN_ALLOW_HOSTS", "", "hosts and CIDRs that may be reached although private, by http too"},
		{"LECTERN_SQL_SUPERUSERS", "no",
			"`yes` lets questions be asked of PostgreSQL as a superuser, or as a role that reads its files or runs programs"},
		{"LECTERN_SEARCH_WEB", "", "web search engine: `brave:`, `tavily:`, `searxng+http://host`"},
		{"LECTERN_WEB_ROBOTS", "true", "whether web fetches honour robots.txt"},
		{"LECTERN_KEYS", "", "further keys, `[{\"key\": …, \"collections\": […], \"tenant\": …}]`, or a file of them"},
		{"LECTERN_OIDC", "", "OpenID provider whose bearer tokens count, `https://issuer?audience=name&collections=claim`"},
		{"LECTERN_BODY_LIMIT", "33554432", "largest request body in bytes"},
		{"LECTERN_CORS_ORIGIN", "*", "allowed origin; `none` turns CORS off"},
		{"LECTERN_EVENT_BUS", "", "EventBridge bus on which `amqp` callbacks are published"},
		{"LECTERN_READ_FUNCTION", "", "function that reads documents for the other functions"},
		{"LECTERN_TOOL_FUNCTION", "", "function that runs tools for the other functions"},
		{"LECTERN_SEAL_KEY", "", "base64 of 32 bytes that seal stored requests; made in the data directory when empty"},
		{"LECTERN_BASE_PATH", "", "path before `/v1` that a custom domain of the functions adds"},
		{"LECTERN_AUTHORIZER", "no", "`yes` takes callers and their collections from the authorizer of the functions' API, and asks for no keys"},
		{"LECTERN_BUFFERED", "false", "whether the functions answer in one piece, for a front that cannot stream"},
		{"LECTERN_METRICS", "", "name of the environment, a slash, and of the function, under which functions write metrics of their chats"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "", "OpenTelemetry collector of traces, `http://host:4318`; further `OTEL_` variables of traces count as usual"},
		{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "", "the same with its path, `https://host/v1/traces`"},
		{"OTEL_EXPORTER_OTLP_HEADERS", "", "headers that the collector asks for, `name=value,name=value`"},
		{"LECTERN_LOG", "info", "least level that is logged: debug, info, warn, error"},
		{"SERVER_AUTH_ENABLED", "false", "whether requests need credentials"},
		{"SERVER_AUTH_SECRET", "", "the credential, `Basic <base64 of user:password>`"},
		{"OPENAI_API_KEY", "", "key of `openai+` chat models and embedders"},
		{"ANTHROPIC_API_KEY", "", "key of `anthropic+` chat models"},
		{"BRAVE_API_KEY", "", "key of `brave:`"},
		{"TAVILY_API_KEY", "", "key of `tavily:`"},
		{"PATH", "", "directories in which `tesseract` and `soffice` are looked for"},
	}
}

// Config holds the values of the settings.
type Config struct {
	Addr, Data              string
	Chat                    []string
	NoOriginals             bool // whether files are dropped once they are read
	StrictModels            bool // whether unknown names of the claude family are refused
	Embedding, Rerank       string
	Objects, Records, Index string
	SweepAll                bool // whether a sweep may remove more than a third of what is stored
	Tasks, WebhookSecret    string
	Files                   []string // namespaces; none when files are off
	AllowHosts              []string
	Hosts                   []string // additional names of the service
	SQLSuperusers           bool
	Warnings                []string      // about valid but unsafe settings
	Keys                    *auth.Keyring // of the settings; nil when authentication is off
	OIDC                    string        // provider of tokens that count beside keys; empty without
	Private                 bool          // whether only this machine reaches the service
	MakesKey                bool          // whether Keys is to be made, and kept in the data directory
	BodyLimit               int64
	BatchDays               int64  // for which a batch is kept
	ResponseDays            int64  // for which a response is kept
	Origin                  string // "" when CORS is off
	SealKey                 []byte // empty when none was given
	BasePath                string // of functions
	EventBus                string
	ReadFunction            string
	ToolFunction            string
	Authorizer              bool   // whether the functions' API names the callers
	Buffered                bool   // whether functions answer in one piece
	Metrics                 string // environment and function, "prod/messages"; empty writes none
	Traces, TracesHeaders   string // collector with its path, and what it asks for; empty without
	LogLevel                string
	SearchWeb               string
	BraveKey, TavilyKey     string
	WebRobots               bool // whether web fetches honour robots.txt
	OpenAIKey, AnthropicKey string
	InForce                 []InForce
	Path                    string // list of directories with programs
}

// InForce is a setting as it is in force, without anything secret.
type InForce struct {
	Name, Value string
	Given       bool // false where it is the default
	Meaning     string
}

// secret lists the settings whose values are never shown.
var secret = []string{"LECTERN_KEYS", "LECTERN_WEBHOOK_SECRET", "LECTERN_SEAL_KEY", "SERVER_AUTH_SECRET", "OPENAI_API_KEY",
	"ANTHROPIC_API_KEY", "BRAVE_API_KEY", "TAVILY_API_KEY", "OTEL_EXPORTER_OTLP_HEADERS"}

// shown replaces what is secret in a value: all of it, or passwords and keys within
// addresses.
func shown(name, value string) string {
	if value == "" {
		return ""
	}
	if slices.Contains(secret, name) {
		return "(secret)"
	}
	return inAddress.ReplaceAllString(inQuery.ReplaceAllString(value, "$1(secret)"), "$1(secret)@")
}

var (
	inAddress = regexp.MustCompile(`(://)[^/@,\s]*@`)
	inQuery   = regexp.MustCompile(`(?i)([?&][a-z0-9_-]*(?:key|token|secret|password|signature)=)[^&,\s]*`)
)

// Load reads the settings with getenv, and the file that LECTERN_KEYS may name.
// It reports all problems at once.
func Load(getenv func(string) string) (*Config, error) {
	var problems []error
	get := func(name string) string {
		if v := strings.TrimSpace(getenv(name)); v != "" {
			return v
		}
		for _, s := range Settings() {
			if s.Name == name {
				return s.Default
			}
		}
		panic("config: setting without a row: " + name)
	}
	c := &Config{
		Addr: get("LECTERN_ADDR"), Data: get("LECTERN_DATA"), Chat: drivers(list(get("LECTERN_CHAT"))),
		Embedding: driver(get("LECTERN_EMBEDDING")), Rerank: driver(get("LECTERN_RERANK")),
		Objects: driver(get("LECTERN_OBJECTS")), Records: driver(get("LECTERN_RECORDS")), Index: driver(get("LECTERN_INDEX")),
		Tasks: driver(get("LECTERN_TASKS")), WebhookSecret: get("LECTERN_WEBHOOK_SECRET"),
		Files:      list(get("LECTERN_FILES")),
		AllowHosts: list(get("LECTERN_ALLOW_HOSTS")), Origin: get("LECTERN_CORS_ORIGIN"), LogLevel: get("LECTERN_LOG"),
		OpenAIKey: get("OPENAI_API_KEY"), AnthropicKey: get("ANTHROPIC_API_KEY"), Path: get("PATH"),
	}
	if slices.Equal(c.Files, []string{"none"}) {
		c.Files = nil
	}
	if c.Origin == "none" {
		c.Origin = ""
	}
	switch get("LECTERN_SWEEP") {
	case "guarded":
	case "all":
		c.SweepAll = true
	default:
		problems = append(problems, errors.New("LECTERN_SWEEP should be guarded or all"))
	}
	var err error
	if c.BodyLimit, err = strconv.ParseInt(get("LECTERN_BODY_LIMIT"), 10, 64); err != nil || c.BodyLimit < 1 {
		problems = append(problems, errors.New("LECTERN_BODY_LIMIT should be a number of bytes above 0"))
	}
	if c.BatchDays, err = strconv.ParseInt(get("LECTERN_BATCH_DAYS"), 10, 64); err != nil || c.BatchDays < 1 || c.BatchDays > 366 {
		problems = append(problems, errors.New("LECTERN_BATCH_DAYS should be a number of days from 1 to 366"))
	}
	if c.ResponseDays, err = strconv.ParseInt(get("LECTERN_RESPONSE_DAYS"), 10, 64); err != nil || c.ResponseDays < 0 || c.ResponseDays > 366 {
		problems = append(problems, errors.New("LECTERN_RESPONSE_DAYS should be a number of days from 0 to 366"))
	}
	if c.Buffered, err = strconv.ParseBool(get("LECTERN_BUFFERED")); err != nil {
		problems = append(problems, errors.New("LECTERN_BUFFERED should be true or false"))
	}
	if c.WebRobots, err = strconv.ParseBool(get("LECTERN_WEB_ROBOTS")); err != nil {
		problems = append(problems, errors.New("LECTERN_WEB_ROBOTS should be true or false"))
	}
	c.SearchWeb, c.BraveKey, c.TavilyKey = driver(get("LECTERN_SEARCH_WEB")), get("BRAVE_API_KEY"), get("TAVILY_API_KEY")
	c.EventBus, c.Metrics, c.TracesHeaders = get("LECTERN_EVENT_BUS"), get("LECTERN_METRICS"), get("OTEL_EXPORTER_OTLP_HEADERS")
	if environment, function, ok := strings.Cut(c.Metrics, "/"); c.Metrics != "" && (!ok || environment == "" || function == "") {
		problems = append(problems, errors.New("LECTERN_METRICS should be the environment and the function, like prod/messages"))
	}
	c.Traces = cmp.Or(get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), below(get("OTEL_EXPORTER_OTLP_ENDPOINT"), "/v1/traces"))
	c.BasePath, c.ReadFunction, c.ToolFunction = get("LECTERN_BASE_PATH"), get("LECTERN_READ_FUNCTION"), get("LECTERN_TOOL_FUNCTION")
	if c.SealKey, err = base64.StdEncoding.DecodeString(get("LECTERN_SEAL_KEY")); err != nil || len(c.SealKey) != 0 && len(c.SealKey) != 32 {
		problems = append(problems, errors.New("LECTERN_SEAL_KEY should be the base64 of 32 bytes"))
	}
	c.OIDC = get("LECTERN_OIDC")
	if c.Keys, err = c.keyring(get("SERVER_AUTH_ENABLED"), get("SERVER_AUTH_SECRET"), get("LECTERN_KEYS")); err != nil {
		problems = append(problems, err)
	} else if c.Keys == nil {
		c.MakesKey = get("LECTERN_OPEN") == "key"
		if c.OIDC != "" && !c.MakesKey {
			problems = append(problems, errors.New("LECTERN_OIDC is set but SERVER_AUTH_ENABLED is false"))
		}
		if err := checkAddress(c.Addr, get("LECTERN_OPEN")); err != nil {
			problems = append(problems, err)
		}
	}
	c.Hosts = list(get("LECTERN_HOSTS"))
	c.Private = loopback(c.Addr) && len(c.Hosts) == 0
	switch get("LECTERN_ORIGINALS") {
	case "yes":
	case "no":
		c.NoOriginals = true
	default:
		problems = append(problems, errors.New("LECTERN_ORIGINALS should be yes or no"))
	}
	for name, to := range map[string]*bool{"LECTERN_STRICT_MODELS": &c.StrictModels, "LECTERN_AUTHORIZER": &c.Authorizer,
		"LECTERN_SQL_SUPERUSERS": &c.SQLSuperusers} {
		switch get(name) {
		case "no":
		case "yes":
			*to = true
		default:
			problems = append(problems, fmt.Errorf("%s should be yes or no", name))
		}
	}
	for _, s := range Settings() {
		given := strings.TrimSpace(getenv(s.Name))
		c.InForce = append(c.InForce, InForce{s.Name, shown(s.Name, cmp.Or(given, s.Default)), given != "", s.Meaning})
	}
	if c.Authorizer && c.Keys != nil {
		problems = append(problems, errors.New("LECTERN_AUTHORIZER is yes, so SERVER_AUTH_ENABLED should be false: keys are not looked at"))
	}
	return c, errors.Join(append(problems, c.checkForms()...)...)
}

// below adds a path to an address; nothing to no address.
func below(address, path string) string {
	if address == "" {
		return ""
	}
	return strings.TrimRight(address, "/") + path
}

func list(s string) []string {
	var out []string
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// Lengths of credentials, in characters.
const (
	minKey    = 16 // of LECTERN_KEYS
	minSecret = 16 // of SERVER_AUTH_SECRET; a shorter one causes a warning
)

// keyring builds the accepted credentials. Credentials without authentication,
// and authentication without credentials, are errors, so that no service is
// open by mistake.
func (c *Config) keyring(enabled, secret, file string) (*auth.Keyring, error) {
	on, err := strconv.ParseBool(enabled)
	switch {
	case err != nil:
		return nil, errors.New("SERVER_AUTH_ENABLED should be true or false")
	case !on && secret != "":
		return nil, errors.New("SERVER_AUTH_SECRET is set but SERVER_AUTH_ENABLED is false")
	case !on && file != "":
		return nil, errors.New("LECTERN_KEYS is set but SERVER_AUTH_ENABLED is false")
	case !on:
		return nil, nil
	case secret == "" && file == "" && c.OIDC == "":
		return nil, errors.New("SERVER_AUTH_ENABLED is true but none of SERVER_AUTH_SECRET, LECTERN_KEYS and LECTERN_OIDC is set")
	}
	var keys []auth.Key
	if secret != "" {
		token, ok := strings.CutPrefix(secret, "Basic ")
		if token = strings.TrimSpace(token); !ok || token == "" {
			return nil, errors.New("SERVER_AUTH_SECRET should have the form 'Basic <base64 of user:password>'")
		}
		if len(token) < minSecret {
			c.Warnings = append(c.Warnings, fmt.Sprintf("SERVER_AUTH_SECRET is shorter than %d characters and can be guessed", minSecret))
		}
		keys = append(keys, auth.Key{Key: token})
	}
	more, err := readKeys(file)
	if err != nil {
		return nil, fmt.Errorf("LECTERN_KEYS: %w", err)
	}
	if keys = append(keys, more...); len(keys) == 0 && c.OIDC == "" {
		return nil, errNoKeys
	}
	seen := map[string]bool{}
	for _, k := range keys {
		if seen[k.Key] {
			return nil, errors.New("LECTERN_KEYS: a key is listed twice, or equals SERVER_AUTH_SECRET")
		}
		seen[k.Key] = true
	}
	return auth.NewKeyring(keys), nil
}

// readKeys reads LECTERN_KEYS: a JSON list, or the path of a file with one. Every key
// must list its collections; null means all.
func readKeys(file string) ([]auth.Key, error) {
	if file == "" {
		return nil, nil
	}
	raw := []byte(file)
	if !strings.HasPrefix(file, "[") {
		var err error
		if raw, err = os.ReadFile(file); err != nil {
			return nil, unreadable(file, err)
		}
	}
	var list []struct {
		Key         string          `json:"key"`
		Collections json.RawMessage `json:"collections"`
		Tenant      string          `json:"tenant"`
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&list); err != nil || decoder.More() {
		if name, ok := strings.CutPrefix(fmt.Sprint(err), "json: unknown field "); ok {
			return nil, fmt.Errorf("a key has the unknown member %s; known are key, collections and tenant", name)
		}
		return nil, errors.New("it should hold a JSON list of {key, collections, tenant}")
	}
	if name := repeated(raw); name != "" {
		return nil, fmt.Errorf("a key has the member %q twice", name)
	}
	var keys []auth.Key
	for i, k := range list {
		if len(k.Key) < minKey {
			return nil, fmt.Errorf("key %d is shorter than %d characters", i, minKey)
		}
		if k.Collections == nil {
			return nil, fmt.Errorf("key %d should have collections: a list, or null for all", i)
		}
		key := auth.Key{Key: k.Key, Tenant: k.Tenant}
		if err := json.Unmarshal(k.Collections, &key.Collections); err != nil {
			return nil, fmt.Errorf("key %d: collections should be a list of names, or null for all", i)
		}
		if slices.Contains(key.Collections, "") || slices.Contains(key.Collections, "*") {
			return nil, fmt.Errorf(`key %d: no collection is called "" or "*"; null is every collection`, i)
		}
		if !auth.ValidTenant(k.Tenant) {
			return nil, fmt.Errorf("key %d: tenant should be a name of at most 64 letters, digits, - and _", i)
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// unreadable is the error for a value that is neither a list nor a file. It shows what
// looks like a path alone: anything else may be a key.
func unreadable(value string, err error) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		err = failed.Err
	}
	if strings.HasPrefix(value, "{") || !strings.ContainsAny(value, `/\`) {
		return fmt.Errorf("the value is neither a JSON list of {key, collections, tenant} nor a file with one (%w)", err)
	}
	return fmt.Errorf("the file %s cannot be read: %w", value, err)
}

// repeated returns a member that one of the objects in a list has twice, of which the
// decoder would take the last.
func repeated(list []byte) string {
	var objects []json.RawMessage
	if json.Unmarshal(list, &objects) != nil {
		return ""
	}
	for _, o := range objects {
		seen := map[string]bool{}
		d := json.NewDecoder(bytes.NewReader(o))
		var value json.RawMessage
		for _, err := d.Token(); err == nil && d.More(); err = d.Decode(&value) {
			token, _ := d.Token() // of an object that was decoded before
			name, _ := token.(string)
			if name = strings.ToLower(name); seen[name] {
				return name
			}
			seen[name] = true
		}
	}
	return ""
}

// checkAddress rejects an address that other machines can reach without
// authentication, unless the operator confirms it.
func checkAddress(addr, open string) error {
	if !slices.Contains([]string{"no", "yes", "key"}, open) {
		return errors.New("LECTERN_OPEN should be no, yes or key")
	}
	if loopback(addr) || checkPort(addr) != nil || open != "no" {
		return nil
	}
	return fmt.Errorf("LECTERN_ADDR %s can be reached from other machines without authentication: set SERVER_AUTH_ENABLED=true with SERVER_AUTH_SECRET or LECTERN_KEYS, "+
		"or LECTERN_OPEN=key for a key that is made at the first start, or LECTERN_OPEN=yes if everybody may read and delete everything", addr)
}

// loopback reports whether only this machine reaches an address.
func loopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}
