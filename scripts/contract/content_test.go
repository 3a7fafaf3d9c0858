package contract

const (
	pixel   = `iVBORw0KGgo=`
	image   = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + pixel + `"}}`
	inline  = `data:image/png;base64,` + pixel
	blindly = "does not take images"
)

func contentChecks() []check {
	user := func(content string) string { return `{"role":"user","content":[` + content + `]}` }
	result := user(`{"type":"text","text":"Look"}`) + `,{"role":"assistant","content":[{"type":"tool_use","id":"toolu_a","name":"camera","input":{}}]},` +
		user(`{"type":"tool_result","tool_use_id":"toolu_a","content":[{"type":"text","text":"done"},`+image+`]}`)
	document := user(`{"type":"document","title":"Plate","source":{"type":"content","content":[{"type":"text","text":"A heron."},`+image+`]}}`) +
		`,{"role":"user","content":"What is it?"}`
	system := func(block string) string {
		return `{"role":"system","content":[` + block + `]},{"role":"user","content":"Hi"}`
	}
	note := `{"type":"document","title":"Rules","source":{"type":"text","media_type":"text/plain","data":"Speak like a heron."}}`
	file := func(id string) string {
		return user(`{"type":"document","source":{"type":"file","file_id":"` + id + `"}},{"type":"text","text":"What is the code word?"}`)
	}
	return []check{
		{rule: "an image in a tool result reaches the chat completions API", body: talk("open", result, ""), replies: []string{say("ok")},
			sent: []string{inline, `From the result of the call`, `"role":"tool"`, `"content":"done"`}},
		{rule: "an image in a tool result reaches the Messages API", body: talk("native", result, ""), replies: []string{speak("ok", ended)},
			sent: []string{`"data":"` + pixel + `"`}},
		{rule: "an image in a tool result is 422 for a model that takes none", body: talk("blind", result, ""), status: 422,
			want: []string{blindly, `"loc":["body","messages",2,"content",0,"content",1,"type"]`}},
		{rule: "an image in a tool result is 422 for the built-in model", body: talk("default", result, ""), status: 422, want: []string{blindly}},
		{rule: "an image that is the whole tool result is told of in its text",
			body: talk("open", user(`{"type":"text","text":"Look"}`)+`,{"role":"assistant","content":[{"type":"tool_use","id":"toolu_a","name":"camera","input":{}}]},`+
				user(`{"type":"tool_result","tool_use_id":"toolu_a","content":[`+image+`]}`), ""), replies: []string{say("ok")},
			sent: []string{inline, `"content":"(shown in the next message)"`}},
		{rule: "an image in the content of a document reaches the chat completions API", body: talk("open", document, ""),
			replies: []string{say("ok")}, sent: []string{inline, `A heron.`}},
		{rule: "an image in the content of a document reaches the Messages API", body: talk("native", document, ""),
			replies: []string{speak("ok", ended)}, sent: []string{`"data":"` + pixel + `"`, `"type":"document"`}},
		{rule: "an image in the content of a document is 422 for a model that takes none", body: talk("blind", document, ""), status: 422,
			want: []string{blindly, `"source","content",1,"type"`}},
		{rule: "other blocks in the content of a document are 422",
			body:   talk("open", user(`{"type":"document","source":{"type":"content","content":[{"type":"audio","source":{"type":"base64","media_type":"audio/wav","data":"AAAA"}}]}}`), ""),
			status: 422, want: []string{`a document holds text and image blocks only`}},
		{rule: "an image in a system message is 422", body: talk("open", system(image), ""), status: 422,
			want: []string{`image blocks do not belong in system messages`, `"messages",0,"content",0`}},
		{rule: "audio in a system message is 422", status: 422,
			body: talk("open", system(`{"type":"audio","source":{"type":"base64","media_type":"audio/wav","data":"AAAA"}}`), ""),
			want: []string{`audio blocks do not belong in system messages`}},
		{rule: "a tool result in a system message is 422", status: 422,
			body: talk("open", system(`{"type":"tool_result","tool_use_id":"toolu_a","content":"x"}`), ""), want: []string{`tool_result blocks do not belong`}},
		{rule: "an image in a document of a system message is 422", status: 422,
			body: talk("open", system(`{"type":"document","source":{"type":"content","content":[`+image+`]}}`), ""), want: []string{`image blocks do not belong`}},
		{rule: "a document in a system message reaches the chat completions API", body: talk("open", system(note), ""),
			replies: []string{say("ok")}, sent: []string{`Speak like a heron.`}},
		{rule: "a document in a system message reaches the Messages API", body: talk("native", system(note), ""),
			replies: []string{speak("ok", ended)}, sent: []string{`Speak like a heron.`}},
		{rule: "a search result in a system message reaches the model",
			body:    talk("open", system(`{"type":"search_result","source":"s","title":"t","content":[{"type":"text","text":"Herons wade."}]}`), ""),
			replies: []string{say("ok")}, sent: []string{`Herons wade.`}},
		{rule: "a mid_conv_system block holds text only", status: 422,
			body: talk("open", user(`{"type":"mid_conv_system","content":[`+image+`]},{"type":"text","text":"x"}`), ""),
			want: []string{`a mid_conv_system block holds text blocks only`}},
		{rule: "a search_result block holds text only", status: 422,
			body: talk("open", user(`{"type":"search_result","source":"s","title":"t","content":[`+image+`]}`), ""),
			want: []string{`a search_result block holds text blocks only`}},
		{rule: "an image by url reaches the model", body: talk("open", user(`{"type":"image","source":{"type":"url","url":"UPSTREAM/picture.png"}}`), ""),
			replies: []string{say("ok")}, sent: []string{`/picture.png`}},
		{rule: "an image at a private address is refused", status: 403,
			body: talk("open", user(`{"type":"image","source":{"type":"url","url":"http://10.1.2.3/a.png"}}`), ""), want: []string{`10.1.2.3`}, sent: []string{`!model`}},
		{rule: "an image at a private address in a tool result is refused", status: 403, want: []string{`10.1.2.3`},
			body: talk("open", user(`{"type":"text","text":"Look"}`)+`,{"role":"assistant","content":[{"type":"tool_use","id":"toolu_a","name":"camera","input":{}}]},`+
				user(`{"type":"tool_result","tool_use_id":"toolu_a","content":[{"type":"image","source":{"type":"url","url":"http://10.1.2.3/a.png"}}]}`), "")},
		{rule: "a document at a private address is refused also where the provider would fetch it", status: 403,
			body: talk("native", user(`{"type":"document","source":{"type":"url","url":"http://10.1.2.3/a.pdf"}}`), ""), want: []string{`10.1.2.3`}, sent: []string{`!model`}},
		{rule: "an image in a document for the Messages API obeys the address rules", status: 403, want: []string{`10.1.2.3`},
			body: talk("native", user(`{"type":"document","source":{"type":"content","content":[{"type":"image","source":{"type":"url","url":"http://10.1.2.3/a.png"}}]}}`), "")},
		{rule: "a file that the Messages API does not read is converted to text",
			body:    talk("native", user(`{"type":"document","source":{"type":"base64","media_type":"text/csv","data":"bmFtZSxhZ2UKaGVyb24sNwo="}},{"type":"text","text":"How old?"}`), ""),
			replies: []string{speak("7", ended)}, sent: []string{`heron`, `!base64`}},
		{rule: "a document without a title is shown by its file name", body: `{"container":"box",` + talk("open", file("uploads/note.txt"), "")[1:],
			replies: []string{say("ok")}, sent: []string{`title=\"note.txt\"`, `heron`}},
		{rule: "a fetched document without a title is shown by its file name",
			body:    talk("open", user(`{"type":"document","source":{"type":"url","url":"UPSTREAM/page.html"}},{"type":"text","text":"x"}`), ""),
			replies: []string{say("ok")}, sent: []string{`title=\"page.html\"`}},
		{rule: "audio by url is fetched by the service", status: 422,
			body: talk("open", user(`{"type":"audio","source":{"type":"url","url":"UPSTREAM/page.html"}}`), ""), want: []string{`the URL does not serve audio`}},
		{rule: "an image with a text source is 422", status: 422,
			body: talk("open", user(`{"type":"image","source":{"type":"text","media_type":"text/plain","data":"x"}}`), ""), want: []string{`"source","type"`}},
		{rule: "an image with a content source is 422", status: 422,
			body: talk("open", user(`{"type":"image","source":{"type":"content","content":"x"}}`), ""), want: []string{`"source","type"`}},
		{rule: "a binary block by url is named to the model",
			body:    talk("open", user(`{"type":"binary","filename":"a.bin","source":{"type":"url","url":"https://files.example/a.bin"}},{"type":"text","text":"x"}`), ""),
			replies: []string{say("ok")}, sent: []string{`a.bin`}},
	}
}
