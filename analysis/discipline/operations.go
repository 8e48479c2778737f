package discipline

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Kind is what an operation does to a channel.
type Kind int

const (
	Send Kind = iota
	Receive
	Close
)

// Op is one channel operation. Each case of a select is one.
type Op struct {
	Kind Kind
	Ch   ssa.Value
	// what is sent, if it is seen; the received message, if something looks at it; or nil
	Msg   ssa.Value
	At    ssa.Instruction
	Pos   token.Pos
	Alone bool // it waits for this channel and for nothing else
}

// In returns the function that o is in.
func (o *Op) In() *ssa.Function { return o.At.Parent() }

// operations returns the operations of an instruction.
func (c *Index) operations(instr ssa.Instruction) []*Op {
	switch i := instr.(type) {
	case *ssa.Send:
		return []*Op{{Send, i.Chan, i.X, i, i.Pos(), true}}
	case *ssa.UnOp:
		if i.Op == token.ARROW {
			return []*Op{{Receive, i.X, received(i, i.CommaOk), i, i.Pos(), true}}
		}
	case *ssa.Select:
		return cases(i)
	case ssa.CallInstruction:
		if b, ok := i.Common().Value.(*ssa.Builtin); ok && b.Name() == "close" {
			return []*Op{{Close, i.Common().Args[0], nil, i, i.Pos(), true}}
		}
		return c.operationsBy(i)
	}
	return nil
}

// operationsBy returns what a function of another package does to the channels that it is given, at
// the call. It may also do nothing.
func (c *Index) operationsBy(call ssa.CallInstruction) []*Op {
	use := c.channelUse(call.Common())
	if use == nil || kernel.IsGo(call) {
		return nil
	}
	var out []*Op
	for i, u := range use.Params {
		a := argumentOf(call.Common(), i)
		for k, bit := range []Use{Send: Sends, Receive: Receives, Close: Closes} {
			if a != nil && u&bit != 0 && u&Retains == 0 {
				out = append(out, &Op{Kind(k), a, nil, call, call.Pos(), false})
			}
		}
	}
	return out
}

// channelUse returns what is known of a function of another package that is called, or nil.
func (c *Index) channelUse(call *ssa.CallCommon) *ChannelUse {
	fn := call.StaticCallee()
	if fn == nil || c.Static(call) != nil {
		return nil
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok || obj.Pkg() == nil {
		return nil
	}
	return c.uses(obj)
}

// argumentOf returns the argument for parameter i, the receiver not counted, if it is a channel;
// else nil.
func argumentOf(call *ssa.CallCommon, i int) ssa.Value {
	if call.Signature().Recv() != nil {
		i++
	}
	if i >= len(call.Args) {
		return nil
	}
	if _, ok := call.Args[i].Type().Underlying().(*types.Chan); !ok {
		return nil
	}
	return call.Args[i]
}

func cases(sel *ssa.Select) []*Op {
	var out []*Op
	n := 2 // an index and ok come first
	for _, st := range sel.States {
		o := &Op{Send, st.Chan, st.Send, sel, st.Pos, false}
		if st.Dir == types.RecvOnly {
			o.Kind, o.Msg = Receive, kernel.Extracted(sel, n)
			n++
		}
		out = append(out, o)
	}
	return out
}

func received(v *ssa.UnOp, commaOk bool) ssa.Value {
	if commaOk {
		return kernel.Extracted(v, 0)
	}
	if len(*v.Referrers()) == 0 {
		return nil
	}
	return v
}

// After returns where control is when r has received, or has sent.
func After(r *Op) (*ssa.BasicBlock, int) {
	sel, ok := r.At.(*ssa.Select)
	if !ok {
		return r.At.Block(), kernel.IndexOf(r.At) + 1
	}
	index := kernel.Extracted(sel, 0)
	if index == nil {
		return nil, 0
	}
	for k, st := range sel.States {
		if st.Pos != r.Pos {
			continue
		}
		for _, ref := range *index.Referrers() {
			if b, ok := ref.(*ssa.BinOp); ok && kernel.IsInt(b.Y, int64(k)) {
				return kernel.IfTrue(b), 0
			}
		}
	}
	return nil, 0
}

// MaxTask is how many calls down a request is followed.
const MaxTask = 4
