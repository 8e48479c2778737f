package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/explore/study"
)

// recordOf runs rehearse test in dir, with flags, and reads the record.
func recordOf(t *testing.T, dir string, flags ...string) []*record.Package {
	t.Helper()
	name := filepath.Join(t.TempDir(), "r.record")
	t.Chdir(dir)
	runTest(append(flags, "-record", name, "."), io.Discard, io.Discard)
	return readRecord(t, name)
}

// readRecord reads a record from a file.
func readRecord(t *testing.T, name string) []*record.Package {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	packages, err := record.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return packages
}

// module writes a module of one test file, and returns its directory.
func module(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/m\n\ngo 1.26\n",
		"m_test.go": "package m\n\n" + source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// talkers is a program whose processes log what they see of two channels: how long they are, and
// what was received. It fails always, so that its executions are recorded.
const talkers = `
import (
	"sync"
	"testing"
)

func TestTalkers(t *testing.T) {
	chans := []chan string{make(chan string, 2), make(chan string, 3)}
	var all sync.WaitGroup
	for p := range 3 {
		all.Go(func() {
			for i := range 99 {
				ch := chans[(i*(p+1)+p)%2]
				select {
				case ch <- string(rune('a'+p)) + string(rune(0x100+i)):
				case v := <-ch:
					t.Log("got", v)
				}
				n := len(chans[i%2])
				t.Log("len", n)
			}
		})
	}
	all.Wait()
	t.Fail()
}
`

// TestContents: what the record says to be in a channel is what the program sees there; and so is
// what the page makes of the record.
func TestContents(t *testing.T) {
	page := filepath.Join(t.TempDir(), "r.html")
	packages, checked := recordOf(t, module(t, talkers), "-strategy=random", "-max-executions=3",
		"-html", page), 0
	for _, x := range tracesOf(packages[0].Tests[0]) {
		checked += checkContents(t, x)
	}
	if checked < 1000 {
		t.Errorf("%d comparisons: too few", checked)
	}
	if noBrowser() == "" {
		browse(t, "traces", page)
	}
}

// checkContents follows a trace, and compares the channels with what was logged; it returns how
// often.
func checkContents(t *testing.T, x *record.Trace) (checked int) {
	t.Helper()
	inside, seen := map[int32][]int{}, map[int32]string{}
	e := &x.Events
	for k := range e.Kind {
		obj, proc := e.Obj[k], e.Proc[k]
		switch text := x.Texts[e.Text[k]]; x.Kinds[e.Kind[k]] {
		case "send":
			inside[obj] = append(inside[obj], k)
		case "recv":
			if len(inside[obj]) == 0 || inside[obj][0] != int(e.From[k]) {
				t.Fatalf("step %d receives what step %d sent, and %v is inside", k, e.From[k],
					inside[obj])
			}
			inside[obj] = inside[obj][1:]
			seen[proc] = "got " + strings.Trim(x.Values[e.Value[e.From[k]]], `"`)
		case "len":
			seen[proc] = fmt.Sprint("len ", len(inside[obj]))
		case "log":
			if told, ok := strings.CutPrefix(text, "log "); ok &&
				(strings.HasPrefix(told, "got") || strings.HasPrefix(told, "len")) {
				if checked++; told != seen[proc] {
					t.Errorf("step %d: the program saw %q, the record has %q", k, told, seen[proc])
				}
			}
		}
	}
	return checked
}

// replays is how often each recorded execution is run again.
const replays = 100

// checkReplays checks that each execution that a page shows, be it failing, passing or an example
// of an outcome, is the same, with all its steps, places, values and alternatives, as often as it
// is run again.
func checkReplays(t *testing.T, page string) (executions int) {
	t.Helper()
	for _, test := range packagesOf(t, page)[0].Tests {
		for _, x := range tracesOf(test) {
			executions++
			for range replays {
				if differ := differs(t, page, x); differ != "" {
					t.Fatalf("%s, %s %d%d: %s", x.Test, x.Role, x.Finding, x.Outcome, differ)
				}
			}
		}
	}
	return executions
}

// tracesOf are all recorded executions of a test.
func tracesOf(test *record.Test) []*record.Trace {
	all := slices.Clone(test.Examples)
	for _, f := range test.Found {
		all = append(all, f.Failing, f.Passing)
	}
	return study.Present(all...)
}

// differs runs a recorded execution again, and says in what the two differ. The live page runs
// what comes before the last step, and then what was done in it.
func differs(t *testing.T, page string, x *record.Trace) string {
	t.Helper()
	last := len(x.Events.Kind) - 1
	if last < 0 {
		return x.Why // blocked before any step: there is none to ask for
	}
	q := record.Question{Schedule: x.Schedule, Step: last, Alternative: int(max(x.Took[last], 0))}
	again := answerOf(t, page+"step", q)
	if again.Trace == nil {
		return again.Failure
	}
	a, b := *x, *again.Trace
	for _, y := range []*record.Trace{&a, &b} { // what is said of an execution, and not in it
		y.Role, y.Finding, y.Outcome, y.Parting = "", 0, 0, 0
		y.Decision, y.Schedule, y.Chart = nil, "", nil
		y.Detail, y.Brief = true, nil // marks of where it parts keep rows
	}
	for v, w, k := reflect.ValueOf(a), reflect.ValueOf(b), 0; k < v.NumField(); k++ {
		one, two := v.Field(k).Interface(), w.Field(k).Interface()
		if !reflect.DeepEqual(one, two) {
			return fmt.Sprintf("%s: %v, and %v again", v.Type().Field(k).Name, one, two)
		}
	}
	return ""
}

// sentences are programs with a finding each. It is named before any test changes its directory.
var sentences, _ = filepath.Abs(filepath.Join("testdata", "sentences"))

// sentencesDir is a copy of them as a module of its own.
func sentencesDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(sentences)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"),
		[]byte("module example.org/sentences\n\ngo 1.26\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestSentences: the first sentence of many kinds of findings. Each was read by a person, who asked
// whether it is true, and names who did what, to what, and where: do so with what -update changes.
func TestSentences(t *testing.T) {
	var got strings.Builder
	for _, test := range recordOf(t, sentencesDir(t), "-timeout=5m")[0].Tests {
		if len(test.Found) == 0 {
			t.Errorf("%s: no finding", test.Name)
		}
		for _, f := range test.Found {
			sentence := cmp.Or(f.Sentence, "(the message is all)")
			fmt.Fprintf(&got, "%s, %s\n", test.Name, f.Kind)
			for part := range strings.SplitSeq(sentence, "; ") {
				fmt.Fprintf(&got, "\t%s\n", part)
			}
		}
	}
	file, err := filepath.Join(sentences, "sentences.txt"), error(nil)
	if *update {
		err = os.WriteFile(file, []byte(got.String()), 0o666)
	}
	want, rerr := os.ReadFile(file)
	if err := cmp.Or(err, rerr); err != nil || got.String() != string(want) {
		t.Errorf("%v; -update writes %s anew:\n%s", err, file, got.String())
	}
}
