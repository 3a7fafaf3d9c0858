package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"

	"lectern/functions/local/cli"
	"lectern/shared/app/config"
)

// sources says where the settings are from: a flag goes before the environment, and
// that before a file.
type sources struct {
	flags map[string]string
	env   func(string) string
	file  map[string]string
}

func (s *sources) get(name string) string {
	if v, ok := s.flags[name]; ok {
		return v
	}
	if v := s.env(name); v != "" {
		return v
	}
	return s.file[name]
}

// flagOf is the flag of a setting: LECTERN_DATA is --data.
func flagOf(setting string) string {
	return "--" + strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(setting, "LECTERN_")), "_", "-")
}

// known lists the names that a file of settings may have.
func known() []string {
	names := cli.Settings()
	for _, s := range config.Settings() {
		names = append(names, s.Name)
	}
	return names
}

// misspelt returns the variables of the environment that look like settings and are
// none, as NAME=value strings name them. closes has those that would be about
// authentication, with which a service would be open that looks closed. Kubernetes
// sets variables named after a service called lectern.
func misspelt(environment []string) (closes, others []string) {
	names := append(known(), "LECTERN_CONFIG")
	for _, line := range environment {
		name, value, _ := strings.Cut(line, "=")
		switch {
		case value == "" || slices.Contains(names, name):
		case strings.HasPrefix(name, "SERVER_AUTH"):
			closes = append(closes, name)
		case strings.HasPrefix(name, "LECTERN_") && !strings.HasPrefix(name, "LECTERN_SERVICE_") && !strings.HasPrefix(name, "LECTERN_PORT") &&
			!strings.HasPrefix(name, "LECTERN_TEST_"):
			others = append(others, name)
		}
	}
	return closes, others
}

// readSources takes the flags of settings out of the arguments of a command, and reads
// the file that --config or LECTERN_CONFIG names. The commands that talk to a service
// have flags of their own: of those only --config is taken.
func readSources(args []string, env func(string) string) (s *sources, rest []string, err error) {
	s = &sources{flags: map[string]string{}, env: env}
	client := len(args) > 0 && cli.Known(args[0])
	file := env("LECTERN_CONFIG")
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			rest = append(rest, args[i:]...)
			break
		}
		name, value, equals := strings.Cut(arg, "=")
		if strings.HasPrefix(name, "-") && !strings.HasPrefix(name, "--") {
			name = "-" + name
		}
		setting := ""
		if !client {
			for _, one := range config.Settings() {
				if one.Name != "PATH" && flagOf(one.Name) == name {
					setting = one.Name
				}
			}
		}
		if setting == "" && name != "--config" {
			rest = append(rest, arg)
			continue
		}
		if !equals {
			if i++; i == len(args) {
				return nil, nil, fmt.Errorf("%s needs a value", name)
			}
			value = args[i]
		}
		if setting == "" {
			file = value
		} else {
			s.flags[setting] = value
		}
	}
	if file != "" {
		s.file, err = readSettings(file)
	}
	return s, rest, err
}

// readSettings reads lines of the form NAME=value. Empty lines and those that begin
// with # say nothing; a value may stand in quotation marks.
func readSettings(path string) (map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	defer f.Close()
	values, names := map[string]string{}, known()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, ok := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		switch {
		case !ok:
			return nil, fmt.Errorf("%s, line %d: should be NAME=value", path, n)
		case !slices.Contains(names, name):
			return nil, fmt.Errorf("%s, line %d: there is no setting %q", path, n, name)
		}
		if _, twice := values[name]; twice {
			return nil, fmt.Errorf("%s, line %d: %s is set twice", path, n, name)
		}
		if q := len(value) - 1; q > 0 && value[0] == value[q] && (value[0] == '"' || value[0] == '\'') {
			value = value[1:q]
		}
		values[name] = value
	}
	return values, lines.Err()
}
