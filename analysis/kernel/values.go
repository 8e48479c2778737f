package kernel

import (
	"go/constant"
	"go/token"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// All yields the instructions of fn, block by block.
func All(fn *ssa.Function) iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				if !yield(i) {
					return
				}
			}
		}
	}
}

// Extracted returns part i of a tuple, or nil if nothing takes it.
func Extracted(v ssa.Value, i int) ssa.Value {
	for _, ref := range *v.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && x.Index == i {
			return x
		}
	}
	return nil
}

// Unwrap strips conversions of type.
func Unwrap(v ssa.Value) ssa.Value {
	for {
		x, ok := v.(*ssa.ChangeType)
		if !ok {
			return v
		}
		v = x.X
	}
}

// Converted returns the operand of a conversion between types that makes no new value, or of a
// slice expression; or nil.
func Converted(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.ChangeType:
		return v.X
	case *ssa.ChangeInterface:
		return v.X
	case *ssa.MakeInterface:
		return v.X
	case *ssa.TypeAssert:
		return v.X
	case *ssa.Slice:
		return v.X
	}
	return nil
}

// Unwrapped returns the operand of any conversion, or of a slice expression; or nil.
func Unwrapped(v ssa.Value) ssa.Value {
	if c, ok := v.(*ssa.Convert); ok {
		return c.X
	}
	return Converted(v)
}

// Container returns the value of which v is an element, or its address; nil if v is neither.
func Container(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.IndexAddr:
		return v.X
	case *ssa.Index:
		return v.X
	case *ssa.Lookup:
		return v.X
	}
	return nil
}

// Binding returns what the one closure of v's function captures as v, or nil.
func Binding(v *ssa.FreeVar) ssa.Value {
	fn := v.Parent()
	if fn.Parent() == nil {
		return nil
	}
	for i := range All(fn.Parent()) {
		if m, ok := i.(*ssa.MakeClosure); ok && m.Fn == fn {
			return m.Bindings[slices.Index(fn.FreeVars, v)]
		}
	}
	return nil
}

// ParamIndex returns the number of a parameter in its function, the receiver counted.
func ParamIndex(v *ssa.Parameter) int {
	for i, q := range v.Parent().Params {
		if q == v {
			return i
		}
	}
	return -1
}

// IsInt reports whether v is the constant n.
func IsInt(v ssa.Value, n int64) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && c.Int64() == n
}

// PosOf returns the position of an instruction, or of the first one near it that has one.
func PosOf(i ssa.Instruction) token.Pos {
	if i.Pos().IsValid() {
		return i.Pos()
	}
	for _, v := range i.Operands(nil) {
		if *v != nil && (*v).Pos().IsValid() && (*v).Parent() == i.Parent() {
			return (*v).Pos()
		}
	}
	for _, x := range i.Block().Instrs[IndexOf(i):] {
		if x.Pos().IsValid() {
			return x.Pos()
		}
	}
	return i.Parent().Pos()
}

// IfTrue returns the block where control goes if v, the condition of a branch, is true.
func IfTrue(v ssa.Value) *ssa.BasicBlock {
	if v == nil {
		return nil
	}
	for _, ref := range *v.Referrers() {
		if i, ok := ref.(*ssa.If); ok && len(i.Block().Succs[0].Preds) == 1 {
			return i.Block().Succs[0]
		}
	}
	return nil
}

// PhiEdges returns the values that v is made of, through any number of other phis: a variable of a
// loop has several.
func PhiEdges(v *ssa.Phi) []ssa.Value {
	var out []ssa.Value
	seen := map[ssa.Value]bool{v: true}
	for work := []*ssa.Phi{v}; len(work) > 0; {
		phi := work[0]
		work = work[1:]
		for _, e := range phi.Edges {
			if seen[e] {
				continue
			}
			seen[e] = true
			if inner, ok := e.(*ssa.Phi); ok {
				work = append(work, inner)
			} else {
				out = append(out, e)
			}
		}
	}
	return out
}

// Argument returns the argument for parameter i, where the receiver is parameter 0; nil if there is
// none.
func Argument(c *ssa.CallCommon, i int) ssa.Value {
	if c.IsInvoke() {
		if i == 0 {
			return c.Value
		}
		i--
	}
	if i < 0 || i >= len(c.Args) {
		return nil
	}
	return c.Args[i]
}

// IsNil reports whether v is the constant nil.
func IsNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// Last returns the last instruction of a block, which says where control goes.
func Last(b *ssa.BasicBlock) ssa.Instruction { return b.Instrs[len(b.Instrs)-1] }
