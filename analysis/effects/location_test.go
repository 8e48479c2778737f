package effects

import (
	"go/token"
	"go/types"
	"testing"
)

// TestSameName: two types that functions declare may have one name; the variables of one must not
// be taken for those of the other.
func TestSameName(t *testing.T) {
	pkg := types.NewPackage("p", "p")
	local := func(field *types.Basic) types.Type {
		s := types.NewStruct([]*types.Var{types.NewField(token.NoPos, pkg, "f", field, false)}, nil)
		return types.NewNamed(types.NewTypeName(token.NoPos, pkg, "state", nil), s, nil)
	}
	a := New(Config{})
	x, y := local(types.Typ[types.Int]), local(types.Typ[types.String])
	if types.TypeString(x, nil) != types.TypeString(y, nil) {
		t.Fatal("the names differ")
	}
	if a.all(x) == a.all(y) || a.all(x).Overlap(a.all(y)) {
		t.Error("the variables of two types are one location")
	}
	if a.all(x) != a.all(x) || a.all(types.NewPointer(x)) != a.all(types.NewPointer(x)) {
		t.Error("the variables of one type are two locations")
	}
	if len(a.behind(types.NewPointer(x))) != 1 || a.behind(types.NewPointer(y))[0] != y {
		t.Error("what pointers to two types lead to is taken for one")
	}
}
