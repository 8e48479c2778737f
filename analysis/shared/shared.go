// Package shared says which variables several processes may touch, so that only accesses to these
// need be watched for data races.
//
// Vocabulary: a body is the code of a declared function or a function literal; it touches a
// variable where it reads or writes it, or an element of it. A root is a body that a process may
// begin with. The tests together are one root. So is every function that a go statement starts, or
// that is used as a value, since others may start it, and every method of an interface of the
// library, such as ServeHTTP. A root that is started again and again counts twice. A variable is
// shared if bodies that can be reached from two roots touch it, and some body writes it after its
// declaration.
//
// Guarantees: none about variables that are left out. They are not watched, which can hide a race
// and cannot invent one.
//
// A read or write of a whole struct or array touches all its parts. Variables behind pointers, and
// elements of slices and maps, are told apart by their types alone: two slices may share an array.
//
// LIMITS: calls are resolved by name: a call of an interface's method reaches all methods of that
// name. Functions outside of the given packages are taken to call only functions that they are
// given.
package shared

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/identity"
)

// Package is one type-checked package.
type Package struct {
	Files []*ast.File
	Info  *types.Info // Types, Defs, Uses, Selections and FileVersions
	// GoVersion is the module's language version, "go1.21"; empty: the newest.
	GoVersion string
	// InOrder says that no loop is a service: all loops take values in the order in which these
	// come.
	InOrder bool
}

// Variables are the shared variables of a program.
type Variables struct {
	fset    *token.FileSet
	shared  map[key]bool
	pointed map[key]bool    // variables whose address is taken
	owned   map[key]bool    // local variables that their own body alone touches
	kept    map[key]bool    // those of them whose slices and maps nobody else gets
	given   map[string]bool // import paths of the packages
}

// key names a variable, a function or a pointer's target, the same in all type-checked variants of
// a package. It is a position, or "*" and a type, "[]" and the type of elements, "map" and a map's
// type. A method that is called through an interface is a dot and its name.
type key string

// Var reports whether several processes may touch v: a package-level or local variable, or a field
// of any struct.
func (vs *Variables) Var(v *types.Var) bool {
	k := at(vs.fset, v.Origin().Pos())
	return vs.shared[k] || vs.pointed[k] && vs.Target(v.Type())
}

// Own reports whether only the goroutine that has declared v can touch it, or a part of it: a local
// variable that no function literal captures, and whose address nobody takes.
func (vs *Variables) Own(v *types.Var) bool { return vs.owned[at(vs.fset, v.Pos())] }

// Keeps reports whether only the goroutine that has declared v, a slice or a map, can touch its
// elements.
func (vs *Variables) Keeps(v *types.Var) bool { return vs.kept[at(vs.fset, v.Pos())] }

// Target reports whether several processes may touch a variable of type t through a pointer.
func (vs *Variables) Target(t types.Type) bool { return vs.shared[target(t)] || vs.Element(t) }

// Element reports whether several processes may touch an element of type t of a slice.
func (vs *Variables) Element(t types.Type) bool { return vs.shared[element(t)] }

// Map reports whether several processes may touch a map of type t.
func (vs *Variables) Map(t types.Type) bool { return vs.shared[mapped(t)] }

// Parts reports whether several processes may touch a field inside of a variable of type t.
func (vs *Variables) Parts(t types.Type) bool {
	return slices.ContainsFunc(parts(vs.fset, t), func(k key) bool { return vs.shared[k] })
}

func at(fset *token.FileSet, pos token.Pos) key { return key(fset.Position(pos).String()) }

func method(name string) key { return key("." + name) }

func target(t types.Type) key { return key("*" + identity.Of(t)) }

func element(t types.Type) key { return key("[]" + identity.Of(t)) }

func mapped(t types.Type) key { return key("map" + identity.Of(t.Underlying())) }

// Find looks at all packages of a program at once.
func Find(fset *token.FileSet, packages []Package) *Variables {
	p := &program{
		fset: fset, bodies: map[key]*body{}, methods: map[key][]key{}, sites: map[key]int{},
		pointed: map[key]bool{}, lent: map[key]bool{}, given: map[key]bool{},
		targets: map[key]key{}, outside: newForeign(),
	}
	for _, pkg := range packages {
		p.read(pkg)
	}
	owned, kept := p.own()
	return &Variables{fset: fset, shared: p.shared(owned, kept), pointed: p.pointed, owned: owned,
		kept: kept, given: p.outside.paths}
}

// program is what is known of all bodies.
type program struct {
	fset    *token.FileSet
	bodies  map[key]*body
	order   []*body       // in source order
	methods map[key][]key // all that have a name, by method(name)
	// how often a function is called, or used as a value; in a loop counts twice
	sites   map[key]int
	pointed map[key]bool
	// variables of which the address of a part is taken, perhaps by a call of a method
	lent    map[key]bool
	given   map[key]bool // variables whose slice or map may have another name, too
	targets map[key]key  // of fields that are parts: what a pointer to the field leads to
	later   []access
	outside foreign
}

// access is one that counts unless the variable that it begins with is its process's own.
type access struct {
	b       *body
	root    key  // of a variable; empty if there is none
	inside  bool // of an element, and not of the variable itself
	touched []key
	kind    kind
}

// body is the code of one function.
type body struct {
	at      key
	test    bool // the tests begin with it
	touches map[key]kind
	calls   []key // that it may run
	starts  []start
	roots   []root // that lead to it, two at most
}

// kind is how a variable is touched.
type kind uint8

const (
	reads   kind = 1 << iota
	writes       // after the declaration
	own          // it is local to the body
	plainly      // not only by operations of package sync/atomic
)

// start is a function that another process may begin with.
type start struct {
	function key
	looped   bool
}

// own finds the local variables that their own bodies alone can touch, and those whose elements
// these alone can touch.
func (p *program) own() (owned, kept map[key]bool) {
	local, touching := map[key]bool{}, map[key]int{}
	for _, b := range p.order {
		for v, k := range b.touches {
			local[v] = local[v] || k&own != 0
			touching[v]++
		}
	}
	owned, kept = map[key]bool{}, map[key]bool{}
	for v, is := range local {
		owned[v] = is && touching[v] == 1 && !p.pointed[v] && !p.lent[v]
		kept[v] = owned[v] && !p.given[v]
	}
	return owned, kept
}

// shared combines the roots.
func (p *program) shared(owned, kept map[key]bool) map[key]bool {
	p.mark()
	for _, a := range p.later {
		private := owned
		if a.inside {
			private = kept
		}
		if a.root == "" || !private[a.root] {
			p.touchParts(a)
		}
	}
	all, touching, roots := map[key]kind{}, map[key]int{}, map[key][]root{}
	for _, b := range p.order {
		for v, k := range b.touches {
			all[v] |= k
			touching[v]++
			for _, r := range b.roots {
				r.several = r.several && k&own == 0
				roots[v] = add(roots[v], r)
			}
		}
	}
	shared := map[key]bool{}
	for v, k := range all {
		local := k&own != 0 && touching[v] == 1 && !p.pointed[v]
		shared[v] = k&writes != 0 && k&plainly != 0 && !local &&
			(len(roots[v]) > 1 || len(roots[v]) == 1 && roots[v][0].several)
	}
	return shared
}

// touchParts notes that a body touches all variables that an access names, and the targets of
// pointers to these parts.
func (p *program) touchParts(a access) {
	for _, k := range a.touched {
		a.b.touches[k] |= a.kind
		if p.pointed[k] {
			a.b.touches[p.targets[k]] |= a.kind
		}
	}
}

// root is what a process may begin with.
type root struct {
	function key
	several  bool // there may be several such processes
}

// tests stands for all tests, as a root.
const tests key = "tests"

// add puts r into a list of roots. Two are enough to know.
func add(list []root, r root) []root {
	for i := range list {
		if list[i].function == r.function {
			list[i].several = list[i].several || r.several
			return list
		}
	}
	if len(list) < 2 {
		list = append(list, r)
	}
	return list
}

// mark notes in each body which roots lead to it, two at most.
func (p *program) mark() {
	started, many := map[key]int{}, p.many()
	for _, b := range p.order {
		if b.test {
			p.lead(root{tests, false}, b.at)
		}
		for _, s := range b.starts {
			started[s.function]++
			if s.looped || many[b.at] {
				started[s.function]++
			}
		}
	}
	p.leadMethods()
	for _, b := range p.order {
		for _, s := range b.starts {
			p.lead(root{s.function, started[s.function] > 1}, s.function)
		}
	}
}

// many says which bodies may run more than once: those that are called from several places, in a
// loop, or from such a body.
func (p *program) many() map[key]bool {
	many := map[key]bool{}
	var work []key
	add := func(k key) {
		if !many[k] {
			many[k] = true
			work = append(work, k)
		}
	}
	for k, n := range p.sites {
		if n > 1 {
			add(k)
		}
	}
	for len(work) > 0 {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		for _, m := range p.methods[k] {
			add(m)
		}
		if b := p.bodies[k]; b != nil {
			for _, c := range b.calls {
				add(c)
			}
			for _, s := range b.starts {
				add(s.function)
			}
		}
	}
	return many
}

// leadMethods makes roots of the methods that code outside of the given packages may call: those of
// interfaces from there, and those that nobody calls by their names.
func (p *program) leadMethods() {
	for _, k := range p.outside.called() {
		p.lead(root{k, true}, k)
	}
	for name, list := range p.methods {
		if p.sites[name] > 0 {
			continue
		}
		for _, k := range list {
			if p.sites[k] == 0 {
				p.lead(root{k, true}, k)
			}
		}
	}
}

// lead marks what root r may run: function f and what that calls. A function for which two roots
// are known is not followed again: its callees have two, too.
func (p *program) lead(r root, f key) {
	for functions := []key{f}; len(functions) > 0; {
		f, functions = functions[len(functions)-1], functions[:len(functions)-1]
		functions = append(functions, p.methods[f]...)
		b := p.bodies[f]
		if b == nil || len(b.roots) == 2 || len(b.roots) == 1 && b.roots[0].function == r.function {
			continue
		}
		b.roots = append(b.roots, r)
		functions = append(functions, b.calls...)
	}
}

// isTest reports whether the tests begin with a declared function.
func isTest(d *ast.FuncDecl) bool {
	if d.Recv != nil {
		return false
	}
	for _, prefix := range []string{"Test", "Example", "Fuzz"} {
		if strings.HasPrefix(d.Name.Name, prefix) {
			return true
		}
	}
	return d.Name.Name == "main" || d.Name.Name == "init"
}
