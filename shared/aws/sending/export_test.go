package sending

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// ClientWith is Client with another patience.
func ClientWith(next aws.HTTPClient, patience func(service string) time.Duration) aws.HTTPClient {
	return client{next, patience}
}
