package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// key is a key as the service shows it.
type key struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Hint        string   `json:"hint"`
	Status      string   `json:"status"`
	Key         string   `json:"key"`
	Collections []string `json:"collections"`
	Groups      []string `json:"groups"`
	Requests    *int64   `json:"requests_per_minute"`
	Tokens      *int64   `json:"tokens_per_day"`
	Expires     *string  `json:"expires_at"`
}

const keysPath = "/v1/admin/keys"

// keys makes, lists and revokes keys, and tells what they used.
func (c *Command) keys(ctx context.Context, name string, args []string) (int, error) {
	f, o := c.flags(name)
	collections := f.String("collections", "", "add: comma list of the collections that the key may use; * for all (needed)")
	groups := f.String("groups", "", "add: comma list of the groups of endpoints that it may use, such as messages,files; all when left out")
	tenant := f.String("tenant", "", "add: keys of one tenant share sessions, messages and files")
	requests := f.Int("requests-per-minute", 0, "add: limit of the key")
	tokens := f.Int("tokens-per-day", 0, "add: limit of the key")
	expires := f.String("expires", "", "add: day on which it ends, as 2030-01-31, or moment, as 2030-01-31T12:00:00Z")
	days := f.Int("days", 7, "usage: the last days, 1 to 100")
	words, service, err := o.parse(f, args)
	if err != nil {
		return Failed, err
	}
	verb, names := words[0], words[1:]
	switch {
	case verb == "list" && len(names) == 0:
		return Done, c.listKeys(ctx, service, o.json)
	case verb == "add" && len(names) == 1 && *collections != "":
		terms := map[string]any{"name": names[0], "collections": parts(*collections)}
		if *groups != "" {
			terms["groups"] = parts(*groups)
		}
		if *tenant != "" {
			terms["tenant"] = *tenant
		}
		if *requests != 0 {
			terms["requests_per_minute"] = *requests
		}
		if *tokens != 0 {
			terms["tokens_per_day"] = *tokens
		}
		if *expires != "" {
			if _, err := time.Parse(time.DateOnly, *expires); err == nil {
				*expires += "T00:00:00Z"
			}
			terms["expires_at"] = *expires
		}
		return Done, c.addKey(ctx, service, o.json, terms)
	case verb == "revoke" && len(names) > 0:
		for _, id := range names {
			var gone key
			if err := service.do(ctx, http.MethodDelete, keysPath+"/"+url.PathEscape(id), "", nil, &gone); err != nil {
				return Failed, fmt.Errorf("%s: %w", id, err)
			}
			c.say("%s (%s) is revoked, within 30 s everywhere", gone.ID, printable(gone.Name))
		}
		return Done, nil
	case verb == "usage" && len(names) <= 1:
		return Done, c.usage(ctx, service, o.json, names, *days)
	}
	f.Usage()
	return Failed, errUsage
}

// parts splits a comma list.
func parts(s string) []string {
	out := []string{}
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

func (c *Command) addKey(ctx context.Context, service *api, asJSON bool, terms map[string]any) error {
	var made json.RawMessage
	if err := service.post(ctx, keysPath, terms, &made); err != nil {
		return err
	}
	if asJSON {
		return c.line(made)
	}
	var k key
	if err := json.Unmarshal(made, &k); err != nil {
		return err
	}
	c.say("%s is made; it is shown only now:", k.ID)
	_, err := fmt.Fprintln(c.Out, k.Key)
	return err
}

func (c *Command) listKeys(ctx context.Context, service *api, asJSON bool) error {
	table := tabwriter.NewWriter(c.Out, 0, 0, 2, ' ', 0)
	if !asJSON {
		if _, err := fmt.Fprintln(table, "ID\tNAME\tENDS IN\tSTATUS\tCOLLECTIONS\tGROUPS\tREQUESTS/MIN\tTOKENS/DAY\tEXPIRES"); err != nil {
			return err
		}
	}
	after := ""
	for {
		var page struct {
			Data    []json.RawMessage `json:"data"`
			LastID  string            `json:"last_id"`
			HasMore bool              `json:"has_more"`
		}
		if err := service.do(ctx, http.MethodGet, keysPath+"?limit=100"+after, "", nil, &page); err != nil {
			return err
		}
		for _, raw := range page.Data {
			if asJSON {
				if err := c.line(raw); err != nil {
					return err
				}
				continue
			}
			var k key
			if err := json.Unmarshal(raw, &k); err != nil {
				return err
			}
			if _, err := fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", k.ID, printable(k.Name), printable(k.Hint), k.Status,
				printable(strings.Join(k.Collections, ",")), strings.Join(k.Groups, ","), limit(k.Requests), limit(k.Tokens),
				orDash(k.Expires)); err != nil {
				return err
			}
		}
		if !page.HasMore {
			return table.Flush()
		}
		after = "&after_id=" + url.QueryEscape(page.LastID)
	}
}

func limit(n *int64) string {
	if n == nil {
		return "-"
	}
	return strconv.FormatInt(*n, 10)
}

func orDash(s *string) string {
	if s == nil {
		return "-"
	}
	return *s
}

func (c *Command) usage(ctx context.Context, service *api, asJSON bool, ids []string, days int) error {
	query := url.Values{"limit": {"100"}, "starting_on": {c.Now().UTC().AddDate(0, 0, 1-days).Format(time.DateOnly)}}
	if len(ids) > 0 {
		query.Set("key_id", ids[0])
	}
	table := tabwriter.NewWriter(c.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	if !asJSON {
		if _, err := fmt.Fprintln(table, "DAY\tKEY\tREQUESTS\tREFUSED\tINPUT TOKENS\tOUTPUT TOKENS\t"); err != nil {
			return err
		}
	}
	for {
		var page struct {
			Data    []json.RawMessage `json:"data"`
			LastID  string            `json:"last_id"`
			HasMore bool              `json:"has_more"`
		}
		if err := service.do(ctx, http.MethodGet, "/v1/admin/usage?"+query.Encode(), "", nil, &page); err != nil {
			return err
		}
		for _, raw := range page.Data {
			if asJSON {
				if err := c.line(raw); err != nil {
					return err
				}
				continue
			}
			var d struct {
				Key      string `json:"key_id"`
				Date     string `json:"date"`
				Requests int64  `json:"requests"`
				Refused  int64  `json:"refused"`
				Input    int64  `json:"input_tokens"`
				Output   int64  `json:"output_tokens"`
			}
			if err := json.Unmarshal(raw, &d); err != nil {
				return err
			}
			if _, err := fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t%d\t\n", d.Date, d.Key, d.Requests, d.Refused, d.Input, d.Output); err != nil {
				return err
			}
		}
		if !page.HasMore {
			return table.Flush()
		}
		query.Set("after_id", page.LastID)
	}
}
