package pointsto

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// OpKind says what is done with a channel.
type OpKind int

const (
	Send    OpKind = iota
	Receive        // also by range
	Close
	Foreign // the library is given the channel: anything may happen
)

var opNames = [...]string{"send", "receive", "close", "foreign"}

// String returns the name of the kind.
func (k OpKind) String() string { return opNames[k] }

// ChannelOp is an operation on a channel in one instance.
type ChannelOp struct {
	Kind  OpKind
	Instr ssa.Instruction // Send, UnOp, Select, or a call
	Case  int             // index of the state of a Select; -1 elsewhere
	Chan  ssa.Value       // the operand
	In    *Instance
}

// ChannelOps returns all operations on channels that are reached, in the order of discovery.
func (r *Result) ChannelOps() []ChannelOp { return slices.Clone(r.a.ops) }

// Targets returns the channels that an operation may work on.
func (r *Result) Targets(op ChannelOp) Set { return r.PointsToIn(op.In, op.Chan) }

// Senders returns the operations that may send to ch.
func (r *Result) Senders(ch *Object) []ChannelOp { return r.operations(ch)[Send] }

// Receivers returns the operations that may receive from ch.
func (r *Result) Receivers(ch *Object) []ChannelOp { return r.operations(ch)[Receive] }

// Closers returns the operations that may close ch.
func (r *Result) Closers(ch *Object) []ChannelOp { return r.operations(ch)[Close] }

// Foreign returns the calls that give ch to the library.
func (r *Result) Foreign(ch *Object) []ChannelOp { return r.operations(ch)[Foreign] }

func (r *Result) operations(ch *Object) map[OpKind][]ChannelOp {
	if r.uses == nil {
		r.uses = map[*Object]map[OpKind][]ChannelOp{}
		for _, op := range append(r.ChannelOps(), r.foreign()...) {
			for _, o := range r.Targets(op).Objects() {
				if r.uses[o] == nil {
					r.uses[o] = map[OpKind][]ChannelOp{}
				}
				r.uses[o][op.Kind] = append(r.uses[o][op.Kind], op)
			}
		}
	}
	return r.uses[ch]
}

// foreign returns the channels among the arguments of calls of the library.
func (r *Result) foreign() []ChannelOp {
	var out []ChannelOp
	for _, in := range r.a.reached {
		for _, b := range in.Func.Blocks {
			for _, instr := range b.Instrs {
				if site, ok := instr.(ssa.CallInstruction); ok && in.lib[instr] != nil {
					for _, v := range site.Common().Args {
						if isChan(v) {
							out = append(out, ChannelOp{Foreign, instr, -1, v, in})
						}
					}
				}
			}
		}
	}
	return out
}

// isChan reports whether v is a channel, perhaps in an interface.
func isChan(v ssa.Value) bool {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	_, ok := v.Type().Underlying().(*types.Chan)
	return ok
}
