package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write README.md's output, and other files, anew")

// block is a fenced block of README.md below a comment that says what it is.
var block = regexp.MustCompile("(?s)<!-- (program|output): (\\S+) -->\n```[a-z]*\n(.*?)```\n")

// TestReadme checks that the README shows the program that is in testdata, and what the command
// prints about it.
func TestReadme(t *testing.T) {
	file := filepath.Join(sources(t), "README.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	blocks := block.FindAllSubmatch(text, -1)
	if len(blocks) != 2 {
		t.Fatalf("%d blocks in README.md, want a program and its output", len(blocks))
	}
	for _, b := range blocks {
		switch shown, of := string(b[3]), string(b[2]); string(b[1]) {
		case "program":
			checkProgram(t, shown, of)
		case "output":
			actual := "$ rehearse test ./" + of + "\n" + output(t, of)
			if *update {
				text = bytes.Replace(text, b[3], []byte(actual), 1)
			} else if normal(shown) != normal(actual) {
				t.Errorf("README.md shows\n%s\nthe command prints\n%s", shown, actual)
			}
		}
	}
	if *update {
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func checkProgram(t *testing.T, shown, file string) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(sources(t), file))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(string(source), "\n"+shown) {
		t.Errorf("README.md shows a program that is not the end of %s", file)
	}
	if n := strings.Count(strings.ReplaceAll(shown, "\n\n", "\n"), "\n"); n > 15 {
		t.Errorf("the program in README.md has %d lines, want at most 15", n)
	}
}

// output is what the command prints about a package of testdata.
func output(t *testing.T, dir string) string {
	t.Helper()
	t.Chdir(copyOfTestdata(t))
	var stdout, stderr strings.Builder
	if code := run([]string{"test", "./" + dir}, &stdout, &stderr); code != exitFinding {
		t.Fatalf("exit code %d, want %d\n%s%s", code, exitFinding, stdout.String(), stderr.String())
	}
	return stdout.String()
}

// varying is what differs from run to run: times, and the hash in a schedule's name.
var varying = regexp.MustCompile(`[0-9.]+s\b|[0-9a-f]+\.sched`)

func normal(text string) string { return varying.ReplaceAllString(text, "X") }
