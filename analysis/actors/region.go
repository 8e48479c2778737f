package actors

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// also adds the code of b, which starts the same loop in another way.
func (a *Actor) also(b *Actor) {
	a.Goroutines = append(a.Goroutines, b.Goroutines...)
	a.Start = a.Start.merge(b.Start)
	for _, h := range b.Tasks {
		if i := slices.IndexFunc(a.Tasks, h.same); i >= 0 {
			a.Tasks[i].Code = a.Tasks[i].Code.merge(h.Code)
			a.Tasks[i].Closed = a.Tasks[i].Closed.merge(h.Closed)
			a.Tasks[i].Round = mergeRounds(a.Tasks[i].Round, h.Round)
		}
	}
}

func mergeRounds(c, d *Code) *Code {
	if c == nil || d == nil {
		return nil
	}
	both := c.merge(*d)
	return &both
}

func (h *Handler) same(x *Handler) bool {
	return h.Receive.Pos == x.Receive.Pos && h.Kind == x.Kind && h.Pos == x.Pos
}

// merge returns code that covers c and d.
func (c Code) merge(d Code) Code {
	if c.Into == nil {
		return d
	}
	byFn := map[*ssa.Function]*Region{}
	for _, r := range c.Regions {
		byFn[r.Fn] = r
	}
	for _, r := range d.Regions {
		if have := byFn[r.Fn]; have != nil {
			have.add(r.Instrs)
		} else {
			byFn[r.Fn] = r
			c.Regions = append(c.Regions, r)
		}
	}
	c.Ends, c.Same = c.Ends && d.Ends, c.Same && d.Same
	c.Counts = append(c.Counts, d.Counts...)
	for call, r := range d.Into {
		if have := byFn[r.Fn]; have != nil {
			r = have
		}
		c.Into[call] = r
	}
	return c
}

// add adds instructions, in the order of the blocks.
func (r *Region) add(instrs []ssa.Instruction) {
	in := map[ssa.Instruction]bool{}
	for _, i := range append(instrs, r.Instrs...) {
		in[i] = true
	}
	r.Instrs = nil
	for i := range kernel.All(r.Fn) {
		if in[i] {
			r.Instrs = append(r.Instrs, i)
		}
	}
}

// name names an actor after the function of its loop: "Server.loop", "New.func1".
func name(fn *ssa.Function) string {
	return strings.NewReplacer("(*", "", "(", "", ")", "").Replace(shortName(fn))
}

// shortName returns the name as stacks print it, without the package: "(*Server).loop",
// "New.func1". Type parameters are left out.
func shortName(fn *ssa.Function) string {
	if fn.Pkg == nil {
		return fn.String()
	}
	s := strings.ReplaceAll(fn.RelString(fn.Pkg.Pkg), "$", ".func")
	if i, j := strings.IndexByte(s, '['), strings.LastIndexByte(s, ']'); i >= 0 && i < j {
		s = s[:i] + s[j+1:]
	}
	return s
}

// result returns which part of the instruction's result is the message.
func (r *Receive) result() (i int, tuple bool) {
	switch x := r.Instr.(type) {
	case *ssa.UnOp:
		return 0, x.CommaOk
	case *ssa.Select:
		i = 2 // an index and ok come first
		for _, st := range x.States {
			if st.Pos == r.Pos {
				return i, true
			}
			if st.Dir == types.RecvOnly {
				i++
			}
		}
	}
	return i, true
}
