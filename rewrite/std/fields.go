package std

import (
	"go/ast"
	"go/token"
	"slices"
)

// Objects of the library that one goroutine may use at a time: hashes, compressors, encoders,
// lists, big numbers. Their methods tell of the fields that they read and write, whoever calls
// them:
//
//	if gate.Here() { gate.Field(gate.At(&l.len), true) }; l.len++
//
// A call precedes the first statement of a block that surely accesses a field of the receiver, or
// of a parameter that points to a type of the package, unless the statements around and before it
// have told of the same. A write follows the statement if that may wait. Types are read from
// declarations alone.
//
// LIMITS: nothing is told of loops in loops, function literals, local variables, parts of fields
// that are structs or arrays, elements of slices, and functions that are no methods.

// single are the packages whose objects are told of. Types that have a part of sync, sync/atomic,
// or a channel take care of themselves, and are left out.
var single = []string{"archive/tar", "archive/zip", "compress/bzip2", "compress/flate",
	"compress/gzip", "compress/lzw", "compress/zlib", "container/list", "container/ring",
	"crypto/cipher", "crypto/internal/fips140/aes", "crypto/internal/fips140/hmac",
	"crypto/internal/fips140/sha256", "crypto/internal/fips140/sha3",
	"crypto/internal/fips140/sha512", "crypto/md5", "crypto/rc4", "crypto/sha1",
	"encoding/ascii85", "encoding/base32", "encoding/base64", "encoding/csv", "encoding/hex",
	"encoding/json", "encoding/xml", "flag", "go/scanner", "hash/adler32", "hash/crc32",
	"hash/crc64", "hash/fnv", "hash/maphash", "html/template", "io", "math/big", "math/rand",
	"math/rand/v2", "mime/multipart", "mime/quotedprintable", "net/url", "text/scanner",
	"text/tabwriter", "text/template", "text/template/parse"}

// Single lists the import paths of packages of the library whose objects tell of accesses.
func Single() []string { return single }

// hookFields inserts the calls. It comes after the hooks of the same files.
func hookFields(goroot string, out map[string][]byte) error {
	for _, path := range append([]string{"bufio", "bytes"}, single...) {
		p, err := loadOver(goroot, path, "package ", out)
		if err != nil {
			return err
		}
		o := objects{pkg: p, fields: map[string]map[string]ast.Expr{}}
		o.declared()
		for _, f := range p.files {
			if f.syntax.Name.Name == "main" {
				continue // a tool that makes some of the sources
			}
			for _, d := range f.syntax.Decls {
				fn, is := d.(*ast.FuncDecl)
				switch {
				case !is, fn.Recv == nil, fn.Body == nil:
				case streams[path] == nil, slices.Contains(waiting, fn.Name.Name):
					o.method(f, fn)
				}
			}
			if len(f.edits) > 0 {
				f.use(gateDir)
				out[f.name] = f.edited()
			}
		}
	}
	return nil
}

// waiting are the methods of streams that go on after a wait: a hook at the entry is not enough.
var waiting = []string{"ReadFrom", "fill"}

// objects are the types of a package that are told of.
type objects struct {
	*pkg
	fields  map[string]map[string]ast.Expr // the types of their fields; none if it is no struct
	types   map[string]ast.Expr            // what each type of the package is declared as
	several map[string]bool                // those that are declared more than once
}

// declared finds them. Files for different systems may declare a type differently.
func (o *objects) declared() {
	o.types, o.several = map[string]ast.Expr{}, map[string]bool{}
	for _, f := range o.files {
		for _, d := range f.syntax.Decls {
			gen, is := d.(*ast.GenDecl)
			if !is {
				continue
			}
			for _, spec := range gen.Specs {
				if t, is := spec.(*ast.TypeSpec); is && t.TypeParams == nil {
					o.declare(t.Name.Name, t.Type)
				}
			}
		}
	}
	local := map[string]bool{}
	for name, t := range o.types {
		switch {
		case synchronised(t):
			delete(o.fields, name)
		case o.isLocal(name):
			local[name] = true
		}
	}
	for name := range local {
		o.forget(name)
	}
}

// forget leaves out a type, and those of which it has parts.
func (o *objects) forget(name string) {
	if fields := o.fields[name]; !token.IsExported(name) && fields != nil {
		delete(o.fields, name)
		for _, t := range fields {
			if id, is := t.(*ast.Ident); is {
				o.forget(id.Name)
			}
		}
	}
}

// isLocal reports whether objects of a type are variables of functions, as json.Unmarshal has a
// decodeState, or parts of other objects, but none that is made by itself. To tell of each variable
// would take longer than the call; of parts the methods of the whole tell.
func (o *objects) isLocal(name string) bool {
	variables, made := map[string]bool{}, false
	for _, f := range o.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if d, is := n.(*ast.DeclStmt); is {
				for _, spec := range d.Decl.(*ast.GenDecl).Specs {
					if v, is := spec.(*ast.ValueSpec); is && isNamed(v.Type, name) {
						variables[v.Names[0].Name] = true
					}
				}
			}
			return true
		})
	}
	for _, f := range o.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				made = made || isNamed(n.Type, name)
			case *ast.CallExpr:
				made = made || isNamed(n.Fun, "new") && isNamed(n.Args[0], name)
			case *ast.UnaryExpr:
				x, is := n.X.(*ast.Ident)
				made = made || is && n.Op == token.AND && variables[x.Name]
			}
			return true
		})
	}
	return len(variables) > 0 && !made
}

func isNamed(e ast.Expr, name string) bool {
	id, is := e.(*ast.Ident)
	return is && id.Name == name
}

func (o *objects) declare(name string, t ast.Expr) {
	before, known := o.types[name]
	o.several[name] = known
	s, is := t.(*ast.StructType)
	switch {
	case known && synchronised(before):
		return
	case known && !is:
		t = &ast.ChanType{} // for none that is told of
	}
	o.types[name] = t
	if !is && !o.whole(t) && !isArray(t) {
		return
	}
	if o.fields[name] == nil {
		o.fields[name] = map[string]ast.Expr{}
	}
	if !is {
		return
	}
	for _, f := range s.Fields.List {
		for _, id := range f.Names {
			if id.Name != "_" {
				o.fields[name][id.Name] = f.Type
			}
		}
	}
}

func isArray(t ast.Expr) bool {
	a, is := t.(*ast.ArrayType)
	return is && a.Len != nil
}

// synchronised reports whether a type has a part that several goroutines may use at once.
func synchronised(t ast.Expr) (is bool) {
	ast.Inspect(t, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ChanType:
			is = true
		case *ast.SelectorExpr:
			pkg, _ := n.X.(*ast.Ident)
			is = is || pkg != nil && (pkg.Name == "sync" || pkg.Name == "atomic")
		}
		return !is
	})
	return is
}

// whole reports whether a variable of type t has no parts: an access to a part of what it leads to
// reads it.
func (o *objects) whole(t ast.Expr) bool {
	switch t := t.(type) {
	case *ast.StarExpr, *ast.MapType, *ast.FuncType, *ast.InterfaceType, *ast.ChanType:
		return true
	case *ast.ArrayType:
		return t.Len == nil
	case *ast.Ident:
		if under := o.types[t.Name]; under != nil {
			return o.whole(under)
		}
		return !token.IsExported(t.Name) // a basic type
	}
	return false
}
