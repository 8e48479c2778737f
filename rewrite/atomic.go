package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// blindly notes that nobody uses the result of a call, which is a statement: of an update of
// package sync/atomic, package hook has a form for that.
func (f *file) blindly(e ast.Expr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return
	}
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		f.blind[fun] = true
	case *ast.SelectorExpr:
		f.blind[fun.Sel] = true
	}
}

// isBlind reports whether id names an update of package sync/atomic whose result nobody uses.
func (f *file) isBlind(id *ast.Ident) bool {
	update := func(name string) bool { return strings.HasPrefix(id.Name, name) }
	return f.blind[id] && (update("Add") || update("And") || update("Or"))
}

// atomicMethod rewrites the receiver of x.Load and so on, where that is a method of a type of
// package sync/atomic: into AtInt32(&x).Load. It does not matter whether the method is called or is
// a value.
func (f *file) atomicMethod(e *ast.SelectorExpr) {
	sel := f.In.Info.Selections[e]
	if sel == nil || f.In.PlainAtomics {
		return
	}
	name := unit.AtomicType(sel.Obj())
	switch {
	case name == "":
	case sel.Kind() == types.MethodExpr:
		f.atomicExpression(e, name, sel)
	default:
		f.atomicReceiver(e, name, sel)
	}
}

// atomicReceiver encloses the operand of e, which selects a method of the named type of package
// sync/atomic, and announces the access. Embedded fields on the way are written out.
func (f *file) atomicReceiver(e *ast.SelectorExpr, name string, sel *types.Selection) {
	x, prefix := e.X, "At"
	path, address, ok := f.promoted(x.Pos(), sel)
	if !ok {
		return
	}
	if f.isBlind(e.Sel) {
		prefix = "Blind"
	}
	if announce, what, announced := strings.Cut(f.Atomics[e], "|"); announced {
		address = f.Hook + "." + announce + address
		path += ", " + what + ")"
	}
	if e.Sel.Name == "Store" && f.isSealed(x) {
		address = f.Hooked("Sealed") + address
		path += ")"
	}
	f.Open(x, f.Hooked(prefix+name)+address)
	f.Edits.Close(f.Offset(x.End()), edit.Text(path+")"))
}

// promoted returns the selectors of the embedded fields on the way to a method of package
// sync/atomic, and & if the last one is no pointer.
func (f *file) promoted(pos token.Pos, sel *types.Selection) (path, address string, ok bool) {
	typ := sel.Recv()
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		field := unit.StructOf(typ).Field(i)
		if !field.Exported() && field.Pkg() != f.In.Types {
			f.Fail(pos, "this method is promoted through the field "+field.Name()+
				", which cannot be named here")
			return "", "", false
		}
		path += "." + field.Name()
		typ = field.Type()
	}
	if _, is := typ.Underlying().(*types.Pointer); !is {
		address = "&"
	}
	return path, address, true
}

// atomicExpression rewrites the method expression (*T).Load into a function literal.
func (f *file) atomicExpression(e *ast.SelectorExpr, name string, sel *types.Selection) {
	path, address, ok := f.promoted(e.Pos(), sel)
	if !ok {
		return
	}
	sig := sel.Type().(*types.Signature)
	var params, args []string
	for i := range sig.Params().Len() {
		v := f.TempN("p", i)
		params = append(params, v+" "+f.nameable(sig.Params().At(i).Type(), e.Pos()))
		args = append(args, v)
	}
	call := f.Hooked("At"+name) + address + args[0] + path + ")." + sel.Obj().Name() + "(" +
		strings.Join(args[1:], ", ") + ")"
	result := ""
	if sig.Results().Len() > 0 {
		result, call = f.nameable(sig.Results().At(0).Type(), e.Pos())+" ", "return "+call
	}
	f.Replace(e.Pos(), e.End(), edit.Text("(func("+strings.Join(params, ", ")+") "+result+"{ "+call+
		" })"))
}

// nameable is typeText, or fails.
func (f *file) nameable(t types.Type, pos token.Pos) string {
	text, ok := f.TypeText(t, pos)
	if !ok {
		f.Fail(pos, "the type "+t.String()+
			" of this method expression cannot be named here; write a function literal")
	}
	return text
}
