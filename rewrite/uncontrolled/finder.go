package uncontrolled

import (
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/rehearse-go/rehearse/rewrite/std"
)

// finder holds what all roots share.
type finder struct {
	prog       *ssa.Program
	library    string // the directory of the standard library's sources, and a separator
	controlled func(path string) bool
	trusted    func(path string) bool
	withC      map[string]bool // the files that import "C", which are not rewritten
	external   map[*types.Package]bool
	summaries  map[*ssa.Function]*summary
	walks      map[*ssa.Function]*walk // of outside roots
	concrete   *typeutil.Map           // types.Type -> *converted
	ifaces     *typeutil.Map           // types.Type -> *iface
	implements map[implementation]bool
}

func newFinder(prog *ssa.Program, library string, controlled, trusted func(string) bool,
	withC map[string]bool) *finder {
	return &finder{
		prog:       prog,
		withC:      withC,
		library:    library + string(filepath.Separator),
		controlled: controlled,
		trusted:    trusted,
		external:   map[*types.Package]bool{},
		summaries:  map[*ssa.Function]*summary{},
		walks:      map[*ssa.Function]*walk{},
		concrete:   new(typeutil.Map),
		ifaces:     new(typeutil.Map),
		implements: map[implementation]bool{},
	}
}

// isExternal reports whether pkg has no syntax in the program.
func (f *finder) isExternal(pkg *types.Package) bool {
	if pkg == nil {
		return false // the universe: error
	}
	ext, known := f.external[pkg]
	if !known {
		p := f.prog.Package(pkg)
		if p != nil {
			p.Build()
		}
		ext = p == nil || len(p.Func("init").Blocks) == 0
		f.external[pkg] = ext
	}
	return ext
}

// externalFunc returns the function or method of an external package that fn is, wraps or
// instantiates; nil if there is none. A wrapper of an interface's method has none: its callee
// depends on the value.
func (f *finder) externalFunc(fn *ssa.Function) *types.Func {
	obj, _ := fn.Object().(*types.Func)
	if obj == nil || !f.isExternal(obj.Pkg()) && !f.inLibrary(obj.Pos()) {
		return nil
	}
	if recv := obj.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		return nil
	}
	return obj
}

// inLibrary reports whether a place in a package with syntax is the standard library's all the
// same: the table describes its functions, and its package initialisation is harmless.
func (f *finder) inLibrary(pos token.Pos) bool {
	file := f.prog.Fset.File(pos)
	return file != nil && strings.HasPrefix(file.Name(), f.library) &&
		!strings.HasSuffix(file.Name(), "_test.go")
}

// isExternalPlace reports whether v is the address of an external variable, or of a field of an
// external type.
func (f *finder) isExternalPlace(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Global:
		return f.isExternal(v.Pkg.Pkg)
	case *ssa.FieldAddr:
		ptr, _ := v.X.Type().Underlying().(*types.Pointer)
		if ptr == nil {
			return false
		}
		named, ok := types.Unalias(ptr.Elem()).(*types.Named)
		return ok && f.isExternal(named.Obj().Pkg())
	}
	return false
}

// isControlled reports whether fn is rewritten. Wrappers have nothing to rewrite.
func (f *finder) isControlled(fn *ssa.Function) bool {
	pkg := pkgOf(fn)
	return pkg == nil || f.controlled(pkg.Path()) && !f.inC(fn)
}

// inC reports whether fn is in a file that imports "C".
func (f *finder) inC(fn *ssa.Function) bool {
	if !fn.Pos().IsValid() {
		return false
	}
	return f.withC[f.prog.Fset.Position(fn.Pos()).Filename]
}

// inside is the import path of the package of fn.
func (f *finder) inside(fn *ssa.Function) string {
	if pkg := pkgOf(fn); pkg != nil {
		return pkg.Path()
	}
	return ""
}

func pkgOf(fn *ssa.Function) *types.Package {
	switch {
	case fn.Parent() != nil:
		return pkgOf(fn.Parent())
	case fn.Pkg != nil:
		return fn.Pkg.Pkg
	case fn.Object() != nil:
		return fn.Object().Pkg()
	}
	return nil
}

// treat is the table of the standard library. Tests have their own, for they need some functions of
// each kind.
var treat = std.Treat

// judge looks up an external function that r mentions.
func (f *finder) judge(obj *types.Func, r ref) (finding, bool) {
	v := treat(obj)
	found := finding{pos: r.pos, in: r.in, construct: display(obj), pkg: obj.Pkg().Path(),
		kind: v.Kind, reason: v.Reason}
	if v.ByCall && !f.isControlled(r.in) {
		found.kind = std.Schedule
		found.reason = "is called in package " + pkgOf(r.in).Path() + ", which is not rewritten"
		return found, true
	}
	if f.trusted(found.pkg) && std.HasGuards(found.pkg) {
		found.kind, found.reason = std.Background,
			"belongs to package "+found.pkg+", whose guards are off"
		return found, true
	}
	found.guarded = v.Treatment == std.Guarded
	return found, v.Treatment == std.Refused || found.guarded
}

// display returns the name that users know obj by: without type parameters, and without testing's
// inner type.
func display(obj *types.Func) string {
	name := strings.Replace(obj.Origin().FullName(), "*testing.common", "*testing.T", 1)
	before, rest, generic := strings.Cut(name, "[")
	if !generic {
		return name
	}
	_, after, _ := strings.Cut(rest, "]")
	return before + after
}

// callsByName reports whether fn is an external function that finds methods by their names at run
// time.
func (f *finder) callsByName(fn *ssa.Function) bool {
	obj := f.externalFunc(fn)
	if obj == nil {
		return false
	}
	switch obj.FullName() {
	case "(reflect.Value).Method", "(reflect.Value).MethodByName",
		"(*text/template.Template).Execute", "(*text/template.Template).ExecuteTemplate",
		"(*html/template.Template).Execute", "(*html/template.Template).ExecuteTemplate":
		return true
	}
	return false
}
