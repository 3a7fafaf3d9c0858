package functions_test

import (
	"testing"

	"lectern/functions"
	"lectern/shared/chat/batch"
)

func TestBatchKind(t *testing.T) {
	if functions.BatchKind != batch.Kind {
		t.Errorf("jobs of batches are of kind %q, and the table says %q", batch.Kind, functions.BatchKind)
	}
}
