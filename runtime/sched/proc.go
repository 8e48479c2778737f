package sched

import (
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

func (n *pathNode) kid(i int) *pathNode {
	for len(n.kids) <= i {
		n.kids = append(n.kids, &pathNode{path: n.path + "." + strconv.Itoa(len(n.kids))})
	}
	return n.kids[i]
}

// Daemon reports whether p has no code of its own.
func (p *Proc) Daemon() bool { return p.daemon }

// Spawn makes a child of p. It runs f up to its first declaration before the next choice is made.
func (s *course) Spawn(p *Proc, name string, f func()) { s.SpawnIn(p.Bubble, p, name, f) }

// Service is Spawn for a process that package initialisation or TestMain has started.
func (s *course) Service(p *Proc, name string, f func()) {
	s.Spawn(p, name, f)
	s.procs[len(s.procs)-1].service = true
}

// Daemon makes a child of p that has no code of its own. Its operation is o, once the model
// declares it in its Op, and again after that. A daemon does not count as left behind when an
// execution ends.
func (s *course) Daemon(p *Proc, name string, o Operation) *Proc {
	d := s.add(p, name, nil)
	d.daemon, d.operation, d.site = true, o, p.site
	return d
}

// ServiceDaemon is Daemon for one that was made at site, in package initialisation or TestMain.
func (s *course) ServiceDaemon(p *Proc, name, site string, o Operation) *Proc {
	d := s.Daemon(p, name, o)
	d.service, d.site = true, site
	return d
}

// Serves reports whether p was started by package initialisation or TestMain, or by a process that
// they have started.
func (p *Proc) Serves() bool { return p.service }

func (s *course) spawn(parent *Proc, name string, f func()) *Proc {
	p := s.add(parent, name, f)
	s.borne(parent, p)
	p.inherit()
	if s.opts.Sites && parent != nil {
		p.from = s.spawnedAt(parent)
		p.alias = startedFor()
	}
	s.runq = append(s.runq, p)
	return p
}

// inherit takes half of the parent's allowance, so that the allowances of all processes depend on
// no order. A process that package initialisation has started gets nothing.
func (p *Proc) inherit() {
	if p.parent != nil && p.ID > 0 && !p.parent.daemon && !p.service {
		p.Allowance = p.parent.Allowance / 2
		p.parent.Allowance -= p.Allowance
	}
}

func (s *course) add(parent *Proc, name string, body func()) *Proc {
	s.pay()
	id := len(s.procs)
	if id == len(s.pool) {
		s.pool = append(s.pool, &Proc{})
	}
	p := s.pool[id]
	scratch := p.Scratch
	*p = Proc{}
	p.ID, p.Name, p.Scratch, p.node, p.born = int32(id), name, scratch, s.root,
		int32(len(s.x.Events))
	p.body = body
	if parent != nil {
		p.parent, p.Bubble = parent, parent.Bubble
		p.service = parent.service
		p.node = parent.node.kid(parent.spawned)
		parent.spawned++
	} else {
		p.Allowance = s.allowance
	}
	s.detector.born(p)
	s.procs, s.alive = append(s.procs, p), append(s.alive, p)
	s.state.Twins = append(s.state.Twins, 0)
	s.findTwin(p)
	if s.beds.on {
		s.beds.awake = append(s.beds.awake, p)
	}
	s.state.Procs = append(s.state.Procs, &p.Op)
	for _, w := range s.watchers {
		w.Spawned(parent, p)
	}
	return p
}

// runBody runs p from start to end on the calling goroutine and returns the process to run next. If
// p ends by runtime.Goexit, runBody cannot return: it calls resume with the process to run next.
func (s *Sched) runBody(p *Proc, resume func(next *Proc)) (next *Proc) {
	returned := false
	defer func() {
		if returned {
			return
		}
		r := recover()
		gate.Park()
		s.detector.inside(p)
		if r != nil {
			s.crash(p, r)
		}
		next = s.finish(p)
		if r == nil || p.exiting {
			resume(next)
		}
	}()
	p.goid = gate.Goid()
	s.enter(p)
	p.outside()
	p.body()
	gate.Park()
	s.detector.inside(p)
	returned = true
	return s.finish(p)
}

// Parent is the process that has started p, nil for the first one.
func (p *Proc) Parent() *Proc { return p.parent }

// Goroutine returns the id of the goroutine that p runs on; 0 if it has not begun, or goroutines
// cannot be told apart.
func (p *Proc) Goroutine() uint64 { return p.goid }

// Body returns the function that p runs; nil if p has ended, or is a daemon.
func (p *Proc) Body() func() { return p.body }

// Exiting reports whether p is ending by Goexit.
func (p *Proc) Exiting() bool { return p.exiting }

// Goexit is runtime.Goexit for process p.
func (p *Proc) Goexit() {
	p.exiting = true
	p.outside()
	runtime.Goexit()
}

// locate notes where p waits, which is blocked for ever. It runs when p is unwound, on p's own
// stack.
func (s *Sched) locate(p *Proc) {
	if p.blocked == 0 || s.x.BlockedSites[p.blocked-1] != "" {
		return
	}
	s.detector.inside(p)
	var pcs [siteFrames]uintptr
	n := gate.Callers(3, pcs[:])
	site, ok := s.sites[pcs]
	if !ok {
		site = SiteOf(pcs[:n])
		s.sites[pcs] = site
	}
	if site == "" || s.opts.Sites {
		site = Shown()
	}
	s.x.BlockedSites[p.blocked-1] = site
}

// finish marks p as ended and returns the process to run next.
func (s *Sched) finish(p *Proc) *Proc {
	s.pay()
	s.leave()
	p.die()
	p.ended, p.worker, p.body, p.Op = true, nil, nil, trace.Op{}
	if !s.dying {
		i := slices.Index(s.alive, p)
		s.alive = slices.Delete(s.alive, i, i+1)
	}
	s.state.Procs[p.ID] = nil
	if p.ID == 0 {
		s.returned = len(s.x.Events)
	}
	return s.dispatch()
}

// crash ends the execution because of a panic that p did not recover, unless others end it first.
// It runs while the panicking frames are still on the stack.
func (s *Sched) crash(p *Proc, r any) {
	if s.dying {
		return
	}
	c := &trace.Crash{Proc: p.ID, Text: panicText(r), Site: crashSite()}
	if s.opts.Sites {
		c.Stack = debug.Stack()
	}
	if s.last(p) {
		s.x.Crash = c
		s.Stop(trace.Crashed)
	}
}

// last makes the end of the program, to which p has come, a step like any other: other processes
// may move before it. It reports false if the execution has ended otherwise.
func (s *Sched) last(p *Proc) bool {
	s.pay()
	p.Op, p.operation = trace.Op{Kind: trace.Stop, Obj: -1}, stop{}
	if s.beds.on {
		s.beds.declared(&p.Op)
	}
	if s.opts.Sites {
		p.spot = s.spotHere()
	}
	s.leave()
	if q := s.dispatch(); q != p {
		s.switchTo(p, q)
	}
	return !s.dying
}

// Alts appends the only alternative.
func (stop) Alts(p *Proc, dst []trace.Alt) []trace.Alt {
	return trace.Alone(dst, p.ID, 0)
}

// Apply does nothing: the process ends the execution itself.
func (stop) Apply(*Proc, *trace.Event) {}

// Fatal ends the execution as the Go runtime's fatal errors do: nothing can recover it.
func (s *Sched) Fatal(p *Proc, text string) {
	s.halt(p, text, trace.Crashed)
}

// Uncontrolled ends the execution because p did something whose effects are not under control.
func (s *Sched) Uncontrolled(p *Proc, text string) {
	s.halt(p, text, trace.Uncontrolled)
}

func (s *Sched) halt(p *Proc, text string, how trace.EndKind) {
	if !s.dying {
		s.x.Crash = &trace.Crash{Proc: p.ID, Text: text, Site: crashSite(), Fatal: true}
		if s.opts.Sites {
			s.x.Crash.Stack = debug.Stack()
		}
	}
	s.End(p, how)
}
