package sqldrivers_test

import (
	"strings"
	"testing"

	"lectern/shared/database"
	"lectern/shared/database/sqldrivers"
	"lectern/shared/web/fetch"
	"lectern/shared/web/fetch/fetchtest"
)

func TestAddresses(t *testing.T) {
	open := sqldrivers.Opener(fetch.New(nil).Dial, sqldrivers.Options{})
	for _, d := range []database.Dialect{database.Postgres, database.MySQL, database.SQLServer} {
		fetchtest.Refuses(t, func(host string, port int) error {
			_, err := open(t.Context(), database.Target{Address: database.Address{Dialect: d, Host: strings.Trim(host, "[]"), Port: port, User: "u", Password: "p",
				Name: "n"}})
			return err
		})
	}
}
