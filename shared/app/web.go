package app

import (
	"errors"
	"net/url"
	"strings"

	"lectern/shared/config"
	"lectern/shared/web"
	"lectern/shared/web/engines"
)

// SearchWeb is the web search engine; nil when none is set up.
func SearchWeb(c *config.Config) (web.Searcher, error) {
	address, isSearXNG := strings.CutPrefix(c.SearchWeb, "searxng+")
	switch {
	case c.SearchWeb == "":
		return nil, nil
	case c.SearchWeb == "brave:" && c.BraveKey == "", c.SearchWeb == "tavily:" && c.TavilyKey == "":
		return nil, errors.New("LECTERN_SEARCH_WEB: " + c.SearchWeb + " needs its key, " + strings.ToUpper(strings.TrimSuffix(c.SearchWeb, ":")) + "_API_KEY")
	case c.SearchWeb == "brave:":
		return engines.Brave("https://api.search.brave.com", c.BraveKey), nil
	case c.SearchWeb == "tavily:":
		return engines.Tavily("https://api.tavily.com", c.TavilyKey), nil
	}
	if u, err := url.Parse(address); !isSearXNG || err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("LECTERN_SEARCH_WEB should be brave:, tavily: or searxng+http://host")
	}
	return engines.SearXNG(strings.TrimRight(address, "/")), nil
}
