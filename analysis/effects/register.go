package effects

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// registers finds the accesses to local variables of fn that keep their values from task to task
// without being in memory: the phis at the head of a loop around the receive. The function fn has
// the actor's loop, or is on the way to it.
func (t *tasker) registers(fn *ssa.Function) {
	anchor := t.anchors[fn]
	if anchor == nil {
		return
	}
	for _, b := range fn.Blocks {
		if !isHead(b, anchor.Block()) {
			continue
		}
		for _, instr := range b.Instrs {
			phi, ok := instr.(*ssa.Phi)
			if !ok {
				break
			}
			t.register(phi)
		}
	}
}

// isHead reports whether b is the head of a loop that inner is in.
func isHead(b, inner *ssa.BasicBlock) bool {
	if !b.Dominates(inner) {
		return false
	}
	return slices.ContainsFunc(b.Preds, func(p *ssa.BasicBlock) bool {
		return b.Dominates(p) && (p == inner || kernel.Way(inner, p, b))
	})
}

// register notes what the task does to the variable that phi is at the head of the loop.
func (t *tasker) register(phi *ssa.Phi) {
	r := &value{t: t, phi: phi, seen: map[ssa.Value]bool{}, updates: map[ssa.Value]bool{}}
	for i, e := range phi.Edges {
		if p := phi.Block().Preds[i]; t.in[p.Instrs[len(p.Instrs)-1]] && phi.Block().Dominates(p) {
			r.flow(e, p)
		}
	}
	loc := t.registerLocation(phi)
	add := func(kind Kind, by string, v Ref) {
		t.all.add(Effect{Kind: kind, Loc: loc, By: by, Value: v, State: -1, Pos: phi.Pos()}, 0)
	}
	switch {
	case r.written && r.class != "":
		add(Write, "", Ref{})
		add(Read, "", Ref{})
	case r.written:
		add(Write, "", r.only)
	case r.class != "" && slices.Contains(t.code.Counts, phi) && !r.isRead():
		return // only the end of the loop looks at it
	case r.class != "":
		add(Update, r.class, Ref{})
	}
	if r.isRead() {
		add(Read, "", Ref{})
	}
}

// registerLocation returns the location of a variable, which is the same for all phis of it.
func (t *tasker) registerLocation(phi *ssa.Phi) *Location {
	id := register{phi.Pos(), phi.Comment}
	if !phi.Pos().IsValid() { // made by the compiler: the counter of a range loop
		id = register{phi.Parent().Pos(), phi.Comment + phi.Name()}
	}
	if l := t.registerOf[id]; l != nil {
		return l
	}
	l := &Location{
		shape:   shape{where: facts.Local, name: phi.Comment, typ: phi.Type(), pos: phi.Pos()},
		objects: []Object{{id, phi.Pos()}},
	}
	t.registerOf[id] = l
	return l
}

// value is what a variable may have become when the task ends.
type value struct {
	t       *tasker
	phi     *ssa.Phi // the variable when the task begins
	seen    map[ssa.Value]bool
	updates map[ssa.Value]bool // the operations that update it
	class   string             // of the updates
	written bool               // it may have become something else
	only    Ref                // what, if it is one value
	values  int
}

// flow follows a value that comes from block p to the head of the loop.
func (r *value) flow(v ssa.Value, p *ssa.BasicBlock) {
	if v == r.phi || r.seen[v] {
		return
	}
	r.seen[v] = true
	if phi, ok := v.(*ssa.Phi); ok && phi.Type() == r.phi.Type() && r.t.in[phi] {
		for i, e := range phi.Edges {
			if from := phi.Block().Preds[i]; r.t.in[from.Instrs[len(from.Instrs)-1]] {
				r.flow(e, from)
			}
		}
		return
	}
	if class, old := updateOf(v, r.isOld, r.onlyUsedOnce); class != "" &&
		(r.class == "" || r.class == class) {
		r.class = class
		r.updates[v] = true
		r.flow(old, p)
		return
	}
	r.written = true
	r.values++
	r.only = r.t.ref(v)
	if r.values > 1 {
		r.only = Ref{}
	}
}

// onlyUsedOnce reports whether the task uses v once. Uses in other tasks of the loop count for
// those tasks.
func (r *value) onlyUsedOnce(v ssa.Value) bool {
	n := 0
	for _, ref := range *v.Referrers() {
		if _, debug := ref.(*ssa.DebugRef); !debug && r.t.in[ref] {
			n++
		}
	}
	return n <= 1
}

// isOld reports whether v is the variable, perhaps updated already.
func (r *value) isOld(v ssa.Value) bool {
	if v == r.phi || r.updates[v] {
		return true
	}
	phi, ok := v.(*ssa.Phi)
	return ok && r.t.in[phi] && phi.Comment == r.phi.Comment && phi.Pos() == r.phi.Pos()
}

// isRead reports whether the task uses the variable's old value for anything but its updates.
func (r *value) isRead() bool {
	seen := map[ssa.Value]bool{r.phi: true}
	for work := []ssa.Value{r.phi}; len(work) > 0; work = work[1:] {
		for _, ref := range *work[0].Referrers() {
			if _, debug := ref.(*ssa.DebugRef); debug || !r.t.in[ref] {
				continue
			}
			v := r.carrier(ref)
			if v == nil {
				return true
			}
			if !seen[v] {
				seen[v] = true
				work = append(work, v)
			}
		}
	}
	return false
}

// carrier returns the value of an instruction that uses the variable, if that value is the variable
// again: a phi of it, or one of its updates. Else it returns nil.
func (r *value) carrier(use ssa.Instruction) ssa.Value {
	switch u := use.(type) {
	case *ssa.Phi:
		if u == r.phi || u.Comment == r.phi.Comment && u.Pos() == r.phi.Pos() {
			return u
		}
	case *ssa.BinOp:
		if r.updates[u] {
			return u
		}
	}
	return nil
}
