package discipline

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// trimmed is the syntax of a package without the bodies of test functions in which nothing matters
// to a check: they do not communicate, start no goroutine and name no message, and no code that is
// seen names them. In a large package most of the code is of that kind. They may still call
// functions of the package.
type trimmed struct {
	pass     *analysis.Pass
	files    []*ast.File
	info     *types.Info
	messages map[*types.TypeName]bool // of the package: what channels and type switches tell apart
	seen     map[*types.Func]bool     // of the test files: those whose bodies stay
	called   map[*types.Func]bool     // in bodies that are left out, or used there as values
}

// trim leaves out what does not matter. The syntax of pass stays as it is.
func trim(pass *analysis.Pass) *trimmed {
	t := &trimmed{pass: pass, info: pass.TypesInfo, called: map[*types.Func]bool{}}
	if !slices.ContainsFunc(pass.Files, t.isTest) {
		t.files = pass.Files
		return t
	}
	info := *pass.TypesInfo // other users of the driver's own may read it just now
	info.FileVersions = map[*ast.File]string{}
	t.info = &info
	t.findMessages()
	t.findSeen()
	for _, f := range pass.Files {
		out := f
		if t.isTest(f) {
			out = t.file(f)
		}
		info.FileVersions[out] = pass.TypesInfo.FileVersions[f]
		t.files = append(t.files, out)
	}
	return t
}

func (t *trimmed) isTest(f *ast.File) bool {
	return strings.HasSuffix(t.pass.Fset.Position(f.Package).Filename, "_test.go")
}

// findMessages notes the types of messages: those of the elements of channels, and those of the
// cases of type switches that no other package can name.
func (t *trimmed) findMessages() {
	t.messages = map[*types.TypeName]bool{}
	note := func(e ast.Expr, any bool) {
		if obj := t.declared(t.info.TypeOf(e)); obj != nil && (any || !obj.Exported()) {
			t.messages[obj] = true
		}
	}
	for _, f := range t.pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ChanType:
				note(n.Value, true)
			case *ast.TypeSwitchStmt:
				for _, c := range n.Body.List {
					for _, e := range c.(*ast.CaseClause).List {
						note(e, false)
					}
				}
			}
			return true
		})
	}
}

// declared returns the declaration of a type of the package, or of what a pointer leads to; or nil.
func (t *trimmed) declared(typ types.Type) *types.TypeName {
	if p, ok := types.Unalias(typ).(*types.Pointer); ok {
		typ = p.Elem()
	}
	if n, ok := types.Unalias(typ).(*types.Named); ok && n.Obj().Pkg() == t.pass.Pkg {
		return n.Obj()
	}
	return nil
}

// findSeen finds the functions of test files whose bodies stay. A check follows calls from code
// that is seen, so all that such code names is seen, too. It notes the others' uses.
func (t *trimmed) findSeen() {
	t.seen = map[*types.Func]bool{}
	uses := map[*types.Func][]*types.Func{}
	var work []*types.Func
	for _, f := range t.pass.Files {
		if !t.isTest(f) {
			continue
		}
		for _, d := range f.Decls {
			used, matters := t.look(d)
			fn, ok := d.(*ast.FuncDecl)
			if !ok { // initial values
				work = append(work, used...)
				continue
			}
			obj, _ := t.info.Defs[fn.Name].(*types.Func)
			uses[obj] = used
			if matters {
				work = append(work, obj)
			}
		}
	}
	for ; len(work) > 0; work = work[1:] {
		if fn := work[0]; !t.seen[fn] {
			t.seen[fn] = true
			work = append(work, uses[fn]...)
		}
	}
	for fn, used := range uses {
		for _, callee := range used {
			if !t.seen[fn] {
				t.called[callee] = true
			}
		}
	}
}

// file returns f without the bodies that do not matter.
func (t *trimmed) file(f *ast.File) *ast.File {
	out := *f
	out.Decls = slices.Clone(f.Decls)
	for i, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		if obj, _ := t.info.Defs[fn.Name].(*types.Func); !t.seen[obj] {
			head := *fn
			head.Body = nil
			out.Decls[i] = &head
		}
	}
	return &out
}

// look returns the functions of the package that a declaration names, and whether the body of a
// function has to be seen for itself.
func (t *trimmed) look(d ast.Decl) (used []*types.Func, matters bool) {
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt, *ast.ChanType:
			matters = true
		case *ast.UnaryExpr:
			matters = matters || n.Op == token.ARROW
		case *ast.Ident:
			obj := t.info.Uses[n]
			matters = matters || t.telling(obj)
			if f, ok := obj.(*types.Func); ok && f.Pkg() == t.pass.Pkg {
				used = append(used, f.Origin())
			}
		}
		return true
	})
	return used, matters
}

// telling reports whether a function that names obj has to be seen: it may communicate, have a
// timer, or make or change a message.
func (t *trimmed) telling(obj types.Object) bool {
	switch obj := obj.(type) {
	case *types.Builtin:
		return obj.Name() == "close"
	case *types.Var, *types.TypeName:
		return t.tells(obj.Type())
	case *types.Func:
		sig := obj.Signature()
		return t.tells(sig) || sig.Recv() != nil && t.tells(sig.Recv().Type())
	}
	return false
}

// tells reports whether a type is a channel, a timer or a message, or leads to one of these, but
// not by a field. A function leads to its parameters and results.
func (t *trimmed) tells(typ types.Type) bool { return t.tellsWithin(typ, MaxLocus) }

// tellsWithin is tells, to a depth: a type may be made of itself.
func (t *trimmed) tellsWithin(typ types.Type, depth int) bool {
	if depth == 0 {
		return true
	}
	if n, ok := types.Unalias(typ).(*types.Named); ok && n.Obj().Pkg() != nil {
		name := n.Obj().Name()
		if t.messages[n.Origin().Obj()] ||
			n.Obj().Pkg().Path() == "time" && (name == "Timer" || name == "Ticker") {
			return true
		}
	}
	switch u := typ.Underlying().(type) {
	case *types.Chan:
		return true
	case *types.Map:
		return t.tellsWithin(u.Key(), depth-1) || t.tellsWithin(u.Elem(), depth-1)
	case *types.Signature:
		for _, list := range []*types.Tuple{u.Params(), u.Results()} {
			for v := range list.Variables() {
				if t.tellsWithin(v.Type(), depth-1) {
					return true
				}
			}
		}
	case interface{ Elem() types.Type }: // a pointer, slice or array
		return t.tellsWithin(u.Elem(), depth-1)
	}
	return false
}
