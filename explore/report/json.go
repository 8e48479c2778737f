package report

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// JSON reports as one JSON object per line. The names of the fields are a contract with those who read them.
type JSON struct {
	Out  io.Writer
	Path string // import path of the package, which every object carries
}

// head begins every object.
type head struct {
	Action, Package string
	Test            string `json:",omitempty"`
}

type jsonProgress struct {
	head
	Executions, Blocked, Planned, Findings int
	Sampled                                int `json:",omitempty"`
	Seconds, Rate                          float64
	Total                                  float64 `json:",omitempty"` // estimate of the executions that the search makes in all
	Spread                                 float64 `json:",omitempty"` // the factor by which it may well be wrong
	Left                                   float64 `json:",omitempty"` // seconds
}

type jsonFinding struct {
	Kind      explore.FindingKind
	Message   string
	Processes []jsonProcess
	Pos       string
	Schedule  string
	Rough     string `json:",omitempty"` // why the schedule is not minimised to the end
	Count     int
	Sampler   string     `json:",omitempty"` // the strategy of the sample that found it
	Away      int        `json:",omitempty"`
	Log       []Line     `json:",omitempty"`
	Stack     []Line     `json:",omitempty"`
	Chart     []string   `json:",omitempty"`
	Causes    []Cause    `json:",omitempty"` // of the steps that deviate, with -why races
	Delay     string     `json:",omitempty"` // "30ms": the least for which a goroutine must be held up so that it shows
	Held      []jsonHeld `json:",omitempty"` // who must be, and for how long
}

type jsonHeld struct{ Name, Path, For string }

// jsonEarly is the search in which timers fire early.
type jsonEarly struct {
	Executions, Blocked, Transitions int
	Complete                         bool
	Reason                           string `json:",omitempty"`
	Fails                            string // findings with less delay fail the test
	UpTo                             string // those with more are not listed
}

type jsonProcess struct{ Name, Path, State, Op, Wait, Pos string }

type jsonFound struct {
	head
	jsonFinding
}

type jsonOutcome struct {
	Verdict string
	Kind    explore.FindingKind `json:",omitempty"`
	Log     string
	Count   int
}

// jsonLimit is a trace.Limit.
type jsonLimit struct {
	What   string
	Places []string
}

type jsonResult struct {
	head
	Verdict                                                    Verdict
	Complete                                                   bool
	Reason                                                     string `json:",omitempty"`
	Fixed, Cut                                                 []jsonLimit
	Model, Strategy, Order                                     string
	Choices                                                    string `json:",omitempty"`
	Executions, Blocked, Transitions, Traces, States, MaxDepth int
	Messages                                                   int  `json:",omitempty"` // received on the ways between states
	Deliveries                                                 int  `json:",omitempty"` // of messages to actors, common beginnings of executions once
	MoreTraces                                                 bool `json:",omitempty"` // Traces is the least that there can be
	Sampled                                                    int  `json:",omitempty"` // executions that were samples
	Seconds                                                    float64
	Total, Spread                                              float64 `json:",omitempty"` // of an incomplete one, as in progress
	Outcomes                                                   []jsonOutcome
	Unlisted                                                   int `json:",omitempty"` // executions with none of these outcomes
	Findings                                                   []jsonFinding
	Early                                                      *jsonEarly    `json:",omitempty"`
	Slow                                                       []jsonFinding `json:",omitempty"` // those that need more delay than fails the test
	Pruned                                                     []Pruned      `json:",omitempty"` // orders that facts have left out
	Twins                                                      []Twins       `json:",omitempty"`
	Sections                                                   []Sections    `json:",omitempty"`
	Audited                                                    *Audited      `json:",omitempty"` // pairs whose orders were both run
	Filling                                                    *Filling      `json:",omitempty"` // of an incomplete one, with -v: what fills the tree
	Notes                                                      []string      `json:",omitempty"`
	Trusted                                                    []Use         `json:",omitempty"`
	Controlled                                                 []Controlled  `json:",omitempty"`
	Steps                                                      []Step        `json:",omitempty"`
	Selection                                                  Selection     `json:",omitzero"`
}

type jsonPackage struct {
	head
	Verdict           Verdict
	Complete          bool
	Tests, Incomplete int
	Unbegun           int `json:",omitempty"`
	Seconds           float64
	PeakMemory        int64   `json:",omitempty"`
	CPUSeconds        float64 `json:",omitempty"`
}

// Run implements Reporter.
func (j *JSON) Run(test string) { j.write(j.head("run", test)) }

// Progress implements Reporter.
func (j *JSON) Progress(test string, p *explore.Progress) {
	left, _ := p.Left()
	j.write(jsonProgress{
		head: j.head("progress", test), Executions: p.Executions, Blocked: p.Blocked, Planned: p.Planned, Sampled: p.Sampled,
		Findings: len(p.Findings), Seconds: p.Elapsed.Seconds(), Rate: p.Rate(), Total: p.Total, Spread: p.Spread, Left: left.Seconds(),
	})
}

// Found implements Reporter.
func (j *JSON) Found(test string, f *Finding) {
	j.write(jsonFound{j.head("finding", test), toJSON(f)})
}

// Result implements Reporter.
func (j *JSON) Result(r *Test) {
	out := jsonResult{
		head: j.head("result", r.Name), Verdict: r.Verdict, Complete: r.Complete, Reason: r.Reason,
		Fixed: toLimits(r.Fixed), Cut: toLimits(r.Cut),
		Model: r.Model, Strategy: r.Strategy, Order: r.Order, Choices: r.Choices,
		Executions: r.Executions, Blocked: r.Blocked, Transitions: r.Transitions, Traces: r.Traces, States: r.States, Messages: r.Messages, Deliveries: r.Deliveries,
		MoreTraces: r.MoreTraces, Sampled: r.Sampled, MaxDepth: r.MaxDepth, Seconds: r.Elapsed.Seconds(),
		Total: r.Total, Spread: r.Spread,
		Outcomes: []jsonOutcome{}, Unlisted: r.Unlisted, Findings: []jsonFinding{}, Pruned: r.Pruned, Twins: r.Twins, Sections: r.Sections, Audited: r.Audited, Filling: r.Filling, Notes: r.Notes, Trusted: r.Trusted, Controlled: r.Controlled, Steps: r.Steps,
		Selection: r.Selection,
	}
	for _, o := range r.Outcomes {
		out.Outcomes = append(out.Outcomes, jsonOutcome{o.Verdict, o.Kind, o.Log, o.Count})
	}
	for _, f := range r.Findings {
		g := toJSON(f)
		g.Chart, g.Causes = nil, nil // they were in the line of the finding
		out.Findings = append(out.Findings, g)
	}
	for _, f := range r.Slow {
		out.Slow = append(out.Slow, toJSON(f))
	}
	if e := r.Early; e != nil {
		out.Early = &jsonEarly{e.Executions, e.Blocked, e.Transitions, e.Complete, e.Reason, e.Fails.String(), e.UpTo.String()}
	}
	j.write(out)
}

// Package implements Reporter.
func (j *JSON) Package(p *Package) {
	j.write(jsonPackage{
		head: j.head("package", ""), Verdict: p.Verdict, Complete: p.Incomplete == 0,
		Tests: p.Tests, Incomplete: p.Incomplete, Unbegun: p.Unbegun, Seconds: p.Elapsed.Seconds(), PeakMemory: p.PeakMemory, CPUSeconds: p.Processor.Seconds(),
	})
}

func (j *JSON) head(action, test string) head {
	return head{Action: action, Package: j.Path, Test: test}
}

func toLimits(list []trace.Limit) []jsonLimit {
	out := []jsonLimit{}
	for _, l := range list {
		out = append(out, jsonLimit{l.What, append([]string{}, l.Places...)})
	}
	return out
}

func toJSON(f *Finding) jsonFinding {
	out := jsonFinding{
		Kind: f.Kind, Message: f.Message, Processes: []jsonProcess{}, Pos: f.Pos, Schedule: f.Schedule, Rough: f.Rough,
		Count: f.Count, Sampler: f.Sampler, Away: max(0, f.Away), Log: f.Log, Stack: f.Stack, Chart: f.Chart, Causes: f.Causes,
	}
	for _, p := range f.Processes {
		out.Processes = append(out.Processes, jsonProcess(p))
	}
	if f.Delay > 0 {
		out.Delay = f.Delay.String()
	}
	for _, h := range f.Held {
		out.Held = append(out.Held, jsonHeld{h.Name, h.Path, h.For.String()})
	}
	return out
}

// write prints one line. A reader that has gone away is no reason to stop exploring.
func (j *JSON) write(v any) {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("no JSON: " + err.Error())
	}
	j.Out.Write(line.Bytes())
}
