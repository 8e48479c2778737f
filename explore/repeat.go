package explore

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

const undetermined = "the program is not deterministic: something outside of the schedule decides"

// String describes the mismatch for people.
func (m Mismatch) String() string {
	return fmt.Sprintf("step %d: %s; the next time, after the same steps: %s", m.Depth+1, m.Want,
		m.Got)
}

// repeat runs some executions a second time: the first, and then at growing intervals.
func (r *Exploration) repeat(x *trace.Execution) {
	const most = 1024 // executions between two repetitions
	if x.End == trace.Cut || x.End == trace.Uncontrolled || x.Stuck ||
		r.result.Executions < r.checkAt {
		return
	}
	r.checkAt += min(r.checkAt, most)
	r.repeating = true
	defer func() { r.repeating = false }()
	first := newRecord(x)
	c, ex := &Script{Alts: first.alts()}, Bound(r.ex, r.late)
	again := ex.Execute(c, false)
	if again.End == trace.Cut && c.Missed == 0 && (ex.over || r.stopped()) {
		return
	}
	if differs, depth := first.differs(again, c); differs != "" {
		r.over = undetermined
		r.result.Findings = append(r.result.Findings,
			Finding{Problem: NewProblem(Nondeterminism, differs, nil), Choices: c.Alts, Count: 1,
				Site: r.site(first, depth)})
		return
	}
	if r.result.LogDiffers == "" && stableLog(again.Log) != stableLog(first.log) {
		r.result.LogDiffers = firstDifference(first.log, again.Log)
	}
}

// site returns the place in the source of step depth of a recorded execution, as far as one more
// repetition can tell.
func (r *Exploration) site(first *record, depth int) string {
	x := r.ex.Execute(&Script{Alts: first.alts()}, true)
	if depth >= len(x.Sites) {
		depth = len(x.Sites) - 1
	}
	if depth < 0 {
		return ""
	}
	return x.Sites[depth]
}

// record has the parts of an execution that must be the same in its repetition. A difference of the
// log is only reported.
type record struct {
	events []recorded
	log    []string
	end    trace.EndKind
	failed bool
}

type recorded struct {
	alt    trace.Alt
	kind   trace.Kind
	obj    int32
	seq    int32
	ok     bool
	closed bool
}

func newRecord(x *trace.Execution) *record {
	r := &record{log: append([]string(nil), x.Log...), end: x.End, failed: x.Failed}
	for i := range x.Events {
		r.events = append(r.events, recordedEvent(&x.Events[i]))
	}
	return r
}

func recordedEvent(e *trace.Event) recorded {
	seq := e.Seq
	if depend.BeginsSection(e) {
		seq = 0 // what it did is in terms of what has been learned, which may be more by now
	}
	return recorded{e.Alt, e.Kind, e.Obj, seq, e.OK, e.Closed}
}

func (r *record) alts() []trace.Alt {
	alts := make([]trace.Alt, len(r.events))
	for i := range r.events {
		alts[i] = r.events[i].alt
	}
	return alts
}

// differs names the first difference between execution x, made by c, and the record, and the step
// of that; empty if there is none.
func (r *record) differs(x *trace.Execution, c *Script) (what string, depth int) {
	for i, e := range r.events {
		if i >= len(x.Events) || recordedEvent(&x.Events[i]) != e {
			return Mismatch{Depth: i, Want: step(x, e.alt, e.kind), Got: instead(x, i, c)}.String(),
				i
		}
	}
	depth = len(r.events)
	switch {
	case len(x.Events) > depth:
		e := &x.Events[depth]
		return Mismatch{Depth: depth, Want: "the end", Got: step(x, e.Alt, e.Kind)}.String(), depth
	case x.Failed != r.failed && x.End == r.end:
		return "of two executions with the same steps, one fails", depth
	case x.End != r.end && r.end != trace.Steps:
		return "two executions with the same steps end differently", depth
	}
	return "", depth
}

// instead says what x has as its event i.
func instead(x *trace.Execution, i int, c *Script) string {
	switch {
	case c.Missed == i+1:
		return c.Got
	case i < len(x.Events):
		return step(x, x.Events[i].Alt, x.Events[i].Kind)
	}
	return "the end"
}

func step(x *trace.Execution, a trace.Alt, k trace.Kind) string {
	text := fmt.Sprintf("%s does %v", processName(x, a.Proc), k)
	if a.Partner >= 0 {
		text += " to " + processName(x, a.Partner)
	}
	return text
}

func processName(x *trace.Execution, p int32) string {
	if int(p) >= len(x.Procs) {
		return fmt.Sprintf("process %d", p)
	}
	return x.Procs[p].Name
}

// possible lists the alternatives of s.
func possible(s *trace.State) string {
	var list []string
	for _, a := range s.Alts {
		list = append(list, fmt.Sprintf("process %d may do %v", a.Proc, s.Procs[a.Proc].Kind))
	}
	return strings.Join(list, ", ")
}

// stableLog joins the texts of a log for comparison.
func stableLog(log []string) string { return words.Stable(strings.Join(log, "\n")) }

func firstDifference(a, b []string) string {
	for i := range a {
		if i >= len(b) {
			missing, _ := around(words.Stable(a[i]), "")
			return fmt.Sprintf("%q is missing", missing)
		}
		if x, y := words.Stable(a[i]), words.Stable(b[i]); x != y {
			x, y = around(x, y)
			return fmt.Sprintf("%q and %q", x, y)
		}
	}
	added, _ := around(words.Stable(b[len(a)]), "")
	return fmt.Sprintf("%q is new", added)
}

// around cuts two texts down to where they begin to differ.
func around(a, b string) (string, string) {
	const before, after = 60, 100
	from := 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	from = max(from-before, 0)
	part := func(s string) string { return s[min(from, len(s)):min(from+before+after, len(s))] }
	return part(a), part(b)
}
