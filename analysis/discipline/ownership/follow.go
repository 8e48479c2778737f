package ownership

import (
	"go/token"
	"go/types"
	"maps"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// held are the values and variables that share memory with a message on one path. The keys are
// *ssa.Value and loci; a shortened slice starts at the same place and has room for what it no
// longer shows.
type held map[any]memory

type memory int

const (
	whole memory = 1 + iota
	shortened
)

// touchAfter returns the first instruction that touches the message of o, by touches, on a path
// from o on which nothing waits.
func (c check) touchAfter(o *discipline.Op,
	touches func(*follow, ssa.Instruction, held) bool) ssa.Instruction {
	start := held{}
	v := o.Msg
	if i, ok := v.(*ssa.MakeInterface); ok {
		v = i.X
	}
	c.hold(start, v)
	b, i := discipline.After(o)
	if b == nil {
		return nil
	}
	f := &follow{code: c.Package, touches: touches, seen: map[*ssa.BasicBlock]int{}}
	return f.from(b, i, start)
}

// hold notes that v is the message, and so is every value that v is a part or a copy of.
func (c check) hold(h held, v ssa.Value) {
	for {
		h[v] = whole
		switch x := v.(type) {
		case *ssa.Slice:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.UnOp:
			if x.Op == token.MUL {
				h[discipline.Locate(x)] = whole
			}
			return
		default:
			return
		}
	}
}

// follow walks the paths after a send.
type follow struct {
	code    *discipline.Package
	touches func(*follow, ssa.Instruction, held) bool
	seen    map[*ssa.BasicBlock]int // how often a block was entered
}

// maxEntries bounds how often a block is entered, each time with other held values.
const maxEntries = 4

func (f *follow) from(b *ssa.BasicBlock, i int, h held) ssa.Instruction {
	for _, instr := range b.Instrs[i:] {
		if f.touches(f, instr, h) {
			return instr
		}
		if f.code.Waits(instr) {
			return nil
		}
		f.update(instr, h)
	}
	for _, s := range b.Succs {
		if f.seen[s]++; f.seen[s] > maxEntries {
			continue
		}
		if w := f.from(s, 0, enter(s, b, h)); w != nil {
			return w
		}
	}
	return nil
}

// enter returns what is held at the begin of s, coming from b.
func enter(s, b *ssa.BasicBlock, h held) held {
	out := maps.Clone(h)
	for k, p := range s.Preds {
		if p != b {
			continue
		}
		for _, i := range s.Instrs {
			phi, ok := i.(*ssa.Phi)
			if !ok {
				break
			}
			out.set(phi, h[phi.Edges[k]])
		}
		break
	}
	return out
}

func (h held) set(key any, m memory) {
	if m == 0 {
		delete(h, key)
	} else {
		h[key] = m
	}
}

// update notes what instr holds after it has run.
func (f *follow) update(instr ssa.Instruction, h held) {
	switch i := instr.(type) {
	case *ssa.Phi:
	case *ssa.Store:
		h.set(discipline.Locate(i.Addr), h[i.Val])
	case *ssa.Slice:
		m := h[i.X]
		if m != 0 && i.High != nil {
			m = shortened
		}
		h.set(i, m)
	case *ssa.ChangeType:
		h.set(i, h[i.X])
	case *ssa.UnOp:
		if i.Op == token.MUL {
			h.set(i, h[discipline.Locate(i)])
		}
	case *ssa.Call:
		if f.code.Static(i.Common()) != nil {
			h.forgetFields()
		}
		delete(h, instr.(ssa.Value))
	case ssa.Value:
		delete(h, i)
	}
}

// forgetFields drops what is known of fields: a call may have assigned to them.
func (h held) forgetFields() {
	maps.DeleteFunc(h, func(k any, _ memory) bool {
		l, ok := k.(discipline.Locus)
		return ok && l.Last != nil
	})
}

// writes reports whether instr writes to what is held.
func (f *follow) writes(instr ssa.Instruction, h held) bool {
	switch i := instr.(type) {
	case *ssa.Store:
		return h.inside(i.Addr)
	case *ssa.MapUpdate:
		return h[i.Map] != 0
	case *ssa.Call:
		return callWrites(i.Common(), h)
	}
	return false
}

// inside reports whether an address is in memory that is held.
func (h held) inside(addr ssa.Value) bool {
	if _, variable := addr.(*ssa.Alloc); variable {
		return h[addr] != 0
	}
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr = x.X
		case *ssa.IndexAddr:
			addr = x.X
		default:
			return false
		}
		if h[addr] != 0 {
			return true
		}
	}
}

// callWrites reports whether a call writes to a slice or map that is held.
func callWrites(call *ssa.CallCommon, h held) bool {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append":
			return h[call.Args[0]] == shortened
		case "copy", "delete", "clear":
			return h[call.Args[0]] != 0
		}
		return false
	}
	args := call.Args
	switch kernel.CalleeName(call) {
	case "Read":
		if !call.IsInvoke() && len(args) > 0 && call.Signature().Recv() != nil {
			args = args[1:]
		}
		return len(args) == 1 && isBytes(args[0].Type()) && h[args[0]] != 0
	case "ReadFull", "ReadAtLeast":
		return len(args) > 1 && isBytes(args[1].Type()) && h[args[1]] != 0
	}
	return false
}

func isBytes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(s.Elem(), types.Typ[types.Byte])
}
