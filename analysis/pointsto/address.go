package pointsto

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// address is a pointer that need not be in a register: node or cell plus an offset.
type address struct {
	node nodeID
	cell cell // if it is known
	off  int
}

func (p address) field(off int) address { p.off += off; return p }

// place returns where v points to. Addresses of parts, and of variables of the same function, have
// no nodes.
func (g *generator) place(v ssa.Value) address {
	switch x := v.(type) {
	case *ssa.FieldAddr:
		return g.place(x.X).field(g.types.fieldOffset(kernel.Deref(x.X.Type()), x.Field))
	case *ssa.IndexAddr:
		return g.place(x.X)
	case *ssa.Global:
		return address{cell: g.packageLevel(x).first}
	case *ssa.Alloc:
		return address{cell: g.alloc(x).first}
	}
	return address{node: g.value(v)}
}

// fieldOffset is the leaf at which field i of struct t begins; 0 in a library struct.
func (u *universe) fieldOffset(t types.Type, i int) int {
	if u.libraryStruct(t) {
		return 0
	}
	return u.layout(t).fields[i]
}

// addressOf returns a node for the address of a part, which somebody keeps.
func (g *generator) addressOf(v ssa.Value) nodeID {
	if !kept(v) {
		return 0
	}
	p := g.place(v)
	switch {
	case p.cell != none:
		return g.holds(g.cells.at(p.cell, p.off))
	case p.off == 0:
		return p.node
	}
	n := g.newNodes(1)
	g.rule(p.node, &offsetRule{&g.bags, p.off, n})
	return n
}

// kept reports whether the address of a part is used for more than to load and store there.
func kept(v ssa.Value) bool {
	for _, ref := range *v.Referrers() {
		switch r := ref.(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.DebugRef:
		case *ssa.UnOp:
			if r.Op != token.MUL {
				return true
			}
		case *ssa.Store:
			if r.Val == v {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// load makes the nodes of dst include what a value of type l has at p.
func (g *generator) load(p address, dst nodeID, l *layout) {
	if dst == 0 || len(l.refs) == 0 {
		return
	}
	r := &loadRule{&g.bags, p.off, l, dst}
	if p.cell != none {
		r.apply(p.cell)
		return
	}
	g.rule(p.node, r)
}

// store puts v at p.
func (g *generator) store(p address, v ssa.Value) {
	g.storeAs(p, g.value(v), g.types.layout(v.Type()))
}

func (g *generator) storeAs(p address, from nodeID, l *layout) {
	if from == 0 || len(l.refs) == 0 {
		return
	}
	r := &storeRule{&g.bags, p.off, l, from}
	if p.cell != none {
		r.apply(p.cell)
		return
	}
	g.rule(p.node, r)
}

// copy makes each node of a value of type t include that of another.
func (a *objects) copy(from, to nodeID, t types.Type) {
	if from == 0 || to == 0 {
		return
	}
	for i := range a.types.layout(t).refs {
		a.edge(from+nodeID(i), to+nodeID(i))
	}
}

// mix copies between a library struct and a type of the program that is declared as the same
// struct.
func (a *objects) mix(from nodeID, f *layout, to nodeID, t *layout) {
	for i := range f.refs {
		for j := range t.refs {
			a.edge(from+nodeID(i), to+nodeID(j))
		}
	}
}
