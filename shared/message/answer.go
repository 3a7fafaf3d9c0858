package message

import "time"

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
