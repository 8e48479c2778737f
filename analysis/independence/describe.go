package independence

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/actors"
	"github.com/rehearse-go/rehearse/analysis/effects"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// task writes what t does as plain data.
func (p *program) task(h *actors.Handler, t *effects.Task, foreign *foreign) facts.Task {
	out := facts.Task{Handler: h.Name(), Pos: h.Pos, Receive: p.a.Position(h.Receive.Pos)}
	if sel, ok := h.Receive.Instr.(*ssa.Select); ok {
		out.Select = p.a.Position(sel.Pos())
		out.Case = slices.IndexFunc(sel.States,
			func(s *ssa.SelectState) bool { return s.Pos == h.Receive.Pos })
	}
	for _, x := range t.Accesses {
		out.Accesses = append(out.Accesses, p.access(x, foreign))
	}
	for i := range t.Sends {
		out.Sends = append(out.Sends, p.send(&t.Sends[i], p.to[sending{t, i}]))
	}
	for _, o := range t.Operations {
		out.Operations = append(out.Operations, p.operation(o))
	}
	return out
}

func (p *program) access(x *effects.Access, foreign *foreign) facts.Access {
	out := facts.Access{Location: x.Loc.Facts(p.a.Position), Mode: facts.Mode(x.Mode()), By: x.By,
		Key: x.Key, Value: x.Value, At: p.positions(x.At)}
	if at, ok := foreign.access(x); ok {
		out.Shared = p.a.Position(at)
	}
	return out
}

func (p *program) send(s *effects.Sending, to []facts.Target) facts.Send {
	out := facts.Send{Channel: s.What, Carried: s.Carried, Elem: s.Elem(), To: to,
		Spawned: s.Spawned, Depth: s.Depth, At: p.a.Position(s.Pos)}
	if kind := p.a.Kind(s); kind != nil {
		out.Kind = effects.TypeName(kind)
	}
	return out
}

// sent returns how many messages each task of h's counted loop sends itself, whose effects are t;
// nil if that is not known.
func sent(h *actors.Handler, t *effects.Task) *int {
	list, ok := h.Sends()
	if !ok {
		return nil
	}
	n := 0
	for i := range t.Sends {
		if s := &t.Sends[i]; !s.Spawned {
			n++
			ok = ok && slices.ContainsFunc(list, func(i *ssa.Send) bool { return i.Pos() == s.Pos })
		}
	}
	if !ok || n != len(list) {
		return nil // a function that is called sends
	}
	return &n
}

// kinds has the names of operations.
var kinds = map[effects.Kind]facts.OperationKind{
	effects.Receive: facts.Receives,
	effects.Close:   facts.Closes,
	effects.Spawn:   facts.Spawns,
	effects.Block:   facts.Blocks,
	effects.Outside: facts.Outside,
	effects.Unknown: facts.Unknown,
	effects.Stop:    facts.Stops,
	effects.Defer:   facts.Defers,
}

func (p *program) operation(o effects.Operation) facts.Operation {
	return facts.Operation{Kind: kinds[o.Kind], What: o.What, At: p.positions(o.At)}
}

func (p *program) positions(at []token.Pos) []facts.Pos {
	out := make([]facts.Pos, len(at))
	for i, x := range at {
		out[i] = p.a.Position(x)
	}
	return out
}
