package shape_test

import (
	"strings"
	"testing"

	"lectern/shared/text/shape"
)

// TestErrors: the error of a schema or a value names the place and what may stand there.
func TestErrors(t *testing.T) {
	const types = "'array', 'boolean', 'integer', 'null', 'number', 'object', 'string'"
	for _, tc := range []struct{ schema, value, want string }{
		{`{"type":"objekt"}`, ``, "at '/type': value must be one of " + types},
		{`{"type":["string","nul"]}`, ``, "at '/type/1': value must be one of " + types},
		{`{"type":"object","properties":{"a":{"type":"text"}}}`, ``, "at '/properties/a/type': value must be one of " + types},
		{`{"type":5}`, ``, "at '/type': value must be one of " + types},
		{`{"required":"a"}`, ``, "at '/required': got string, want array"},
		{`{"anyOf":[{"enum":["a","b"]},{"type":"null"}]}`, `"c"`, "at '': value must be one of 'a', 'b'"},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `5`, "at '': got number, want string or null"},
		{`{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"null"}]}`, `{"a":5}`, "at '/a': got number, want string"},
		{`{"type":"object","required":["a"]}`, `{}`, "at '': missing property 'a'"},
		{`{"type":"integer"}`, `{`, "it is not JSON"},
		{`[`, ``, "it is not JSON"},
	} {
		s, err := shape.Compile([]byte(tc.schema))
		if err == nil {
			err = s.Check([]byte(tc.value))
		}
		if err == nil || err.Error() != tc.want || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s with %q: %v, want %s", tc.schema, tc.value, err, tc.want)
		}
	}
}
