package message

import (
	"strconv"
	"time"

	"lectern/shared/api/schema"
)

// Stop reasons.
const (
	StopEndTurn   = "end_turn"
	StopMaxTokens = "max_tokens"
	StopSequence  = "stop_sequence"
	StopToolUse   = "tool_use"
	StopPauseTurn = "pause_turn"
	StopRefusal   = "refusal"
	StopCancelled = "cancelled" // our extension: the async message was cancelled
)

// Message is the answer to a chat.
type Message struct {
	ID           string         `json:"id"`
	Type         string         `json:"type" enum:"message"`
	Role         string         `json:"role" enum:"assistant"`
	Model        string         `json:"model"`
	Content      Content        `json:"content"`
	StopReason   *string        `json:"stop_reason" enum:"end_turn,max_tokens,stop_sequence,tool_use,pause_turn,refusal,cancelled"`
	StopSequence *string        `json:"stop_sequence"`
	StopDetails  *StopDetails   `json:"stop_details"`
	Container    *ContainerInfo `json:"container"`
	Usage        Usage          `json:"usage"`
}

// AppendJSON appends the JSON of the message, equal to that of encoding/json; see
// AppendString for why it is written by hand.
func (m *Message) AppendJSON(out []byte) ([]byte, error) {
	out = AppendString(append(out, `{"id":`...), m.ID)
	out = AppendString(append(out, `,"type":`...), m.Type)
	out = AppendString(append(out, `,"role":`...), m.Role)
	out = AppendString(append(out, `,"model":`...), m.Model)
	out = append(out, `,"content":[`...)
	var err error
	for i, b := range m.Content {
		if i > 0 {
			out = append(out, ',')
		}
		if out, err = AppendBlock(out, b); err != nil {
			return out, err
		}
	}
	out = appendText(append(out, `],"stop_reason":`...), m.StopReason)
	if out, err = appendStop(out, m.StopSequence, m.StopDetails, m.Container); err != nil {
		return out, err
	}
	return append(m.Usage.append(append(out, `,"usage":`...)), '}'), nil
}

// appendStop appends the fields that follow a stop reason.
func appendStop(out []byte, sequence *string, details *StopDetails, container *ContainerInfo) ([]byte, error) {
	out = appendText(append(out, `,"stop_sequence":`...), sequence)
	out, err := appendRare(append(out, `,"stop_details":`...), details)
	if err != nil {
		return out, err
	}
	return appendRare(append(out, `,"container":`...), container)
}

// appendRare appends a field that most answers lack.
func appendRare[T any](out []byte, v *T) ([]byte, error) {
	if v == nil {
		return append(out, "null"...), nil
	}
	raw, err := schema.Marshal(v)
	return append(out, raw...), err
}

func appendText(out []byte, s *string) []byte {
	if s == nil {
		return append(out, "null"...)
	}
	return AppendString(out, *s)
}

// StopDetails explains a refusal or a pause.
type StopDetails struct {
	Type        string  `json:"type" enum:"refusal,pause_turn"`
	Category    *string `json:"category" doc:"the policy that a refusal rests on, where the provider names one"`
	Explanation *string `json:"explanation"`
}

// NewStopDetails makes details without a category.
func NewStopDetails(kind, explanation string) *StopDetails {
	return &StopDetails{Type: kind, Explanation: &explanation}
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

func (u *Usage) append(out []byte) []byte {
	out = strconv.AppendInt(append(out, `{"input_tokens":`...), int64(u.InputTokens), 10)
	out = strconv.AppendInt(append(out, `,"output_tokens":`...), int64(u.OutputTokens), 10)
	out = strconv.AppendInt(append(out, `,"cache_creation_input_tokens":`...), int64(u.CacheCreationTokens), 10)
	out = strconv.AppendInt(append(out, `,"cache_read_input_tokens":`...), int64(u.CacheReadTokens), 10)
	out = append(out, `,"cache_creation":`...)
	if c := u.CacheCreation; c != nil {
		out = strconv.AppendInt(append(out, `{"ephemeral_1h_input_tokens":`...), int64(c.Hour), 10)
		out = append(strconv.AppendInt(append(out, `,"ephemeral_5m_input_tokens":`...), int64(c.FiveMinutes), 10), '}')
	} else {
		out = append(out, "null"...)
	}
	out = append(out, `,"server_tool_use":`...)
	if s := u.ServerToolUse; s != nil {
		out = strconv.AppendInt(append(out, `{"web_fetch_requests":`...), int64(s.WebFetch), 10)
		out = append(strconv.AppendInt(append(out, `,"web_search_requests":`...), int64(s.WebSearch), 10), '}')
	} else {
		out = append(out, "null"...)
	}
	out = appendText(append(out, `,"inference_geo":`...), u.InferenceGeo)
	return append(appendText(append(out, `,"service_tier":`...), u.ServiceTier), '}')
}

// CacheCreation splits the tokens written to a cache by their lifetime.
type CacheCreation struct {
	Hour        int `json:"ephemeral_1h_input_tokens"`
	FiveMinutes int `json:"ephemeral_5m_input_tokens"`
}

// ServerUse counts what server tools did.
type ServerUse struct {
	WebFetch  int `json:"web_fetch_requests"`
	WebSearch int `json:"web_search_requests"`
}

// Add adds the counts of another turn of the same answer to u.
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
