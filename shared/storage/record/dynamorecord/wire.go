package dynamorecord

import (
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"lectern/shared/aws/awsjson"
	"lectern/shared/storage/record"
)

// attribute is a value of one of the types that items have.
//
// Source: Amazon DynamoDB API Reference, "AttributeValue".
type attribute struct {
	S *string `json:",omitempty"`
	N *string `json:",omitempty"`
	B []byte  `json:",omitempty"`
}

type item map[string]attribute

// The inputs and outputs of the operations in use, with the members in use.
//
// Source: Amazon DynamoDB API Reference, "Actions".
type (
	getInput struct {
		TableName      string
		Key            item
		ConsistentRead bool
	}
	getOutput struct{ Item item }

	wanted struct {
		Keys           []item
		ConsistentRead bool
	}
	batchGetInput  struct{ RequestItems map[string]wanted }
	batchGetOutput struct {
		Responses       map[string][]item
		UnprocessedKeys map[string]wanted
	}

	writeInput struct {
		TableName string
		Item      item `json:",omitempty"`
		Key       item `json:",omitempty"`
		condition
		OnFailure string `json:"ReturnValuesOnConditionCheckFailure,omitempty"`
	}

	put              struct{ Item item }
	write            struct{ PutRequest put }
	batchWriteInput  struct{ RequestItems map[string][]write }
	batchWriteOutput struct{ UnprocessedItems map[string][]write }

	queryInput struct {
		TableName                 string
		ConsistentRead            bool
		Limit                     int
		ScanIndexForward          bool
		KeyConditionExpression    string
		ExpressionAttributeValues item
		ExclusiveStartKey         item `json:",omitempty"`
	}
	queryOutput struct {
		Items            []item
		LastEvaluatedKey item
	}
)

// checkFailed reports whether a write was refused by its condition, and the
// item that was in its way; nil where the server does not tell.
func checkFailed(err error) (item, bool) {
	refusal, ok := errors.AsType[*awsjson.Error](err)
	if !ok || refusal.Code != "ConditionalCheckFailedException" {
		return nil, false
	}
	var out getOutput
	_ = json.Unmarshal(refusal.Body, &out)
	return out.Item, true
}

// condition is the part of a write that says when it may happen.
type condition struct {
	Expression string            `json:"ConditionExpression,omitempty"`
	Names      map[string]string `json:"ExpressionAttributeNames,omitempty"`
	Values     item              `json:"ExpressionAttributeValues,omitempty"`
}

// condition puts a condition into DynamoDB's words. An item that has expired
// counts as absent although it is still there.
func (s *Store) condition(c record.Condition) condition {
	now := item{":now": number(s.now().Unix())}
	names := map[string]string{"#ttl": "ttl"}
	absent, version, versioned := c.Split()
	switch {
	case absent:
		return condition{"attribute_not_exists(pk) OR #ttl <= :now", names, now}
	case versioned:
		now[":ver"] = text(version)
		return condition{"ver = :ver AND (attribute_not_exists(#ttl) OR #ttl > :now)", names, now}
	}
	return condition{}
}

func text(s string) attribute { return attribute{S: &s} }

func number(n int64) attribute {
	s := strconv.FormatInt(n, 10)
	return attribute{N: &s}
}

func keyOf(k record.Key) item {
	return item{"pk": text(k.Partition), "sk": text(k.Sort)}
}

func encode(it record.Item) item {
	attributes := keyOf(it.Key)
	attributes["ver"] = text(it.Version)
	if len(it.Value) > 0 {
		attributes["v"] = attribute{B: it.Value}
	}
	if !it.Expires.IsZero() {
		seconds := it.Expires.Unix()
		if it.Expires.Nanosecond() > 0 {
			seconds++
		}
		attributes["ttl"] = number(max(seconds, 1))
	}
	return attributes
}

// decode reads an item; false when there is none or it has expired.
func (s *Store) decode(attributes item) (record.Item, bool) {
	var it record.Item
	for name, to := range map[string]*string{"pk": &it.Partition, "sk": &it.Sort, "ver": &it.Version} {
		if v := attributes[name].S; v != nil {
			*to = *v
		}
	}
	it.Value = attributes["v"].B
	if v := attributes["ttl"].N; v != nil {
		seconds, err := strconv.ParseInt(*v, 10, 64)
		if err == nil && seconds <= s.now().Unix() {
			return record.Item{}, false
		}
		it.Expires = time.Unix(seconds, 0).UTC()
	}
	return it, it.Sort != ""
}
