package blocking

import (
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// A constructor may start goroutines that take locks of the object. The constructor's own search
// tells which locks these goroutines take. The machine runs the constructor, and then a method that
// takes the locks in the opposite order, or waits for such a goroutine.

// afterMaking runs methods on what constructors return.
func (p *pairs) afterMaking(scopes []*scope) {
	for _, s := range scopes {
		t := madeType(s.root)
		if t == nil {
			continue
		}
		for _, f := range s.edges {
			if f.want.made && f.want.waits == trace.None && (f.held.made || f.started) {
				p.method(t, f)
			}
		}
	}
}

// madeType is the type of what a constructor returns, a pointer to a struct; nil for others.
func madeType(fn *ssa.Function) types.Type {
	r := fn.Signature.Results()
	if fn.Signature.Recv() != nil || r.Len() == 0 || r.Len() > 2 {
		return nil
	}
	ptr, ok := r.At(0).Type().Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	if _, ok := ptr.Elem().Underlying().(*types.Struct); !ok {
		return nil
	}
	return r.At(0).Type()
}

// method looks for a method of a type that waits for what has f.
func (p *pairs) method(t types.Type, f edge) {
	tries := maxTries
	for _, e := range p.order {
		if e.held.field != f.want.field || !p.waitsFor(e, f) {
			continue
		}
		for _, e1 := range p.lift(e) {
			recv := e1.root.Signature.Recv()
			if recv == nil || !types.Identical(recv.Type(), t) {
				continue
			}
			if tries == 0 || p.left == 0 || p.done[[2]types.Object{f.want.field, e.want.field}] {
				return
			}
			tries--
			p.done[[2]types.Object{f.want.field, e.want.field}] = p.then(f, e1)
		}
	}
}

// waitsFor reports whether e may wait for an operation of a goroutine of the constructor, at f. If
// a method ends the loop of that goroutine, the operation is not done yet when the constructor is
// run by itself.
func (p *pairs) waitsFor(e, f edge) bool {
	if f.held.field != nil {
		return crossed(e, f) && (e.want.waits == trace.None || p.keeps(e, f))
	}
	switch e.want.waits {
	case trace.WgWait:
		return !(e.held.read && f.want.read)
	case trace.Recv:
		return !(e.held.read && f.want.read) && p.fedBy(f.root, e.want.field)
	}
	return false
}

// fedBy reports whether only function literals in fn send to a channel, or close it.
func (p *pairs) fedBy(fn *ssa.Function, field types.Object) bool {
	ch := p.channel(field)
	if ch == nil {
		return false
	}
	for _, o := range slices.Concat(ch.Ops[discipline.Send], ch.Ops[discipline.Close]) {
		in := o.In()
		for in.Parent() != nil {
			in = in.Parent()
		}
		if in != fn {
			return false
		}
	}
	return true
}

// then runs the constructor of f, and then the method of e, and reports whether that waits for
// ever.
func (p *pairs) then(f, e edge) bool {
	p.left--
	s := p.scope(f.root)
	s.together, s.owed = e.root, e.want.waits != trace.None
	s.meet = []token.Pos{e.want.pos, f.want.pos}
	s.base.Then, s.base.Events = e.root, maxMeeting
	s.base.Answers = f.answersAs(0)
	maps.Copy(s.base.Answers, e.answersAs(0))
	s.explore(negate)
	if len(s.found) > 0 {
		p.found = append(p.found, s)
		return true
	}
	return false
}
