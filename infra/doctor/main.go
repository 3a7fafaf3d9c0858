// Command doctor says what an account lacks before an environment is deployed to
// it. It only reads. Without credentials it says what it would look at.
//
//	ENV=prod go run ./doctor
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/sts"

	"lectern/infra/environment"
)

func main() {
	ok, err := run(context.Background(), os.Getenv("ENV"), os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "doctor:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// run prints a line for each check, and returns whether nothing is missing.
func run(ctx context.Context, name string, out io.Writer) (bool, error) {
	e, err := environment.Find(name)
	if err != nil {
		return false, fmt.Errorf("ENV: %w", err)
	}
	e.Account = cmp.Or(os.Getenv("ACCOUNT"), e.Account)
	e.AlarmMail = cmp.Or(os.Getenv("ALARM_MAIL"), e.AlarmMail)
	cfg, err := config.LoadDefaultConfig(ctx, config.WithRegion(e.Region))
	if err != nil {
		return false, err
	}
	list := checks(e, cfg)
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		fmt.Fprintf(out, "no credentials of AWS are there (%v); with them this would be looked at, in %s:\n", short(err), e.Region)
		for _, c := range list {
			fmt.Fprintf(out, "  %-22s %s\n", c.name, c.looks)
		}
		return true, nil
	}
	who, err := sts.NewFromConfig(cfg).GetCallerIdentity(ctx, nil)
	if err != nil {
		return false, fmt.Errorf("the credentials are not accepted: %s", short(err))
	}
	fmt.Fprintf(out, "account %s, %s, environment %s\n", *who.Account, e.Region, e.Name)
	missing := 0
	for _, c := range list {
		says, err := c.run(ctx, *who.Account)
		if err != nil {
			missing++
			fmt.Fprintf(out, "lack %-22s %s\n", c.name, short(err))
			continue
		}
		fmt.Fprintf(out, "ok   %-22s %s\n", c.name, says)
	}
	if missing > 0 {
		fmt.Fprintf(out, "%d of %d are missing or could not be looked at\n", missing, len(list))
	}
	return missing == 0, nil
}
