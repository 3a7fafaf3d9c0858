package toolsearch_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/chat/tool"
	"lectern/shared/chat/tool/toolsearch"
	"lectern/shared/message"
)

var deferred = []tool.Deferred{
	{Name: "get_weather", Description: "Weather of a place", InputSchema: message.Object(`{"properties":{"location":{"description":"city"}}}`)},
	{Name: "send_mail", Description: "Sends a letter"},
	{Name: "read_mail", Description: "Reads letters"},
}

// TestSearch: what each way finds, and which tools it brings in.
func TestSearch(t *testing.T) {
	for _, tc := range []struct {
		kind, input, want, code string
	}{
		{toolsearch.Words, `{"query":"what is the weather like"}`, "get_weather", ""},
		{toolsearch.Words, `{"query":"write letters"}`, "send_mail read_mail", ""},
		{toolsearch.Words, `{"query":"reading mail"}`, "read_mail send_mail", ""},
		{toolsearch.Words, `{"query":"city"}`, "get_weather", ""},
		{toolsearch.Words, `{"query":"pizza"}`, "", ""},
		{toolsearch.Words, `{"query":" "}`, "", "invalid_tool_input"},
		{toolsearch.Words, `{"query":5}`, "", "invalid_tool_input"},
		{toolsearch.Regex, `{"pattern":"_mail$"}`, "send_mail read_mail", ""},
		{toolsearch.Regex, `{"query":"^get_"}`, "get_weather", ""},
		{toolsearch.Regex, `{"pattern":"^loca"}`, "get_weather", ""},
		{toolsearch.Regex, `{"pattern":"("}`, "", "invalid_tool_input"},
		{toolsearch.Regex, `{"pattern":"` + strings.Repeat("a", 201) + `"}`, "", "invalid_tool_input"},
	} {
		kit, err := toolsearch.New(tc.kind).Open(t.Context(), tool.Opening{Spec: tool.Spec{Name: "find"}, Deferred: func() []tool.Deferred { return deferred }})
		if err != nil {
			t.Fatal(err)
		}
		input := message.Object(tc.input)
		result, err := kit.Functions[0].Run(t.Context(), tool.Call{Input: input})
		if err != nil || result.IsError != (tc.code != "") || !strings.Contains(string(result.Own.Content), tc.code) {
			t.Errorf("%s of %s = %+v, %v", tc.kind, tc.input, result, err)
		}
		kit.Saw("find", input, true)
		var in []string
		for name := range strings.FieldsSeq(tc.want) {
			in = append(in, name)
			if !strings.Contains(string(result.Own.Content), `"tool_name":"`+name+`"`) {
				t.Errorf("%s of %s finds %s, want %s", tc.kind, tc.input, result.Own.Content, name)
			}
		}
		for _, d := range deferred {
			if want := strings.Contains(" "+tc.want+" ", " "+d.Name+" "); kit.Unlocks(d.Name) != want {
				t.Errorf("%s of %s brings in %s: %v, want %v", tc.kind, tc.input, d.Name, !want, want)
			}
		}
		if first, _, _ := strings.Cut(tc.want, " "); first != "" {
			got := string(result.Own.Content)
			if diff := cmp.Diff(strings.Index(got, `"tool_name":"`), strings.Index(got, `"tool_name":"`+first)); diff != "" {
				t.Errorf("%s of %s ranks %s", tc.kind, tc.input, got)
			}
		}
	}
}
