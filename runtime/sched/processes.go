package sched

import "github.com/rehearse-go/rehearse/runtime/trace"

// Newest returns the number of the latest process.
func (ps *processes) Newest() int32 { return int32(len(ps.procs) - 1) }

// All lists the processes of the execution, by number.
func (ps *processes) All() []*Proc { return ps.procs }

// Procs calls f for the processes of a bubble that have code, also for those that have ended.
func (ps *processes) Procs(b *Bubble, f func(p *Proc)) {
	for _, p := range ps.procs {
		if !p.daemon && p.Bubble == b {
			f(p)
		}
	}
}

// Alone reports whether all processes have ended, except for daemons and services.
func (ps *processes) Alone() bool {
	for _, p := range ps.procs {
		if !p.ended && !p.daemon && !p.service {
			return false
		}
	}
	return true
}

// Belongs reports whether a process that takes part in alternative a is of bubble b.
func (ps *processes) Belongs(a trace.Alt, b *Bubble) bool {
	return ps.procs[a.Proc].Bubble == b || a.Partner >= 0 && ps.procs[a.Partner].Bubble == b
}

// MainMoved returns how many events there were when the first process had last moved.
func (ps *processes) MainMoved() int { return ps.moved }

// OuterMoved returns how many events there were when a process had last done an outer operation.
func (ps *processes) OuterMoved() int { return ps.outer }

// Changed returns how many events there were when a process had last done more than wait.
func (ps *processes) Changed() int { return ps.changed }

// Returned reports whether the first process has ended.
func (ps *processes) Returned() bool { return ps.procs[0].ended }

// noteEnabled records the processes that could have gone on, in case the bound on steps ends the
// execution.
func (ps *processes) noteEnabled(alts []trace.Alt) {
	for _, a := range alts {
		ps.procs[a.Proc].enabled = true
		if a.Partner >= 0 {
			ps.procs[a.Partner].enabled = true
		}
	}
}

// Path returns the process's stable name: its parent's, a dot, and its number among the parent's
// children.
func (p *Proc) Path() string { return p.node.path }
