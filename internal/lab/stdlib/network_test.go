package stdlib

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"
)

var network = flag.Duration("network", 0,
	"explore the tests of net/http/httptest, net/http/httputil and net/rpc, each for that `long`")

// leaves says which tests leave goroutines behind for ever, by package, as was read.
var leaves = map[string]string{
	"net/rpc": "its tests never close what they listen with, and some no client",
}

// TestNetwork explores packages whose tests talk over loopback. At least 90 of 100 tests must be
// explored, and no finding may be but that goroutines are left.
//
//	go test ./internal/lab/stdlib -run Network -network 1m -v -timeout 0
func TestNetwork(t *testing.T) {
	if *network == 0 {
		t.Skip("it explores three packages; -network 1m asks for it")
	}
	goRoot(t, "src/net/http/httptest/server_test.go")
	ownCache(t)
	dir := t.TempDir()
	subjects := build(t, dir, "net/http/httptest", "net/http/httputil", "net/rpc")
	testNatively(t, dir, subjects)
	var b strings.Builder
	b.WriteString("| package | tests | explored | complete | leaks | refused | executions |\n")
	explored, all := 0, 0
	for _, s := range subjects {
		s.explore(t, "-max-executions=1000", "-timeout="+network.Round(time.Second).String())
		complete, leaks, refused, executions := 0, 0, 0, 0
		var words []string
		for _, r := range s.cases {
			executions += r.Executions
			if r.Complete {
				complete++
			}
			for _, f := range r.Findings {
				words = append(words, s.name+" "+r.Test+": "+f.Kind+": "+f.Message)
			}
			switch {
			case r.Verdict == "error":
				refused++
			case r.Verdict == "fail" && s.leaks(&r):
				leaks++
			case r.Verdict == "fail":
				t.Errorf("%s %s: %v", s.name, r.Test, r.Findings)
			}
		}
		explored, all = explored+len(s.cases)-refused, all+s.all
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d |\n", s.name, s.all,
			len(s.cases)-refused, complete, leaks, refused, executions)
		t.Log(strings.Join(words, "\n"))
	}
	t.Log("\n" + b.String())
	if 10*explored < 9*all {
		t.Errorf("%d of %d tests are explored", explored, all)
	}
}

// leaks reports whether the findings of a test, which passes natively, are that goroutines are
// left, and the tests of s leave some.
func (s *subject) leaks(r *result) bool {
	for _, f := range r.Findings {
		if f.Kind != "leak" {
			return false
		}
	}
	return leaves[s.name] != "" && s.native[r.Test] == "pass"
}
