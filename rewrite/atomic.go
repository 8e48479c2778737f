package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// library rewrites calls of the standard library.
type library struct {
	*pass
	blind  map[*ast.Ident]bool          // names of functions whose result nobody uses
	called map[*ast.SelectorExpr]bool   // functions that are called where they are mentioned
	raw    map[*ast.SelectorExpr]bool   // functions of system calls that are noted otherwise
	sealed map[*types.Var]bool          // see sealedIn
	taking map[*ast.SelectorExpr]string // calls that take tickets: who takes them
	counts bool                         // the file has runtime.NumGoroutine
	looks  bool                         // it has runtime.Stack
	peers  bool                         // it has RemoteAddr of a Request that is no pointer
}

func newLibrary(p *pass) library {
	return library{
		pass:   p,
		blind:  make(map[*ast.Ident]bool),
		called: make(map[*ast.SelectorExpr]bool),
		raw:    make(map[*ast.SelectorExpr]bool),
		taking: make(map[*ast.SelectorExpr]string),
	}
}

// blindly notes that nobody uses the result of a call, which is a statement: of an update of
// package sync/atomic, package hook has a form for that.
func (lib *library) blindly(e ast.Expr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return
	}
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		lib.blind[fun] = true
	case *ast.SelectorExpr:
		lib.blind[fun.Sel] = true
	}
}

// isBlind reports whether id names an update of package sync/atomic whose result nobody uses.
func (lib *library) isBlind(id *ast.Ident) bool {
	update := func(name string) bool { return strings.HasPrefix(id.Name, name) }
	return lib.blind[id] && (update("Add") || update("And") || update("Or"))
}

// atomicMethod rewrites the receiver of x.Load and so on, where that is a method of a type of
// package sync/atomic: into AtInt32(&x).Load. It does not matter whether the method is called or is
// a value.
func (lib *library) atomicMethod(e *ast.SelectorExpr) {
	sel := lib.In.Info.Selections[e]
	if sel == nil || lib.In.PlainAtomics {
		return
	}
	name := unit.AtomicType(sel.Obj())
	switch {
	case name == "":
	case sel.Kind() == types.MethodExpr:
		lib.atomicExpression(e, name, sel)
	default:
		lib.atomicReceiver(e, name, sel)
	}
}

// atomicReceiver encloses the operand of e, which selects a method of the named type of package
// sync/atomic, and announces the access. Embedded fields on the way are written out.
func (lib *library) atomicReceiver(e *ast.SelectorExpr, name string, sel *types.Selection) {
	x, prefix, ticket := e.X, "At", ""
	path, address, ok := lib.promoted(x.Pos(), sel)
	if !ok {
		return
	}
	if lib.isBlind(e.Sel) {
		prefix = "Blind"
	}
	if announce, what, announced := strings.Cut(lib.Atomics[e], "|"); announced {
		address = lib.Hook + "." + announce + address
		path += ", " + what + ")"
	} else if taking := lib.taking[e]; taking != "" {
		ticket = ".Ticket(" + taking + ")"
	}
	if e.Sel.Name == "Store" && lib.isSealed(x) {
		address = lib.Hooked("Sealed") + address
		path += ")"
	}
	lib.Open(x, lib.Hooked(prefix+name)+address)
	lib.Edits.Close(lib.Offset(x.End()), edit.Text(path+")"+ticket))
}

// promoted returns the selectors of the embedded fields on the way to a method of package
// sync/atomic, and & if the last one is no pointer.
func (p *pass) promoted(pos token.Pos, sel *types.Selection) (path, address string, ok bool) {
	typ := sel.Recv()
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		field := unit.StructOf(typ).Field(i)
		if !field.Exported() && field.Pkg() != p.In.Types {
			p.Fail(pos, "this method is promoted through the field "+field.Name()+
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
func (lib *library) atomicExpression(e *ast.SelectorExpr, name string, sel *types.Selection) {
	path, address, ok := lib.promoted(e.Pos(), sel)
	if !ok {
		return
	}
	sig := sel.Type().(*types.Signature)
	var params, args []string
	for i := range sig.Params().Len() {
		v := lib.TempN("p", i)
		params = append(params, v+" "+lib.nameable(sig.Params().At(i).Type(), e.Pos()))
		args = append(args, v)
	}
	call := lib.Hooked("At"+name) + address + args[0] + path + ")." + sel.Obj().Name() + "(" +
		strings.Join(args[1:], ", ") + ")"
	result := ""
	if sig.Results().Len() > 0 {
		result, call = lib.nameable(sig.Results().At(0).Type(), e.Pos())+" ", "return "+call
	}
	lib.Replace(e.Pos(), e.End(),
		edit.Text("(func("+strings.Join(params, ", ")+") "+result+"{ "+call+" })"))
}

// nameable is TypeText, or fails.
func (p *pass) nameable(t types.Type, pos token.Pos) string {
	text, ok := p.TypeText(t, pos)
	if !ok {
		p.Fail(pos, "the type "+t.String()+
			" of this method expression cannot be named here; write a function literal")
	}
	return text
}
