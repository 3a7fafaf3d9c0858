package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"lectern/functions"
	"lectern/shared/aws/lambdahttp/lambdatest"
)

// functions measures the functions as Lambda runs them: their size, the time
// from start to first answer, and whether events of a stream arrive as they are
// produced.
func (b *bench) functions() error {
	for _, name := range []string{"models", "streams", "messages", "primitives"} {
		binary, err := b.buildFunction(name)
		if err != nil {
			return err
		}
		info, err := os.Stat(binary)
		if err != nil {
			return err
		}
		b.atMost("function "+name+": size", float64(info.Size())/(1<<20), 18, 16, "MiB")
	}
	var starts []time.Duration
	for range 30 {
		took, err := b.coldStart(filepath.Join(b.dir, "messages"),
			`{"model":"default","max_tokens":50,"messages":[{"role":"user","content":"Hello"}]}`)
		if err != nil {
			return err
		}
		starts = append(starts, took)
	}
	b.atMost("function messages: start to answer p50", ms(quantile(starts, .5)), 18, 12, "ms")
	skew, err := b.skew()
	if err != nil {
		return err
	}
	b.atMost("function messages: worst delay of a streamed word", ms(skew), 50, 10, "ms")
	return nil
}

func (b *bench) buildFunction(name string) (string, error) {
	binary := filepath.Join(b.dir, name)
	args := append([]string{"build", "-o", binary}, functions.BuildFlags...)
	build := exec.Command("go", append(args, "./functions/"+name+"/lambda")...)
	build.Env, build.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	return binary, build.Run()
}

// launch starts a function with settings for stores that it never calls.
func launch(binary string, host *lambdatest.Host, settings ...string) (*exec.Cmd, error) {
	cmd := exec.Command(binary)
	cmd.Env = append([]string{
		"GOGC=" + functions.CollectorPercent, // as deployed
		"AWS_LAMBDA_RUNTIME_API=" + host.Addr(), "AWS_REGION=us-east-1", "AWS_ACCESS_KEY_ID=id", "AWS_SECRET_ACCESS_KEY=secret",
		"LECTERN_EMBEDDING=bedrock:amazon.titan-embed-text-v2:0?region=us-east-1",
		"LECTERN_OBJECTS=s3://bucket", "LECTERN_RECORDS=dynamodb://table", "LECTERN_INDEX=opensearch+http://127.0.0.1:1",
		"LECTERN_TASKS=aws:?default=http://127.0.0.1:1/queue",
		"LECTERN_SEAL_KEY=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
		"LECTERN_WEBHOOK_SECRET=whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
	}, settings...)
	cmd.Stderr = os.Stderr
	return cmd, cmd.Start()
}

func event(body string) ([]byte, error) {
	r := httptest.NewRequest("POST", "/v1/messages", strings.NewReader(body))
	e, err := lambdatest.Event(r, "bench")
	if err != nil {
		return nil, err
	}
	return json.Marshal(e)
}

// coldStart measures the time from starting a function's process to the end of
// its first answer.
func (b *bench) coldStart(binary, body string) (time.Duration, error) {
	host, err := lambdatest.NewHost()
	if err != nil {
		return 0, err
	}
	defer host.Close()
	raw, err := event(body)
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	cmd, err := launch(binary, host)
	if err != nil {
		return 0, err
	}
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	a, err := host.Invoke(ctx, raw)
	if err != nil {
		return 0, err
	}
	answer, err := io.ReadAll(a.Body)
	took := time.Since(begun)
	if err == nil && !bytes.Contains(answer, []byte(`"stop_reason"`)) {
		err = fmt.Errorf("the function answered %.300s", answer)
	}
	return took, err
}

// skew returns the longest delay between the provider's sending a word and its
// arrival behind the function. The words are the send times.
func (b *bench) skew() (time.Duration, error) {
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range 40 {
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\" %d\"}}]}\n\n", time.Now().UnixMicro())
			_ = http.NewResponseController(w).Flush()
			time.Sleep(25 * time.Millisecond)
		}
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	defer provider.Close()
	host, err := lambdatest.NewHost()
	if err != nil {
		return 0, err
	}
	defer host.Close()
	cmd, err := launch(filepath.Join(b.dir, "messages"), host, "LECTERN_CHAT=openai+"+provider.URL+"/v1?model=m")
	if err != nil {
		return 0, err
	}
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	raw, err := event(`{"model":"m","max_tokens":500,"stream":true,"messages":[{"role":"user","content":"Hello"}]}`)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	a, err := host.Invoke(ctx, raw)
	if err != nil {
		return 0, err
	}
	var worst time.Duration
	words := 0
	for lines := bufio.NewScanner(a.Body); lines.Scan(); {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		now := time.Now()
		var e struct{ Delta struct{ Text string } }
		if json.Unmarshal([]byte(data), &e) != nil {
			continue
		}
		if at, err := strconv.ParseInt(strings.TrimSpace(e.Delta.Text), 10, 64); err == nil {
			worst = max(worst, now.Sub(time.UnixMicro(at)))
			words++
		}
	}
	if words < 30 {
		return 0, fmt.Errorf("only %d of 40 words arrived one by one", words)
	}
	return worst, nil
}
