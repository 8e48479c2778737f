package clock

import "github.com/rehearse-go/rehearse/runtime/trace"

// section is the effect of an event that begins or ends a critical section (trace.Section), which says n.
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
		o.sections.Begin(ev.Kind, n, p.learn)
	case trace.Unlock, trace.WUnlock, trace.RUnlock:
		o.sections.End(ev.Kind, n, func(to *int64) { *to = max(*to, p.now) })
	}
}

// afterSections makes an ordinary lock come after the sections before it.
func (o *handed) afterSections(ev *trace.Event, p *lead) {
	if o.sections != nil {
		o.sections.Ordinary(ev.Kind, p.learn)
	}
}
