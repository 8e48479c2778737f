package effects

import (
	"go/importer"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestLibrary demands of each name in the tables that the standard library of this Go version has
// it, and that its signature allows the entry. A writer has a parameter that leads to memory, a
// launcher has a function as a parameter, and a maker returns a slice or a map.
func TestLibrary(t *testing.T) {
	std := importer.ForCompiler(token.NewFileSet(), "gc", nil)
	find := func(name string) types.Object { return lookUp(std, name) }
	tables := map[string]map[string]bool{"pure": pure, "writers": writers, "outside": outside,
		"blocking": blocking, "reflected": reflected,
		"silent": silent, "values": values, "stoppers": stoppers, "launchers": launchers,
		"makers": makers}
	for _, table := range slices.Sorted(maps.Keys(tables)) {
		for _, name := range slices.Sorted(maps.Keys(tables[table])) {
			if isGroup(name) {
				continue // golang.org/x/sync/errgroup is not the standard library's
			}
			obj := find(name)
			if obj == nil {
				t.Errorf("%s: there is no %s", table, name)
			} else if want := allows[table]; want != nil && !want(obj) {
				t.Errorf("%s: %s is a %s", table, name, obj.Type())
			}
		}
	}
	if find("sort.Nothing") != nil || find("time.Time.Nothing") != nil || find("nothing") != nil {
		t.Error("what is not there is found")
	}
}

func isGroup(name string) bool { return strings.HasPrefix(name, "golang.org/") }

// allows says what each table demands of a signature.
var allows = map[string]func(types.Object) bool{
	"writers": func(o types.Object) bool { return anyOfTuple(params(o), leads) },
	"launchers": func(o types.Object) bool {
		return anyOfTuple(params(o), func(t types.Type) bool { return leads(t) && !isBasic(t) })
	},
	"makers": func(o types.Object) bool {
		return o.Type().(*types.Signature).Results().Len() == 1 &&
			leads(o.Type().(*types.Signature).Results().At(0).Type())
	},
	"stoppers":  isFunction,
	"reflected": func(o types.Object) bool { return isFunction(o) || o.Name() == "Value" },
}

func isFunction(o types.Object) bool { _, ok := o.(*types.Func); return ok }

func isBasic(t types.Type) bool { _, ok := t.Underlying().(*types.Basic); return ok }

func params(o types.Object) *types.Tuple { return o.Type().(*types.Signature).Params() }

func anyOfTuple(tuple *types.Tuple, is func(types.Type) bool) bool {
	for v := range tuple.Variables() {
		if is(v.Type()) {
			return true
		}
	}
	return false
}

// leads reports whether values of a type lead to memory.
func leads(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Basic, *types.Struct, *types.Array:
		return false
	}
	return true
}

// lookUp finds a package (as its name), a function, a type, or a method by its full name; nil if it
// is not there.
func lookUp(std types.Importer, name string) types.Object {
	dir, last := "", name
	if i := strings.LastIndex(name, "/"); i >= 0 {
		dir, last = name[:i+1], name[i+1:]
	}
	parts := strings.Split(last, ".")
	pkg, err := std.Import(dir + parts[0])
	if err != nil {
		return nil
	}
	if len(parts) == 1 {
		return types.NewPkgName(token.NoPos, nil, parts[0], pkg)
	}
	obj := pkg.Scope().Lookup(parts[1])
	if obj == nil || len(parts) == 2 {
		return obj
	}
	m, _, _ := types.LookupFieldOrMethod(obj.Type(), true, pkg, parts[2])
	if f, ok := m.(*types.Func); ok {
		return f
	}
	return nil
}
