// Command infra writes the templates of one environment. CDK calls it, as
// cdk.json says, for make synth, diff, deploy and destroy.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"

	"lectern/infra/environment"
	"lectern/infra/stack"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "infra:", err)
		os.Exit(1)
	}
}

// run synthesizes the environment named by ENV; DIST is the directory of the
// functions' zips. SEARCH and ENDPOINT override the URLs of an OpenSearch
// server and of an emulator, ACCOUNT and ALARM_MAIL the account and who hears of
// alarms; AUTHENTICATE=yes asks for keys where nobody does, as in an emulator.
func run() error {
	defer jsii.Close()
	e, err := environment.Find(os.Getenv("ENV"))
	if err != nil {
		return fmt.Errorf("ENV: %w", err)
	}
	e.Search.Address = cmp.Or(os.Getenv("SEARCH"), e.Search.Address)
	e.Endpoint = cmp.Or(os.Getenv("ENDPOINT"), e.Endpoint)
	e.Account = cmp.Or(os.Getenv("ACCOUNT"), e.Account)
	e.AlarmMail = cmp.Or(os.Getenv("ALARM_MAIL"), e.AlarmMail)
	e.Authenticate = e.Authenticate || os.Getenv("AUTHENTICATE") == "yes" && !e.Open && e.Authorizer == ""
	if err := errors.Join(e.Check(), e.Deployable()); err != nil {
		return err
	}
	app := awscdk.NewApp(nil)
	stack.Add(app, e, stack.Options{Dist: cmp.Or(os.Getenv("DIST"), "../dist")})
	app.Synth(nil)
	return nil
}
