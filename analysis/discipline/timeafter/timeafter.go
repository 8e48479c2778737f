// Package timeafter reports time limits that begin anew with every message.
package timeafter

import (
	"go/constant"
	"go/token"
	"go/version"
	"slices"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Analyzer is the check.
var Analyzer = &analysis.Analyzer{
	Name: "timeafter",
	Doc: `check that a time limit in an actor's loop can be reached

A case <-time.After(d) in a loop makes a new timer each time round: the time that has passed is forgotten with every
message. Beside a ticker with a shorter period, or a default, it never comes to an end. Before Go 1.23 (the go line
of go.mod counts) each of these timers also stays in memory until its time has come.

Example:

	tick := time.NewTicker(time.Second)
	for {
		select {
		case <-tick.C:
			s.poll()
		case <-time.After(time.Minute): // never: tick.C comes first, each time
			return errTimeout
		}
	}

Fix: make one timer before the loop, and Reset it where the time is to begin anew.

Not reported: a time limit beside messages alone, which says how long nothing came, if the language version is 1.23 or
later, or in a test, or if the message ends the loop.

Law: none: the theory has no time.`,
	Requires: []*analysis.Analyzer{discipline.Code},
	Run:      discipline.Run(func(r *discipline.Rule) { check{r}.timeAfter() }),
}

// check is the package, for this check to look at.
type check struct{ *discipline.Rule }

func (c check) timeAfter() {
	for _, o := range c.Ops {
		sel, ok := o.At.(*ssa.Select)
		call := timeAfterOf(o.Ch)
		if !ok || call == nil || o.Kind != discipline.Receive {
			continue
		}
		switch d := durationOf(call.Call.Args[0]); {
		case !sel.Blocking && d > 0 && justMade(call, sel):
			c.Report(o.Pos, sel.Pos(), "this select",
				"this time limit never comes: the select at %s has a default, and the timer has just been made",
				c.At(sel.Pos()))
		case kernel.Cyclic(sel) && kernel.Cyclic(call):
			c.restarted(o, d)
		}
	}
}

// justMade reports whether nothing is called between the call that makes a timer and the select.
func justMade(call *ssa.Call, sel *ssa.Select) bool {
	if call.Block() != sel.Block() {
		return false
	}
	for _, i := range call.Block().Instrs[kernel.IndexOf(call)+1 : kernel.IndexOf(sel)] {
		if _, ok := i.(ssa.CallInstruction); ok {
			return false
		}
	}
	return kernel.IndexOf(call) < kernel.IndexOf(sel)
}

// timeAfterOf returns the call of time.After that ch comes from, or nil.
func timeAfterOf(ch ssa.Value) *ssa.Call { return kernel.CallOf(ch, "time.After") }

// durationOf returns the value of a constant duration, or 0.
func durationOf(v ssa.Value) time.Duration {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0
	}
	return time.Duration(c.Int64())
}

// restarted reports o, a time limit in a loop, if another case keeps it from being reached, or each
// message leaves a timer behind.
func (c check) restarted(o *discipline.Op, d time.Duration) {
	for _, other := range c.ByInstr[o.At] {
		if period := c.period(other.Ch); other != o && period > 0 && d > 0 && period < d {
			c.ReportFix(c.fixRestarted(o), o.Pos, other.Pos, "ticks here",
				"this time limit of %v never comes: the ticker at %s comes every %v, and each time the limit begins anew",
				d, c.At(other.Pos), period)
			return
		}
	}
	if !c.before123(o.Pos) || d < time.Second || c.InTest(o.Pos) {
		return
	}
	for _, other := range c.ByInstr[o.At] {
		if other != o && other.Kind == discipline.Receive && other.Msg != nil &&
			!discipline.IsTime(other.Ch) && c.again(other) {
			c.Report(o.Pos, other.Pos, "receives here",
				"each message that comes at %s leaves a timer of %v behind in memory until its time has come: the go line of go.mod is older than 1.23",
				c.At(other.Pos), d)
			return
		}
	}
}

// again reports whether control can come from receive r back to it. A message that is a channel or
// a pointer is one, and not nil, where the loop asks for that.
func (c check) again(r *discipline.Op) bool {
	b, i := discipline.After(r)
	return b != nil && kernel.SearchEdges(b, i, func(i ssa.Instruction) kernel.Answer {
		if i == r.At {
			return kernel.Found
		}
		return kernel.Onward
	}, func(b *ssa.BasicBlock, k int) bool {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		return ok && isNilTest(branch.Cond, r.Msg) == k+1
	}) != nil
}

// isNilTest returns which successor of a branch on cond is the one for a nil message, from 1 on; 0
// if cond does not test that.
func isNilTest(cond, msg ssa.Value) int {
	cmp, ok := cond.(*ssa.BinOp)
	if !ok || cmp.X != msg && !isEdge(cmp.X, msg) {
		return 0
	}
	if k, ok := cmp.Y.(*ssa.Const); !ok || !k.IsNil() {
		return 0
	}
	switch cmp.Op {
	case token.EQL:
		return 1
	case token.NEQ:
		return 2
	}
	return 0
}

// isEdge reports whether v is a phi of x among others.
func isEdge(v, x ssa.Value) bool {
	phi, ok := v.(*ssa.Phi)
	return ok && slices.Contains(phi.Edges, x)
}

// fixRestarted lets the time limit o begin before the loop, if there are no messages that it may
// have to wait for.
func (c check) fixRestarted(o *discipline.Op) []analysis.SuggestedFix {
	for _, other := range c.ByInstr[o.At] {
		if other.Kind != discipline.Receive || !discipline.IsClock(other.Ch) {
			return nil
		}
	}
	return c.afterOnce(timeAfterOf(o.Ch))
}

// period returns the constant period of the ticker whose channel ch is, or 0.
func (c check) period(ch ssa.Value) time.Duration {
	if call := kernel.CallOf(ch, "time.Tick"); call != nil && !kernel.Cyclic(call) {
		return durationOf(call.Call.Args[0])
	}
	l := discipline.Locate(ch)
	call := kernel.CallOf(l.Root, "time.NewTicker")
	if call == nil || l.Fields != ".C" || kernel.Cyclic(call) || reset(call) {
		return 0
	}
	return durationOf(call.Call.Args[0])
}

// reset reports whether a ticker is more than read: stopped in the loop, given another period, or
// handed on.
func reset(ticker *ssa.Call) bool {
	for _, ref := range *ticker.Referrers() {
		switch i := ref.(type) {
		case *ssa.FieldAddr, *ssa.Defer:
		case *ssa.Call:
			if kernel.CalleeName(i.Common()) != "Stop" || kernel.Cyclic(i) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// before123 reports whether the language version of the file at pos is known and older than Go
// 1.23.
func (c check) before123(pos token.Pos) bool {
	for _, f := range c.Pass.Files {
		if f.FileStart <= pos && pos < f.FileEnd {
			v := c.Pass.TypesInfo.FileVersions[f]
			if v == "" {
				v = c.Pass.Pkg.GoVersion()
			}
			return v != "" && version.Compare(v, "go1.23") < 0
		}
	}
	return false
}
