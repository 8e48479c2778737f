package discipline

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Ownership reports writes to what has been sent away.
var Ownership = &analysis.Analyzer{
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
code that is not seen); objects with a lock in them; sends under a lock; messages that no receiver is seen to use.`,
	Requires: []*analysis.Analyzer{Code},
	Run:      run((*rule).ownership),
}

func (c *rule) ownership() {
	for _, o := range c.ops {
		if o.kind != sends || !refers(messageType(o.msg)) || hasLock(messageType(o.msg)) || c.locked(o.at) {
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

func (c *rule) reportTouch(fixes []analysis.SuggestedFix, o *op, w, use ssa.Instruction, what string) {
	pos := posOf(w)
	c.out(analysis.Diagnostic{Pos: pos, SuggestedFixes: fixes, Message: "what was sent to " + c.nameOf(o) + " at " + c.at(o.pos) +
		" is " + what + ", at " + c.at(posOf(use)),
		Related: []analysis.RelatedInformation{{Pos: o.pos, Message: "sent here"}, {Pos: posOf(use), Message: "used here"}}})
}

// posOf returns the position of an instruction, or of the first one near it that has one.
func posOf(i ssa.Instruction) token.Pos {
	if i.Pos().IsValid() {
		return i.Pos()
	}
	for _, v := range i.Operands(nil) {
		if *v != nil && (*v).Pos().IsValid() && (*v).Parent() == i.Parent() {
			return (*v).Pos()
		}
	}
	for _, x := range i.Block().Instrs[indexOf(i):] {
		if x.Pos().IsValid() {
			return x.Pos()
		}
	}
	return i.Parent().Pos()
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
	s, ok := deref(t).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if n, ok := types.Unalias(deref(f.Type())).(*types.Named); ok && n.Obj().Pkg() != nil {
			if path := n.Obj().Pkg().Path(); path == "sync" || path == "sync/atomic" {
				return true
			}
		}
	}
	return false
}

// locked reports whether a lock is taken before instr in its function.
func (c *code) locked(instr ssa.Instruction) bool {
	held := false
	eachOf(instr.Parent(), func(i ssa.Instruction) {
		if call, ok := i.(*ssa.Call); ok && isLock(call.Common()) && reaches(i, instr, nil) {
			held = true
		}
	})
	return held
}

// isLock reports whether a call takes a lock, to judge by its name.
func isLock(call *ssa.CallCommon) bool {
	switch calleeName(call) {
	case "Lock", "RLock", "TryLock", "lock", "rlock":
		return true
	}
	return false
}

func calleeName(call *ssa.CallCommon) string {
	if call.IsInvoke() {
		return call.Method.Name()
	}
	if fn := call.StaticCallee(); fn != nil {
		return fn.Name()
	}
	return ""
}

// usedBy returns where a receiver of o's channel, on another process, uses what the message refers
// to.
func (c *code) usedBy(o *op) ssa.Instruction {
	for _, r := range c.flow.of(o.ch).ops[receives] {
		if r.msg == nil || !types.Identical(elem(r.ch), elem(o.ch)) || !c.apart(o.in(), r.in()) {
			continue
		}
		if u := firstUse(r.msg, map[ssa.Value]bool{}); u != nil {
			return u
		}
	}
	return nil
}

func elem(ch ssa.Value) types.Type {
	if t, ok := ch.Type().Underlying().(*types.Chan); ok {
		return t.Elem()
	}
	return types.Typ[types.Invalid]
}

// apart reports whether some process runs one of the functions and not the other.
func (c *code) apart(f, g *ssa.Function) bool {
	if f == g {
		return false
	}
	for _, p := range c.procs {
		if p.runs[f] != p.runs[g] {
			return true
		}
	}
	return false
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
			if b, ok := i.Call.Value.(*ssa.Builtin); !ok || b.Name() == "copy" || b.Name() == "append" {
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
				next = extracted(i, 0)
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
