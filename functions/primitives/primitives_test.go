package primitives_test

import (
	"testing"

	"lectern/functions/local/service/servicetest"
	"lectern/shared/api/rest/replay"
)

func TestRecordings(t *testing.T) { replay.Run(t, "testdata/*.txtar", servicetest.Handler) }
