package std

import (
	"errors"
	"fmt"
	"go/ast"
)

// Context returns the files of package context that are to be rewritten like a user's package, by
// absolute path. The changes to the sources in goroot make its behaviour a function of the
// schedule:
//   - a context has its channel from the start, so that Done is no operation;
//   - Err looks at that channel, as the closing of it is what lets a context's error be seen;
//   - the children of a context are canceled in the order in which they were made, instead of that
//     of a map;
//   - the sections in which a context gets a child, or loses one, say so: those of different
//     children commute. cancel is no such section, and may see all that these do.
func Context(goroot string) (map[string][]byte, error) {
	p, err := load(goroot, "context", "cancelCtx")
	if err == nil {
		err = errors.Join(p.apply(p.contextHooks()), p.orderChildren())
		p.tellSections()
	}
	if err != nil {
		return nil, fmt.Errorf("%s (%s): %w", goroot, version(goroot), err)
	}
	out := map[string][]byte{}
	p.write(out)
	return out, nil
}

func (p *pkg) contextHooks() []hook {
	list := []hook{{recv: "cancelCtx", name: "propagateCancel",
		code: "if $r.done.Load() == nil { $r.done.Store(make(chan struct{})) }"}}
	if p.fieldType("cancelCtx", "err") == "atomic.Value" { // before Go 1.25, Err locks
		list = append(list, hook{recv: "cancelCtx", name: "Err",
			code: "select { case <-$r.Done(): return $r.err.Load().(error); default: return nil }"})
	}
	return list
}

// orderChildren numbers the children of a context. The method that makes c a child of p is one of
// c, which every kind of child embeds.
func (p *pkg) orderChildren() error {
	found := 0
	for _, f := range p.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if f.text(n) == "p.children[child] = struct{}{}" {
					f.insert(n.Pos(), "c.rehearse = rehearseNumber(); ")
					found++
				}
			case *ast.RangeStmt:
				if f.text(n.X) == "c.children" && n.Value == nil {
					f.insert(n.Key.Pos(), "_, ")
					f.replace(n.X.Pos(), n.X.End(), "rehearseInOrder(c)")
					found++
				}
			}
			return true
		})
	}
	if found != 2 {
		return fmt.Errorf(
			"package context does not keep the children of a context as expected (%d)",
			found)
	}
	return p.addNumber("cancelCtx", "rehearse")
}

// tellSections announces what is done to children under a parent's lock.
func (p *pkg) tellSections() {
	for _, f := range p.files {
		for _, d := range f.syntax.Decls {
			fn, is := d.(*ast.FuncDecl)
			if !is || fn.Name.Name != "propagateCancel" && fn.Name.Name != "removeChild" {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				if s, is := n.(*ast.ExprStmt); is && f.text(s) == "p.mu.Lock()" {
					f.insert(s.Pos(), "rehearseSection(); ")
					f.insert(s.End(), "; rehearseChild(p, child)")
				}
				return true
			})
		}
	}
}

// addNumber gives a struct type an int64 field, and a method that returns it: the field's name and
// Order.
func (p *pkg) addNumber(structName, field string) error {
	if err := p.addField(structName, field+" int64"); err != nil {
		return err
	}
	st, f := p.structType(structName)
	f.insert(st.End(), fmt.Sprintf("; func (x *%s) %sOrder() int64 { return x.%[2]s }", structName,
		field))
	return nil
}
