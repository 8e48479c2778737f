package transdpor

import (
	"github.com/rehearse-go/rehearse/explore/deliveries"
	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/search"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// findRaces is lines 3 to 8. It handles each message that the execution has delivered after the
// part that it shares with the one before, and those that it has never delivered.
func (d *Search) findRaces(x *trace.Execution) {
	d.Order.Rewind(d.known())
	d.Vet(x)
	if d.Refusal != nil {
		return
	}
	d.mail.Read(x)
	for c, n := range d.stack {
		if n.taken == search.Unknown || n.depth >= depend.MaxEvents {
			break
		}
		e := &x.Events[n.depth]
		if m := d.mail.Deliver(e.Takes, c); c >= d.kept-1 {
			d.reverse(m, d.mail.Last[m.Box])
		}
		d.mail.Accepted(&e.Op, c)
	}
	for i := range d.mail.Posts {
		if m := &d.mail.Posts[i]; !m.Delivered && m.Event < depend.MaxEvents {
			d.reverse(m, d.mail.Last[m.Box])
		}
	}
	if search.Final(x) {
		d.reverseEnd()
	}
}

// known returns the number of events that the execution has in common with the one before.
func (d *Search) known() int {
	if d.kept == 0 {
		return 0
	}
	return d.stack[d.kept-1].depth
}

// reverse is lines 4 to 7', for message m. At configuration i its actor took another one last that
// might have been m; -1: never.
func (d *Search) reverse(m *deliveries.Post, i int) {
	if i < 0 || d.Order.Before(int32(d.stack[i].depth), m.Event) {
		return // all that its actor has got happens before m was sent
	}
	n := d.stack[i]
	if d.freezes && n.freeze {
		return
	}
	first, ok := d.initial(i, m)
	switch {
	case ok && d.whole:
		n.freeze = d.backtrackTo(n, n.receiverAt(first)) || n.freeze
	case ok:
		n.freeze = n.add(first, d.Literal) || n.freeze
	case !d.freezes:
		n.addAll()
	}
}

// initial is E: the first message to be delivered at configuration i so that m can come before the
// message that was delivered there. ok is false if there is none. // line 5
func (d *Search) initial(i int, m *deliveries.Post) (first trace.Message, ok bool) {
	n := d.stack[i]
	if n.accepts(m.Message) {
		return m.Message, true
	}
	for _, after := range d.stack[i+1:] {
		if d.Order.Before(int32(after.depth), m.Event) {
			first = after.alts[after.taken].Takes
			return first, n.accepts(first)
		}
	}
	return first, false
}

// reverseEnd adds all alternatives that were enabled where the task began that ended the execution.
// See Search.reverseEnd.
func (d *Search) reverseEnd() {
	d.doubt = true
	if last := len(d.stack) - 1; last >= 0 {
		n := d.stack[last]
		n.addAll()
		n.final[n.taken] = true
	}
}
