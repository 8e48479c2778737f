package sched

import (
	"slices"
)

// Observe tells o, too, of all that happens from the next execution on.
func (g *registered) Observe(o Observer) {
	if !slices.Contains(g.watchers, o) {
		g.watchers = append(g.watchers, o)
	}
}

// View lets v look at the states from the next execution on.
func (g *registered) View(v Viewer) { g.viewer = v }

// Viewed reports whether somebody looks at the states.
func (g *registered) Viewed() bool { return g.viewer != nil }

// SetClock makes c list the firings. Their operations list no alternatives themselves.
func (g *registered) SetClock(c Clock) { g.clock = c }

// SetAllowance sets Proc.Allowance of the first process.
func (g *registered) SetAllowance(n int) { g.allowance = n }

// SetLife makes l be told of processes.
func (g *registered) SetLife(l Life) { g.life = l }

// OnReset registers f to run before each execution.
func (g *registered) OnReset(f func()) { g.resets = append(g.resets, f) }
