// Package ownership reports writes to what has been sent away.
package ownership

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Analyzer is the check.
var Analyzer = &analysis.Analyzer{
	Name: "ownership",
	Doc: `check that what has been sent is not written afterwards

Who sends a pointer, a slice or a map hands over what it refers to: from then on the receiver reads it, whenever it comes
to that. A sender that writes to it afterwards changes the message under the eyes of the receiver: a data race. So is a
sender that reads what the receiver writes.

Example:

	buf := make([]byte, 4096)
	for {
		n, err := conn.Read(buf) // overwrites what the receiver may be reading
		if err != nil {
			return
		}
		packets <- buf[:n]
	}

Fix: make a new buffer or object for each message, or send a copy (slices.Clone, maps.Clone); or wait for the receiver's
answer before the next write.

Not reported: uses after anything that may have waited for the receiver (an operation on a channel, a lock, a call of
code that is not seen); objects with a lock in them; sends under a lock; messages that no receiver is seen to use.

Law: rule MSG: a message carries a name, and names do not change. What a Go pointer leads to does.
(P. Thati, R. Ziaei, G. Agha, A Theory of May Testing for Actors, FMOODS 2002, section 4.)`,
	Requires: []*analysis.Analyzer{discipline.Code},
	Run:      discipline.Run(func(r *discipline.Rule) { check{r}.ownership() }),
}

// check is the package, for this check to look at.
type check struct{ *discipline.Rule }

func (c check) ownership() {
	for _, o := range c.Ops {
		if o.Kind != discipline.Send || !refers(discipline.MessageType(o.Msg)) ||
			hasLock(discipline.MessageType(o.Msg)) || kernel.Locked(o.At) {
			continue
		}
		use := c.usedBy(o)
		if use == nil {
			continue
		}
		if w := c.touchAfter(o, (*follow).writes); w != nil {
			c.reportTouch(c.sendCopy(o), o, w, use, "written here, while its receiver may use it")
			continue
		}
		for _, w := range c.writtenBy(o) {
			if i := c.touchAfter(o, w.readBy); i != nil {
				c.reportTouch(nil, o, i, w.at, "read here, while its receiver may write it")
				break
			}
		}
	}
}

func (c check) reportTouch(fixes []analysis.SuggestedFix, o *discipline.Op, w, use ssa.Instruction,
	what string) {
	pos := kernel.PosOf(w)
	c.Out(analysis.Diagnostic{Pos: pos, SuggestedFixes: fixes,
		Message: "what was sent to " + c.NameOf(o) + " at " + c.At(o.Pos) +
			" is " + what + ", at " + c.At(kernel.PosOf(use)),
		Related: []analysis.RelatedInformation{{Pos: o.Pos, Message: "sent here"},
			{Pos: kernel.PosOf(use), Message: "used here"}}})
}

// refers reports whether a message of type t shares memory with its sender.
func refers(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map:
		return true
	}
	return false
}

// hasLock reports whether what t points to is a struct with something of package sync in it.
func hasLock(t types.Type) bool {
	s, ok := kernel.Deref(t).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if n, ok := types.Unalias(kernel.Deref(f.Type())).(*types.Named); ok &&
			n.Obj().Pkg() != nil {
			if path := n.Obj().Pkg().Path(); path == "sync" || path == "sync/atomic" {
				return true
			}
		}
	}
	return false
}

// usedBy returns where a receiver of o's channel, on another process, uses what the message refers
// to.
func (c check) usedBy(o *discipline.Op) ssa.Instruction {
	for _, r := range c.Flow.Of(o.Ch).Ops[discipline.Receive] {
		if r.Msg == nil || !types.Identical(kernel.Elem(r.Ch), kernel.Elem(o.Ch)) ||
			!c.apart(o.In(), r.In()) {
			continue
		}
		if u := firstUse(r.Msg, map[ssa.Value]bool{}); u != nil {
			return u
		}
	}
	return nil
}

// apart reports whether some process runs one of the functions and not the other.
func (c check) apart(f, g *ssa.Function) bool {
	if f == g {
		return false
	}
	return slices.ContainsFunc(c.Procs, func(p *discipline.Process) bool {
		return p.Runs[f] != p.Runs[g]
	})
}

// firstUse returns an instruction that reads or writes what v refers to, or hands v to a function.
func firstUse(v ssa.Value, seen map[ssa.Value]bool) ssa.Instruction {
	if seen[v] || v.Referrers() == nil {
		return nil
	}
	seen[v] = true
	for _, ref := range *v.Referrers() {
		var next ssa.Value
		switch i := ref.(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Lookup, *ssa.MapUpdate, *ssa.Range:
			return ref
		case *ssa.Call:
			if b, ok := i.Call.Value.(*ssa.Builtin); !ok || b.Name() == "copy" ||
				b.Name() == "append" {
				return ref
			}
		case *ssa.UnOp:
			if i.Op == token.MUL {
				if _, variable := v.(*ssa.Alloc); !variable {
					return ref
				}
				next = i
			}
		case *ssa.Store:
			if a, ok := i.Addr.(*ssa.Alloc); ok && i.Val == v {
				next = a
			}
		case *ssa.TypeAssert:
			next = i
			if i.CommaOk {
				next = kernel.Extracted(i, 0)
			}
			if next == nil || !refers(next.Type()) {
				continue
			}
		case *ssa.Phi, *ssa.ChangeType, *ssa.Slice:
			next = ref.(ssa.Value)
		}
		if next != nil {
			if u := firstUse(next, seen); u != nil {
				return u
			}
		}
	}
	return nil
}

// sendCopy lets o send a copy of a slice of plain values.
func (c check) sendCopy(o *discipline.Op) []analysis.SuggestedFix {
	send, ok := discipline.NodeWhere(c.Pass, func(n *ast.SendStmt) bool { return n.Arrow == o.Pos })
	if !ok {
		return nil
	}
	s, ok := c.Pass.TypesInfo.TypeOf(send.Value).(*types.Slice)
	if !ok {
		return nil
	}
	if _, plain := s.Elem().(*types.Basic); !plain {
		return nil
	}
	return discipline.Fix("Send a copy",
		discipline.Insert(send.Value.Pos(), "append("+s.String()+"(nil), "),
		discipline.Insert(send.Value.End(), "...)"))
}
