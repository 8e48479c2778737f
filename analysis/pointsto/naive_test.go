package pointsto

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/analysis/load"
)

// slow is a points-to analysis without contexts, offsets of cells, rules or a worklist: it looks at
// all instructions until nothing changes. It knows the constructs of random programs and takes
// calls of the library for nothing. A struct is one location for each field, by name; all objects
// of one instruction are one.
type slow struct {
	fns     []*ssa.Function
	sets    map[any]map[fieldOf]bool // of values, places and results
	changed bool
}

// fieldOf is a field of what an instruction makes; "" is all else.
type fieldOf struct {
	made  any
	field string
}

type resultOf struct {
	fn *ssa.Function
	i  int
}

func naive(fns []*ssa.Function) *slow {
	s := &slow{fns: fns, sets: map[any]map[fieldOf]bool{}, changed: true}
	for s.changed {
		s.changed = false
		for _, fn := range fns {
			for _, b := range fn.Blocks {
				for _, instr := range b.Instrs {
					s.instruction(instr)
				}
			}
		}
	}
	return s
}

func (s *slow) lines(r *load.Result, v ssa.Value) []int {
	var out []int
	for p := range s.of(v) {
		if made, ok := p.made.(ssa.Value); ok {
			out = append(out, r.Fset.Position(made.Pos()).Line)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (s *slow) of(v any) map[fieldOf]bool {
	switch v := v.(type) {
	case *ssa.Global, *ssa.Function, *ssa.MakeClosure, *ssa.Alloc, *ssa.MakeChan, *ssa.MakeMap,
		*ssa.MakeSlice:
		return map[fieldOf]bool{{v, ""}: true}
	}
	return s.sets[v]
}

func (s *slow) add(to any, p fieldOf) {
	if s.sets[to] == nil {
		s.sets[to] = map[fieldOf]bool{}
	}
	if !s.sets[to][p] {
		s.sets[to][p], s.changed = true, true
	}
}

func (s *slow) copy(from, to any) {
	for p := range s.of(from) {
		s.add(to, p)
	}
}

// read is to ⊇ *at, write is *at ⊇ from; a struct as a value is all of its fields together.
func (s *slow) read(at ssa.Value, to any) {
	for p := range s.of(at) {
		s.copy(p, to)
		if p.field == "" {
			s.copy(fieldOf{p.made, "*"}, to)
		}
	}
}

func (s *slow) write(at ssa.Value, from any) {
	for p := range s.of(at) {
		s.copy(from, p)
		s.copy(from, fieldOf{p.made, "*"}) // for those who read the whole
	}
}

func (s *slow) instruction(instr ssa.Instruction) {
	switch x := instr.(type) {
	case *ssa.FieldAddr:
		name := kernel.Deref(x.X.Type()).Underlying().(*types.Struct).Field(x.Field).Name()
		for p := range s.of(x.X) {
			s.add(x, fieldOf{p.made, name})
			for q := range s.sets[fieldOf{p.made, ""}] { // a struct that was written as a whole
				s.add(fieldOf{p.made, name}, q)
			}
		}
	case *ssa.IndexAddr:
		s.copy(x.X, x)
	case *ssa.Field:
		s.copy(x.X, x)
	case *ssa.Phi:
		for _, e := range x.Edges {
			s.copy(e, x)
		}
	case *ssa.UnOp:
		if x.Op == token.MUL || x.Op == token.ARROW {
			s.read(x.X, x)
		}
	case *ssa.Store:
		s.write(x.Addr, x.Val)
	case *ssa.MapUpdate:
		s.write(x.Map, x.Value)
	case *ssa.Send:
		s.write(x.Chan, x.X)
	case *ssa.Lookup:
		s.read(x.X, x)
	case *ssa.Next:
		s.read(x.Iter.(*ssa.Range).X, x)
	case *ssa.Select:
		for _, st := range x.States {
			if st.Dir == types.SendOnly {
				s.write(st.Chan, st.Send)
			} else {
				s.read(st.Chan, x)
			}
		}
	case *ssa.MakeInterface:
		s.copy(x.X, x)
	case *ssa.TypeAssert:
		s.copy(x.X, x)
	case *ssa.ChangeInterface:
		s.copy(x.X, x)
	case *ssa.ChangeType:
		s.copy(x.X, x)
	case *ssa.Slice:
		s.copy(x.X, x)
	case *ssa.Extract:
		s.copy(x.Tuple, x)
	case *ssa.Return:
		for _, v := range x.Results {
			s.copy(v, resultOf{x.Parent(), 0})
		}
	case ssa.CallInstruction:
		s.call(x)
	}
	if m, ok := instr.(*ssa.MakeClosure); ok {
		for i, b := range m.Bindings {
			s.copy(b, m.Fn.(*ssa.Function).FreeVars[i])
		}
	}
}

// call runs all functions of that signature that may be called, and for an interface all methods of
// that name.
func (s *slow) call(site ssa.CallInstruction) {
	c := site.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		if v := site.Value(); v != nil && b.Name() == "append" {
			s.add(v, fieldOf{v, ""})
			s.copy(c.Args[0], v)
			for p := range s.of(c.Args[0]) {
				s.copy(p, fieldOf{v, ""})
			}
			for _, arg := range c.Args[1:] {
				for p := range s.of(arg) {
					for q := range s.of(v) {
						s.copy(p, q)
					}
				}
			}
		}
		return
	}
	for _, fn := range s.fns {
		args := c.Args
		switch {
		case c.IsInvoke():
			if fn.Name() != c.Method.Name() || fn.Signature.Recv() == nil {
				continue
			}
			args = append([]ssa.Value{c.Value}, args...)
		case c.StaticCallee() != nil:
			if c.StaticCallee() != fn {
				continue
			}
		case fn.Signature.Recv() != nil || !types.Identical(fn.Signature, c.Signature()):
			continue
		}
		for i, p := range fn.Params {
			s.copy(args[i], p)
		}
		if v := site.Value(); v != nil {
			s.copy(resultOf{fn, 0}, v)
		}
	}
}
