package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/record"
)

// recordOf runs rehearse test in dir, with flags, and reads the record.
func recordOf(t *testing.T, dir string, flags ...string) []*record.Package {
	t.Helper()
	name := filepath.Join(t.TempDir(), "r.record")
	t.Chdir(dir)
	runTest(append(flags, "-record", name, "."), io.Discard, io.Discard)
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

// TestContents: what the record says to be in a channel is what the program sees there.
func TestContents(t *testing.T) {
	packages, checked := recordOf(t, module(t, talkers), "-strategy=random", "-max-executions=1"), 0
	for _, f := range packages[0].Tests[0].Found {
		checked += checkContents(t, f.Failing)
	}
	if checked < 400 {
		t.Errorf("%d comparisons: too few", checked)
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
