package main

import (
	"debug/buildinfo"
	"debug/elf"
	"debug/gosym"
	"fmt"
	"slices"
	"strings"
)

// most is the maximum size of a function in MiB, because every cold start loads it.
const most = 18.0

// large are the functions that link the large dependencies for the others: the
// readers, the databases, and the vocabulary of the exact tokenizer.
var large = []string{"artifacts", "artifacts-worker", "tools", "tokens"}

// checkSize returns an error if a function is too large.
func checkSize(name string, bytes int) error {
	if size := mib(bytes); size > most && !slices.Contains(large, name) {
		return fmt.Errorf("it has %.1f MiB, %.0f at most: `go tool nm -size -sort size` on a build without -s tells what is new", size, most)
	}
	return nil
}

// reading are the functions that parse documents and web pages.
var reading = append(readsPDF(), "tools")

// forbidden are expensive packages that only the named functions may link.
var forbidden = []struct {
	pkg     string
	why     string
	allowed []string
}{
	{"lectern/shared/knowledge/reader/formats", "the readers of documents", readsPDF()},
	{"golang.org/x/text/encoding/", "tables of character sets", reading},
	{"golang.org/x/net/html", "the reader of web pages", reading},
	{"github.com/modelcontextprotocol/go-sdk", "the protocol of tool servers", []string{"tools", "mcp"}},
	{"github.com/tetratelabs/wazero", "the PDF reader's engine", readsPDF()},
	{"github.com/tiktoken-go/tokenizer", "the exact tokenizer's vocabulary", []string{"tokens"}},
	{"go.etcd.io/bbolt", "an embedded driver", nil},
	{"lectern/shared/storage/object/diskobject", "an embedded driver", nil},
	{"lectern/shared/storage/record/boltrecord", "an embedded driver", nil},
	{"lectern/shared/knowledge/embedding/staticembedding", "an embedded driver", nil},
	{"github.com/jackc/pgx", "a database driver", []string{"tools"}},
	{"github.com/go-sql-driver/mysql", "a database driver", []string{"tools"}},
	{"github.com/microsoft/go-mssqldb", "a database driver", []string{"tools"}},
	{"modernc.org/sqlite", "a database", []string{"tools"}},
	{"github.com/ncruces/go-sqlite3", "a database", []string{"tools"}},
	{"text/template", "it keeps every exported method", nil},
	{"github.com/aws/aws-sdk-go-v2/service/sso", "credentials that functions do not use", nil},
}

// checkLinked returns an error if a binary contains code of a forbidden
// package. Importing one is fine if the linker drops all of it, which it cannot
// for initialisation code.
func checkLinked(name, binary string) error {
	if _, err := buildinfo.ReadFile(binary); err != nil {
		return err
	}
	f, err := elf.Open(binary)
	if err != nil {
		return err
	}
	defer f.Close()
	lines, text := f.Section(".gopclntab"), f.Section(".text")
	if lines == nil || text == nil {
		return fmt.Errorf("the binary has no function table")
	}
	raw, err := lines.Data()
	if err != nil {
		return err
	}
	table, err := gosym.NewTable(nil, gosym.NewLineTable(raw, text.Addr))
	if err != nil {
		return err
	}
	if len(table.Funcs) < 1000 {
		return fmt.Errorf("the function table cannot be read: %d functions", len(table.Funcs))
	}
	for _, rule := range forbidden {
		if slices.Contains(rule.allowed, name) {
			continue
		}
		for _, fn := range table.Funcs {
			if strings.HasPrefix(fn.Name, rule.pkg) {
				return fmt.Errorf("it links %s (%s), for example %s", rule.pkg, rule.why, fn.Name)
			}
		}
	}
	return nil
}
