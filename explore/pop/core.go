package pop

import (
	"math/bits"
	"slices"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// core returns the core that ends with f, if it is one and event i is the first that f settles.
// The events before f are then in to.
func (r *overtaking) core(f *option) (u []search.Label) {
	for k := range r.i {
		u = append(u, r.p.names.Label(r.x.Events[k].Alt))
	}
	open := r.pending[:0]
	for _, z := range r.open[r.i] {
		open = append(open, r.skips[z])
	}
	defer func() { r.pending = open[:0] }()
	needs, c := r.needs(f), &r.to
	for c.set(&r.prefix); ; {
		o := r.pick(c, f, needs, &open)
		if o == nil {
			return nil
		}
		u = append(u, r.p.names.Label(o.event.Alt))
		if o == f {
			if !r.settles(open, f) {
				return nil
			}
			return u
		}
		open = slices.DeleteFunc(open, func(z option) bool { return r.exclude(c, &z, o) })
		r.add(c, o.own)
	}
}

// settled reports whether events of w can settle all skips before event i that nothing before event
// i settles. Otherwise f would have to settle one of them, and event i would not be the first skip
// that f settles.
func (r *overtaking) settled() bool {
	return !slices.ContainsFunc(r.open[r.i], func(z int32) bool {
		return !r.canSettle(&r.prefix, &r.skips[z])
	})
}

// canSettle reports whether an event of w that is not in c can be in conflict with o.
func (r *overtaking) canSettle(c *config, o *option) (yes bool) {
	yes = o.ends
	for w := int(r.i >> 6); w < len(c.in) && !yes; w++ {
		for b := r.w.in[w] &^ c.in[w]; b != 0 && !yes; b &= b - 1 {
			k := int32(w<<6 + bits.TrailingZeros64(b))
			e := &r.x.Events[k]
			yes = r.ended(k) || search.Dependent(&o.event, e) ||
				e.Kind == trace.WgAdd && e.Obj == o.event.Obj
		}
	}
	return yes
}

// needs returns those events of w that happen before f.
func (r *overtaking) needs(f *option) []uint64 {
	needs := search.Sized(nil, r.n)
	depend.Each(r.w.in, func(k int32) bool {
		if d := r.done(k); conflict(&d, f) {
			search.SetBit(needs, k)
			for w, b := range r.row(k) {
				needs[w] |= b
			}
		}
		return true
	})
	return needs
}

// pick returns the first option in state c that is f or an event of w. Each option that it passes
// is a skip and joins open. It returns nil if no such option is there, or if nothing can settle a
// skip.
func (r *overtaking) pick(c *config, f *option, needs []uint64, open *[]option) *option {
	for _, o := range r.options(c) {
		switch {
		case o.event.Alt == f.event.Alt && c.holds(needs) && r.arrived(c, f):
			return f
		case o.own >= 0 && search.HasBit(r.w.in, o.own):
			return o
		case !conflict(o, f) && !lower(o, f) && !r.canSettle(c, o):
			return nil
		default:
			*open = append(*open, *o)
		}
	}
	return nil
}

// arrived reports whether in state c the processes of f have reached the steps of which f consists.
func (r *overtaking) arrived(c *config, f *option) bool {
	q, t := f.event.Proc, f.event.Partner
	return c.next[q] == r.w.next[q] && (t < 0 || c.next[t] == r.w.next[t])
}

// settles reports whether f settles all skips that are open, and the first of them is event i.
func (r *overtaking) settles(open []option, f *option) bool {
	if len(open) == 0 || open[0].at != r.i || open[0].event.Alt != r.e.event.Alt {
		return false
	}
	return !slices.ContainsFunc(open, func(z option) bool { return !r.exclude(&r.to, &z, f) })
}

// isParent reports whether the execution is the parent of the core that ends with f. The parent has
// the events before f, event i, then f if it is possible, then the first alternative in rank at
// each state.
func (r *overtaking) isParent(f *option) bool {
	c := &r.to
	r.add(c, r.i)
	if !r.e.ends && !shares(&r.e.event, &f.event) {
		list := r.options(c)
		again := slices.IndexFunc(list, func(o *option) bool { return o.event.Alt == f.event.Alt })
		if again >= 0 && !r.addOwn(c, list[again]) {
			return false
		}
	}
	for c.size < r.n {
		list := r.options(c)
		if len(list) == 0 || !r.addOwn(c, list[0]) {
			return false
		}
	}
	return true
}

// addOwn adds o, if it is an event of the execution.
func (r *overtaking) addOwn(c *config, o *option) bool {
	if o.own >= 0 {
		r.add(c, o.own)
	}
	return o.own >= 0
}

// shares reports whether a process takes part in both e and f.
func shares(e, f *trace.Event) bool {
	return e.Involves(f.Proc) || f.Partner >= 0 && e.Involves(f.Partner)
}
