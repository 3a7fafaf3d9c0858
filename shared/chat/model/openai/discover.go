package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Offer is a model of a server.
type Offer struct {
	ID     string
	Window int // tokens, 0 when the server does not say
}

// Discover lists the models of the server at base, in its order, except those that
// only embed, judged by their names.
func Discover(ctx context.Context, base, key string) ([]Offer, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(base, "/")+"/models", nil)
	if err != nil {
		return nil, err
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, errors.New("the server is unreachable")
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answered with status %d", resp.StatusCode)
	}
	var list struct {
		Data []struct {
			ID     string `json:"id"`
			Window int    `json:"max_model_len"` // vLLM
			Meta   struct {
				Window int `json:"n_ctx_train"` // llama.cpp
			} `json:"meta"`
		} `json:"data"`
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, 8<<20)).Decode(&list); err != nil {
		return nil, errors.New("the server's list of models is not JSON")
	}
	var offers []Offer
	for _, m := range list.Data {
		if m.ID != "" && !strings.Contains(strings.ToLower(m.ID), "embed") {
			offers = append(offers, Offer{m.ID, max(m.Window, m.Meta.Window)})
		}
	}
	if len(offers) == 0 {
		return nil, errors.New("the server has no model")
	}
	return offers, nil
}
