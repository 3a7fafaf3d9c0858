// Package eventbus publishes callbacks on an Amazon EventBridge bus, with the
// exchange as the event's source and the routing key as its detail type.
package eventbus

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eventbridge"
	"github.com/aws/aws-sdk-go-v2/service/eventbridge/types"

	"lectern/shared/web/callback"
)

// Bus implements callback.Bus. Safe for concurrent use.
type Bus struct {
	name   string
	client *eventbridge.Client
}

var _ callback.Bus = (*Bus)(nil)

// Open returns a bus by name or ARN, without calling it.
func Open(cfg aws.Config, name string) *Bus {
	return &Bus{name, eventbridge.NewFromConfig(cfg)}
}

// Publish implements callback.Bus. The event's id is listed as a resource,
// because the bus assigns each publication an id of its own.
func (b *Bus) Publish(ctx context.Context, exchange, key, id string, body []byte) error {
	if !json.Valid(body) {
		return fmt.Errorf("the event is not JSON")
	}
	out, err := b.client.PutEvents(ctx, &eventbridge.PutEventsInput{Entries: []types.PutEventsRequestEntry{{
		Source: &exchange, DetailType: &key, Detail: aws.String(string(body)), EventBusName: &b.name, Resources: []string{id},
	}}})
	if err != nil {
		return fmt.Errorf("publish on the bus: %w", err)
	}
	if out.FailedEntryCount > 0 {
		reason := ""
		if len(out.Entries) > 0 {
			reason = aws.ToString(out.Entries[0].ErrorCode) + ": " + aws.ToString(out.Entries[0].ErrorMessage)
		}
		return fmt.Errorf("the bus rejected the event: %s", reason)
	}
	return nil
}
