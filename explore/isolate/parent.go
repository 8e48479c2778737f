package isolate

import (
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/turns"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Executor implements explore.Executor: each execution is a child's.
type Executor struct {
	Start    Start
	Request  func() Request // of the next execution, without Sites
	Patience time.Duration  // for a message of a child that has begun; 0: for ever
	Ended    func(pid int)  // called when a child has ended; may be nil

	now atomic.Pointer[child] // the child of the execution under way

	turn  turns.Turn // of the test
	ended int        // executions of the turn that have ended
}

// Begin gives the test a turn, at whose end an execution under way is killed.
func (e *Executor) Begin(t turns.Turn) { e.turn, e.ended = t, 0 }

// Outlasted reports whether the test cannot go on because its turn is over: the next execution is a
// new process, and can always be run.
func (e *Executor) Outlasted() bool { return false }

// Over says why no further execution can be run: none does.
func (e *Executor) Over() string { return "" }

// Search runs x.
func (e *Executor) Search(x *explore.Exploration) explore.Result { return x.Run() }

// Close ends the work on the test: no process is left between executions.
func (e *Executor) Close() {}

// late is the time that an execution has after the end of the turn: the explorer ends one that
// comes to its next step.
const late = time.Second

// limit kills the execution under way at the end of the turn, until stop is called.
func (e *Executor) limit() (stop func() bool) {
	end := e.turn.Latest(e.ended)
	if end.IsZero() {
		return func() bool { return true }
	}
	return time.AfterFunc(time.Until(end)+late, e.Kill).Stop
}

// Execute implements explore.Executor.
func (e *Executor) Execute(c trace.Chooser, sites bool) *trace.Execution {
	r := e.Request()
	r.Sites = sites
	k, err := e.begin(r)
	if err != nil {
		return notBegun(r.Test, err.Error())
	}
	e.now.Store(k)
	stop := e.limit()
	x := e.converse(k, c)
	e.now.Store(nil)
	stop()
	e.ended++
	if e.Ended != nil {
		e.Ended(k.process.Pid)
	}
	if k.failure != nil {
		panic(k.failure)
	}
	return x
}

// Kill ends the execution under way, from another goroutine: it is as if the chooser had cut it
// off.
func (e *Executor) Kill() {
	if k := e.now.Load(); k != nil {
		k.killed.Store(true)
		k.process.Kill()
	}
}

// converse answers the child until it has ended.
func (e *Executor) converse(k *child, c trace.Chooser) *trace.Execution {
	watchdog := k.watchdog()
	defer watchdog.Stop()
	for {
		m, err := k.receive()
		if e.Patience > 0 {
			watchdog.Reset(e.Patience)
		}
		switch {
		case err != nil:
			return k.broken(k.wait())
		case m.Done != nil:
			k.did(m.Done)
		case m.Offer != nil:
			k.answer(c, m.Offer)
		case m.End != nil:
			library.AddFiles(m.Files)
			library.AddChanged(m.Changed)
			k.wait()
			return k.whole(m.End)
		}
	}
}

// child is one child, with what is known of its execution.
type child struct {
	test    string
	process *os.Process
	out     *gob.Encoder
	in      *gob.Decoder
	files   []*os.File // to be closed
	errors  *tail
	killed  atomic.Bool // by Kill
	silent  atomic.Bool // killed because it did not answer
	began   bool

	x       trace.Execution // as far as it is known
	state   trace.State
	failure any // what the chooser panicked with
}

// receive reads one message.
func (k *child) receive() (m message, err error) {
	err = k.in.Decode(&m)
	k.began = k.began || err == nil
	return m, err
}

// watchdog kills the child when it is not reset in time. It begins to watch with the first Reset,
// because TestMain may take any time.
func (k *child) watchdog() *time.Timer {
	t := time.AfterFunc(time.Hour, func() {
		k.silent.Store(true)
		k.process.Kill()
	})
	t.Stop()
	return t
}

// answer makes one choice.
func (k *child) answer(c trace.Chooser, o *offer) {
	k.learn(o)
	s := &k.state
	s.Depth, s.Last, s.Alts, s.Events = len(k.x.Events), o.Last, o.Alts, k.x.Events
	s.Now, s.Next, s.Moves, s.Alone = o.Now, o.Next, o.Moves, o.Alone
	s.Forced, s.Since = o.Forced, o.Since
	k.out.Encode(k.choose(c)) // an error is the same as that of the next receive
}

// choose asks the chooser. If that panics, the child is let go first.
func (k *child) choose(c trace.Chooser) (i int) {
	defer func() {
		if r := recover(); r != nil {
			k.failure, i = r, -1
		}
	}()
	return c.Choose(&k.state)
}

// learn takes in what is new.
func (k *child) learn(o *offer) {
	x, n := &k.x, &o.New
	x.Procs, x.Objects = append(x.Procs, n.Procs...), append(x.Objects, n.Objects...)
	x.Log, x.LogSites = append(x.Log, n.Log...), append(x.LogSites, n.LogSites...)
	x.Sites, x.PartnerSites = append(x.Sites, n.Sites...), append(x.PartnerSites, n.PartnerSites...)
	x.Calls = append(x.Calls, n.Calls...)
	k.state.Procs = k.state.Procs[:0]
	for i := range o.Procs {
		p := &o.Procs[i]
		x.Procs[i].Ended, x.Procs[i].Pending = !p.Live, p.Op
		if p.Live {
			k.state.Procs = append(k.state.Procs, &p.Op)
		} else {
			k.state.Procs = append(k.state.Procs, nil)
		}
	}
}

// did takes in an event.
func (k *child) did(e *trace.Event) { k.x.Events = append(k.x.Events, *e) }

// whole is the execution that the child reports.
func (k *child) whole(x *trace.Execution) *trace.Execution {
	if k.failure != nil {
		return nil
	}
	return x
}

// broken is the execution of a child that ended, in the given way, before its execution did.
func (k *child) broken(how string) *trace.Execution {
	if !k.began {
		return notBegun(k.test, how+k.errors.lastLine())
	}
	x := &k.x
	if len(x.Procs) == 0 {
		x.Procs = []trace.Proc{{Path: "0", Name: k.test, Parent: -1}}
	}
	x.Procs[0].Name = k.test
	x.Crash = &trace.Crash{Proc: k.moved(), Fatal: true}
	switch {
	case k.killed.Load():
		x.End, x.Crash = trace.Cut, nil
	case k.silent.Load():
		x.End, x.Stuck = trace.Uncontrolled, true
		x.Crash.Text = "the process of the execution does not answer any more"
	default:
		x.End = trace.Crashed
		x.Crash.Text, x.Crash.Stack = k.errors.crash()
		if x.Crash.Text == "" {
			x.Crash.Text = "the process of the execution ended: " + how
		}
	}
	return x
}

// moved is the process that moved last.
func (k *child) moved() int32 {
	if n := len(k.x.Events); n > 0 {
		return k.x.Events[n-1].Proc
	}
	return 0
}

// notBegun is the execution of a child that could not be started, or ended before it asked for
// work.
func notBegun(test, why string) *trace.Execution {
	return &trace.Execution{
		End:   trace.Uncontrolled,
		Procs: []trace.Proc{{Path: "0", Name: test, Parent: -1}},
		Crash: &trace.Crash{Text: "-isolate: the process of an execution did not come to the test: " +
			why, Fatal: true},
	}
}

var _ explore.Executor = (*Executor)(nil)

// begin starts a child and hands it the request.
func (e *Executor) begin(r Request) (*child, error) {
	k := &child{test: r.Test, errors: newTail(os.Stderr)}
	k.state.Last = -1
	theirs, err := k.pipes()
	if err != nil {
		k.close()
		return nil, err
	}
	k.process, err = os.StartProcess(e.Start.Path, e.Start.Args, &os.ProcAttr{
		Dir: e.Start.Dir, Env: e.Start.environment(),
		Files: append([]*os.File{os.Stdin, os.Stdout}, theirs...),
	})
	for _, f := range theirs {
		f.Close()
	}
	if err != nil {
		k.close()
		return nil, err
	}
	if k.out.Encode(r) != nil { // the child would wait for ever
		k.process.Kill()
	}
	return k, nil
}

// pipes makes the pipes to the child, and returns its ends: standard error, choices, reports.
func (k *child) pipes() (theirs []*os.File, err error) {
	pair := func() (r, w *os.File) {
		if err == nil {
			r, w, err = os.Pipe()
		}
		return r, w
	}
	errorsR, errorsW := pair()
	choicesR, choicesW := pair()
	reportsR, reportsW := pair()
	if err != nil {
		return nil, errors.Join(errors.New("no pipe"), err)
	}
	k.files = []*os.File{choicesW, reportsR}
	k.out, k.in = gob.NewEncoder(choicesW), gob.NewDecoder(reportsR)
	k.errors.follow(errorsR)
	return []*os.File{errorsW, choicesR, reportsW}, nil
}

func (k *child) close() {
	for _, f := range k.files {
		f.Close()
	}
}

// Slack is the time by which Patience should exceed that of a step: the child has much to do before
// it reports, and the machine may be busy.
const Slack = 20 * time.Second

// leave is the time that a child may take for the end of TestMain.
const leave = 10 * time.Second

// wait lets the child end, and says how it did.
func (k *child) wait() string {
	k.files[1].Close() // who has been left behind must not wait for a reader
	late := time.AfterFunc(leave, func() { k.process.Kill() })
	state, err := k.process.Wait()
	late.Stop()
	k.close()
	k.errors.end()
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(state)
}
