package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/record"
)

// testLive: the live page takes other alternatives, saves orders, survives the death of the binary,
// and answers nobody who is not the page.
func testLive(t *testing.T) {
	page := serving(t)
	checkForeign(t, page)
	failing := failingOf(t, page)
	if a := ask(t, page+"step", record.Question{Schedule: failing.Schedule,
		Step: 2}); a.Trace == nil || a.Trace.Verdict != "pass" || a.Trace.Parting != 2 {
		t.Fatalf("%+v", a)
	}
	if a := ask(t, page+"step", record.Question{Schedule: failing.Schedule, Step: 2,
		Alternative: 7}); !strings.Contains(a.Failure, "has no alternative 8") {
		t.Errorf("%+v", a)
	}
	killExplorer(t)
	if a := ask(t, page+"step",
		record.Question{Schedule: failing.Schedule, Step: 2}); !strings.Contains(a.Failure,
		"signal: killed") {
		t.Errorf("%+v", a)
	}
	a := ask(t, page+"step", record.Question{Schedule: failing.Schedule, Step: 2})
	if a.Trace == nil {
		t.Fatalf("%+v", a)
	}
	a = ask(t, page+"save", record.Question{Schedule: a.Trace.Schedule})
	if _, err := os.Stat(a.File); err != nil ||
		!strings.HasPrefix(a.File, "testdata/rehearse/TestTheatre/") {
		t.Errorf("%+v: %v", a, err)
	}
	os.Remove(a.File)
	if noBrowser() == "" {
		browse(t, "live", page)
	}
}

// serving serves what the arguments name until the test ends, and waits until all of it is there.
func serving(t *testing.T, args ...string) (page string) {
	t.Helper()
	var said bytes.Buffer
	v := &viewing{options: options.Default(), stdout: &said, stderr: io.Discard}
	load, err := v.source(args)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	loaded, ended := make(chan error, 1), make(chan int, 1)
	go func() {
		ended <- v.serve(ctx, listener, func() error { loaded <- load(); return nil })
	}()
	t.Cleanup(func() {
		stop()
		if code := <-ended; code != 0 {
			t.Errorf("exit code %d", code)
		}
	})
	if err := <-loaded; err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(said.String())
}

// testFiles: a page shows a schedule, and a record, which need no exploration.
func testFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.record")
	if code := runTest([]string{"-record", file, "."}, io.Discard,
		io.Discard); code != exitFinding {
		t.Fatalf("exit code %d", code)
	}
	page := serving(t, file)
	failing := failingOf(t, page)
	if a := ask(t, page+"step",
		record.Question{Schedule: failing.Schedule, Step: 2}); a.Trace == nil ||
		a.Trace.Verdict != "pass" {
		t.Errorf("from a record: %+v", a)
	}
	saved := ask(t, page+"save", record.Question{Schedule: failing.Schedule})
	defer os.Remove(saved.File)
	if again := failingOf(t, serving(t, saved.File)); len(again.Preds) != len(failing.Preds) ||
		again.Verdict != "fail" {
		t.Errorf("from %s: %d events, %s; want %d", saved.File, len(again.Preds), again.Verdict,
			len(failing.Preds))
	}
}

// testReplays: each execution of the record replays 100 of 100 times.
func testReplays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.record")
	runTest([]string{"-record", file, "."}, io.Discard, io.Discard)
	if n := checkReplays(t, serving(t, file)); n < 4 {
		t.Errorf("%d executions: too few", n)
	}
}

// checkForeign checks that other names, other pages and other tokens are refused.
func checkForeign(t *testing.T, page string) {
	t.Helper()
	for _, c := range []struct {
		url, host, origin string
		want              int
	}{
		{page, "", "", 200},
		{page, "", strings.TrimSuffix(page[:strings.LastIndex(strings.TrimSuffix(page, "/"), "/")],
			"/"),
			200},
		{page, "attacker.example", "", 403},
		{page, "", "http://attacker.example", 403},
		{page, "", "null", 403},
		{page[:len(page)-2] + "/", "", "", 403},
		{page + "../x/", "", "", 404},
		{page + "nothing", "", "", 404},
		{page + "step", "", "", 404}, // only POST
	} {
		r, err := http.NewRequest("GET", c.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = c.host
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		reply, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		reply.Body.Close()
		if reply.StatusCode != c.want {
			t.Errorf("%s for host %q from %q: %s, want %d", c.url, c.host, c.origin, reply.Status,
				c.want)
		}
	}
	if reply, err := http.Post(page+"save", "text/plain", strings.NewReader("{}")); err != nil ||
		reply.StatusCode != http.StatusUnsupportedMediaType {
		t.Errorf("a form is taken: %v", err)
	}
}

func failingOf(t *testing.T, page string) *record.Trace {
	t.Helper()
	return packagesOf(t, page)[0].Tests[0].Found[0].Failing
}

// packagesOf is what a page shows.
func packagesOf(t *testing.T, page string) []*record.Package {
	t.Helper()
	reply, err := http.Get(page + "record")
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	var data struct{ Packages []*record.Package }
	if err := json.NewDecoder(reply.Body).Decode(&data); err != nil {
		t.Fatal(err)
	}
	return data.Packages
}

// ask asks, and logs how long the answer takes.
func ask(t *testing.T, url string, q record.Question) record.Answer {
	t.Helper()
	began := time.Now()
	a := answerOf(t, url, q)
	t.Logf("%s: %v", filepath.Base(url), time.Since(began))
	return a
}

func answerOf(t *testing.T, url string, q record.Question) (a record.Answer) {
	t.Helper()
	text, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	reply, err := http.Post(url, "application/json", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	if err := json.NewDecoder(reply.Body).Decode(&a); err != nil {
		t.Fatalf("%s: %v", reply.Status, err)
	}
	return a
}

// killExplorer kills the children of this process that answer questions.
func killExplorer(t *testing.T) {
	t.Helper()
	killed := 0
	found, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, stat := range found {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(stat)))
		text, err := os.ReadFile(stat)
		_, rest, ok := strings.Cut(string(text), ") ")
		command, _ := os.ReadFile(filepath.Join(filepath.Dir(stat), "cmdline"))
		if f := strings.Fields(rest); err != nil || !ok || f[1] != strconv.Itoa(os.Getpid()) ||
			!bytes.Contains(command, []byte("-explorer")) {
			continue
		}
		if syscall.Kill(pid, syscall.SIGKILL) == nil {
			killed++
		}
	}
	if killed != 1 {
		t.Errorf("%d explorers", killed)
	}
}
