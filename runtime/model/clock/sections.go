package clock

import "github.com/rehearse-go/rehearse/runtime/trace"

// section is the effect of an event that begins or ends a critical section (trace.Section), which
// says n.
func (o *handed) section(ev *trace.Event, p *lead, n int32) {
	if o.sections == nil {
		o.sections = new(trace.Handed[int64])
	}
	switch ev.Kind {
	case trace.Lock, trace.RLock, trace.WLock:
		p.learn(o.released)
		if ev.Kind == trace.WLock {
			p.learn(o.readers)
		}
	case trace.Unlock, trace.WUnlock, trace.RUnlock:
		// only now it is known after which sections it comes; nobody reads the clock within
		o.sections.Begin(begins[ev.Kind], n, p.learn)
		o.sections.End(ev.Kind, n, func(to *int64) { *to = max(*to, p.now) })
	}
}

// begins has the kind of the operation that begins a section, by the kind of the one that ends it.
var begins = [trace.NumKinds]trace.Kind{trace.Unlock: trace.Lock, trace.WUnlock: trace.WLock,
	trace.RUnlock: trace.RLock}

// afterSections makes an ordinary lock come after the sections before it.
func (o *handed) afterSections(ev *trace.Event, p *lead) {
	if o.sections != nil {
		o.sections.Ordinary(ev.Kind, p.learn)
	}
}

// task is the effect of a send into a channel that is served by process q. The task takes no time.
func (l *leads) task(ev *trace.Event, q int32) {
	l.of(max(ev.Proc, q)) // so that both are there
	p, server, o := l.of(ev.Proc), l.of(q), l.object(ev.Obj)
	if p.from = 0; server.from != ev.Obj+1 {
		server.from, server.before = ev.Obj+1, server.now
	}
	if o.sections == nil {
		o.sections = new(trace.Handed[int64])
	}
	at := lead{now: server.before}
	o.sections.Begin(trace.Lock, ev.Op.Says(), at.learn)
	if ev.Cap == trace.Served {
		p.learn(at.now)
	}
	at.learn(p.now)
	o.sections.End(trace.Unlock, ev.Op.Says(), func(to *int64) { *to = max(*to, at.now) })
	server.now, server.tasks = at.now, max(server.tasks, at.now)
}

// settle makes a server go on behind its tasks.
func (p *lead) settle() {
	p.learn(p.tasks)
	p.tasks = 0
}
