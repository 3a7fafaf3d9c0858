// Command searchgate stands before an OpenSearch server and behaves like a
// serverless collection of the next generation: it takes only requests that are
// signed, only operations that such a collection has, and shows what was written
// some time later. What a collection chooses itself, the gate chooses for the
// server behind it.
//
//	go run ./scripts/searchgate -listen 127.0.0.1:9300 -to http://127.0.0.1:9200
//
// Credentials are those of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, the region
// is AWS_REGION.
package main

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:9300", "address to listen on")
	to := flag.String("to", "http://127.0.0.1:9200", "URL of the OpenSearch server")
	least := flag.Duration("least", 10*time.Second, "least time until what was written is shown")
	most := flag.Duration("most", 60*time.Second, "most time until what was written is shown")
	notes := flag.String("notes", "", "file to which each operation is noted, with the permission that it needs; nowhere when empty")
	callers := flag.String("callers", "", "comma list of further access keys, with the same secret")
	flag.Parse()
	if err := run(*listen, *to, *notes, *callers, *least, *most); err != nil {
		fmt.Fprintln(os.Stderr, "searchgate:", err)
		os.Exit(1)
	}
}

func run(listen, to, notes, callers string, least, most time.Duration) error {
	g := &gate{
		upstream: to, region: os.Getenv("AWS_REGION"), least: least, most: most,
		keys: aws.Credentials{AccessKeyID: os.Getenv("AWS_ACCESS_KEY_ID"), SecretAccessKey: os.Getenv("AWS_SECRET_ACCESS_KEY")},
	}
	for id := range strings.SplitSeq(callers, ",") {
		g.callers = append(g.callers, strings.TrimSpace(id))
	}
	if g.region == "" || g.keys.AccessKeyID == "" || g.keys.SecretAccessKey == "" {
		return fmt.Errorf("AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY should be set")
	}
	if notes != "" {
		f, err := os.OpenFile(notes, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		defer f.Close()
		g.notes = f
	}
	server := &http.Server{Addr: listen, Handler: g, ReadHeaderTimeout: 10 * time.Second}
	return server.ListenAndServe()
}
