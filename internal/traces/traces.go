// Package traces writes one execution of a record in the formats of other viewers.
//
// Vocabulary: step k, from 0, takes the time from k to k+1 milliseconds: an execution has no time
// of its own. A track is a row of a viewer.
//
// LIMITS: Perfetto reads the legacy part of Chrome's format, so only complete events, flows,
// counters and names are used.
package traces

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"

	"github.com/rehearse-go/rehearse/explore/record"
)

// writers are the formats by the end of a file's name.
var writers = map[string]func(io.Writer, *record.Trace) error{".json": Chrome, ".trace": GoTrace,
	".shiviz": ShiViz}

// Check reports an error if a file's name ends as none of the formats.
func Check(file string) error {
	if writers[filepath.Ext(file)] == nil {
		return fmt.Errorf(
			"-trace %s: the end of its name says which format is meant; write .json for Perfetto, VS Code and the like, .trace for go tool trace, or .shiviz",
			file)
	}
	return nil
}

// Write writes the first execution of a record in the format that the file's name asks for.
func Write(w io.Writer, file string, packages []*record.Package) error {
	t := first(packages)
	if t == nil {
		return errors.New("no execution was recorded")
	}
	return writers[filepath.Ext(file)](w, t)
}

// first is what a replay has shown: the failing execution if it fails.
func first(packages []*record.Package) *record.Trace {
	for _, p := range packages {
		for _, t := range p.Tests {
			for _, f := range t.Found {
				if f.Failing != nil {
					return f.Failing
				}
			}
			if len(t.Examples) > 0 {
				return t.Examples[0]
			}
		}
	}
	return nil
}

// value is the value that step k sent or received.
func value(t *record.Trace, k int) string {
	c := &t.Events
	if c.From[k] >= 0 {
		k = int(c.From[k])
	}
	if v := c.Value[k]; v >= 0 {
		return t.Values[v]
	}
	return ""
}

func place(t *record.Trace, site int32) string {
	if site < 0 {
		return ""
	}
	return t.Sites[site].Place
}

// chromeEvent is an entry of Chrome's trace format. Times are microseconds.
type chromeEvent struct {
	Name  string         `json:"name"`
	Cat   string         `json:"cat,omitempty"`
	Phase string         `json:"ph"`
	Pid   int            `json:"pid"`
	Tid   int            `json:"tid"`
	Ts    int            `json:"ts"`
	Dur   int            `json:"dur,omitempty"`
	ID    int            `json:"id,omitempty"`
	Bind  string         `json:"bp,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

// The groups of tracks.
const (
	steps = 1 // what goroutines do
	waits = 2 // what they wait for
)

// A step takes most of its millisecond: steps that touch would be nested by Perfetto.
const (
	perStep  = 1000
	duration = 900
)

// Chrome writes Chrome's trace format, which Perfetto and VS Code show.
func Chrome(w io.Writer, t *record.Trace) error {
	c := &chrome{t: t, last: make([]int, len(t.Procs)), length: map[int32]int{}}
	c.name(steps, -1, "steps of "+t.Test)
	c.name(waits, -1, "waits")
	for p, q := range t.Procs {
		c.name(steps, p, q.Name)
		c.name(waits, p, q.Name)
		c.last[p] = max(0, int(q.Born))
	}
	for k := range t.Events.Kind {
		c.step(k)
	}
	for p, q := range t.Procs {
		if q.Waits != "" && q.Ends < 0 {
			c.wait(p, len(t.Events.Kind), q.Waits)
		}
	}
	return json.NewEncoder(w).Encode(map[string]any{"traceEvents": c.out, "displayTimeUnit": "ms"})
}

// chrome is a trace that is being written.
type chrome struct {
	t      *record.Trace
	out    []chromeEvent
	last   []int         // of each process: behind its latest step
	length map[int32]int // of channels
}

func (c *chrome) add(e chromeEvent) { c.out = append(c.out, e) }

// name names a track, or with process -1 a group of them.
func (c *chrome) name(group, p int, name string) {
	what := "thread_name"
	if p < 0 {
		what = "process_name"
	}
	c.add(chromeEvent{Name: what, Phase: "M", Pid: group, Tid: p + 1,
		Args: map[string]any{"name": name}})
	if p >= 0 {
		c.add(chromeEvent{Name: "thread_sort_index", Phase: "M", Pid: group, Tid: p + 1,
			Args: map[string]any{"sort_index": p}})
	}
}

func (c *chrome) step(k int) {
	e := &c.t.Events
	args := map[string]any{"step": k + 1}
	if v := value(c.t, k); v != "" {
		args["value"] = v
	}
	if k == c.t.Parting {
		args["parts"] = "here the passing order does something else"
	}
	c.did(k, int(e.Proc[k]), c.t.Texts[e.Text[k]], e.Wants[k], e.Site[k], args)
	if q := e.Partner[k]; q >= 0 {
		c.did(k, int(q), received(c.t, k), e.PartnerWants[k], e.PartnerSite[k], args)
		c.flow(k, int(e.Proc[k]), k, int(q))
	} else if from := e.From[k]; from >= 0 {
		c.flow(int(from), int(e.Proc[from]), k, int(e.Proc[k]))
	}
	c.count(k)
}

// received is what the receiver of a rendezvous did.
func received(t *record.Trace, k int) string {
	text := "recv from " + t.Procs[t.Events.Proc[k]].Name
	if o := t.Events.Obj[k]; o >= 0 {
		text = "recv " + t.Objects[o].Name + " from " + t.Procs[t.Events.Proc[k]].Name
	}
	return text
}

// did writes the part of one party of step k, and its wait until then.
func (c *chrome) did(k, p int, what string, wants, site int32, args map[string]any) {
	if wants >= 0 {
		c.wait(p, k, c.t.Texts[wants])
	}
	own := map[string]any{"at": place(c.t, site)}
	maps.Copy(own, args)
	c.add(chromeEvent{Name: what, Cat: c.t.Kinds[c.t.Events.Kind[k]], Phase: "X", Pid: steps,
		Tid: p + 1, Ts: k * perStep, Dur: duration, Args: own})
	c.last[p] = k + 1
}

// wait is the time from a process's latest step to step k, if there is any.
func (c *chrome) wait(p, k int, what string) {
	if from := c.last[p]; from < k {
		c.add(chromeEvent{Name: what, Cat: "wait", Phase: "X", Pid: waits, Tid: p + 1,
			Ts:  from * perStep,
			Dur: (k-from)*perStep - perStep + duration})
	}
}

// flow is an arrow for a message.
func (c *chrome) flow(from, sender, to, receiver int) {
	id := to + 1
	c.add(chromeEvent{Name: "message", Cat: "message", Phase: "s", ID: id, Pid: steps,
		Tid: sender + 1,
		Ts:  from*perStep + duration/3})
	c.add(chromeEvent{Name: "message", Cat: "message", Phase: "f", Bind: "e", ID: id, Pid: steps,
		Tid: receiver + 1, Ts: to*perStep + duration/2})
}

// count notes the length of a channel with room that step k has changed.
func (c *chrome) count(k int) {
	e := &c.t.Events
	o := e.Obj[k]
	if o < 0 || e.Partner[k] >= 0 || c.t.Objects[o].Cap == 0 {
		return
	}
	switch kind := c.t.Kinds[e.Kind[k]]; {
	case kind == "send" && e.Flags[k]&record.Closed == 0:
		c.length[o]++
	case kind == "recv" && e.From[k] >= 0:
		c.length[o]--
	default:
		return
	}
	c.add(chromeEvent{Name: c.t.Objects[o].Name + ", length", Phase: "C", Pid: steps,
		Ts:   k * perStep,
		Args: map[string]any{"messages": c.length[o]}})
}
