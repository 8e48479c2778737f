package traces

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/record"
)

// shown is an execution of a sender and a receiver: over a channel with room, and by rendezvous.
func shown() *record.Trace {
	t := &record.Trace{Test: "TestX", Parting: 1}
	t.Procs = []record.Proc{{Name: "TestX", Ends: 3, WaitSite: -1},
		{Name: "a worker", Born: 1, Ends: -1, Waits: "waits to lock mu1", WaitSite: -1}}
	t.Objects = []record.Object{{Name: "ch1", Cap: 2}, {Name: "ch2"}}
	t.Kinds, t.Values = []string{"send", "recv", "end"}, []string{"7", "8"}
	t.Texts = []string{"send ch1", "recv ch1", "send ch2 to TestX", "test ends", "recv ch2"}
	t.Sites = []record.Site{{Place: "x.go:3"}, {Place: "x.go:9"}}
	t.Events = record.Columns{
		Kind: []int32{0, 1, 0, 2}, Proc: []int32{0, 1, 1, 0}, Obj: []int32{0, 0, 1, -1},
		Partner: []int32{-1, -1, 0, -1},
		From:    []int32{-1, 0, -1, -1}, Flags: []int32{0, 0, 0, 0}, Text: []int32{0, 1, 2, 3},
		Wants:        []int32{0, 1, 2, 3},
		PartnerWants: []int32{-1, -1, 4, -1}, Site: []int32{0, 1, 1, -1},
		PartnerSite: []int32{-1, -1, 0, -1}, Value: []int32{0, -1, 1, -1},
	}
	t.Preds = [][]int32{{}, {0}, {0, 1}, {2}}
	return t
}

// TestChrome: on a track nothing overlaps, each message has an arrow, and lengths are as they were.
func TestChrome(t *testing.T) {
	var out bytes.Buffer
	if err := Chrome(&out, shown()); err != nil {
		t.Fatal(err)
	}
	var read struct{ TraceEvents []chromeEvent }
	if err := json.Unmarshal(out.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	until, flows, lengths, slices := map[[2]int]int{}, map[int]string{}, []any{}, 0
	for _, e := range read.TraceEvents {
		switch e.Phase {
		case "X":
			slices++
			track := [2]int{e.Pid, e.Tid}
			if e.Ts < until[track] || e.Dur <= 0 {
				t.Errorf("%q begins at %d, and the one before ends at %d", e.Name, e.Ts,
					until[track])
			}
			until[track] = e.Ts + e.Dur
		case "s", "f":
			flows[e.ID] += e.Phase
		case "C":
			lengths = append(lengths, e.Args["messages"])
		}
	}
	// five parties of steps; the test and the worker wait for ch2, the worker for the lock
	if slices != 7 {
		t.Errorf("%d slices:\n%s", slices, out.String())
	}
	if len(flows) != 2 || flows[2] != "sf" || flows[3] != "sf" {
		t.Errorf("flows %v", flows)
	}
	if len(lengths) != 2 || lengths[0] != 1.0 || lengths[1] != 0.0 {
		t.Errorf("lengths %v", lengths)
	}
	if !strings.Contains(out.String(), `"value":"7"`) ||
		!strings.Contains(out.String(), `"recv ch2 from a worker"`) {
		t.Error(out.String())
	}
}

// TestShiViz: clocks grow by one for each host, and a receive has the clock of its send.
func TestShiViz(t *testing.T) {
	var out bytes.Buffer
	if err := ShiViz(&out, shown()); err != nil {
		t.Fatal(err)
	}
	want := `(?<host>\S*) (?<clock>{.*})\n(?<event>.*)

TestX {"TestX":1}
send ch1 7 at x.go:3
a_worker {"TestX":1,"a_worker":1}
recv ch1 7 at x.go:9
a_worker {"TestX":1,"a_worker":2}
send ch2 to TestX 8 at x.go:9
TestX {"TestX":2,"a_worker":2}
recv ch2 from a worker 8 at x.go:3
TestX {"TestX":3,"a_worker":2}
test ends
`
	if got := out.String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestCheck: the end of a file's name must be a format's.
func TestCheck(t *testing.T) {
	for file, ok := range map[string]bool{"x.json": true, "d/x.shiviz": true,
		"x.trace": true, "x": false, "x.txt": false} {
		if err := Check(file); (err == nil) != ok {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestGoTrace: go tool trace reads what is written, and has each party's part of each step, in
// order. A long trace has several batches.
func TestGoTrace(t *testing.T) {
	long := shown()
	for range 2000 {
		add := shown().Events
		e := &long.Events
		for _, c := range []struct{ to, from *[]int32 }{{&e.Kind, &add.Kind}, {&e.Proc, &add.Proc},
			{&e.Obj, &add.Obj}, {&e.Partner, &add.Partner}, {&e.Text, &add.Text},
			{&e.Wants, &add.Wants}, {&e.PartnerWants, &add.PartnerWants}, {&e.Site, &add.Site},
			{&e.PartnerSite, &add.PartnerSite}} {
			*c.to = append(*c.to, *c.from...)
		}
	}
	long.Procs[0].Ends = -1
	for _, x := range []*record.Trace{shown(), long} {
		file := filepath.Join(t.TempDir(), "x.trace")
		var out bytes.Buffer
		if err := GoTrace(&out, x); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, out.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		said, err := exec.Command("go", "tool", "trace", "-d=parsed", file).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %.300s", err, said)
		}
		var did []string
		begin := regexp.MustCompile(`G=(\d) RegionBegin .* Type=(".*")`)
		for _, m := range begin.FindAllSubmatch(said, -1) {
			did = append(did, string(m[1])+" "+string(m[2]))
		}
		steps := []string{`1 "send ch1"`, `2 "recv ch1"`, `2 "send ch2 to TestX"`,
			`1 "recv ch2 from a worker"`, `1 "test ends"`}
		if n := len(x.Events.Kind) / 4 * len(steps); len(did) != n ||
			!slices.Equal(did[:len(steps)], steps) {
			t.Errorf("%d regions, want %d, the first ones %q", len(did), n, did[:min(len(did), 5)])
		}
		if !bytes.Contains(said, []byte(`Running->Waiting Reason="waits to lock mu1"`)) {
			t.Errorf("what the worker waits for in the end is not there")
		}
	}
}
