package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/tree"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// JSON reports as one JSON object per line. The names of the fields are a contract with those who
// read them. Among its objects are those of go test -json (see go doc test2json), so that programs
// which read go test -json can read this stream, too. Their output fields hold the text report.
type JSON struct {
	Out  io.Writer
	Path string // import path of the package, which every object carries
	Of   bool   // objects that go test -json does not have name their test as Of, not as Test

	text *Text  // writes objects of output; nil: there are no objects for readers of go test -json
	test string // that the output is about; empty: the package
}

// NewJSON returns a reporter in whose stream are also the objects of go test -json, with what text
// prints as output.
func NewJSON(out io.Writer, path string, text *Text) *JSON {
	j := &JSON{Out: out, Path: path, text: text}
	text.Out, text.Stream, text.Meter = output{j}, true, nil
	return j
}

// Begin implements Reporter.
func (j *JSON) Begin() { j.write(j.head("start", "")) }

// output makes objects of the lines that are written to it.
type output struct{ j *JSON }

// Write implements io.Writer.
func (o output) Write(text []byte) (int, error) {
	for line := range strings.Lines(string(text)) {
		o.j.write(jsonOutput{o.j.head("output", o.j.test), line})
	}
	return len(text), nil
}

// jsonOutput is some of the text report.
type jsonOutput struct {
	head
	Output string
}

// jsonEnd is the end of a test, or of a package.
type jsonEnd struct {
	head
	Elapsed float64
}

// alsoText calls do for the text report, whose lines are about a test; empty: about the package.
func (j *JSON) alsoText(test string, do func(*Text)) {
	if j.text != nil {
		j.test = test
		do(j.text)
		j.test = ""
	}
}

// end says how a test, or the package, has ended, for readers of go test -json.
func (j *JSON) end(action, test string, elapsed time.Duration) {
	if j.text != nil {
		j.write(jsonEnd{j.head(action, test), math.Round(elapsed.Seconds()*1000) / 1000})
	}
}

// action is how a test has ended, in the words of go test.
func action(r *Test) string {
	switch {
	case r.Verdict == Fail || r.Fails():
		return "fail"
	case r.Verdict == Error || r.Skips():
		return "skip"
	}
	return "pass"
}

// head begins every object.
type head struct {
	Action, Package string
	Test            string `json:",omitempty"`
	Of              string `json:",omitempty"` // the test, for readers that would count Test

	Time string `json:",omitempty"` // only in objects that go test -json has, too
}

type jsonProgress struct {
	head
	Executions, Blocked, Planned, Findings int
	Sampled                                int `json:",omitempty"`
	Seconds, Rate                          float64
	// estimate of the executions that the search makes in all
	Total float64 `json:",omitempty"`
	// the factor by which it may well be wrong
	Spread float64 `json:",omitempty"`
	Left   float64 `json:",omitempty"` // seconds
	// of a search that other machines explore: see explore.Progress
	Workers int `json:",omitempty"`
	Items   int `json:",omitempty"`
	// as people read it; for who looks on only
	Summary string `json:",omitempty"`
}

type jsonFinding struct {
	Kind      explore.FindingKind
	Message   string
	Sentence  string `json:",omitempty"`
	Processes []jsonProcess
	Pos       string
	Schedule  string
	Rough     string `json:",omitempty"` // why the schedule is not minimised to the end
	Count     int
	Sampler   string        `json:",omitempty"` // the strategy of the sample that found it
	Away      int           `json:",omitempty"`
	Log       []depict.Line `json:",omitempty"`
	Stack     []depict.Line `json:",omitempty"`
	// of a race: the two accesses
	Accesses []depict.RaceEnd `json:",omitempty"`
	Chart    []string         `json:",omitempty"`
	Causes   []depict.Cause   `json:",omitempty"` // of the steps that deviate, with -why races
	// "30ms": the least for which a goroutine must be held up so that it shows
	Delay string     `json:",omitempty"`
	Held  []jsonHeld `json:",omitempty"` // who must be, and for how long
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
	Verdict  Verdict
	Complete bool
	Reason   string `json:",omitempty"`
	// packages of the library of whose whole steps one order was explored
	UpTo []string `json:",omitempty"`
	// in records only
	Summary string     `json:",omitempty"`
	Tree    *tree.Node `json:",omitempty"`

	Fixed, Cut                                                 []jsonLimit
	Model, Strategy, Order                                     string
	Choices                                                    string `json:",omitempty"`
	Executions, Blocked, Transitions, Traces, States, MaxDepth int
	// received on the ways between states
	Messages int `json:",omitempty"`
	// of messages to actors, common beginnings of executions once
	Deliveries int `json:",omitempty"`
	// Traces is the least that there can be
	MoreTraces bool `json:",omitempty"`
	// executions that were samples
	Sampled int `json:",omitempty"`
	Seconds float64
	// of an incomplete one, as in progress
	Total, Spread float64 `json:",omitempty"`
	Outcomes      []jsonOutcome
	// outcomes that are in lines "outcomes" before this one
	Earlier int `json:",omitempty"`
	// executions with none of these outcomes
	Unlisted int `json:",omitempty"`
	Findings []jsonFinding
	Early    *jsonEarly `json:",omitempty"`
	// those that a baseline sets aside
	Known []jsonFinding `json:",omitempty"`
	// those that need more delay than fails the test
	Slow []jsonFinding `json:",omitempty"`
	// what left orders out, by the words of -independence
	Used []string `json:",omitempty"`
	// orders that facts have left out
	Pruned   []Pruned   `json:",omitempty"`
	Twins    []Twins    `json:",omitempty"`
	Sections []Sections `json:",omitempty"`
	// pairs whose orders were both run
	Audited *Audited `json:",omitempty"`
	// of an incomplete one, with -v: what fills the tree
	Filling *Filling `json:",omitempty"`
	Notes   []string `json:",omitempty"`
	// the command that goes on with the search
	Resume     string       `json:",omitempty"`
	Trusted    []Use        `json:",omitempty"`
	Controlled []Controlled `json:",omitempty"`
	Steps      []Step       `json:",omitempty"`
	Selection  Selection    `json:",omitzero"`
}

type jsonPackage struct {
	head
	Verdict           Verdict
	Complete          bool
	Tests, Incomplete int
	Unbegun           int `json:",omitempty"`
	Failed            int `json:",omitempty"`
	Unsupported       int `json:",omitempty"`
	Seconds           float64
	PeakMemory        int64   `json:",omitempty"`
	CPUSeconds        float64 `json:",omitempty"`
}

// Run implements Reporter.
func (j *JSON) Run(test string) {
	j.write(j.head("run", test))
	j.alsoText(test, func(t *Text) { t.Run(test) })
}

// Progress implements Reporter.
func (j *JSON) Progress(test string, p *explore.Progress) {
	j.write(toProgress(j.head("progress", test), p))
	j.alsoText(test, func(t *Text) { t.Progress(test, p) })
}

func toProgress(h head, p *explore.Progress) jsonProgress {
	left, _ := p.Left()
	out := jsonProgress{
		head: h, Executions: p.Executions, Blocked: p.Blocked, Planned: p.Planned,
		Sampled:  p.Sampled,
		Findings: len(p.Findings), Seconds: p.Elapsed.Seconds(), Rate: p.Rate(), Total: p.Total,
		Spread: p.Spread, Left: left.Seconds(),
	}
	if p.Open > 0 {
		out.Workers, out.Items = p.Workers, p.Open
	}
	return out
}

// Found implements Reporter.
func (j *JSON) Found(test string, f *depict.Finding) {
	found := jsonFound{j.head("finding", test), toJSON(f)}
	if len(encode(found)) > longest {
		found.shorten(longest / 2)
	}
	j.write(found)
	j.alsoText(test, func(t *Text) { t.Found(test, f) })
}

// Result implements Reporter.
func (j *JSON) Result(r *Test) {
	out := toResult(j.head("result", r.Name), r)
	j.result(&out)
	j.alsoText(r.Name, func(t *Text) { t.Result(r) })
	j.end(action(r), r.Name, r.Elapsed)
}

func toResult(h head, r *Test) jsonResult {
	out := jsonResult{
		head: h, Verdict: r.Verdict, Complete: r.Complete, Reason: r.Reason, UpTo: r.UpTo,
		Fixed: toLimits(r.Fixed), Cut: toLimits(r.Cut),
		Model: r.Model, Strategy: r.Strategy, Order: r.Order, Choices: r.Choices,
		Executions: r.Executions, Blocked: r.Blocked, Transitions: r.Transitions, Traces: r.Traces,
		States: r.States, Messages: r.Messages, Deliveries: r.Deliveries,
		MoreTraces: r.MoreTraces, Sampled: r.Sampled, MaxDepth: r.MaxDepth,
		Seconds: r.Elapsed.Seconds(),
		Total:   r.Total, Spread: r.Spread,
		Outcomes: []jsonOutcome{}, Unlisted: r.Unlisted, Findings: []jsonFinding{}, Used: r.Used(),
		Pruned: r.Pruned, Twins: r.Twins, Sections: r.Sections, Audited: r.Audited,
		Filling: r.Filling,
		Notes:   r.Notes, Resume: r.Resume, Trusted: r.Trusted, Controlled: r.Controlled,
		Steps:     r.Steps,
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
	for _, f := range r.Known {
		out.Known = append(out.Known, toJSON(f))
	}
	for _, f := range r.Slow {
		out.Slow = append(out.Slow, toJSON(f))
	}
	if e := r.Early; e != nil {
		out.Early = &jsonEarly{e.Executions, e.Blocked, e.Transitions, e.Complete, e.Reason,
			e.Fails.String(), e.UpTo.String()}
	}
	return out
}

// Listed implements Reporter.
func (j *JSON) Listed(test string) { j.alsoText("", func(t *Text) { t.Listed(test) }) }

// Package implements Reporter.
func (j *JSON) Package(p *Package) {
	j.write(toPackage(j.head("package", ""), p))
	j.alsoText("", func(t *Text) { t.Package(p) })
	how := "pass"
	if p.Verdict == Fail {
		how = "fail"
	}
	j.end(how, "", p.Elapsed)
}

func toPackage(h head, p *Package) jsonPackage {
	return jsonPackage{
		head: h, Verdict: p.Verdict, Complete: p.Incomplete == 0,
		Tests: p.Tests, Incomplete: p.Incomplete, Unbegun: p.Unbegun, Failed: p.Failed,
		Unsupported: p.Unsupported, Seconds: p.Elapsed.Seconds(), PeakMemory: p.PeakMemory,
		CPUSeconds: p.Processor.Seconds(),
	}
}

func (j *JSON) head(action, test string) head {
	h := head{Action: action, Package: j.Path, Test: test}
	if j.text == nil {
		return h
	}
	switch action {
	case "start", "run", "output", "pass", "fail", "skip":
		h.Time = time.Now().Format(time.RFC3339Nano)
	default:
		if j.Of {
			h.Test, h.Of = "", test
		}
	}
	return h
}

func toLimits(list []trace.Limit) []jsonLimit {
	out := []jsonLimit{}
	for _, l := range list {
		out = append(out, jsonLimit{l.What, append([]string{}, l.Places...)})
	}
	return out
}

func toJSON(f *depict.Finding) jsonFinding {
	out := jsonFinding{
		Kind: f.Kind, Message: f.Message, Sentence: f.Sentence, Processes: []jsonProcess{},
		Pos:      f.Pos,
		Schedule: f.Schedule, Rough: f.Rough,
		Count: f.Count, Sampler: f.Sampler, Away: max(0, f.Away), Log: f.Log, Stack: f.Stack,
		Accesses: f.Accesses, Chart: f.Chart, Causes: f.Causes,
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

// longest bounds a line: readers of go test -json give up at lines of 64 KB.
const longest = 60_000

// jsonOutcomes has outcomes for which the line of a result has no room. The test's name is in Of:
// readers of go test -json would take a line with Test for the test's end.
type jsonOutcomes struct {
	head
	Outcomes []jsonOutcome
}

// result writes a result. If its line would be too long, outcomes get lines of their own before it,
// and findings are left to the earlier lines that have reported them.
func (j *JSON) result(r *jsonResult) {
	if j.text != nil && len(encode(r)) > longest {
		j.outcomes(cmp.Or(r.Test, r.Of), r.Outcomes)
		r.Earlier, r.Outcomes = len(r.Outcomes), []jsonOutcome{}
	}
	if j.text != nil && len(encode(r)) > longest {
		for i := range r.Findings {
			r.Findings[i].shorten(longest / 2 / len(r.Findings))
		}
	}
	j.write(r)
}

// outcomes writes lines with the outcomes of list.
func (j *JSON) outcomes(test string, list []jsonOutcome) {
	line := jsonOutcomes{head: j.head("outcomes", "")}
	line.Of = test
	size := 0
	for i := range list {
		n := len(encode(list[i]))
		if size > 0 && size+n > longest-1000 {
			j.write(line)
			line.Outcomes, size = nil, 0
		}
		line.Outcomes = append(line.Outcomes, list[i])
		size += n
	}
	j.write(line)
}

// shorten leaves out what a line has no room for: of texts and lists, more than about a number of
// bytes in all.
func (f *jsonFinding) shorten(most int) {
	const text, line = 100, 200 // bytes, of an entry of a list with its names
	lines := most / 4 / line
	f.Message, f.Accesses, f.Chart, f.Causes = words.Cut(f.Message, max(most/4, text)), nil, nil,
		nil
	f.Processes, f.Stack = f.Processes[:min(len(f.Processes), lines)],
		f.Stack[:min(len(f.Stack), lines)]
	f.Log = slices.Clone(f.Log[:min(len(f.Log), lines)])
	for i := range f.Log {
		f.Log[i].Text = words.Cut(f.Log[i].Text, text)
	}
}

// write prints one line. A reader that has gone away is no reason to stop exploring.
func (j *JSON) write(v any) {
	line := encode(v)
	if j.text != nil && !bytes.Contains(line, []byte(`,"Time":"`)) {
		line = fmt.Appendf(line[:len(line)-2], `,"ImportPath":%q}`+"\n", j.Path)
	}
	j.Out.Write(line)
}

func encode(v any) []byte {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("no JSON: " + err.Error())
	}
	return line.Bytes()
}
