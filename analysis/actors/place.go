package actors

import (
	"cmp"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// The places that are no values. Variables are told apart by position: a package has one
// *ssa.Global for each of its variants, such as the one with tests.
type (
	fieldPlace struct { // a field of every instance of a struct
		pos  token.Pos
		name string
	}
	globalPlace struct{ pos token.Pos }
	elemPlace   struct{ of place }    // the elements of a container at a place
	callPlace   struct{ name string } // the result of code that is not analysed
)

// placeOf returns where v is read from, or v itself.
func (p *flow) placeOf(v ssa.Value) place { return p.places.Of(v) }

// values tells package copies about values.
type values struct{ p *flow }

// From returns the values that v is a copy of, or the container whose element v is.
func (s values) From(v ssa.Value) []ssa.Value {
	p := s.p
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return []ssa.Value{v.X}
		}
	case *ssa.FreeVar:
		if b := p.binding(v); b != nil {
			return []ssa.Value{b}
		}
	case *ssa.Parameter:
		return p.args(v)
	case *ssa.Phi:
		return v.Edges
	case *ssa.Extract:
		if l, ok := v.Tuple.(*ssa.Lookup); ok && v.Index == 0 {
			return []ssa.Value{l}
		}
	case *ssa.Call:
		return p.results(v, 0)
	default:
		if x := kernel.Container(v); x != nil {
			return []ssa.Value{x}
		}
		if x := kernel.Unwrapped(v); x != nil {
			return []ssa.Value{x}
		}
	}
	return nil
}

// IsPart reports whether v is an element of a container, or its address.
func (values) IsPart(v ssa.Value) bool { return kernel.Container(v) != nil }

// IsNil reports whether v is nil.
func (values) IsNil(v ssa.Value) bool { return kernel.IsNil(v) }

// PartOf returns the place of the elements of a container.
func (values) PartOf(whole any) any { return elemPlace{whole} }

// Compare orders values by position.
func (values) Compare(a, b ssa.Value) int { return cmp.Compare(a.Pos(), b.Pos()) }

// Origin returns the place of v, which is made of no other value.
func (s values) Origin(v ssa.Value) any {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return placeOfField(v, v.X.Type(), v.Field)
	case *ssa.Field:
		return placeOfField(v, v.X.Type(), v.Field)
	case *ssa.Global:
		return globalPlace{v.Pos()}
	case *ssa.Call:
		if len(s.p.calleesOf(v)) == 0 {
			return callPlace{callName(v.Common())}
		}
	}
	return v
}

func placeOfField(v ssa.Value, t types.Type, i int) place {
	s, ok := kernel.Deref(t).Underlying().(*types.Struct)
	if !ok {
		return v
	}
	f := s.Field(i).Origin()
	return fieldPlace{f.Pos(), f.Name()}
}

// callName names the callee of a call that is not analysed: "context.Context.Done", "time.After".
func callName(c *ssa.CallCommon) string {
	if c.IsInvoke() {
		return types.TypeString(c.Value.Type(), nil) + "." + c.Method.Name()
	}
	if fn := c.StaticCallee(); fn != nil {
		return fn.RelString(nil)
	}
	return c.Value.Name()
}
