// Package eventbus publishes callbacks on an Amazon EventBridge bus: the
// exchange becomes the event's source, the routing key its detail type.
package eventbus

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"

	"lectern/shared/aws/awsjson"
	"lectern/shared/web/callback"
)

// Bus implements callback.Bus. Safe for concurrent use.
type Bus struct {
	name   string
	client awsjson.Client
}

var _ callback.Bus = (*Bus)(nil)

// Open makes a bus of its name or ARN, without calling it.
func Open(cfg aws.Config, name string) *Bus {
	return &Bus{name, awsjson.Client{Config: cfg, Service: "events", Target: "AWSEvents", Version: "1.1"}}
}

type entry struct {
	Source       string
	DetailType   string
	Detail       string
	EventBusName string
	Resources    []string
}

// Publish implements callback.Bus. The event's id stands among its resources,
// because the bus gives each publication an id of its own.
func (b *Bus) Publish(ctx context.Context, exchange, key, id string, body []byte) error {
	if !json.Valid(body) {
		return fmt.Errorf("the event is not JSON")
	}
	var out struct {
		FailedEntryCount int
		Entries          []struct{ ErrorCode, ErrorMessage string }
	}
	in := map[string]any{"Entries": []entry{{exchange, key, string(body), b.name, []string{id}}}}
	if err := b.client.Call(ctx, "PutEvents", in, &out); err != nil {
		return fmt.Errorf("publish on the bus: %w", err)
	}
	if out.FailedEntryCount > 0 {
		reason := ""
		if len(out.Entries) > 0 {
			reason = out.Entries[0].ErrorCode + ": " + out.Entries[0].ErrorMessage
		}
		return fmt.Errorf("the bus refused the event: %s", reason)
	}
	return nil
}
