package dynamorecord

import (
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"lectern/shared/storage/record"
)

type item = map[string]types.AttributeValue

// condition is the part of a write that says when it may happen.
type condition struct {
	expression *string
	names      map[string]string
	values     item
}

// condition translates a condition into a DynamoDB expression. An item that has expired
// counts as absent although it is still there.
func (s *Store) condition(c record.Condition) condition {
	now := item{":now": number(s.now().Unix())}
	names := map[string]string{"#ttl": "ttl"}
	absent, version, versioned := c.Split()
	switch {
	case absent:
		return condition{aws.String("attribute_not_exists(pk) OR #ttl <= :now"), names, now}
	case versioned:
		now[":ver"] = text(version)
		return condition{aws.String("ver = :ver AND (attribute_not_exists(#ttl) OR #ttl > :now)"), names, now}
	}
	return condition{}
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func number(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

// textOf is the value of a text; empty for any other attribute, or none.
func textOf(a types.AttributeValue) string {
	if s, ok := a.(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
}

func keyOf(k record.Key) item {
	return item{"pk": text(k.Partition), "sk": text(k.Sort)}
}

func encode(it record.Item) item {
	attributes := keyOf(it.Key)
	attributes["ver"] = text(it.Version)
	if len(it.Value) > 0 {
		attributes["v"] = &types.AttributeValueMemberB{Value: it.Value}
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
	it := record.Item{
		Key:     record.Key{Partition: textOf(attributes["pk"]), Sort: textOf(attributes["sk"])},
		Version: textOf(attributes["ver"]),
	}
	if v, ok := attributes["v"].(*types.AttributeValueMemberB); ok {
		it.Value = v.Value
	}
	if v, ok := attributes["ttl"].(*types.AttributeValueMemberN); ok {
		seconds, err := strconv.ParseInt(v.Value, 10, 64)
		if err == nil && seconds <= s.now().Unix() {
			return record.Item{}, false
		}
		it.Expires = time.Unix(seconds, 0).UTC()
	}
	return it, it.Sort != ""
}
