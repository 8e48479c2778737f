package pointsto

import (
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"
)

// Instance is a function in a context.
type Instance struct {
	Func *ssa.Function

	ctx     *context
	regs    map[ssa.Value]nodeID  // first node of each register that holds addresses
	objects map[ssa.Value]*Object // what its instructions make
	lib     map[ssa.Instruction]*libraryCall
	results nodeID // of the tuple of results
	reached bool   // has been called
	calls   []Edge // whom, but by way of the library, in the order of discovery
}

// context is a list of call sites, innermost first. Equal contexts are one pointer; nil is the
// empty one.
type context struct {
	site   ssa.Instruction
	caller *context
}

// Context returns the call sites that tell in from other instances of its function, innermost
// first; none means that in stands for all calls.
func (in *Instance) Context() []ssa.Instruction {
	var out []ssa.Instruction
	for c := in.ctx; c != nil; c = c.caller {
		out = append(out, c.site)
	}
	return out
}

// String returns the function and the call sites: "NewX@main.go:12@main.go:3".
func (in *Instance) String() string {
	s := in.Func.RelString(nil)
	for _, site := range in.Context() {
		s += "@" + place(in.Func.Prog.Fset, site.Pos())
	}
	return s
}

func place(fset *token.FileSet, pos token.Pos) string {
	p := fset.Position(pos)
	if !p.IsValid() {
		return "-"
	}
	return filepath.Base(p.Filename) + ":" + strconv.Itoa(p.Line)
}

// Edge is a call of the call graph.
type Edge struct {
	Caller *Instance
	Site   ssa.CallInstruction
	Callee *Instance

	// Site calls the library, which calls Callee; it may have been given that by an earlier call
	Library bool
}

// libraryCall is a call of the library in one instance.
type libraryCall struct {
	in    *Instance
	site  ssa.CallInstruction
	self  *Object // what it makes, unless that is part of its receiver
	hosts []*host // what it works on, in the order of discovery
}

// host is a bag that calls of the library work on: a receiver, or what the call makes.
type host struct {
	at        cell
	askers    map[asker]bool // whose methods it calls
	asks      []asker        // that it has of its own, see nest
	inner     []*host        // of the bags that it has
	byName    bool           // calls all exported methods
	called    map[*Instance]bool
	callbacks []*Instance // in the order of discovery
}

// asker is an interface of the library, by its number, or all interfaces of a package.
type asker struct {
	pkg   *types.Package
	iface int
}

// asked is names of methods with their signatures.
type asked map[string][]*types.Signature

// errorMethods adds what package errors looks for with interfaces that have no name.
func (m asked) errorMethods() {
	err := types.NewTuple(types.NewVar(0, nil, "", errorType))
	errs := types.NewTuple(types.NewVar(0, nil, "", types.NewSlice(errorType)))
	target := types.NewTuple(types.NewVar(0, nil, "", types.NewInterfaceType(nil, nil)))
	is := types.NewTuple(types.NewVar(0, nil, "", types.Typ[types.Bool]))
	m["Unwrap"] = append(m["Unwrap"], types.NewSignatureType(nil, nil, nil, nil, err, false),
		types.NewSignatureType(nil, nil, nil, nil, errs, false))
	m["Is"] = append(m["Is"], types.NewSignatureType(nil, nil, nil, err, is, false))
	m["As"] = append(m["As"], types.NewSignatureType(nil, nil, nil, target, is, false))
}

// add adds the methods of all interfaces that p declares.
func (m asked) add(p *types.Package) {
	for _, name := range p.Scope().Names() {
		if t, ok := p.Scope().Lookup(name).(*types.TypeName); ok {
			if iface, ok := t.Type().Underlying().(*types.Interface); ok {
				m.addInterface(iface)
			}
		}
	}
}

func (m asked) addInterface(iface *types.Interface) {
	for f := range iface.Methods() {
		m[f.Name()] = append(m[f.Name()], f.Signature())
	}
}

// has reports whether an interface names f.
func (m asked) has(f *types.Func) bool {
	return slices.ContainsFunc(m[f.Name()], func(sig *types.Signature) bool {
		return types.Identical(sig, f.Signature())
	})
}

// callbacks returns what the library calls when in calls it at a site.
func (in *Instance) callbacks(site ssa.CallInstruction) []Edge {
	lc := in.lib[site]
	if lc == nil {
		return nil
	}
	var out []Edge
	seen := map[*Instance]bool{}
	for _, h := range nested(lc.hosts) {
		for _, callee := range h.callbacks {
			if !seen[callee] {
				seen[callee] = true
				out = append(out, Edge{Caller: in, Site: site, Callee: callee, Library: true})
			}
		}
	}
	return out
}

// nested returns hosts, and those of the bags in them, each once.
func nested(hosts []*host) []*host {
	out, seen := slices.Clone(hosts), map[*host]bool{}
	for _, h := range hosts {
		seen[h] = true
	}
	for i := 0; i < len(out); i++ {
		for _, h := range out[i].inner {
			if !seen[h] {
				seen[h] = true
				out = append(out, h)
			}
		}
	}
	return out
}
