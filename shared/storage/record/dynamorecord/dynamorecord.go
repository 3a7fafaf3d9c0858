// Package dynamorecord keeps records in one DynamoDB table: the cloud driver.
//
// The table has a partition key "pk" and a sort key "sk", both strings, and
// expiry on the number "ttl"; the deployment makes it. An item's value is
// the binary "v", its version the string "ver". No transactions are used.
package dynamorecord

import (
	"cmp"
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"lectern/shared/fault"
	"lectern/shared/storage/record"
)

const (
	maxGet   = 100 // keys of a BatchGetItem
	maxWrite = 25  // items of a BatchWriteItem
	maxTries = 10
	maxPause = 5 * time.Second // between two tries
)

// Options are the store's settings.
type Options struct {
	Now func() time.Time // time.Now when nil

	pause time.Duration // the longest between two tries; maxPause when 0
}

// Store implements record.Store on one table.
type Store struct {
	client *dynamodb.Client
	table  string
	now    func() time.Time
	pause  time.Duration
	closed atomic.Bool
}

// Open returns the store that a URL like dynamodb://table names. It makes no
// call.
func Open(rawURL string, cfg aws.Config, o Options) (*Store, error) {
	u, err := url.Parse(rawURL)
	if err != nil || u.Scheme != "dynamodb" || u.Host == "" || u.Path != "" {
		return nil, fmt.Errorf("a record store in DynamoDB is dynamodb://table, not %q", rawURL)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.pause = cmp.Or(o.pause, maxPause)
	patient := func(r *retry.StandardOptions) {
		// Each call uses up its own tries. The SDK's quota of retries is shared by all
		// calls of a process, so that a busy table would fail calls that have just started.
		r.MaxAttempts, r.MaxBackoff, r.RateLimiter = maxTries, o.pause, ratelimit.None
		r.Retryables = append(r.Retryables, retry.IsErrorRetryableFunc(brokenOff))
	}
	client := dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) { o.Retryer = retry.NewStandard(patient) })
	return &Store{client: client, table: u.Host, now: o.Now, pause: o.pause}, nil
}

// brokenOff finds answers that end in their middle, which the SDK takes for answers
// that cannot be read.
func brokenOff(err error) aws.Ternary {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return aws.TrueTernary
	}
	return aws.UnknownTernary
}

// Close implements record.Store.
func (s *Store) Close() error {
	s.closed.Store(true)
	return nil
}

// Find implements record.Store.
func (s *Store) Find(ctx context.Context, key record.Key) (record.Item, error) {
	if err := record.CheckKey(key); err != nil {
		return record.Item{}, err
	}
	if err := s.open(); err != nil {
		return record.Item{}, err
	}
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &s.table, Key: keyOf(key), ConsistentRead: aws.Bool(true)})
	if err != nil {
		return record.Item{}, classify(ctx, err)
	}
	it, ok := s.decode(out.Item)
	if !ok {
		return record.Item{}, fault.New(fault.NotFound, "no record %q in %q", key.Sort, key.Partition)
	}
	return it, nil
}

// FindMany implements record.Store.
func (s *Store) FindMany(ctx context.Context, keys []record.Key) ([]record.Item, error) {
	var unique []record.Key
	seen := make(map[record.Key]bool, len(keys))
	for _, k := range keys {
		if err := record.CheckKey(k); err != nil {
			return nil, err
		}
		if !seen[k] {
			seen[k] = true
			unique = append(unique, k)
		}
	}
	if err := s.open(); err != nil {
		return nil, err
	}
	found := make(map[record.Key]record.Item, len(unique))
	for start := 0; start < len(unique); start += maxGet {
		if err := s.getBatch(ctx, unique[start:min(start+maxGet, len(unique))], found); err != nil {
			return nil, err
		}
	}
	var items []record.Item
	for _, k := range unique {
		if it, ok := found[k]; ok {
			items = append(items, it)
		}
	}
	return items, nil
}

func (s *Store) getBatch(ctx context.Context, keys []record.Key, found map[record.Key]record.Item) error {
	request := types.KeysAndAttributes{ConsistentRead: aws.Bool(true)}
	for _, k := range keys {
		request.Keys = append(request.Keys, keyOf(k))
	}
	for try := 0; ; try++ {
		out, err := s.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{s.table: request}})
		if err != nil {
			return classify(ctx, err)
		}
		for _, attributes := range out.Responses[s.table] {
			if it, ok := s.decode(attributes); ok {
				found[it.Key] = it
			}
		}
		rest, more := out.UnprocessedKeys[s.table]
		if !more || len(rest.Keys) == 0 {
			return nil
		}
		// An answer full of large items leaves some over: that is progress.
		if len(rest.Keys) < len(request.Keys) {
			try = 0
		}
		request.Keys = rest.Keys
		if err := s.wait(ctx, try); err != nil {
			return err
		}
	}
}

// Put implements record.Store.
func (s *Store) Put(ctx context.Context, item record.Item, cond record.Condition) error {
	if err := record.CheckItem(item); err != nil {
		return err
	}
	if err := s.open(); err != nil {
		return err
	}
	if item.Version == "" {
		item.Version = crand.Text()
	}
	c := s.condition(cond)
	_, err := s.client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.table, Item: encode(item), ConditionExpression: c.expression, ExpressionAttributeNames: c.names,
		ExpressionAttributeValues:           c.values,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	if failed, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
		stored, found := s.decode(failed.Item)
		if failed.Item == nil {
			// A server that does not return the item has to be asked.
			it, err := s.Find(ctx, item.Key)
			if err != nil && !fault.Is(err, fault.NotFound) {
				return err
			}
			stored, found = it, err == nil
		}
		if found && stored.Version == item.Version {
			return nil
		}
		return conflict(item.Key)
	}
	return classify(ctx, err)
}

// PutMany implements record.Store.
func (s *Store) PutMany(ctx context.Context, items []record.Item) error {
	var requests []types.WriteRequest
	at := make(map[record.Key]int, len(items))
	for _, it := range items {
		if err := record.CheckItem(it); err != nil {
			return err
		}
		if it.Version == "" {
			it.Version = crand.Text()
		}
		request := types.WriteRequest{PutRequest: &types.PutRequest{Item: encode(it)}}
		if i, twice := at[it.Key]; twice {
			requests[i] = request
			continue
		}
		at[it.Key] = len(requests)
		requests = append(requests, request)
	}
	if err := s.open(); err != nil {
		return err
	}
	for start := 0; start < len(requests); start += maxWrite {
		if err := s.putBatch(ctx, requests[start:min(start+maxWrite, len(requests))]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) putBatch(ctx context.Context, requests []types.WriteRequest) error {
	for try := 0; ; try++ {
		out, err := s.client.BatchWriteItem(ctx,
			&dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{s.table: requests}})
		if err != nil {
			return classify(ctx, err)
		}
		requests = out.UnprocessedItems[s.table]
		if len(requests) == 0 {
			return nil
		}
		if err := s.wait(ctx, try); err != nil {
			return err
		}
	}
}

// wait waits before what was left over is tried again, longer each time.
func (s *Store) wait(ctx context.Context, try int) error {
	if try >= maxTries {
		return fault.New(fault.Unavailable, "the record store is too busy")
	}
	most := min(50*time.Millisecond<<try, s.pause)
	timer := time.NewTimer(most/2 + rand.N(most/2))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return fault.Wrap(ctx.Err(), fault.Cancelled, "using the record store was cancelled")
	}
}

// Delete implements record.Store.
func (s *Store) Delete(ctx context.Context, key record.Key, cond record.Condition) error {
	if err := record.CheckKey(key); err != nil {
		return err
	}
	if err := s.open(); err != nil {
		return err
	}
	c := s.condition(cond)
	_, err := s.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: &s.table, Key: keyOf(key), ConditionExpression: c.expression, ExpressionAttributeNames: c.names,
		ExpressionAttributeValues: c.values,
	})
	if _, failed := errors.AsType[*types.ConditionalCheckFailedException](err); failed {
		return conflict(key)
	}
	return classify(ctx, err)
}

// Range implements record.Store.
func (s *Store) Range(ctx context.Context, r record.Range) (record.Page, error) {
	r, err := record.CheckRange(r)
	if err != nil {
		return record.Page{}, err
	}
	if err := s.open(); err != nil {
		return record.Page{}, err
	}
	// Both ends of BETWEEN are included, so the bounds are left out below.
	// No key has a byte as great as a tilde.
	low, high := max(r.Prefix, r.After, "!"), r.Prefix+"~"
	if r.Before != "" {
		high = min(high, r.Before)
	}
	if low > high {
		return record.Page{}, nil
	}
	in := &dynamodb.QueryInput{
		TableName: &s.table, ConsistentRead: aws.Bool(true), Limit: aws.Int32(int32(r.Limit)), ScanIndexForward: aws.Bool(!r.Reverse),
		KeyConditionExpression:    aws.String("pk = :p AND sk BETWEEN :low AND :high"),
		ExpressionAttributeValues: item{":p": text(r.Partition), ":low": text(low), ":high": text(high)},
	}
	// The cursor spares reading its item again; it has to lie within bounds.
	switch {
	case !r.Reverse && r.After == low:
		in.ExclusiveStartKey = keyOf(record.Key{Partition: r.Partition, Sort: low})
	case r.Reverse && r.Before == high:
		in.ExclusiveStartKey = keyOf(record.Key{Partition: r.Partition, Sort: high})
	}
	out, err := s.client.Query(ctx, in)
	if err != nil {
		return record.Page{}, classify(ctx, err)
	}
	var page record.Page
	for _, attributes := range out.Items {
		it, ok := s.decode(attributes)
		if ok && it.Sort != r.After && it.Sort != r.Before {
			page.Items = append(page.Items, it)
		}
	}
	page.Next = textOf(out.LastEvaluatedKey["sk"])
	return page, nil
}

func (s *Store) open() error {
	if s.closed.Load() {
		return fault.New(fault.Unavailable, "the record store is closed")
	}
	return nil
}

func conflict(k record.Key) error {
	return fault.New(fault.Conflict, "the record %q in %q is not in the expected state", k.Sort, k.Partition)
}

// classify turns a call's error into a fault; nil stays nil.
func classify(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fault.Wrap(ctx.Err(), fault.Cancelled, "using the record store was cancelled")
	}
	if api, ok := errors.AsType[smithy.APIError](err); ok && api.ErrorCode() == "ValidationException" {
		return fmt.Errorf("records: %w", err)
	}
	return fault.Wrap(err, fault.Unavailable, "the record store cannot be reached")
}
