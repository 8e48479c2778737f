package ownership

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// write is a write of a receiver to what a message refers to.
type write struct {
	at    ssa.Instruction
	field *types.Var // of the struct; nil for an element of a slice, an array or a map
}

// writtenBy returns the writes of a receiver of o's channel, on another process, to what the
// message refers to, before anything that may wait for the sender. A message that is a part of a
// slice has no such writes: the two processes have divided the slice between them.
func (c check) writtenBy(o *discipline.Op) []write {
	var out []write
	if _, part := o.Msg.(*ssa.Slice); part {
		return nil
	}
	for _, r := range c.Flow.Of(o.Ch).Ops[discipline.Receive] {
		if r.Msg == nil || !types.Identical(kernel.Elem(r.Ch), kernel.Elem(o.Ch)) ||
			!c.apart(o.In(), r.In()) {
			continue
		}
		if b, i := discipline.After(r); b != nil {
			out = append(out, c.writesFrom(b, i, r.Msg, discipline.MaxTask)...)
		}
	}
	return out
}

// writesFrom returns the writes to what v refers to, on the paths from instruction i of b on which
// nothing waits. Functions of the package that are called with v count, down to a depth.
func (c check) writesFrom(b *ssa.BasicBlock, i int, v ssa.Value, depth int) []write {
	at := discipline.Locate(v)
	var out []write
	kernel.Search(b, i, func(i ssa.Instruction) kernel.Answer {
		switch x := i.(type) {
		case *ssa.Store:
			switch addr := x.Addr.(type) {
			case *ssa.FieldAddr:
				if refers(addr.X.Type()) && discipline.Locate(addr.X) == at {
					out = append(out, write{i, kernel.FieldVar(addr.X.Type(), addr.Field)})
				}
			case *ssa.IndexAddr:
				if refers(addr.X.Type()) && discipline.Locate(addr.X) == at {
					out = append(out, write{i, nil})
				}
			}
		case *ssa.MapUpdate:
			if discipline.Locate(x.Map) == at {
				out = append(out, write{i, nil})
			}
		case *ssa.Call:
			out = append(out, c.writesOf(x, at, depth)...)
		}
		if c.Waits(i) {
			return kernel.Blocked
		}
		return kernel.Onward
	})
	return out
}

// writesOf returns the writes of the function that is called to the argument that is at.
func (c check) writesOf(call *ssa.Call, at discipline.Locus, depth int) []write {
	fn := c.Static(call.Common())
	if fn == nil || depth == 0 {
		return nil
	}
	for k, a := range call.Call.Args {
		if refers(a.Type()) && discipline.Locate(a) == at {
			return c.writesFrom(fn.Blocks[0], 0, fn.Params[k], depth-1)
		}
	}
	return nil
}

// readBy reports whether instr reads, from what is held, what w writes.
func (w write) readBy(_ *follow, instr ssa.Instruction, h held) bool {
	switch i := instr.(type) {
	case *ssa.UnOp:
		switch addr := i.X.(type) {
		case *ssa.FieldAddr:
			return w.field != nil && kernel.FieldVar(addr.X.Type(), addr.Field) == w.field &&
				h[addr.X] == whole
		case *ssa.IndexAddr:
			return w.field == nil && h[addr.X] != 0
		}
	case *ssa.Lookup:
		return w.field == nil && h[i.X] != 0
	}
	return false
}
