// Package refining is rehearse refine: it builds two versions of a component, compares them harness
// by harness, and confirms each difference by an observer that it runs on both.
//
// Vocabulary: an operand names a package, maybe at a revision. A side is one version, built; its
// processes answer questions about scripts. A pair is two packages that are compared. Package
// explore/refine has the comparison itself, package internal/exec builds the binaries.
//
// Guarantees: the observer of a reported difference passes on the side that lacks the path in every
// order that was run, and fails on the other side. Revisions are checked out into the cache, never
// into the user's directories. Only the observer and its schedule are written there.
//
// LIMITS: git has to know a revision of a directory, and the go command a version of a module.
package refining

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/refine"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// Request is a request to compare two versions of components: the flags of rehearse refine.
type Request struct {
	options.Options
	N, K   int
	Client string
	Equal  bool
	Entry  string
	Old    string // a revision, to be compared with the working tree
	Drawn  string
	Write  bool
	building
	absent      []string // packages that the revision of -old does not have
	interrupted atomic.Bool
	asked       atomic.Pointer[[2]*Side] // those that are exploring
}

// building builds, and tells a waiting user what takes so long.
type building func(build func() ([]exec.Package, error), o *options.Options, dir string,
	patterns []string) ([]exec.Package, error)

// NewRequest returns what an empty command line asks for.
func NewRequest() *Request {
	r := &Request{Options: *options.Default(), Client: "go"}
	r.Independence, r.Clock = "none", "idle"
	r.P = max(r.P, runtime.GOMAXPROCS(0))
	return r
}

// Register defines the flags.
func (r *Request) Register(fs *flag.FlagSet) {
	fs.IntVar(&r.N, "n", 0, "compare clients of at most `n` operations")
	fs.IntVar(&r.K, "k", refine.DefaultK,
		"look at `k` receives of a channel and calls of a callback")
	fs.StringVar(&r.Client, "client", r.Client, "what clients see: `go|async`")
	fs.BoolVar(&r.Equal, "equal", false, "fail where NEW does less, too")
	fs.StringVar(&r.Entry, "entry", "", "take function `F` as the harness")
	fs.StringVar(&r.Old, "old", "", "compare revision `REV` with the working tree")
	fs.StringVar(&r.Drawn, "values", "", "take values from `quick=N|fuzz`")
	fs.BoolVar(&r.Write, "write", false, "make observers tests of the package")
	fs.StringVar(&r.Run, "run", "", "only harnesses whose names match `regexp`")
	fs.BoolVar(&r.Verbose, "v", false, "print more")
	fs.BoolVar(&r.JSON, "json", false, "print JSON, one object per line")
	fs.BoolVar(&r.Race, "race", false, "build with the race detector")
	fs.DurationVar(&r.Timeout, "timeout", r.Timeout, "budget `d` of a harness; 0: none")
	fs.IntVar(&r.MaxExecutions, "max-executions", 0,
		"stop after `n` executions of a script; 0: no bound")
	fs.IntVar(&r.MaxSteps, "max-steps", 1000, "end an execution after `n` steps")
	fs.IntVar(&r.P, "p", r.P, "explore `n` scripts at the same time")
	fs.StringVar(&r.Tags, "tags", "", "build `tags`")
	fs.StringVar(&r.Clock, "clock", r.Clock, "when timers fire: `idle|explore`")
	fs.StringVar(&r.Model, "model", r.Model, "delivery `model`: go|actor|pairs")
	fs.StringVar(&r.Strategy, "strategy", r.Strategy,
		"`strategy`: auto|optimal|dpor|pop|exhaustive")
	fs.StringVar(&r.Independence, "independence", r.Independence, "none")
	fs.Uint64Var(&r.Seed, "seed", r.Seed, "`seed` of random numbers")
}

// systematic are the strategies that run an execution for each trace.
var systematic = []string{"auto", "optimal", "dpor", "pop", "exhaustive"}

// Check reports the first thing that is wrong with the flags and operands.
func (r *Request) Check(operands []string) error {
	switch {
	case r.Client != "go" && r.Client != "async":
		return fmt.Errorf("-client %q: unknown; one of go|async", r.Client)
	case r.Model != "go" && r.Client != "async":
		return fmt.Errorf(
			"-model %s needs -client async: with mailboxes at the boundary, clients see no ends of sends",
			r.Model)
	case r.Independence != "none":
		return fmt.Errorf(
			"-independence %s needs one of two sends, which no set of inputs says: only none",
			r.Independence)
	case !slices.Contains(systematic, r.Strategy):
		return fmt.Errorf("-strategy %s does not run an execution for each trace: only %s",
			r.Strategy,
			strings.Join(systematic, ", "))
	case r.Clock == "delay":
		return errors.New("-clock delay does not apply to refine: idle or explore")
	case r.N < 0 || r.K < 1:
		return errors.New("-n and -k must be at least 1")
	case r.Drawn != "" && r.Drawn != "fuzz" && r.quick() == 0:
		return fmt.Errorf("-values %q: unknown; quick=N, with N from 1 to %d, or fuzz", r.Drawn,
			mostDrawn)
	case r.Old == "" && len(operands) != 2:
		return fmt.Errorf("refine: %d operands, and OLD and NEW are two", len(operands))
	}
	if _, err := regexp.Compile(r.Run); err != nil {
		return fmt.Errorf("-run: %v", err)
	}
	return r.Options.Check()
}

// mostDrawn bounds the values that are drawn of a type.
const mostDrawn = 32

// quick is the number of values that -values quick=N asks for; 0 if it asks for none.
func (r *Request) quick() int {
	text, is := strings.CutPrefix(r.Drawn, "quick=")
	if n, err := strconv.Atoi(text); is && err == nil && n <= mostDrawn {
		return max(n, 0)
	}
	return 0
}

// draw says where the values of types are from.
func (r *Request) draw(old, new built) (d refine.Draw, note string, err error) {
	if n := r.quick(); n > 0 {
		return refine.Draw{Quick: n, Seed: r.Seed}, "", nil
	}
	if r.Drawn == "" {
		return d, "", nil
	}
	list, left, err := corpusOf(new.Dir, old.Dir)
	switch {
	case err != nil:
		return d, "", err
	case len(list) == 0:
		return d, "", fmt.Errorf(
			"%s: -values fuzz: no fuzz test here has a seed (f.Add) or a file below testdata/fuzz",
			new.Dir)
	case left > 0:
		note = fmt.Sprintf("%d values of the fuzz corpus were not taken: at most %d of a kind are",
			left,
			mostOfKind)
	}
	return refine.Draw{Corpus: list}, note, nil
}

// pair is two packages that are compared.
type pair struct {
	names [2]string // as the user has named them
	sides [2]located
}

// Refine compares the operands and returns the exit code of the comparisons. The caller decides
// what an error means beside that code.
func (r *Request) Refine(operands []string, stdout, stderr io.Writer, b building) (code int,
	err error) {
	r.building = b
	pairs, err := r.pairs(operands)
	if err != nil {
		return process.Clean, err
	}
	for _, name := range r.absent {
		out := &report.Refinement{Out: stdout, JSON: r.JSON, New: name}
		out.Note(name + " is not in " + r.Old + ", and not compared")
	}
	stop := r.listen()
	defer stop()
	for _, p := range pairs {
		one, err := r.pair(p, stdout, stderr)
		if code = process.Worse(code, one); err != nil {
			if len(pairs) == 1 || r.over(err) {
				return code, err
			}
			code = process.Worse(code, complain(stderr, err))
		}
		if r.interrupted.Load() {
			break
		}
	}
	return code, nil
}

// over reports whether an error ends the command: the others say something of one comparison.
func (r *Request) over(err error) bool {
	return r.interrupted.Load() || errors.Is(err, exec.ErrInterrupted)
}

// complain reports what is wrong with one comparison of several.
func complain(stderr io.Writer, err error) (code int) {
	fmt.Fprintf(stderr, "rehearse: %v\n", err)
	return process.Failure
}

// listen notes an interrupt. A second one ends the command; two at once are one, since wrappers
// pass on what the terminal has sent to all.
func (r *Request) listen() (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		if _, ok := <-signals; !ok {
			return
		}
		first := time.Now()
		r.interrupted.Store(true)
		if sides := r.asked.Load(); sides != nil {
			sides[0].Interrupt()
			sides[1].Interrupt()
		}
		for range signals {
			if time.Since(first) > 300*time.Millisecond {
				os.Exit(process.Failure)
			}
		}
	}()
	return func() { signal.Stop(signals); close(signals) }
}

// pair compares two packages, harness by harness.
func (r *Request) pair(p pair, stdout, stderr io.Writer) (code int, err error) {
	start := time.Now()
	out := &report.Refinement{Out: stdout, JSON: r.JSON, Old: p.names[0], New: p.names[1]}
	sides, notes, err := r.buildBoth(p)
	if err != nil {
		out.Failed("", err)
		return process.Clean, err
	}
	out.Package = sides[1].Path
	list, alone, err := harnessPairs(p, sides[0], sides[1], r.Run)
	if err != nil {
		out.Failed("", err)
		return process.Clean, err
	}
	for _, text := range append(notes, alone...) {
		out.Note(text)
	}
	for _, names := range list {
		one, err := r.compareAlike(p, sides, names, out, stderr)
		if code = process.Worse(code, one); err != nil {
			out.Failed(names[1], err)
			if len(list) == 1 || r.over(err) {
				return code, err
			}
			code = process.Worse(code, complain(stderr, err))
		}
	}
	out.End(code, time.Since(start))
	return code, nil
}

// harnessPairs lists the harnesses to be compared, by their names in OLD and in NEW. alone says
// which one side only has.
func harnessPairs(p pair, old, new built, run string) (list [][2]string, alone []string,
	err error) {
	match := regexp.MustCompile(run)
	if a, b := p.sides[0].harness, p.sides[1].harness; a != "" || b != "" {
		names := [2]string{cmp.Or(a, b), cmp.Or(b, a)}
		for i, side := range []built{old, new} {
			if !slices.Contains(side.Harnesses, names[i]) {
				return nil, nil, fmt.Errorf("%s: no harness %s; there is %s", p.names[i], names[i],
					strings.Join(side.Harnesses, ", "))
			}
		}
		return [][2]string{names}, nil, nil
	}
	for _, name := range new.Harnesses {
		switch both := slices.Contains(old.Harnesses, name); {
		case both && match.MatchString(name):
			list = append(list, [2]string{name, name})
		case !both:
			alone = append(alone, name+" is in NEW only, and not compared")
		}
	}
	for _, name := range old.Harnesses {
		if !slices.Contains(new.Harnesses, name) {
			alone = append(alone, name+" is in OLD only, and not compared")
		}
	}
	if len(list) == 0 {
		return nil, nil, fmt.Errorf("nothing is compared: %s has %s, %s has %s, and -run is %q",
			p.names[0], cmp.Or(strings.Join(old.Harnesses, ", "), "no harness"),
			p.names[1], cmp.Or(strings.Join(new.Harnesses, ", "), "no harness"), run)
	}
	return list, alone, nil
}

// buildBoth builds both sides. A side gets harnesses of the other one that it lacks; notes say
// which.
func (r *Request) buildBoth(p pair) (sides [2]built, notes []string, err error) {
	for _, i := range []int{1, 0} {
		if sides[i], err = r.buildSide(p, i, loan{}); err != nil {
			return sides, nil, err
		}
	}
	if sides[0].Binary == "" && sides[1].Binary == "" && r.Entry == "" {
		return sides, nil, fmt.Errorf(
			"%s: no harness: write a function Refine... in a _test.go file, or name a constructor with -entry",
			p.names[1])
	}
	for i, side := range sides {
		if side.Binary == "" && r.Entry != "" {
			return sides, nil, fmt.Errorf("%s: no function %s, which -entry names", p.names[i],
				r.Entry)
		}
	}
	return r.borrowMissing(p, sides)
}

// compareAlike compares one harness. If clients cannot use both sides in the same way, one side may
// get the harness of the other one.
func (r *Request) compareAlike(p pair, sides [2]built, names [2]string, out *report.Refinement,
	stderr io.Writer) (code int, err error) {
	code, err = r.compare(sides[0], sides[1], names, out, stderr)
	if !isUnlike(err) {
		return code, err
	}
	sides, note, err := r.borrowUnlike(p, sides, names, err)
	if err != nil {
		return code, err
	}
	out.Note(note)
	return r.compare(sides[0], sides[1], names, out, stderr)
}

// compare compares one harness and reports.
func (r *Request) compare(old, new built, names [2]string, out *report.Refinement,
	stderr io.Writer) (code int, err error) {
	start := time.Now()
	o := r.Options
	o.Run, o.JSON, o.Timeout = "", false, 0
	sides := [2]*Side{}
	for i, p := range []built{old, new} {
		if sides[i], err = NewSide(p.Package, o.Encode(), max(1, r.P/2)); err != nil {
			return process.Clean, err
		}
		defer sides[i].Close()
	}
	r.asked.Store(&sides)
	defer r.asked.Store(nil)
	c := r.comparison(sides, names, start)
	c.Progress = progress(stderr, names[1])
	var note string
	if c.Draw, note, err = r.draw(old, new); err != nil {
		return process.Clean, err
	}
	before, after := side{built: old, harness: names[0], name: out.Old}, side{built: new,
		harness: names[1], name: out.New}
	c.Try = func(d *refine.Difference, newHas bool) (refine.Tried, error) {
		before.of, after.of = c.Interface(0), c.Interface(1)
		lacks := after
		if newHas {
			lacks = before
		}
		tried, err := r.try(d, lacks)
		if err != nil && r.over(err) {
			return refine.Unsure, nil
		}
		return tried, err
	}
	result, err := c.Run()
	before.of, after.of = c.Interface(0), c.Interface(1)
	took := time.Since(start)
	if err != nil {
		return process.Clean, fmt.Errorf("%s: %w", names[1], new.owned(old.owned(err)))
	}
	if note != "" {
		result.Notes = append(result.Notes, note)
	}
	err = r.confirmBoth(before, after, result)
	if err == nil {
		err = r.confirmLeft(before, after, result)
	}
	if err != nil {
		return process.Clean, fmt.Errorf("%s: %w", names[1], err)
	}
	code = r.codeOf(result)
	out.Result(names, result, r.Client, code, took)
	return code, nil
}

// comparison is what the flags ask of two sides.
func (r *Request) comparison(sides [2]*Side, names [2]string, start time.Time) *refine.Comparison {
	c := &refine.Comparison{Old: sides[0], New: sides[1], Names: names, N: r.N, K: r.K,
		Bags: r.Model == "actor", Pairs: r.Model == "pairs", Client: r.Client,
		Stop: r.interrupted.Load, Ahead: max(1, r.P/2)}
	if r.Timeout > 0 {
		c.Deadline = start.Add(r.Timeout)
	}
	return c
}

// progress tells a user who waits how many scripts of how many have been compared.
func progress(stderr io.Writer, name string) func(done, all int) {
	told := time.Now()
	return func(done, all int) {
		const often = 3 * time.Second
		if time.Since(told) >= often {
			told = time.Now()
			fmt.Fprintf(stderr, "%s  %d of %d scripts of this length\n", name, done, all)
		}
	}
}

// confirmBoth runs the observers: that of a path of NEW, and if the sides are incomparable that of
// a path of OLD, too.
func (r *Request) confirmBoth(before, after side, result *refine.Result) error {
	if result.New == nil {
		return nil
	}
	probes := []*probe{{d: result.New, lacks: before, has: after}}
	if result.Old != nil {
		probes[0].suffix = "_new"
		probes = append(probes, &probe{d: result.Old, lacks: after, has: before, suffix: "_old"})
	}
	unsure, err := r.confirm(probes, after.built)
	if len(unsure) > 0 && r.interrupted.Load() {
		result.Complete, result.Reason = false, cmp.Or(result.Reason, refine.Interrupted)
	}
	for _, d := range unsure {
		result.Doubt(d)
	}
	return err
}

// codeOf is the exit code that a result asks for.
func (r *Request) codeOf(result *refine.Result) int {
	switch {
	case len(result.Races) > 0:
		return process.Finding
	case result.Relation == refine.Equivalent && result.Complete:
		return process.Clean
	case result.Relation == refine.OldMore && result.Complete && !r.Equal:
		return process.Clean
	case result.Relation == refine.Equivalent || result.Relation == refine.Unknown:
		return process.Budget
	case result.Relation == refine.OldMore && !r.Equal:
		return process.Budget
	}
	return process.Finding
}
