// Package isolation reports the state of an actor in the hands of others.
package isolation

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Analyzer is the check.
var Analyzer = &analysis.Analyzer{
	Name: "isolation",
	Doc: `check that only the actor touches its state

What an actor changes while it handles messages belongs to it alone: it needs no lock, because nobody else looks. A method
that reads or writes such a field on its caller's goroutine is in a data race with the actor. So is a client that looks at it
after a send, without waiting for the answer, another goroutine of the object, and, where the state is in variables that a
function literal captures, another function literal.

Example:

	func (h *Hub) run() {
		for c := range h.register {
			h.clients[c] = true
		}
	}

	func (h *Hub) Len() int { return len(h.clients) } // on another goroutine

Fix: ask the actor, by a message with a channel for the answer; or guard the field with a lock, or make it atomic, on both
sides.

Not reported: accesses on either side under a lock; accesses after anything that may have waited for the actor; actors that
call functions that are not seen, which may call the method; methods that start the actor; fields that are written only
before the loop or when it ends; goroutines that wait for, or wake, others.

Law: rule INST: what an actor knows are its parameters, and messages bring names. There is no state
beside them that two actors could share. (P. Thati, R. Ziaei, G. Agha, A Theory of May Testing for
Actors, FMOODS 2002, section 4.)`,
	Requires: []*analysis.Analyzer{discipline.Code},
	Run:      discipline.Run(func(r *discipline.Rule) { check{r}.isolation() }),
}

// check is the package, for this check to look at.
type check struct{ *discipline.Rule }

func (c check) isolation() {
	for _, p := range c.Procs {
		if !c.ReceivesInLoop(p) || c.callsOut(p) {
			continue
		}
		for _, w := range append(c.taskWrites(p), c.variableWrites(p)...) {
			if a, where := c.foreignAccess(p, w); a != nil {
				c.Report(a.pos(), w.pos(), "written here",
					"%s %s %s here%s, while %s writes it at %s: a data race",
					discipline.Name(a.at.Parent()), a.verb, c.stateName(w), where,
					discipline.Name(p.Root), c.At(w.pos()))
			}
		}
	}
}

// access is a read or write of a field, or of a variable that function literals capture.
type access struct {
	field    *types.Var      // or nil
	variable *ssa.Alloc      // or nil
	at       ssa.Instruction // where the address of the field is taken; or the load or store
	verb     string          // "reads" or "writes"
}

func (a access) pos() token.Pos { return kernel.PosOf(a.at) }

func (c check) stateName(a access) string {
	if a.variable != nil {
		return a.variable.Comment
	}
	return c.fieldOwner(a).Obj().Name() + "." + a.field.Name()
}

// fieldOwner returns the type of the struct of which a's field is one.
func (c check) fieldOwner(a access) *types.Named {
	return types.Unalias(kernel.Deref(a.at.(*ssa.FieldAddr).X.Type())).(*types.Named).Origin()
}

// callsOut reports whether p calls function values, or methods of interfaces that code outside of
// the standard library may implement: these may call the owner's methods on p's goroutine.
func (c check) callsOut(p *discipline.Process) bool {
	found := false
	for fn := range p.Runs {
		for i := range kernel.All(fn) {
			if call, ok := i.(ssa.CallInstruction); ok && !kernel.IsGo(i) {
				found = found || c.isCallback(call.Common())
			}
		}
	}
	return found
}

func (c check) isCallback(call *ssa.CallCommon) bool {
	if call.IsInvoke() {
		pkg := call.Method.Pkg()
		return pkg != nil && strings.Contains(pkg.Path(), ".") || pkg == c.Pass.Pkg
	}
	if _, ok := call.Value.(*ssa.Builtin); ok || discipline.IsCancel(call) {
		return false
	}
	fn := call.StaticCallee()
	return fn == nil || c.Canon(fn) == nil && slices.ContainsFunc(call.Args, isFunc) &&
		fn.RelString(nil) != "time.AfterFunc"
}

func isFunc(v ssa.Value) bool {
	return kernel.Is[*types.Signature](v.Type())
}

// taskWrites returns the fields of the owner that p writes, without a lock, between one message and
// the next. One write stands for all of a field.
func (c check) taskWrites(p *discipline.Process) []access {
	var out []access
	owner := c.OwnerType(p)
	if owner == nil {
		return nil
	}
	seen := map[*types.Var]bool{}
	for _, a := range c.accesses(owner) {
		if a.verb != "writes" || seen[a.field] || !p.Runs[a.at.Parent()] || c.lockedIn(p, a.at) ||
			!c.InTask(p, a.at) {
			continue
		}
		if l := c.LocateIn(p, a.at.(ssa.Value)); l.Fields != "."+a.field.Name() ||
			!c.isOwner(p, l.Root) {
			continue
		}
		seen[a.field] = true
		out = append(out, a)
	}
	return out
}

// isOwner reports whether v is the receiver of p's root, or of the function around it.
func (c check) isOwner(p *discipline.Process, v ssa.Value) bool {
	q, ok := v.(*ssa.Parameter)
	return ok && kernel.ParamIndex(q) == 0 && q.Parent().Signature.Recv() != nil &&
		c.OwnerType(p) != nil
}

// accesses returns the accesses to fields of a struct, in source order.
func (c check) accesses(owner *types.Named) []access {
	var out []access
	c.Each(func(i ssa.Instruction) {
		f, ok := i.(*ssa.FieldAddr)
		if !ok {
			return
		}
		n, ok := types.Unalias(kernel.Deref(f.X.Type())).(*types.Named)
		if ok && n.Origin() == owner && f.Pos().IsValid() {
			if verb := c.use(f); verb != "" {
				out = append(out, access{kernel.FieldVar(f.X.Type(), f.Field), nil, i, verb})
			}
		}
	})
	slices.SortStableFunc(out, func(a, b access) int { return cmp.Compare(a.pos(), b.pos()) })
	return out
}

// use tells what is done to the field at an address: "writes", "reads", or "" if the address goes
// elsewhere. To change a map that is in the field is to write it.
func (c check) use(f *ssa.FieldAddr) string {
	verb := ""
	for _, ref := range *f.Referrers() {
		switch i := ref.(type) {
		case *ssa.Store:
			if i.Addr != f {
				return ""
			}
			verb = "writes"
		case *ssa.UnOp:
			if changes(i) {
				verb = "writes"
			}
			verb = cmp.Or(verb, "reads")
		default:
			return ""
		}
	}
	return verb
}

// changes reports whether the map v is changed.
func changes(v ssa.Value) bool {
	for _, ref := range *v.Referrers() {
		switch i := ref.(type) {
		case *ssa.MapUpdate:
			if i.Map == v {
				return true
			}
		case *ssa.Call:
			if b, ok := i.Call.Value.(*ssa.Builtin); ok &&
				(b.Name() == "delete" || b.Name() == "clear") && i.Call.Args[0] == v {
				return true
			}
		}
	}
	return false
}

// lockedIn reports whether a lock is taken before i, or before a call that leads there.
func (c check) lockedIn(p *discipline.Process, i ssa.Instruction) bool {
	return slices.ContainsFunc(c.Leading(p, i),
		func(i ssa.Instruction) bool { return kernel.Locked(i) })
}
