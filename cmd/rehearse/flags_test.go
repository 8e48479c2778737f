package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
)

// TestFlagsOfGoTest: who gives a flag of go test that makes no sense here reads why, in one line.
func TestFlagsOfGoTest(t *testing.T) {
	for args, want := range map[string]string{
		"-bench=.":          "-bench: it explores orders, and measures no time",
		"-v -fuzz FuzzX .":  "-fuzz: it runs fuzz targets with their seeds",
		"-shuffle=on ./...": "-shuffle: each test begins as if it were the first one",
		"-vet=off":          "-vet: it does not run go vet",
		"-c":                "-c: rehearse build -o FILE",
	} {
		var stderr bytes.Buffer
		_, _, _, err := parseOptions("test", strings.Fields(args), &stderr)
		if got := stderr.String(); err == nil || strings.Count(got, "\n") != 1 ||
			!strings.HasPrefix(got, "rehearse: rehearse test has no "+want) {
			t.Errorf("%s: %v, %q", args, err, got)
		}
	}
	var stderr bytes.Buffer
	if _, _, _, err := parseOptions("test", []string{"-nonsense"}, &stderr); err == nil ||
		!strings.Contains(stderr.String(), "not defined: -nonsense; run 'rehearse help test'") {
		t.Errorf("-nonsense: %q", stderr.String())
	}
}

// TestSharing: -v says what packages do with the processors.
func TestSharing(t *testing.T) {
	o := options.Default()
	for p, searches := range map[int]string{
		1: "each search is made by one process",
		4: "a search that can be divided is divided among 4 processes",
	} {
		o.P = p
		for packages, want := range map[int]string{
			1: "1 package; " + searches,
			3: fmt.Sprintf("3 packages, one after the other, while others are built, %d at a time; %s",
				p, searches),
		} {
			if got := sharing(o, packages); got != want {
				t.Errorf("-p %d: %s, want %s", p, got, want)
			}
		}
	}
}
