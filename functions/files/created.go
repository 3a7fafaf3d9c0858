package files

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// created is what EventBridge tells of an object that a bucket has stored.
//
// Source: Amazon S3, "EventBridge event message structure".
type created struct {
	Detail struct {
		Object struct {
			Key string `json:"key"`
		} `json:"object"`
	} `json:"detail"`
}

// Created makes a file of an object that a signed request has stored, given
// the bucket's event about it. Objects that belong to no upload are left alone,
// and an event may come any number of times. An error asks for it again.
func (d Deps) Created(ctx context.Context, event json.RawMessage) (any, error) {
	var e created
	if err := json.Unmarshal(event, &e); err != nil {
		return nil, fmt.Errorf("decode the bucket's event: %w", err)
	}
	if e.Detail.Object.Key == "" {
		return nil, errors.New("the event names no object")
	}
	return nil, d.Files.Register(ctx, e.Detail.Object.Key)
}
