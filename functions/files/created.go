package files

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// created is the event that EventBridge sends when a bucket has stored an object.
//
// Source: Amazon S3, "EventBridge event message structure".
type created struct {
	Detail struct {
		Object struct {
			Key string `json:"key"`
		} `json:"object"`
	} `json:"detail"`
}

// Created registers an object that was uploaded by a signed request as a file,
// given the bucket's event. It ignores objects that belong to no upload and is
// idempotent. On an error the event is delivered again.
func (d Deps) Created(ctx context.Context, event json.RawMessage) (any, error) {
	var e created
	if err := json.Unmarshal(event, &e); err != nil {
		return nil, fmt.Errorf("decode bucket event: %w", err)
	}
	if e.Detail.Object.Key == "" {
		return nil, errors.New("the event names no object")
	}
	return nil, d.Files.Register(ctx, e.Detail.Object.Key)
}
