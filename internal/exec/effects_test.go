package exec

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/analysis/independence"
	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

var others = flag.Int("others", 3, "compare `n` executions of each test beside the usual one")

// TestEffects runs the tests of all programs in testdata under control, a few executions each, and
// compares what the actors do with what the analysis says that they may do. Positions are compared
// as an execution names them, see places.
//
// A task begins with a receive at the position of a handler's and ends with the process's next one.
// There must be a handler with that position such that
//
//   - every send of the task is at the position of one of the handler's sends, and every other
//     operation that others may notice (receives, closes, locks, atomic variables, new goroutines)
//     is at that of one of its operations;
//   - every access to a variable that rewritten code can announce (see rewrite, accesses) is at the
//     position of one of the handler's accesses, where those to new objects are counted;
//   - if the handler's effects leave an access out because the object is new, nobody has accessed
//     that variable before the task began. A write to a variable that is not in memory, and that is
//     older than the task, is among the handler's accesses by its name.
//
// And if two tasks of one process access one variable, and one of them writes it, the table must
// not call their handlers independent. There are three exceptions: both accesses are updates of one
// kind; both write one constant; or one comes after a loop that ends after a number of messages.
//
// Not compared: operations of goroutines that are no actors; which of the handlers of one receive a
// task belongs to; accesses that are not announced, such as most of those by the standard library;
// and goroutines that are started where nothing in the program counts them.
func TestEffects(t *testing.T) {
	if testing.Short() {
		t.Skip("builds all programs")
	}
	announceAll = true
	defer func() { announceAll = false }()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	tests, err := filepath.Glob(filepath.Join(root, "testdata/*/*_test.go"))
	if err != nil || len(tests) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	var patterns []string
	if one := os.Getenv("REHEARSE_EFFECTS"); one != "" {
		tests = []string{filepath.Join(root, "testdata", one, "x")}
	}
	for _, f := range tests {
		patterns = append(patterns, "./testdata/"+filepath.Base(filepath.Dir(f)))
	}
	total, all := &tally{}, map[string]*comparer{}
	loaded, err := load.Load(load.Config{Dir: root, Patterns: slices.Compact(patterns),
		Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range loaded.Targets {
		if c := findHandlers(alone(loaded, target), total); len(c.handler) > 0 {
			all[filepath.Base(target.Path)] = c
		}
	}
	packages, err := Build(root, options.Default(), prefixed("./testdata/", all))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range packages {
		if p.Binary != "" {
			t.Run(filepath.Base(p.Dir), func(t *testing.T) { all[filepath.Base(p.Dir)].run(t, p) })
		}
	}
	t.Logf(
		"%d executions, %d tasks with %d sends, %d operations and %d accesses (%d to new objects); %d pairs of tasks with a common variable",
		total.executions, total.tasks, total.sends, total.operations, total.accesses, total.fresh,
		total.pairs)
	if total.tasks == 0 || total.sends == 0 || total.operations == 0 || total.accesses == 0 ||
		total.fresh == 0 || total.pairs == 0 {
		t.Error("nothing was compared")
	}
}

// tally counts what was compared.
type tally struct{ executions, tasks, sends, operations, accesses, fresh, pairs int }

// comparer compares the executions of one package.
type comparer struct {
	t       *testing.T
	total   *tally
	program *load.Result
	binary  string
	path    string
	dir     string // where schedules are kept
	places  *places
	handler map[string][]*handlerLines // by the place of the receive
}

// handlerLines are the places of one handler's effects.
type handlerLines struct {
	actor         *facts.Behaviour
	index         int
	sends, others map[string]bool
	reads, writes map[string]bool // those to new objects, too
	known         map[string][]facts.Access
	// likewise, but for what comes after the loop: facts.Task.Followed
	followed map[string][]facts.Access
	locals   map[string][]string // the names of variables that are not in memory
	// likewise, that the task writes and the next ones may read
	written         map[string]bool
	unknown, ending bool
}

// prefixed lists the names, ordered, with a prefix.
func prefixed(prefix string, names map[string]*comparer) (list []string) {
	for _, name := range slices.Sorted(maps.Keys(names)) {
		list = append(list, prefix+name)
	}
	return list
}

// alone is what a Load of one target has: the analysis of many packages at once is less exact, and
// to load them one by one costs seconds. The result has no directory: its files' names are relative
// to the root of the file system.
func alone(all *load.Result, t *load.Target) *load.Result {
	sources := sourcePackages(t)
	return &load.Result{Fset: all.Fset, GOROOT: all.GOROOT, Targets: []*load.Target{t},
		Packages: slices.DeleteFunc(slices.Clone(all.Packages), func(p *load.Package) bool {
			return !slices.Contains(sources, p)
		})}
}

// findHandlers notes what the analysis says of one package. If it finds no actors there, nothing
// can be compared.
func findHandlers(l *load.Result, total *tally) *comparer {
	c := &comparer{total: total, places: findPlaces(l), program: l,
		handler: map[string][]*handlerLines{}}
	real, all := independence.Find(l), independence.With(l, independence.Options{KeepNew: true})
	for i := range real.Behaviours {
		for k := range real.Behaviours[i].Tasks {
			c.add(&real.Behaviours[i], all.Behaviours[i].Tasks[k], k)
		}
	}
	return c
}

// run compares the tests of a package.
func (c *comparer) run(t *testing.T, p Package) {
	c.t, c.binary, c.path, c.dir = t, p.Binary, p.Path, t.TempDir()
	for _, target := range c.program.Targets {
		for _, e := range target.Tests() {
			c.explore(e.Name)
		}
	}
}

// add notes the places of handler k of actor b; all is what it does to new objects, too.
func (c *comparer) add(b *facts.Behaviour, all facts.Task, k int) {
	h := &handlerLines{actor: b, index: k, sends: map[string]bool{}, others: map[string]bool{},
		reads:  map[string]bool{},
		writes: map[string]bool{}, known: map[string][]facts.Access{},
		followed: map[string][]facts.Access{}, locals: map[string][]string{},
		written: map[string]bool{}}
	at := func(p facts.Pos) string { return line("/"+p.File, p.Line) }
	names := func(p facts.Pos) []string {
		if names := c.places.special[p]; names != nil {
			return names
		}
		return []string{at(p)}
	}
	for _, s := range all.Sends {
		if !s.Spawned {
			note(h.sends, names(s.At))
		}
	}
	for _, o := range all.Operations {
		for _, p := range o.At {
			note(h.others, names(p))
		}
		h.unknown = h.unknown || o.Kind == facts.Unknown
	}
	for _, a := range all.Accesses {
		for _, p := range a.At {
			h.reads[at(p)] = true
			h.writes[at(p)] = h.writes[at(p)] || a.Mode != facts.Reads
			if a.Location.Where == facts.Local {
				h.locals[at(p)] = append(h.locals[at(p)], a.Location.Name)
			}
		}
	}
	for _, a := range b.Tasks[k].Accesses {
		h.written[a.Location.Name] = h.written[a.Location.Name] || a.Mode != facts.Reads
		for _, p := range a.At {
			h.known[at(p)] = append(h.known[at(p)], a)
		}
	}
	for _, a := range b.Tasks[k].Followed().Accesses {
		for _, p := range a.At {
			h.followed[at(p)] = append(h.followed[at(p)], a)
		}
	}
	for _, key := range names(all.Receive) {
		c.handler[key] = append(c.handler[key], h)
	}
}

func note(set map[string]bool, names []string) {
	for _, n := range names {
		set[n] = true
	}
}

func line(file string, n int) string { return fmt.Sprintf("%s:%d", file, n) }

// explore compares the usual execution of a test, and others in which one step comes earlier than
// there.
func (c *comparer) explore(test string) {
	first := c.replay(test, nil)
	c.compare(test, first)
	r := rand.New(rand.NewPCG(1, 2))
	for range *others {
		if choices := earlier(r, first); choices != nil {
			c.compare(test, c.replay(test, choices))
		}
	}
}

// earlier returns the choices up to some step, and then the next one of another process.
func earlier(r *rand.Rand, steps []report.Step) []trace.Choice {
	if len(steps) < 2 {
		return nil
	}
	i := r.IntN(len(steps) - 1)
	var choices []trace.Choice
	add := func(s report.Step) {
		c, err := trace.ParseChoice(s.Choice)
		if err != nil {
			panic(err)
		}
		choices = append(choices, c)
	}
	for _, s := range steps[:i] {
		add(s)
	}
	seen := map[string]bool{steps[i].Process: true}
	for _, s := range steps[i+1:] {
		if !seen[s.Process] && s.Process != steps[i].Partner {
			add(s)
			return choices
		}
		seen[s.Process] = true
	}
	return nil
}

// replay runs a test by a schedule. If that is not possible there are no steps.
func (c *comparer) replay(test string, choices []trace.Choice) []report.Step {
	s := trace.Schedule{Package: c.path, Test: test, Model: "go", Choices: choices}
	text := s.Format()
	file := filepath.Join(c.dir, "x.sched")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		c.t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if _, err := Run(c.binary, []string{"-replay", file, "-json"}, &stdout, &stderr); err != nil {
		c.t.Fatal(err)
	}
	for l := range bytes.Lines(stdout.Bytes()) {
		var r struct {
			Action string
			Steps  []report.Step
		}
		if json.Unmarshal(l, &r) == nil && r.Action == "result" {
			c.total.executions++
			return r.Steps
		}
	}
	if choices == nil {
		c.t.Logf("%s does not run: %s%s", test, stdout.String(), stderr.String())
	}
	return nil
}

// task is one task of an execution.
type task struct {
	process  string
	handlers []*handlerLines
	receive  string
	sends    []string
	others   []string
	accesses []report.Access
	began    int // cells that were known then
}

// compare compares one execution.
func (c *comparer) compare(test string, steps []report.Step) {
	current, cells := map[string]*task{}, 0
	var tasks []*task
	seen := map[int32]bool{}
	known := map[*task]map[int32]bool{}
	begin := func(process, at string) {
		delete(current, process)
		if hs := c.handler[at]; hs != nil {
			x := &task{process: process, handlers: hs, receive: at, began: cells}
			current[process] = x
			tasks = append(tasks, x)
			known[x] = map[int32]bool{}
			for k := range seen {
				known[x][k] = true
			}
		}
	}
	for _, s := range steps {
		choice, err := trace.ParseChoice(s.Choice)
		if err != nil {
			c.t.Fatal(err)
		}
		here := happened(choice.Kind, choice.Case, s.Pos)
		x := current[s.Process]
		if x != nil && s.Op == "send" {
			x.sends = append(x.sends, here)
		}
		switch {
		case s.Op == "recv" && s.Closed && c.handler[here] != nil:
			delete(current, s.Process)
		case s.Op == "recv":
			c.receive(current, s.Process, here, begin)
		case s.Partner != "":
			c.receive(current, s.Partner, happened(choice.PartnerKind, choice.PartnerCase, s.At),
				begin)
		case x != nil && s.Op != "send" && !unnoticed[s.Op]:
			x.others = append(x.others, here)
		}
		for _, a := range s.Accesses {
			if x := current[a.Process]; x != nil {
				x.accesses = append(x.accesses, a)
			}
			seen[a.Cell] = true
		}
	}
	for _, x := range tasks {
		c.check(test, x, known[x])
	}
	c.checkPairs(test, tasks)
}

// unnoticed are steps without a statement of the task, or steps that nobody notices.
var unnoticed = map[string]bool{"default": true, "pick": true, "fire": true, "end": true,
	"death": true, "join": true, "stop": true}

// receive notes a receive: the beginning of a task, or an operation within one.
func (c *comparer) receive(current map[string]*task, process, at string,
	begin func(process, at string)) {
	if x := current[process]; x != nil && c.handler[at] == nil {
		x.others = append(x.others, at)
		return
	}
	begin(process, at)
}

// check demands that one of the handlers explains all that the task did.
func (c *comparer) check(test string, x *task, known map[int32]bool) {
	c.total.tasks++
	c.total.sends += len(x.sends)
	c.total.operations += len(x.others)
	c.total.accesses += len(x.accesses)
	var missing []string
	for _, h := range x.handlers {
		m := c.missing(h, x, known)
		if m == "" {
			return
		}
		missing = append(missing, h.actor.Tasks[h.index].Handler+" has no "+m)
	}
	c.t.Errorf("%s: task of process %s that begins at %s: %s", test, x.process, x.receive,
		strings.Join(missing, "; "))
}

// missing says what of x is not among h's effects.
func (c *comparer) missing(h *handlerLines, x *task, known map[int32]bool) string {
	for _, s := range x.sends {
		if !h.sends[s] {
			return "send at " + s
		}
	}
	for _, s := range x.others {
		if !h.others[s] && !h.unknown {
			return "operation at " + s
		}
	}
	for _, a := range x.accesses {
		switch {
		case !h.reads[a.Pos] || a.Write && !h.writes[a.Pos]:
			return "access at " + a.Pos
		case h.known[a.Pos] == nil && known[a.Cell] && len(h.locals[a.Pos]) > 0:
			if a.Write && !slices.ContainsFunc(h.locals[a.Pos],
				func(name string) bool { return h.written[name] }) {
				return "write of a local variable at " + a.Pos
			}
		case h.known[a.Pos] == nil && known[a.Cell]:
			return "access at " + a.Pos + ", whose object is not new"
		case h.known[a.Pos] == nil:
			c.total.fresh++
		}
	}
	return ""
}

// checkPairs demands that tasks which access one variable conflict.
func (c *comparer) checkPairs(test string, tasks []*task) {
	for i, x := range tasks {
		for _, y := range tasks[i+1:] {
			if x.process == y.process {
				c.checkPair(test, x, y)
			}
		}
	}
}

func (c *comparer) checkPair(test string, x, y *task) {
	for _, a := range x.accesses {
		for _, b := range y.accesses {
			if a.Cell != b.Cell || !a.Write && !b.Write {
				continue
			}
			c.total.pairs++
			if !slices.ContainsFunc(x.handlers, func(g *handlerLines) bool {
				return slices.ContainsFunc(y.handlers, func(h *handlerLines) bool {
					return conflict(g, a, h, b)
				})
			}) {
				c.t.Errorf(
					"%s: the tasks that begin at %s and %s both access the variable at %s and %s, and are called independent",
					test, x.receive, y.receive, a.Pos, b.Pos)
				return
			}
		}
	}
}

// conflict reports whether the table has a conflict of g and h, or good reason to have none because
// of a and b.
func conflict(g *handlerLines, a report.Access, h *handlerLines, b report.Access) bool {
	p, _ := g.actor.Pair(g.index, h.index)
	if slices.ContainsFunc(p.Conflicts, func(c facts.Conflict) bool {
		return c.Kind == facts.Memory || c.Kind == facts.Anything || c.Kind == facts.Ending
	}) || g.followed[a.Pos] == nil || h.followed[b.Pos] == nil || len(p.Commuting) > 0 {
		// it may be of a variable that is not in memory
		return true
	}
	for _, x := range g.followed[a.Pos] {
		for _, y := range h.followed[b.Pos] {
			if x.By != "" && x.By == y.By ||
				x.Value != nil && y.Value != nil && *x.Value == *y.Value && x.Value.Const != "" {
				return true
			}
		}
	}
	return false
}
