package refine

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Explorer explores one side.
type Explorer interface {
	Ask(q Question) (Explored, error)
}

// Foreseer is an Explorer that can be told what it will be asked.
type Foreseer interface{ Foresee(q Question) }

// Comparison is two sides that are being compared.
type Comparison struct {
	Old, New Explorer
	Names    [2]string // of the harness, in OLD and in NEW
	N, K     int       // bounds; N 0: what the harness says, or 3
	Bags     bool      // the boundary's channels are bags
	Pairs    bool      // and yet the messages of one sender stay in order
	Client   string    // "go" or "async"
	Draw     Draw
	Ahead    int       // scripts that each side explores at the same time
	Deadline time.Time // zero: none
	Stop     func() bool
	// runs the observer of a difference on the side that lacks it; may be nil
	Try      func(d *Difference, newHas bool) (Tried, error)
	Progress func(done, all int) // may be nil

	of      [2]*Interface
	scripts *Scripts
	result  *Result
	tried   int
}

// Tried is the result of an observer, on the side that is said to lack its path.
type Tried int

// The results of an observer.
const (
	Unsure       Tried = iota // the budget has ended
	Lacking                   // it passes in every order
	LackingSoFar              // likewise, as far as the bound on steps goes
	Having                    // it fails in some: the path is that side's, too
)

// mostTried bounds the observers that are run to decide whether there is a difference.
const mostTried = 16

// Result is the result of a comparison.
type Result struct {
	Relation Relation
	Async    Relation // for asynchronous clients
	Complete bool
	Reason   string // why not
	N, K     int
	// clients of how many operations were compared in full, and of how many at all: N, if Complete
	Whole, Begun int
	Scripts      int
	Executions   [2]int
	Pomsets      [2]int
	Interface    *Interface
	Notes        []string
	Left         []Left // operations that NEW may leave for ever; the notes say so
	Races        []string
	New, Old     *Difference // a path of NEW that OLD lacks, and the other way round
}

// Interface is that of the harness in OLD, 0, or NEW, 1. Both are the same except for the names
// that their packages have for types.
func (c *Comparison) Interface(side int) *Interface { return c.of[side] }

// DefaultN bounds the operations of clients, and DefaultK the receives of a channel.
const (
	DefaultN = 3
	DefaultK = 4
)

// Run compares. An error says why nothing can be said.
func (c *Comparison) Run() (*Result, error) {
	if err := c.describe(); err != nil {
		return nil, err
	}
	c.N, c.K = cmp.Or(c.N, c.of[0].Protocol.N, DefaultN), cmp.Or(c.K, DefaultK)
	c.result = &Result{Complete: true, N: c.N, K: c.K, Interface: c.of[1]}
	f := found{}
	level := []*Script{{K: c.K, Bags: c.Bags || c.Pairs, Pairs: c.Pairs}}
	for n := 0; ; n++ {
		c.result.Begun = n
		c.scripts = NewScripts(c.of[0])
		for i, s := range level {
			if c.over() {
				break
			}
			if c.Progress != nil {
				c.Progress(i, len(level))
			}
			c.foresee(level[i:min(len(level), i+c.Ahead)])
			level[i] = nil
			handles, err := c.script(s, &f)
			if err != nil {
				return nil, err
			}
			if n < c.N {
				c.scripts.Extend(s, handles)
			}
		}
		level = c.scripts.List
		if !c.over() && c.result.Complete {
			c.result.Whole = n
		}
		if f.all() {
			c.result.N = max(n, 1)
		}
		if n == c.N || len(level) == 0 || f.all() || c.over() {
			break
		}
	}
	c.conclude(&f)
	return c.result, nil
}

// Interrupted is why a comparison is cut short that the user has interrupted.
const Interrupted = "interrupted"

func (c *Comparison) over() bool {
	switch {
	case c.Stop != nil && c.Stop():
		c.cut(Interrupted)
	case !c.Deadline.IsZero() && time.Now().After(c.Deadline):
		c.cut("the time is up")
	default:
		return false
	}
	return true
}

func (c *Comparison) cut(why string) {
	c.result.Complete = false
	c.result.Reason = cmp.Or(c.result.Reason, why)
}

// describe asks both sides for their interfaces, which must be the same. If OLD's harness is no
// good, NEW's may be: the error is Unlike.
func (c *Comparison) describe() error {
	for i, side := range []Explorer{c.Old, c.New} {
		a, err := side.Ask(Question{Harness: c.Names[i], Draw: c.Draw})
		wrong := a.Failure
		if wrong == "" && err == nil && len(a.Interface.Errors) > 0 {
			wrong = a.Interface.Errors[0]
		}
		switch {
		case err != nil:
			return err
		case wrong != "" && i == 0:
			return Unlike(wrong)
		case wrong != "":
			return errors.New(wrong)
		}
		c.of[i] = a.Interface
	}
	return Same(c.of[0], c.of[1])
}

// found has the shortest paths found: for the clients asked for, and asynchronous ones.
type found struct {
	new, old           *Difference
	asyncNew, asyncOld bool
}

func (f *found) all() bool { return f.new != nil && f.old != nil && f.asyncNew && f.asyncOld }

// script explores one script on both sides, with each way to answer the callbacks that are called,
// and compares. It returns the handles that executions have brought.
func (c *Comparison) script(s *Script, f *found) (handles []Handle, err error) {
	old, new, err := c.both(s, false)
	if err != nil {
		return nil, err
	}
	for i, types := range [2][2]map[string][]Port{ // each side has its own words for its types
		{new.Types, old.Types}, {old.Types, new.Types}} {
		maps.Copy(c.of[i].Types, types[0])
		maps.Copy(c.of[i].Types, types[1])
	}
	for _, port := range slices.Concat(old.Wants, new.Wants) {
		if len(s.AnswersOf(port)) >= s.K {
			continue
		}
		for _, t := range s.Answering(port, c.answersTo(s, port)) {
			more, err := c.script(t, f)
			if err != nil || c.over() {
				return handles, err
			}
			for _, h := range more {
				if !slices.Contains(handles, h) {
					handles = append(handles, h)
				}
			}
		}
		return handles, nil
	}
	c.result.Scripts++
	c.count(0, old)
	c.count(1, new)
	for _, h := range slices.Concat(old.View.Names(), new.View.Names()) {
		if !slices.Contains(handles, h) {
			handles = append(handles, h)
		}
	}
	return handles, c.compare(s, old, new, f)
}

// question asks for a script.
func (c *Comparison) question(side int, s *Script) Question {
	q := Question{Harness: c.Names[side], Script: s, Draw: c.Draw}
	if !c.Deadline.IsZero() {
		q.Budget = max(time.Until(c.Deadline), 1)
	}
	return q
}

// foresee tells both sides which scripts come next.
func (c *Comparison) foresee(next []*Script) {
	if len(next) < 2 {
		return
	}
	for i, side := range []Explorer{c.Old, c.New} {
		if f, is := side.(Foreseer); is {
			for _, s := range next {
				f.Foresee(c.question(i, s))
			}
		}
	}
}

// differ reports whether one side shows a path that the other does not.
func (c *Comparison) differ(old, new *View) bool {
	if c.Client == "async" {
		old, new = old.Async(), new.Async()
	}
	old, new = old.Bounded(c.K), new.Bounded(c.K)
	return c.lacking(old, new) || c.lacking(new, old)
}

// lacking reports whether one view has a path that the other one lacks.
func (c *Comparison) lacking(has, lacks *View) bool {
	path, _ := c.included(has, lacks, 0)
	return path != nil
}

// included is Included, as long as the comparison goes on.
func (c *Comparison) included(has, lacks *View, all uint64) (path Path,
	instead []Value) {
	path, instead, whole := includedIn(has, lacks, all, c.over)
	if !whole {
		c.cut("the clients of a script see too many paths to compare them all")
	}
	return path, instead
}

// farther explores a script anew, with more steps of executions that have no end. If that takes too
// long, the earlier result stays.
func (c *Comparison) farther(s *Script, old, new Explored) (Explored, Explored, error) {
	o, n, err := c.both(s, true)
	switch {
	case err != nil:
		return old, new, err
	case !o.Complete || !n.Complete:
		c.cut(unconfirmed)
		return old, new, nil
	}
	return o, n, nil
}

// both explores a script on both sides at once; far: more steps of it than usual.
func (c *Comparison) both(s *Script, far bool) (old, new Explored, err error) {
	ask := func(i int, side Explorer, a *Explored) error {
		var err error
		q := c.question(i, s)
		q.Far = far
		*a, err = side.Ask(q)
		if err == nil && a.Failure != "" {
			err = errors.New(a.Failure)
		}
		return err
	}
	done := make(chan error, 1)
	go func() { done <- ask(0, c.Old, &old) }()
	err = ask(1, c.New, &new)
	return old, new, cmp.Or(<-done, err)
}

func (c *Comparison) count(side int, a Explored) {
	r := c.result
	r.Executions[side] += a.Executions
	r.Pomsets[side] += len(a.View.Pomsets)
	if !a.Complete {
		c.cut(a.Reason)
	}
	for _, race := range a.Races {
		if text := [2]string{"OLD", "NEW"}[side] + ": " + race; !slices.Contains(r.Races, text) {
			r.Races = append(r.Races, text)
		}
	}
	for _, what := range a.Fixed {
		c.note("%s: other choices are not compared", what)
	}
	if a.Stepped {
		c.note(goesOn)
	}
	if a.Timed {
		c.note("clients are faster than every timer: a timer fires when nothing else can move")
	}
}

func (c *Comparison) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(c.result.Notes, text) {
		c.result.Notes = append(c.result.Notes, text)
	}
}

// compare compares what both sides show of one script. A side that was not explored to its end may
// lack paths for that alone.
func (c *Comparison) compare(s *Script, oldSide, newSide Explored, f *found) (err error) {
	oldSide.View.Bags, newSide.View.Bags = s.Bags, s.Bags
	old, new := align(&oldSide.View, &newSide.View)
	if (oldSide.Stepped || newSide.Stepped) && c.differ(old, new) {
		if oldSide, newSide, err = c.farther(s, oldSide, newSide); err != nil {
			return err
		}
		oldSide.View.Bags, newSide.View.Bags = s.Bags, s.Bags
		old, new = align(&oldSide.View, &newSide.View)
	}
	m := meeting{c: c, script: s, timed: oldSide.Timed || newSide.Timed, stepped: oldSide.Stepped ||
		newSide.Stepped, waited: max(oldSide.Waited, newSide.Waited)}
	if f.new == nil || !f.asyncNew {
		if err := m.look(new, old, oldSide.Complete, true, &f.new, &f.asyncNew); err != nil {
			return err
		}
	}
	if f.old == nil || !f.asyncOld {
		if err := m.look(old, new, newSide.Complete, false, &f.old, &f.asyncOld); err != nil {
			return err
		}
	}
	for _, op := range newSide.Left {
		if newSide.Complete && oldSide.Complete && !slices.Contains(oldSide.Left, op) &&
			op <= len(s.Ops) {
			c.noteLeft(s, op-1, m.waited)
		}
	}
	return nil
}

// meeting is the comparison of one script.
type meeting struct {
	c      *Comparison
	script *Script
	// Some timer fires. Clients are faster than every timer, so paths of clients that wait for one
	// before they go on are not among those explored.
	timed bool
	// Some execution was ended by the bound on steps: a path may come later on that side.
	stepped bool
	waited  time.Duration // the longest time that an output has taken
}

// look looks for a path that one side has and the other lacks, for clients of both kinds. whole
// says that the other side was explored to its end.
func (m *meeting) look(has, lacks *View, whole, newHas bool, found **Difference,
	async *bool) error {
	k := m.script.K
	asyncHas, asyncLacks := has.Async().Bounded(k), lacks.Async().Bounded(k)
	has, lacks = has.Bounded(k), lacks.Bounded(k)
	if m.c.Client == "async" {
		has, lacks = asyncHas, asyncLacks
	}
	eager := false
	if *found == nil {
		var err error
		if *found, eager, err = m.difference(has, lacks, whole, newHas); err != nil {
			return err
		}
	}
	if eager {
		asyncHas = asyncHas.eager()
	}
	if !*async && whole {
		path, _ := m.c.included(asyncHas, asyncLacks, m.all(asyncHas))
		*async = path != nil
	}
	return nil
}

// all returns the inputs that a path must have to count. If timers fire, a script does not stand
// for its smaller ones, which have been compared before.
func (m *meeting) all(v *View) uint64 {
	if !m.timed {
		return 0
	}
	return v.operations(false)
}

// difference looks for a path that the other side seems to lack, and has the path's observer decide
// if the views do not. The other side may have the path all the same if it was not explored to its
// end, or if a client that waits for a timer shows the path. Then clients that wait for nothing are
// compared: eager. A path that the other side has after all joins its view, and the comparison goes
// on.
func (m *meeting) difference(has, lacks *View, whole, newHas bool) (d *Difference, eager bool,
	err error) {
	for {
		path, instead := m.c.included(has, lacks, m.all(has))
		d = &Difference{Script: m.script.number(path), Path: path, Instead: instead,
			Never: m.script.number(path).Clear(shownAll(instead)), Stepped: m.stepped,
			Waited: m.waited}
		switch {
		case path == nil:
			return nil, eager, nil
		case whole && (!m.timed && !m.stepped || m.c.Try == nil):
			return d, eager, nil
		case m.c.Try == nil || m.c.tried == mostTried:
			m.c.cut(unconfirmed)
			return nil, eager, nil
		}
		m.c.tried++
		tried, err := m.c.Try(d, newHas)
		switch {
		case tried == Lacking || tried == LackingSoFar && whole || err != nil:
			return d, eager, err
		case tried != Having || m.script.Pairs:
			m.c.cut(unconfirmed)
			return nil, eager, nil
		case m.timed && !eager:
			has, eager = has.eager(), true
		default:
			lacks = lacks.with(path)
		}
	}
}

// unconfirmed is why a comparison is cut short that found a path and not its observer's verdict.
const unconfirmed = "a path that one side lacks could not be confirmed: a larger -max-steps or -timeout may decide"

// answersTo are the ways to answer a callback.
func (c *Comparison) answersTo(s *Script, port string) [][]string {
	if p := c.scripts.of.callback(s, port); p != nil {
		return c.scripts.AnswersTo(*p)
	}
	return nil
}

// conclude draws the conclusion.
func (c *Comparison) conclude(f *found) {
	r := c.result
	if !r.Complete && c.Stop != nil && c.Stop() {
		r.Reason = Interrupted // whatever the sides have called it
	}
	r.New, r.Old = f.new, f.old
	r.Relation = related(f.new != nil, f.old != nil)
	r.Async = related(f.asyncNew, f.asyncOld)
	if f.new != nil {
		f.new.Async = f.asyncNew
	}
	if f.old != nil {
		f.old.Async = f.asyncOld
	}
	if len(r.Races) > 0 { // a racy program has no paths
		r.New, r.Old, r.Relation, r.Async = nil, nil, Unknown, Unknown
	}
	if !r.Complete && f.new == nil && f.old == nil {
		r.Relation = Unknown
	}
	if !r.Complete && !f.asyncNew && !f.asyncOld {
		r.Async = Unknown
	}
	if !r.Complete && slices.Contains(r.Notes, goesOn) {
		c.note("fewer steps may be compared in time: -max-steps 50, and a smaller -n or -k")
	}
}

const goesOn = "some execution goes on for ever, or for very long: its first steps are compared " +
	"(-max-steps)"
