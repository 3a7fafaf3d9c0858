package message

import (
	"bytes"
	"time"
)

// Stop reasons.
const (
	StopEndTurn   = "end_turn"
	StopMaxTokens = "max_tokens"
	StopSequence  = "stop_sequence"
	StopToolUse   = "tool_use"
	StopPauseTurn = "pause_turn"
	StopRefusal   = "refusal"
	StopCancelled = "cancelled" // ours, of a cancelled async stream
)

// Message is a chat's answer.
//
// Source: API "Message (chat response)".
type Message struct {
	ID           string         `json:"id"`
	Type         string         `json:"type"`
	Role         string         `json:"role"`
	Model        string         `json:"model"`
	Content      Content        `json:"content"`
	StopReason   *string        `json:"stop_reason"`
	StopSequence *string        `json:"stop_sequence"`
	StopDetails  *StopDetails   `json:"stop_details"`
	Container    *ContainerInfo `json:"container"`
	Usage        Usage          `json:"usage"`
}

// AppendJSON appends what encoding/json writes of the message, without going
// over its blocks twice.
func (m *Message) AppendJSON(out []byte) ([]byte, error) {
	head := *m
	head.Content = nil
	raw, err := Marshal(&head)
	if err != nil {
		return out, err
	}
	const empty = `"content":[]`
	at := bytes.Index(raw, []byte(empty))
	out = append(out, raw[:at+len(empty)-1]...)
	for i, b := range m.Content {
		if i > 0 {
			out = append(out, ',')
		}
		if out, err = AppendBlock(out, b); err != nil {
			return out, err
		}
	}
	return append(out, raw[at+len(empty)-1:]...), nil
}

// StopDetails explains a refusal or a pause.
type StopDetails struct {
	Type        string `json:"type"`
	Category    string `json:"category,omitempty"`
	Explanation string `json:"explanation,omitempty"`
}

// ContainerInfo is the session that was used.
type ContainerInfo struct {
	ID        string    `json:"id"`
	ExpiresAt time.Time `json:"expires_at"`
}

// Usage counts tokens and searches.
type Usage struct {
	InputTokens         int            `json:"input_tokens"`
	OutputTokens        int            `json:"output_tokens"`
	CacheCreationTokens int            `json:"cache_creation_input_tokens"`
	CacheReadTokens     int            `json:"cache_read_input_tokens"`
	CacheCreation       *CacheCreation `json:"cache_creation"`
	ServerToolUse       *ServerUse     `json:"server_tool_use"`
	InferenceGeo        *string        `json:"inference_geo"`
	ServiceTier         *string        `json:"service_tier"`
}

// CacheCreation splits the tokens written to a cache by their life.
type CacheCreation struct {
	Hour        int `json:"ephemeral_1h_input_tokens"`
	FiveMinutes int `json:"ephemeral_5m_input_tokens"`
}

// ServerUse counts what server tools did.
type ServerUse struct {
	WebFetch  int `json:"web_fetch_requests"`
	WebSearch int `json:"web_search_requests"`
}

// Add sums the counts of another turn of the same answer into u.
func (u *Usage) Add(v Usage) {
	u.InputTokens += v.InputTokens
	u.OutputTokens += v.OutputTokens
	u.CacheCreationTokens += v.CacheCreationTokens
	u.CacheReadTokens += v.CacheReadTokens
	if v.CacheCreation != nil {
		if u.CacheCreation == nil {
			u.CacheCreation = &CacheCreation{}
		}
		u.CacheCreation.Hour += v.CacheCreation.Hour
		u.CacheCreation.FiveMinutes += v.CacheCreation.FiveMinutes
	}
	if v.InferenceGeo != nil {
		u.InferenceGeo = v.InferenceGeo
	}
	if v.ServiceTier != nil {
		u.ServiceTier = v.ServiceTier
	}
}
