package depict

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// names gives short names to the processes and objects of one execution.
type names struct {
	X     *trace.Execution
	At    *Places
	procs []string
	objs  []string // by object; empty: it was not used

	requests requests
}

// NewNames names the processes and objects of x.
func NewNames(x *trace.Execution, at *Places) *names {
	n := &names{X: x, At: at, requests: findRequests(x)}
	if at.Secret {
		n.requests.redact()
	}
	n.nameProcs()
	n.nameServers()
	n.nameObjects()
	return n
}

// nameProcs uses the functions' names, with a number where several processes run the same one.
func (n *names) nameProcs() {
	total, used := map[string]int{}, map[string]int{}
	for i := range n.X.Procs {
		total[nameAlone(n.X, i)]++
	}
	for i := range n.X.Procs {
		name := nameAlone(n.X, i)
		if total[name] > 1 {
			used[name]++
			name = fmt.Sprintf("%s#%d", name, used[name])
		}
		n.procs = append(n.procs, name)
	}
}

// nameAlone is the name of process i of x if no other process has it: "func@27" for a literal of
// the test, since people need not read the test's name again.
func nameAlone(x *trace.Execution, i int) string {
	name := cmp.Or(x.Procs[i].Alias, x.Procs[i].Name)
	if _, line := splitSite(x.Procs[i].Site); name == "AfterFunc" && line != "" {
		return name + "@" + strconv.Itoa(lineNumber(line)) // where its timer was made
	}
	test, _, _ := strings.Cut(x.Procs[0].Name, "/")
	if literal, ok := strings.CutPrefix(name, test+"."); ok {
		return literal
	}
	return name
}

// nameObjects numbers the objects of each family in the order of their creation.
func (n *names) nameObjects() {
	families := n.families()
	n.objs = make([]string, len(families))
	count := map[string]int{}
	for i, f := range families {
		if f != "" && i < len(n.X.Objects) && n.X.Objects[i] == "the clock" {
			f = "clock" // what receives from a timer's channel receives from it
		}
		if isPipe(n.X, int32(i)) {
			f = "pipe"
		}
		if f != "" {
			count[f]++
			n.objs[i] = fmt.Sprintf("%s%d", f, count[f])
		}
	}
}

// isPipe reports whether object o is a pipe of os.Pipe, to whose end somebody may read. It is a
// WaitGroup to the runtime.
func isPipe(x *trace.Execution, o int32) bool {
	return o >= 0 && int(o) < len(x.Objects) && strings.HasPrefix(x.Objects[o], trace.PipeEnd)
}

// families finds out what kind of thing each object is from what was done with it.
func (n *names) families() []string {
	var fs []string
	note := func(k trace.Kind, obj int32) {
		if obj < 0 || k == trace.Select || k == trace.Default {
			return
		}
		for int(obj) >= len(fs) {
			fs = append(fs, "")
		}
		if f := family(k); f != "obj" || fs[obj] == "" {
			fs[obj] = f
		}
	}
	noteOp := func(op *trace.Op) {
		note(op.Kind, op.Obj)
		for _, c := range op.Cases {
			note(c.Kind, c.Obj)
		}
	}
	for i := range n.X.Events {
		e := &n.X.Events[i]
		noteOp(&e.Op)
		if e.Partner >= 0 {
			noteOp(&e.PartnerOp)
		}
	}
	for _, p := range n.X.Procs {
		noteOp(&p.Pending)
	}
	return fs
}

// single is op; of a select with one case and no default, what the case does.
func single(op *trace.Op) trace.Op {
	if op.Kind != trace.Select || len(op.Cases) != 1 || op.Default {
		return *op
	}
	c := op.Cases[0]
	return trace.Op{Kind: c.Kind, Obj: c.Obj, Cap: c.Cap}
}

// family returns the first part of the name of an object that operations of kind k act on.
func family(k trace.Kind) string { return cmp.Or(string(k.Operation().Class), "obj") }

// isTimer reports whether process q is a timer, and not a goroutine.
func (n *names) isTimer(q int32) bool {
	p := &n.X.Procs[q]
	if p.Name != "timer" || p.Parent < 0 {
		return false
	}
	starts := int(p.Born) - 1
	return p.Service || starts >= 0 && starts < len(n.X.Events) &&
		n.X.Events[starts].Kind == trace.TimerStart
}

func (n *names) proc(p int32) string { return n.procs[p] }

func (n *names) obj(o int32) string {
	if o < 0 {
		return "nil channel"
	}
	return n.objs[o]
}

// object is the name with what the execution recorded about the object.
func (n *names) object(o int32) string {
	if d := n.description(o); d != "" {
		return n.obj(o) + ", " + d
	}
	return n.obj(o)
}

// description shortens the site at the end of "chan int made at /dir/file.go:12".
func (n *names) description(o int32) string {
	if o < 0 || int(o) >= len(n.X.Objects) {
		return ""
	}
	what, site, ok := strings.Cut(n.At.About(n.X.Objects[o]), " at ")
	if !ok {
		return what
	}
	return what + " at " + n.At.Line(site)
}

// legend describes the objects among used, in the order of their numbers.
func (n *names) legend(used map[int32]bool) []string {
	var lines []string
	for o := range n.objs {
		if d := n.description(int32(o)); used[int32(o)] && d != "" {
			lines = append(lines, fmt.Sprintf("  %-5s %s", n.objs[o], d))
		}
	}
	return lines
}
