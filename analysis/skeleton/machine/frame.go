package machine

import (
	"go/token"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
)

// frame is a call that is under way. Its methods run the instructions of its function.
type frame struct {
	p      *Proc
	h      *heap.Heap
	fn     *skeleton.Func
	regs   []heap.Value
	block  int
	pc     int
	prev   int
	dst    int // the register of the caller that gets the result
	defers []*call
	visits map[int]int
	pos    token.Pos // of the call
	deep   bool      // see maxDepth: loops of unknown length have no round
	// deferred is set for a call that the frame below has deferred; it is to go on unwinding when
	// that returns.
	deferred  bool
	unwinding bool
	done      func(result heap.Value) // of a call by the machine itself
	unwound   func()                  // instead of done, after a panic or Goexit; may be nil
}

// set writes a register.
func (f *frame) set(dst int, v heap.Value) {
	if dst >= 0 {
		f.regs[dst] = v
	}
}

// get reads an operand.
func (f *frame) get(a skeleton.Arg) heap.Value {
	if a >= 0 {
		if v := f.regs[a]; v != nil {
			return v
		}
		return heap.Nil{}
	}
	if a == skeleton.NoArg {
		return nil
	}
	return f.h.Constant(f.fn, ^int(a))
}

// jump goes to the beginning of a block.
func (f *frame) jump(to int) {
	f.prev, f.block, f.pc = f.block, to, 0
	b := &f.fn.Blocks[to]
	if len(b.Phis) == 0 {
		return
	}
	edge := -1
	for i, q := range b.Preds {
		if q == f.prev {
			edge = i
		}
	}
	vals := make([]heap.Value, len(b.Phis))
	for i, phi := range b.Phis {
		if edge >= 0 {
			vals[i] = f.get(phi.Edges[edge])
		}
	}
	for i, phi := range b.Phis {
		if f.p.polled != nil && heap.Name(f.get(skeleton.Arg(phi.Dst))) != heap.Name(vals[i]) {
			f.p.polled = nil
		}
		f.regs[phi.Dst] = vals[i]
	}
}

// enter goes to a block, and counts the rounds of loops.
func (f *frame) enter(to int) {
	b := &f.fn.Blocks[to]
	if b.Loop == to {
		if f.visits == nil {
			f.visits = map[int]int{}
		}
		if from := &f.fn.Blocks[f.block]; !inLoop(f.fn, from, to) {
			f.visits[to] = 0
		}
		f.visits[to]++
		if f.visits[to] > maxRounds {
			f.p.m.unfinished("a loop has too many rounds")
		}
	}
	f.jump(to)
}
