package std

import (
	"bytes"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
)

// caches has the files of the library whose locks guard caches: of types, and of values that
// package unique has seen. A cache takes its lock when it meets something for the first time, which
// is in the first execution only, or again after a garbage collection. The locks are held for no
// time that another process could see: no step is between Lock and Unlock.
var caches = []struct {
	path, file string
	hooks      []hook
}{
	{"reflect", "type.go", nil},
	{"encoding/gob", "type.go", []hook{{name: "RegisterName", imports: []string{"unsafe"},
		code: isHere +
			"{ gate.Table(unsafe.Pointer(&nameToConcreteType), true); rehearseRegistered = true }"}}},
	{"unique", "canonmap.go", nil}, // since Go 1.25
	{"unique", "handle.go", nil},   // before
}

// hookCaches keeps the locks of the caches out of the model: they become the mutexes that
// sync.Mutex is made from.
func hookCaches(goroot string, out map[string][]byte) error {
	const lock = "sync.Mutex"
	for _, c := range caches {
		src, err := os.ReadFile(filepath.Join(goroot, "src", filepath.FromSlash(c.path), c.file))
		if err != nil || !bytes.Contains(src, []byte(lock)) {
			continue // another version of Go
		}
		p, err := load(goroot, c.path, lock)
		if err != nil {
			return err
		}
		p.keep(c.file)
		p.nativeLocks(lock)
		if err := p.apply(c.hooks); err != nil {
			return err
		}
		p.write(out)
	}
	return nil
}

// keep forgets all files of p but one.
func (p *pkg) keep(name string) {
	for _, f := range p.files {
		if filepath.Base(f.name) == name {
			p.files = []*file{f}
			return
		}
	}
}

// nativeLocks replaces the type lock by the one that no hook is in.
func (p *pkg) nativeLocks(lock string) {
	for _, f := range p.files {
		f.insert(f.syntax.Name.End(), `; import isync "internal/sync"`)
		// the import may be used for nothing else
		f.insert(f.lastImport().End(), "; var _ sync.Locker")
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && f.text(sel) == lock {
				f.replace(sel.Pos(), sel.End(), "isync.Mutex")
			}
			return true
		})
	}
}

// lastImport returns the last import declaration of f, which has one.
func (f *file) lastImport() (last ast.Decl) {
	for _, d := range f.syntax.Decls {
		if gen, ok := d.(*ast.GenDecl); ok && gen.Tok == token.IMPORT {
			last = d
		}
	}
	return last
}
