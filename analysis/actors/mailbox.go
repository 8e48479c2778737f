package actors

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// boxes groups g's looping receives by place.
func (p *mailboxes) boxes(g *Goroutine) []*Box {
	var out []*Box
	byPlace := map[any]*Box{}
	for _, r := range g.Receives {
		b := byPlace[r.Place]
		if b == nil {
			b = &Box{}
			byPlace[r.Place] = b
			out = append(out, b)
		}
		b.Receives = append(b.Receives, r)
	}
	names := map[string]int{}
	for _, b := range out {
		b.Mailbox = p.mailbox(g, b.Receives)
		if names[b.Name]++; names[b.Name] > 1 {
			b.Name += "#" + strconv.Itoa(names[b.Name])
		}
	}
	return out
}

func (p *mailboxes) mailbox(g *Goroutine, rs []*Receive) facts.Mailbox {
	r := rs[0]
	origins := p.origins(r.Chan)
	m := facts.Mailbox{
		Name: r.site.name(),
		Elem: types.TypeString(elem(r.Chan), qualifier(r.run.fn)),
		Pos:  p.pos(r.Pos),
	}
	m.Capacity, m.Makes = p.makes(origins)
	m.Nilable = slices.ContainsFunc(rs,
		func(r *Receive) bool { return slices.ContainsFunc(p.origins(r.Chan), kernel.IsNil) })
	m.Kind = p.role(g, rs, origins)
	return m
}

// qualifier writes types as the package of fn does.
func qualifier(fn *ssa.Function) types.Qualifier {
	if fn.Pkg == nil {
		return nil
	}
	return func(p *types.Package) string {
		if p == fn.Pkg.Pkg {
			return ""
		}
		return p.Name()
	}
}

// makes returns the capacity that all makes agree on, and where they are.
func (p *mailboxes) makes(origins []ssa.Value) (capacity string, at []facts.Pos) {
	var sizes []string
	var poss []token.Pos
	for _, o := range origins {
		if kernel.IsNil(o) {
			continue
		}
		size := "unknown"
		if m, ok := o.(*ssa.MakeChan); ok {
			poss = append(poss, m.Pos())
			if c, ok := m.Size.(*ssa.Const); ok {
				size = strconv.Itoa(int(c.Int64()))
			}
		}
		sizes = append(sizes, size)
	}
	slices.SortFunc(poss, cmp.Compare)
	for _, pos := range slices.Compact(poss) {
		at = append(at, p.pos(pos))
	}
	slices.Sort(sizes)
	if sizes = slices.Compact(sizes); len(sizes) == 1 {
		return sizes[0], at
	}
	return "unknown", at
}

// role tells what the channel is for.
func (p *mailboxes) role(g *Goroutine, rs []*Receive, origins []ssa.Value) facts.Role {
	switch {
	case isTick(rs[0], origins):
		return facts.Timer
	case p.isControl(rs, origins):
		return facts.Control
	case p.isReply(g, rs[0], origins):
		return facts.Reply
	case p.isToken(rs, origins):
		return facts.Token
	}
	return facts.Data
}

// isTick: the elements of a ticker's channel are times. A channel of times that the program makes
// is data.
func isTick(r *Receive, origins []ssa.Value) bool {
	named := kernel.NamedOf(elem(r.Chan))
	if named == nil || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "time" ||
		named.Obj().Name() != "Time" {
		return false
	}
	return !slices.ContainsFunc(origins,
		func(o ssa.Value) bool { _, ok := o.(*ssa.MakeChan); return ok })
}

// isControl: Context.Done, a channel that carries no data and ends the loop or that nobody is seen
// to send to, or a channel of bool or error that ends the loop.
func (p *mailboxes) isControl(rs []*Receive, origins []ssa.Value) bool {
	if slices.ContainsFunc(origins, isDone) {
		return true
	}
	ends := !slices.ContainsFunc(rs, func(r *Receive) bool { return !p.ends(r) })
	sent := len(p.sendsTo(rs[0].Chan)) > 0
	switch t := elem(rs[0].Chan).Underlying().(type) {
	case *types.Struct:
		return kernel.IsEmptyStruct(t) && (ends || !sent)
	case *types.Basic:
		return t.Kind() == types.Bool && ends && rs[0].site.shape == facts.Select
	case *types.Interface:
		return types.Identical(t, types.Universe.Lookup("error").Type().Underlying()) && ends &&
			rs[0].site.shape == facts.Select
	}
	return false
}

// isDone reports whether v is what a Done method of a context returns.
func isDone(v ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	if c.Call.IsInvoke() {
		return c.Call.Method.Name() == "Done"
	}
	fn := c.Call.StaticCallee()
	return fn != nil && fn.Name() == "Done" && fn.Signature.Recv() != nil
}

// ends reports whether the receive always leaves its loop.
func (p *mailboxes) ends(r *Receive) bool {
	if r.run != nil && r.run.looped {
		return false // it goes back to the loop, which may end or not
	}
	b := r.site.body
	return len(b) > 0 && stops(b[len(b)-1], r.site.shape) || !p.cyclic(afterReceive(r))
}

// afterReceive returns the first instruction that runs only when r has received.
func afterReceive(r *Receive) ssa.Instruction {
	if sel, ok := r.Instr.(*ssa.Select); ok {
		if at, ok := caseEdge(sel, r.state()); ok {
			return at.from.Succs[at.succ].Instrs[0]
		}
	}
	return r.Instr
}

// isReply: the goroutine itself made the channel, or the request that holds it, once per task. It
// may have made it once for all if the channel only signals that a message has been dealt with.
func (p *mailboxes) isReply(g *Goroutine, r *Receive, origins []ssa.Value) bool {
	if b, _ := p.rootBase(r.Chan, r.run); p.perTask(g, b) {
		return true
	}
	signal := kernel.IsEmptyStruct(elem(r.Chan))
	made := slices.DeleteFunc(slices.Clone(origins), kernel.IsNil)
	return len(made) > 0 && !slices.ContainsFunc(made,
		func(o ssa.Value) bool { return !p.perTask(g, o) && !(signal && p.ownMake(g, o)) })
}

// ownMake reports whether v is a channel that g makes.
func (p *mailboxes) ownMake(g *Goroutine, v ssa.Value) bool {
	m, ok := v.(*ssa.MakeChan)
	return ok && g.Runs(m.Parent())
}

// perTask reports whether a loop of g makes v, a channel or an object.
func (p *mailboxes) perTask(g *Goroutine, v ssa.Value) bool {
	switch m := v.(type) {
	case *ssa.MakeChan, *ssa.Alloc:
		at := m.(ssa.Instruction)
		for _, r := range g.runs {
			if r.fn == at.Parent() {
				return r.looped || p.cyclic(at)
			}
		}
	}
	return false
}

// isToken: a lock, or a semaphore. The message is thrown away; the function that makes the channel
// also fills it; and every other sender has received from it before, or was started by one that
// has.
func (p *mailboxes) isToken(rs []*Receive, origins []ssa.Value) bool {
	if slices.ContainsFunc(rs, func(r *Receive) bool { return !r.Discards() }) {
		return false
	}
	makers := map[*ssa.Function]bool{}
	for _, o := range origins {
		if m, ok := o.(*ssa.MakeChan); ok {
			makers[m.Parent()] = true
		}
	}
	filled := false
	for _, s := range p.sendsTo(rs[0].Chan) {
		fn := s.Instr.Parent()
		switch {
		case makers[fn]:
			filled = true
		case !p.takes(fn, rs[0].Place) && !p.takes(fn.Parent(), rs[0].Place):
			return false
		}
	}
	return filled
}

// takes reports whether fn receives from the place.
func (p *mailboxes) takes(fn *ssa.Function, place any) bool {
	return fn != nil && slices.ContainsFunc(p.receivesIn(fn),
		func(r *Receive) bool { return r.Place == place })
}

// drained reports whether nothing is done for the messages of b.
func (b *Box) drained() bool {
	return !slices.ContainsFunc(b.Receives,
		func(r *Receive) bool {
			return len(r.site.body) > 0 || !r.Discards() ||
				r.site.shape == facts.Select
		})
}
