package emf_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/aws/emf"
)

// TestWrite: a line as CloudWatch's specification of the embedded metric format has it:
// each named metric and dimension is a member of the line's root.
func TestWrite(t *testing.T) {
	var out bytes.Buffer
	w := emf.Writer{To: &out, Now: func() time.Time { return time.UnixMilli(1750000000123) }}
	err := w.Write([]emf.Dimension{{"Environment", "prod"}, {"Model", "a \"quoted\"\nname"}},
		[]emf.Metric{{"Chats", emf.Count, 1}, {"FirstToken", emf.Milliseconds, 312.5}})
	if err != nil || bytes.Count(out.Bytes(), []byte("\n")) != 1 {
		t.Fatalf("%v: %q", err, out.String())
	}
	var got map[string]any
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"_aws": map[string]any{"Timestamp": 1750000000123.0, "CloudWatchMetrics": []any{map[string]any{
			"Namespace": "Lectern", "Dimensions": []any{[]any{"Environment", "Model"}},
			"Metrics": []any{map[string]any{"Name": "Chats", "Unit": "Count"}, map[string]any{"Name": "FirstToken", "Unit": "Milliseconds"}},
		}}},
		"Environment": "prod", "Model": "a \"quoted\"\nname", "Chats": 1.0, "FirstToken": 312.5,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
