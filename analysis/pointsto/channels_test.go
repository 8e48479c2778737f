package pointsto

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// channelOp is an operation on a channel in one instance.
type channelOp struct {
	verb  string          // "senders", "receivers" (also by range), "closers"
	instr ssa.Instruction // Send, UnOp, Select, or a call
	index int             // of the state of a Select; -1 elsewhere
	ch    ssa.Value       // the operand
	in    *Instance
}

// channelOps returns all operations on channels that are reached, in the order of discovery.
func (r *Result) channelOps() (ops []channelOp) {
	r.eachInstruction(func(in *Instance, instr ssa.Instruction) {
		switch x := instr.(type) {
		case *ssa.Send:
			ops = append(ops, channelOp{"senders", x, -1, x.Chan, in})
		case *ssa.UnOp:
			if x.Op == token.ARROW {
				ops = append(ops, channelOp{"receivers", x, -1, x.X, in})
			}
		case *ssa.Select:
			for i, st := range x.States {
				verb := "receivers"
				if st.Dir == types.SendOnly {
					verb = "senders"
				}
				ops = append(ops, channelOp{verb, x, i, st.Chan, in})
			}
		case ssa.CallInstruction:
			if b, ok := x.Common().Value.(*ssa.Builtin); ok && b.Name() == "close" {
				ops = append(ops, channelOp{"closers", x, -1, x.Common().Args[0], in})
			}
		}
	})
	return ops
}

func (r *Result) eachInstruction(f func(*Instance, ssa.Instruction)) {
	for _, in := range r.a.reached {
		for _, b := range in.Func.Blocks {
			for _, instr := range b.Instrs {
				f(in, instr)
			}
		}
	}
}

// targets returns the channels that an operation may work on.
func (r *Result) targets(op channelOp) Set { return r.PointsToIn(op.in, op.ch) }

// operations returns what is done with ch; "foreign": what gives it to the library.
func (r *Result) operations(ch *Object, verb string) (out []channelOp) {
	for _, op := range append(r.channelOps(), r.foreign()...) {
		if op.verb == verb && slices.Contains(r.targets(op).Objects(), ch) {
			out = append(out, op)
		}
	}
	return out
}

// foreign returns the channels among the arguments of calls of the library.
func (r *Result) foreign() (ops []channelOp) {
	r.eachInstruction(func(in *Instance, instr ssa.Instruction) {
		if site, ok := instr.(ssa.CallInstruction); ok && in.lib[instr] != nil {
			for _, v := range site.Common().Args {
				if isChan(v) {
					ops = append(ops, channelOp{"foreign", instr, -1, v, in})
				}
			}
		}
	})
	return ops
}

// isChan reports whether v is a channel, perhaps in an interface.
func isChan(v ssa.Value) bool {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	_, ok := v.Type().Underlying().(*types.Chan)
	return ok
}
