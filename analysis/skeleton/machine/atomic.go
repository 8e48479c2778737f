package machine

import (
	"go/token"
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// atomicKind says what a function of sync/atomic does.
func atomicKind(full string) (trace.Kind, bool) {
	rest, ok := strings.CutPrefix(full, "sync/atomic.")
	if !ok {
		if rest, ok = strings.CutPrefix(full, "(*sync/atomic."); !ok {
			return 0, false
		}
		kind, method, _ := strings.Cut(rest, ").")
		if kind == "Value" || strings.HasPrefix(kind, "Pointer") {
			return 0, false
		}
		rest = method
	}
	for _, k := range []struct {
		prefix string
		kind   trace.Kind
	}{{"Load", trace.AtomicLoad}, {"Store", trace.AtomicStore}, {"Add", trace.AtomicUpdate},
		{"CompareAndSwap", trace.AtomicUpdate}, {"Swap", trace.AtomicUpdate}} {
		if strings.HasPrefix(rest, k.prefix) {
			return k.kind, !strings.Contains(rest, "Pointer")
		}
	}
	return 0, false
}

// atomic does an operation of sync/atomic: on the variable itself.
func (c *call) atomic(kind trace.Kind) {
	cell := c.target(0)
	if cell == nil {
		return
	}
	if cell.Parts() > 0 { // atomic.Int32 and the like: the number is in it
		if cell.Val == nil {
			cell.Val = int64(0)
			if c.in.Callee.Sig.Results().Len() > 0 {
				cell.Val = heap.Zero(c.in.Callee.Sig.Results().At(0).Type())
			}
			if why, unknown := cell.Unknown(); unknown || cell.Written() {
				cell.Val = c.h.Fresh(resultType(c), why, c.pos)
			}
		}
	} else {
		c.h.Load(cell)
	}
	o := c.h.Synced(cell, trace.Variable, &c.p.Process)
	name := c.in.Callee.Name
	c.p.declare(trace.Op{Kind: kind, Obj: o.ID}, c.pos, func(ev *trace.Event, _ int, _ heap.Value,
		_ bool) {
		c.set(atomically(c, cell, name, ev))
	})
}

func resultType(c *call) types.Type {
	if r := c.in.Callee.Sig.Results(); r.Len() == 1 {
		return r.At(0).Type()
	}
	return types.Typ[types.Int]
}

// atomically reads and writes, and returns the result.
func atomically(c *call, cell *heap.Cell, full string, ev *trace.Event) heap.Value {
	old := cell.Val
	name := full[strings.LastIndex(full, ".")+1:]
	switch {
	case strings.HasPrefix(name, "Load"):
		return old
	case strings.HasPrefix(name, "Store"):
		cell.Val = c.args[1]
		return nil
	case strings.HasPrefix(name, "Swap"):
		cell.Val = c.args[1]
		return old
	case strings.HasPrefix(name, "Add"):
		add := &skeleton.Instr{Tok: token.ADD, Type: resultType(c), Pos: c.pos}
		cell.Val = c.h.Binary(add, old, c.args[1])
		return cell.Val
	}
	is, known := heap.Equal(old, c.args[1])
	if !known {
		cell.Val = c.h.Fresh(types.Typ[types.Int], "a number", c.pos)
		return c.h.Fresh(types.Typ[types.Bool], "whether the value was changed", c.pos)
	}
	ev.OK = is
	if is {
		cell.Val = c.args[2]
	}
	return is
}
