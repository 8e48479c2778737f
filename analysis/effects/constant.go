package effects

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Constant returns the value that a part of the message, ".op", has whenever s sends, or nil if
// that is not known. It is known if the message is a constant, or a struct that is made for the
// message and whose field is set once.
func (a *Analysis) Constant(s *Sending, part string) constant.Value {
	_, x := s.channel()
	if s.Value.Root != nil && s.Value.Path == "" {
		x = s.Value.Root
	}
	if m, ok := x.(*ssa.MakeInterface); ok {
		x = m.X
	}
	if part == "" {
		return valueOf(x)
	}
	name := strings.TrimPrefix(part, ".")
	if load, ok := x.(*ssa.UnOp); ok && load.Op == token.MUL {
		if at, ok := load.X.(*ssa.Alloc); ok && !AddressTaken(at) {
			return fieldOfNew(at, name, load)
		}
	}
	return nil
}

func valueOf(v ssa.Value) constant.Value {
	if c, ok := v.(*ssa.Const); ok {
		return c.Value
	}
	return nil
}

// fieldOfNew returns the constant that a field of the struct at holds when use runs: the one that
// is stored to it before, or zero.
func fieldOfNew(at *ssa.Alloc, name string, use ssa.Instruction) constant.Value {
	var stores []*ssa.Store
	for _, ref := range *at.Referrers() {
		switch r := ref.(type) {
		case *ssa.FieldAddr:
			if fieldOf(r).Name() == name {
				stores = append(stores, storesTo(r)...)
			}
		case *ssa.Store, *ssa.MakeClosure:
			return nil
		}
	}
	switch {
	case len(stores) > 1 || slices.ContainsFunc(stores,
		func(s *ssa.Store) bool { return !before(s, use) }):
		return nil
	case len(stores) == 1:
		return valueOf(stores[0].Val)
	}
	return zeroField(kernel.Deref(at.Type()), name)
}

func storesTo(f *ssa.FieldAddr) []*ssa.Store {
	var out []*ssa.Store
	for _, ref := range *f.Referrers() {
		if s, ok := ref.(*ssa.Store); ok && s.Addr == f {
			out = append(out, s)
		}
	}
	return out
}

// zeroField returns the zero value of a field, or nil.
func zeroField(t types.Type, name string) constant.Value {
	if s, ok := t.Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			if f.Name() == name {
				return zeroOf(f.Type())
			}
		}
	}
	return nil
}

// zeroOf returns the zero value of a basic type, or nil.
func zeroOf(t types.Type) constant.Value {
	b, ok := t.Underlying().(*types.Basic)
	switch {
	case !ok:
		return nil
	case b.Info()&types.IsInteger != 0:
		return constant.MakeInt64(0)
	case b.Info()&types.IsString != 0:
		return constant.MakeString("")
	case b.Info()&types.IsBoolean != 0:
		return constant.MakeBool(false)
	}
	return nil
}
