package sqstask

// The operations that are used, with the members that are used.
//
// Source: Amazon SQS API Reference, "Actions"; the JSON protocol.
type (
	sending struct {
		QueueURL string `json:"QueueUrl"`
		Body     string `json:"MessageBody"`
		Delay    int    `json:"DelaySeconds,omitempty"`
	}
	hiding struct {
		QueueURL string `json:"QueueUrl"`
		Receipt  string `json:"ReceiptHandle"`
		Seconds  int    `json:"VisibilityTimeout"`
	}
	deleting struct {
		QueueURL string `json:"QueueUrl"`
		Receipt  string `json:"ReceiptHandle"`
	}
	receiving struct {
		QueueURL   string   `json:"QueueUrl"`
		Most       int      `json:"MaxNumberOfMessages"`
		Seconds    int      `json:"WaitTimeSeconds"`
		Attributes []string `json:"MessageSystemAttributeNames"`
	}
	received struct {
		Messages []struct {
			Body          string
			ReceiptHandle string
			Attributes    map[string]string
		}
	}
)

// receiveCount is the attribute that says how often a message was received.
const receiveCount = "ApproximateReceiveCount"
