package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// scripted is a model provider that calls the first search tool with the question as it stands, and answers when it has
// what that found. It keeps the requests.
type scripted struct {
	mu   sync.Mutex
	sent []string // bodies
}

func (s *scripted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.sent = append(s.sent, string(body))
	s.mu.Unlock()
	var req struct {
		Messages []struct {
			Role    string
			Content any
		}
		Tools []struct{ Function struct{ Name string } }
	}
	if err := json.Unmarshal(body, &req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	delta := object{"role": "assistant", "content": "Done."}
	reason := "stop"
	last := req.Messages[len(req.Messages)-1]
	if last.Role == "user" && len(req.Tools) > 0 {
		asked, _ := last.Content.(string)
		if asked == "" {
			raw, _ := json.Marshal(last.Content)
			var parts []struct{ Text string }
			_ = json.Unmarshal(raw, &parts)
			for _, p := range parts {
				asked += p.Text
			}
		}
		arguments, _ := json.Marshal(object{"query": asked})
		delta = object{"role": "assistant", "tool_calls": []object{{"index": 0, "id": "call_1", "type": "function",
			"function": object{"name": req.Tools[0].Function.Name, "arguments": string(arguments)}}}}
		reason = "tool_calls"
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, choice := range []object{{"index": 0, "delta": delta}, {"index": 0, "delta": object{}, "finish_reason": reason}} {
		line, _ := json.Marshal(object{"id": "c", "object": "chat.completion.chunk", "model": "scripted", "choices": []object{choice}})
		fmt.Fprintf(w, "data: %s\n\n", line)
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// sent asks some of the questions in dir through a model provider, and prints what that is sent of the documents, and how often
// the right passage is among it, and the first.
func sent(dir string, n int) error {
	list, err := loadQuestions(dir)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(q question) bool { return !q.Answerable || len(q.History) > 0 || q.passage == nil })
	provider := &scripted{}
	upstream := httptest.NewServer(provider)
	defer upstream.Close()
	stop, url, err := startWith(map[string]string{"LECTERN_CHAT": "openai+" + upstream.URL + "/v1?model=scripted"})
	if err != nil {
		return err
	}
	defer stop()
	api := client{url}
	if err := api.ingestFiles(filepath.Join(dir, "docs")); err != nil {
		return err
	}
	of := &sentCount{}
	step := max(1, len(list)/max(1, n))
	for i := 0; i < len(list) && of.asked < n; i += step {
		q := list[i]
		provider.sent = nil
		_, err := api.chat(object{"model": "default", "max_tokens": 512,
			"system": []object{{"text": "Answer from the documents.", "citations": object{"enabled": true}}},
			"tools":  searching(object{"collection": questionsCollection}), "messages": []object{{"role": "user", "content": q.Text}}})
		if err != nil {
			return err
		}
		of.add(q, toolText(provider.sent))
	}
	fmt.Printf("\n%d questions: the right passage is sent for %d, as the first for %d; of %d passages %d have a heading and %d a page; "+
		"sent twice %d, outside its tags %d bytes; %d bytes a question\n", of.asked, of.found, of.first, of.passages, of.headed, of.paged,
		of.twice, of.outside, of.bytes/max(1, of.asked))
	return nil
}

// toolText returns what the last request has of the tool's results.
func toolText(sent []string) (text string) {
	if len(sent) == 0 {
		return ""
	}
	var req struct {
		Messages []struct {
			Role    string
			Content any
		}
	}
	if err := json.Unmarshal([]byte(sent[len(sent)-1]), &req); err != nil {
		return ""
	}
	for _, m := range req.Messages {
		if content, ok := m.Content.(string); ok && m.Role == "tool" {
			text += content
		}
	}
	return text
}

// sentCount is what was sent for some questions.
type sentCount struct {
	asked, found, first, passages, headed, paged, twice, outside, bytes int
}

// passageForm matches a passage as a model is sent it: its mark, its document with its heading and page, its text.
var passageForm = regexp.MustCompile(`(?s)\[(\w+)\] <passage ([^\n]*)>\n(.*?)\n</passage>`)

// add counts what was sent for a question, and prints it: the passages in their order, the one that answers marked.
func (s *sentCount) add(q question, text string) {
	s.asked++
	s.bytes += len(text)
	fmt.Printf("\n%s\n", q.Text)
	seen := map[string]bool{}
	found := false
	for i, m := range passageForm.FindAllStringSubmatch(text, -1) {
		s.passages++
		mark := " "
		if right := slices.ContainsFunc(q.Docs, func(doc string) bool { return strings.Contains(m[2], `document="`+doc+`"`) }) &&
			q.passage.MatchString(fold(m[3])); right {
			mark = "*"
			if !found && i == 0 {
				s.first++
			}
			found = true
		}
		if strings.Contains(m[2], "section=") {
			s.headed++
		}
		if strings.Contains(m[2], "page=") {
			s.paged++
		}
		if seen[m[3]] {
			s.twice++
		}
		seen[m[3]] = true
		fmt.Printf(" %s %s: %s\n", mark, m[2], clipTo(strings.Join(strings.Fields(m[3]), " "), shownOfPassage))
	}
	if found {
		s.found++
	}
	s.outside += len(strings.TrimSpace(passageForm.ReplaceAllString(text, "")))
}

// shownOfPassage is how much of a passage is printed, in bytes.
const shownOfPassage = 100
