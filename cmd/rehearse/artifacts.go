package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/internal/page"
)

// writeArtifacts makes a directory dir/PACKAGE/TEST for each test with findings, with the test's
// part of the record, its page, and its orders as schedules.
func writeArtifacts(dir, from string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	packages, err := record.Read(bytes.NewReader(text))
	if err != nil {
		return err
	}
	for _, p := range packages {
		for _, t := range p.Tests {
			if len(t.Found) == 0 {
				continue
			}
			to := filepath.Join(dir, filepath.FromSlash(p.Package), fileName(t.Name))
			if err := writeTest(to, text, p, t); err != nil {
				return fmt.Errorf("-artifacts: %w", err)
			}
		}
	}
	return nil
}

// fileName is the name of a test as that of a directory.
func fileName(test string) string {
	return regexp.MustCompile(`[^\w.-]`).ReplaceAllString(test, "_")
}

func writeTest(dir string, all []byte, p *record.Package, t *record.Test) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	alone := *p
	alone.Tests = []*record.Test{t}
	var html bytes.Buffer
	if err := page.Write(&html,
		page.Data{Tool: version(), Packages: []*record.Package{&alone}}); err != nil {
		return err
	}
	files := map[string][]byte{"page.html": html.Bytes(),
		"test.record": partOf(all, p.Package, t.Name)}
	for _, f := range t.Found {
		for _, x := range []*record.Trace{f.Failing, f.Passing} {
			if x != nil && x.Schedule != "" {
				files[fmt.Sprintf("finding-%d-%s.sched", f.Number, x.Role)] = []byte(x.Schedule)
			}
		}
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// partOf is what a record says of one test: its lines, and those that are about its package.
func partOf(all []byte, path, test string) []byte {
	var out bytes.Buffer
	for in := bufio.NewReader(bytes.NewReader(all)); ; {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return out.Bytes()
		}
		var of struct{ Package, Test string }
		if json.Unmarshal(line, &of) == nil && of.Package == path &&
			(of.Test == "" || of.Test == test) {
			out.Write(line)
		}
	}
}
