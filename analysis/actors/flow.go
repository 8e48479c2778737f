package actors

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/copies"
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// This file traces values backwards. contents(p) is what is stored at a place p, see place.go.
// sources(v) is one step back from a value v, and origins(v) all steps.

func newFlow(x *index) *flow {
	p := &flow{
		index:   x,
		stores:  map[place][]ssa.Value{},
		elems:   map[place][]ssa.Value{},
		mutable: map[token.Pos]bool{},
		made:    map[ssa.Value][]*ssa.MakeChan{},
		called:  map[*ssa.Call][]*ssa.Function{},
	}
	p.places = copies.New(values{p})
	return p
}

// indexInstr enters what an instruction stores, sends or closes.
func (p *flow) indexInstr(instr ssa.Instruction) {
	switch i := instr.(type) {
	case *ssa.Store:
		at := p.placeOf(i.Addr)
		p.noteGlobal(at, i)
		if e, ok := at.(elemPlace); ok {
			p.elems[e.of] = append(p.elems[e.of], i.Val)
		} else {
			p.stores[at] = append(p.stores[at], i.Val)
		}
	case *ssa.MapUpdate:
		at := p.placeOf(i.Map)
		p.noteGlobal(at, i)
		p.elems[at] = append(p.elems[at], i.Value)
	case *ssa.Send:
		p.sends = append(p.sends, &Send{Chan: i.Chan, X: i.X, Pos: i.Pos(), Instr: i})
	case *ssa.Select:
		for _, st := range i.States {
			if st.Dir == types.SendOnly {
				p.sends = append(p.sends, &Send{Chan: st.Chan, X: st.Send, Pos: st.Pos, Instr: i})
			}
		}
	case *ssa.Call:
		p.indexClose(i, i.Common())
	case *ssa.Defer:
		p.indexClose(i, i.Common())
	}
}

func (p *flow) indexClose(at ssa.CallInstruction, c *ssa.CallCommon) {
	if b, ok := c.Value.(*ssa.Builtin); ok && b.Name() == "close" &&
		kernel.ChanOf(c.Args[0].Type()) != nil {
		p.closes = append(p.closes, &Send{Chan: c.Args[0], Pos: at.Pos(), Instr: at})
	}
}

// noteGlobal notes that instr changes, after initialisation, a package variable or what it refers
// to.
func (p *flow) noteGlobal(at place, instr ssa.Instruction) {
	if e, ok := at.(elemPlace); ok {
		at = e.of
	}
	if g, ok := at.(globalPlace); ok && !initialises(instr.Parent()) {
		p.mutable[g.pos] = true
	}
}

// initialises reports whether fn is run before main only: it has the initial values of package
// variables ("init"), or is an init function of the source ("init#1"). A method may have that name.
func initialises(fn *ssa.Function) bool {
	return fn.Parent() == nil && fn.Signature.Recv() == nil &&
		(fn.Name() == "init" || strings.HasPrefix(fn.Name(), "init#"))
}

// binding returns what the closure binds to v.
func (p *flow) binding(v *ssa.FreeVar) ssa.Value {
	c := p.closures[v.Parent()]
	if c == nil {
		return nil
	}
	for i, f := range v.Parent().FreeVars {
		if f == v {
			return c.Bindings[i]
		}
	}
	return nil
}

// args returns what calls pass for v.
func (p *flow) args(v *ssa.Parameter) []ssa.Value {
	fn := v.Parent()
	i := kernel.ParamIndex(v)
	var out []ssa.Value
	for _, call := range p.callers[fn] {
		if a := kernel.Argument(call.Common(), i); a != nil {
			out = append(out, a)
		}
	}
	if i == 0 && fn.Signature.Recv() != nil {
		for _, c := range p.bound[fn] {
			out = append(out, c.Bindings[0])
		}
	}
	return out
}

// origins follows v back to where it comes from: the leaves of the flow graph, in the order of
// discovery.
func (p *flow) origins(v ssa.Value) []ssa.Value {
	var leaves []ssa.Value
	seen := map[ssa.Value]bool{v: true}
	for work := []ssa.Value{v}; len(work) > 0; {
		x := work[0]
		work = work[1:]
		from := p.sources(x)
		if len(from) == 0 {
			leaves = append(leaves, x)
		}
		for _, y := range from {
			if !seen[y] {
				seen[y] = true
				work = append(work, y)
			}
		}
	}
	return leaves
}

// sources returns the values that v is a copy of, or none if v is an origin.
func (p *flow) sources(v ssa.Value) []ssa.Value {
	switch v := v.(type) {
	case *ssa.Phi:
		return v.Edges
	case *ssa.UnOp:
		switch v.Op {
		case token.MUL:
			return p.contents(p.placeOf(v.X))
		case token.ARROW:
			return p.sent(v.X)
		}
	case *ssa.Field, *ssa.Lookup, *ssa.Index:
		return p.contents(p.placeOf(v))
	case *ssa.Parameter:
		return p.args(v)
	case *ssa.FreeVar:
		if b := p.binding(v); b != nil {
			return []ssa.Value{b}
		}
	case *ssa.Call:
		return p.results(v, 0)
	case *ssa.Extract:
		return p.part(v)
	default:
		if x := kernel.Unwrapped(v); x != nil {
			return []ssa.Value{x}
		}
	}
	return nil
}

// contents returns what is stored at a place.
func (p *flow) contents(at place) []ssa.Value {
	if e, ok := at.(elemPlace); ok {
		return p.elements(e.of)
	}
	return p.stores[at]
}

// elements returns what is put into the container at a place, also by way of containers that are
// stored there whole.
func (p *flow) elements(at place) []ssa.Value {
	var out []ssa.Value
	seen := map[place]bool{at: true}
	for work := []place{at}; len(work) > 0; {
		c := work[0]
		work = work[1:]
		out = append(out, p.elems[c]...)
		for _, whole := range p.stores[c] {
			work = p.containers(work, seen, whole, 0)
		}
	}
	return out
}

// maxDepth bounds chains of accesses, or of appends.
const maxDepth = 12

// containers adds the places whose elements v has: append makes one container of two.
func (p *flow) containers(work []place, seen map[place]bool, v ssa.Value,
	depth int) []place {
	if c, ok := v.(*ssa.Call); ok && depth < maxDepth {
		if b, ok := c.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			for _, a := range c.Call.Args {
				work = p.containers(work, seen, a, depth+1)
			}
			return work
		}
	}
	if at := p.placeOf(v); !seen[at] {
		seen[at] = true
		work = append(work, at)
	}
	return work
}

// part returns the sources of one result of a tuple.
func (p *flow) part(v *ssa.Extract) []ssa.Value {
	switch t := v.Tuple.(type) {
	case *ssa.Call:
		return p.results(t, v.Index)
	case *ssa.UnOp, *ssa.TypeAssert, *ssa.Lookup:
		if v.Index == 0 {
			return p.sources(t)
		}
	case *ssa.Select:
		n := 2 // an index and ok come first
		for _, st := range t.States {
			if st.Dir != types.RecvOnly {
				continue
			}
			if n == v.Index {
				return p.sent(st.Chan)
			}
			n++
		}
	}
	return nil
}

// results returns what callees of call return as result i.
func (p *flow) results(call *ssa.Call, i int) []ssa.Value {
	var out []ssa.Value
	for _, fn := range p.calleesOf(call) {
		for _, b := range fn.Blocks {
			if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && i < len(r.Results) {
				out = append(out, r.Results[i])
			}
		}
	}
	return out
}

// calleesOf returns the callees of call: by name, or of a function value that is traced to
// literals.
func (p *flow) calleesOf(call *ssa.Call) []*ssa.Function {
	if fns, ok := p.called[call]; ok {
		return fns
	}
	// while the function value is traced, which may lead here again
	p.called[call] = p.direct(call.Common())
	p.called[call] = p.resolve(call.Common())
	return p.called[call]
}

// sent returns the values sent to the place of ch.
func (p *flow) sent(ch ssa.Value) []ssa.Value {
	var out []ssa.Value
	for _, s := range p.sendsTo(ch) {
		out = append(out, s.X)
	}
	return out
}

// sendsTo returns the sends to the place of ch.
func (p *flow) sendsTo(ch ssa.Value) []*Send {
	at := p.placeOf(ch)
	var out []*Send
	for _, s := range p.sends {
		if kernel.Alike(elem(s.Chan), elem(ch)) && p.placeOf(s.Chan) == at {
			out = append(out, s)
		}
	}
	return out
}

// elem returns the type of the messages of a channel.
func elem(ch ssa.Value) types.Type {
	if c := kernel.ChanOf(ch.Type()); c != nil {
		return c.Elem()
	}
	return types.Typ[types.Invalid]
}

// resolve returns the functions of the units that c may call.
func (p *flow) resolve(c *ssa.CallCommon) []*ssa.Function {
	fns := p.direct(c)
	if len(fns) == 0 && !c.IsInvoke() {
		for _, s := range p.functionValues(c.Value, token.NoPos, nil) {
			fns = append(fns, s.root)
		}
	}
	return fns
}

// makesOf returns the makes among the origins of ch.
func (p *flow) makesOf(ch ssa.Value) []*ssa.MakeChan {
	if ms, ok := p.made[ch]; ok {
		return ms
	}
	var out []*ssa.MakeChan
	for _, o := range p.origins(ch) {
		if m, ok := o.(*ssa.MakeChan); ok {
			out = append(out, m)
		}
	}
	p.made[ch] = out
	return out
}

// startedBy returns the functions that a go statement starts.
func (p *flow) startedBy(c *ssa.CallCommon, pos token.Pos, at ssa.Instruction) []started {
	if fns := p.direct(c); len(fns) > 0 || c.IsInvoke() {
		var out []started
		for _, fn := range fns {
			closure, _ := c.Value.(*ssa.MakeClosure)
			out = append(out, started{fn, &Launch{Pos: pos, At: at, call: c, closure: closure}})
		}
		return out
	}
	return p.functionValues(c.Value, pos, at)
}

// functionValues returns the functions that v may be. A closure is launched where it is made, any
// other function at the instruction at.
func (p *flow) functionValues(v ssa.Value, pos token.Pos, at ssa.Instruction) []started {
	var out []started
	for _, o := range p.origins(v) {
		switch o := o.(type) {
		case *ssa.Function:
			if fn := p.canon(o); fn != nil {
				out = append(out, started{fn, &Launch{Pos: pos, At: at}})
			}
		case *ssa.MakeClosure:
			if fn := p.canon(o.Fn.(*ssa.Function)); fn != nil {
				out = append(out, started{fn, &Launch{Pos: pos, At: o, closure: o}})
			}
		}
	}
	return out
}
