package effects

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// reader says what single instructions do, and calls of code that is not seen.
type reader struct {
	*memory
	mailboxes map[ssa.Instruction]bool // selects that begin tasks
	keepNew   bool                     // accesses to new objects count, too
}

// direct returns the effects of instr itself; calls are left to the caller.
func (a *reader) direct(instr ssa.Instruction) []Effect {
	switch i := instr.(type) {
	case *ssa.UnOp:
		switch i.Op {
		case token.MUL:
			return a.load(i)
		case token.ARROW:
			return []Effect{a.channel(Receive, i.X, i.Pos())}
		}
	case *ssa.DebugRef:
		return a.mention(i)
	case *ssa.Store:
		return []Effect{a.store(i)}
	case *ssa.MapUpdate:
		return []Effect{a.update(i)}
	case *ssa.Lookup:
		return a.lookup(i)
	case *ssa.Range:
		if !kernel.IsString(i.X.Type()) {
			return []Effect{a.access(Read, a.entry(i.X), i.X, i.Pos())}
		}
	case *ssa.Index:
		if kernel.IsTypeParam(i.X.Type()) { // it may be a slice
			return []Effect{a.access(Read, a.elements(i.X), i.X, pos(i))}
		}
	case *ssa.MultiConvert:
		return []Effect{a.access(Read, a.elements(i.X), i.X, pos(i))}
	case *ssa.Convert:
		return a.convert(i)
	case *ssa.Send:
		return []Effect{a.send(i, -1, i.Chan, i.X, i.Pos())}
	case *ssa.Select:
		return a.selects(i)
	case *ssa.Go:
		return []Effect{{Kind: Spawn, State: -1, What: a.callName(i.Common()), Pos: i.Pos()}}
	case ssa.CallInstruction:
		if b, ok := i.Common().Value.(*ssa.Builtin); ok {
			return a.builtin(i, b.Name())
		}
	}
	return nil
}

// mention returns, if everything is to be listed, the uses of variables that are not in memory.
// Whether they read or write is not told apart.
func (a *reader) mention(i *ssa.DebugRef) []Effect {
	v, ok := i.Object().(*types.Var)
	if !a.keepNew || !ok || v.IsField() || i.IsAddr {
		return nil
	}
	l := &Location{shape: shape{where: facts.Local, name: v.Name(), typ: v.Type(), pos: v.Pos()},
		objects: []Object{{register{v.Pos(), v.Name()}, v.Pos()}}}
	e := Effect{Kind: Read, Loc: l, State: -1, Pos: i.Expr.Pos()}
	w := e
	w.Kind = Write
	return []Effect{e, w}
}

// access is an access to l by way of pointer.
func (a *reader) access(kind Kind, l *Location, pointer ssa.Value, pos token.Pos) Effect {
	e := Effect{Kind: kind, Loc: l, Pointer: pointer, State: -1, Pos: pos}
	e.Base, _ = a.origin(pointer).(*ssa.Parameter)
	return e
}

// origin returns what the address or container v starts from, through variables that are assigned
// to once.
func (a *tracer) origin(v ssa.Value) ssa.Value {
	for {
		v = base(v)
		load, ok := v.(*ssa.UnOp)
		if !ok {
			return v
		}
		x := a.onlyLoad(load)
		if x == nil {
			return v
		}
		v = x
	}
}

func (a *reader) load(i *ssa.UnOp) []Effect {
	if a.isUpdate(i) {
		return nil
	}
	e := a.access(Read, a.at(i.X), i.X, pos(i))
	e.Key = a.index(i.X)
	return []Effect{e}
}

// index is the index of an element of an array: those of a slice say nothing, for two slices may
// overlap.
func (a *tracer) index(addr ssa.Value) Ref {
	i, ok := addr.(*ssa.IndexAddr)
	if !ok {
		return Ref{}
	}
	if _, ok := kernel.Deref(i.X.Type()).Underlying().(*types.Array); !ok {
		return Ref{}
	}
	return a.ref(i.Index)
}

func (a *reader) store(i *ssa.Store) Effect {
	e := a.access(Write, a.at(i.Addr), i.Addr, pos(i))
	e.Key = a.index(i.Addr)
	if op, _ := updateOf(i.Val, func(v ssa.Value) bool { return isLoadOf(v, i) },
		usedOnce); op != "" {
		e.Kind, e.By = Update, op
	} else {
		e.Value = a.written(i.Val)
	}
	return e
}

func (a *reader) update(i *ssa.MapUpdate) Effect {
	e := a.access(Write, a.entry(i.Map), i.Map, pos(i))
	e.Key = a.ref(i.Key)
	if op, _ := updateOf(i.Value, func(v ssa.Value) bool { return isLookupOf(v, i) },
		usedOnce); op != "" {
		e.Kind, e.By = Update, op
	} else {
		e.Value = a.written(i.Value)
	}
	return e
}

func (a *reader) lookup(i *ssa.Lookup) []Effect {
	if kernel.IsString(i.X.Type()) || a.isUpdate(i) {
		return nil
	}
	e := a.access(Read, a.entry(i.X), i.X, pos(i))
	e.Key = a.ref(i.Index)
	return []Effect{e}
}

// convert reads the elements of a slice of bytes or runes. A pointer that package unsafe makes is
// unknown.
func (a *reader) convert(i *ssa.Convert) []Effect {
	if isUnsafe(i.Type()) || isUnsafe(i.X.Type()) {
		return []Effect{{Kind: Unknown, State: -1, What: "unsafe.Pointer", Pos: pos(i)}}
	}
	_, slice := i.X.Type().Underlying().(*types.Slice)
	if slice || kernel.IsTypeParam(i.X.Type()) {
		return []Effect{a.access(Read, a.elements(i.X), i.X, pos(i))}
	}
	return nil
}

func isUnsafe(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

func (a *reader) channel(kind Kind, ch ssa.Value, at token.Pos) Effect {
	return Effect{Kind: kind, Chan: a.ref(ch), What: a.name(ch), State: -1, Pos: at}
}

func (a *reader) send(i ssa.Instruction, state int, ch, x ssa.Value, at token.Pos) Effect {
	e := a.channel(Send, ch, at)
	e.Value, e.Instr, e.State = a.ref(x), i, state
	return e
}

// selects has the sends of a select, and its receives unless they begin other tasks.
func (a *reader) selects(i *ssa.Select) []Effect {
	var out []Effect
	for n, st := range i.States {
		switch {
		case st.Dir == types.SendOnly:
			out = append(out, a.send(i, n, st.Chan, st.Send, st.Pos))
		case !a.mailboxes[i]:
			out = append(out, a.channel(Receive, st.Chan, st.Pos))
		}
	}
	return out
}

func (a *reader) builtin(i ssa.CallInstruction, name string) []Effect {
	args, at := i.Common().Args, pos(i)
	switch name {
	case "close":
		return []Effect{a.channel(Close, args[0], at)}
	case "delete":
		e := a.access(Write, a.entry(args[0]), args[0], at)
		e.Key, e.By = a.ref(args[1]), "delete"
		return []Effect{e}
	case "clear":
		return a.contents(Write, args[0], at)
	case "append", "copy":
		out := []Effect{a.access(Write, a.elements(args[0]), args[0], at)}
		if name == "append" {
			out = append(out, a.access(Read, a.elements(args[0]), args[0], at))
		}
		if len(args) > 1 && !kernel.IsString(args[1].Type()) {
			out = append(out, a.access(Read, a.elements(args[1]), args[1], at))
		}
		return out
	case "len", "cap":
		e := a.channel(Receive, args[0], at)
		e.What = name + "(" + e.What + ")"
		switch args[0].Type().Underlying().(type) {
		case *types.Map:
			return a.contents(Read, args[0], at)
		case *types.Chan:
			return []Effect{e}
		case *types.Interface: // of a type parameter
			return append(a.contents(Read, args[0], at), e)
		}
	case "print", "println":
		return []Effect{{Kind: Outside, State: -1, What: name, Pos: at}}
	}
	return nil
}

// contents returns the accesses to all entries of a map, or to all elements of a slice. A value
// of a type parameter may be either.
func (a *reader) contents(kind Kind, v ssa.Value, at token.Pos) (out []Effect) {
	_, isMap := v.Type().Underlying().(*types.Map)
	if isMap || kernel.IsTypeParam(v.Type()) {
		out = append(out, a.access(kind, a.entry(v), v, at))
	}
	if !isMap {
		out = append(out, a.access(kind, a.elements(v), v, at))
	}
	return out
}

// pos returns where instr stands; instructions without a position of their own get that of a
// neighbour.
func pos(instr ssa.Instruction) token.Pos {
	if instr.Pos().IsValid() {
		return instr.Pos()
	}
	best := instr.Parent().Pos()
	for _, other := range instr.Block().Instrs {
		if other.Pos().IsValid() {
			best = other.Pos()
		}
		if other == instr && best.IsValid() {
			break
		}
	}
	return best
}

func (a *reader) callName(c *ssa.CallCommon) string {
	if c.IsInvoke() {
		return types.TypeString(c.Value.Type(), shortest) + "." + c.Method.Name()
	}
	if fn := c.StaticCallee(); fn != nil {
		if fn.Pkg != nil {
			return fn.RelString(fn.Pkg.Pkg)
		}
		return fn.Name()
	}
	if b, ok := c.Value.(*ssa.Builtin); ok {
		return b.Name()
	}
	return a.name(c.Value)
}

// written is the origin of v, which is stored. A constant in an interface is unknown: its text does
// not tell its type.
func (a *tracer) written(v ssa.Value) Ref {
	r := a.ref(v)
	if c, ok := r.isConst(); ok && types.IsInterface(v.Type()) && !c.IsNil() {
		return Ref{}
	}
	return r
}
