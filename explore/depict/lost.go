package depict

import "github.com/rehearse-go/rehearse/runtime/trace"

// panicked says that the function of a sync.Once that event i begins has panicked: ", which
// panicked (x.go:7),". Then the place where the process leaves the Once is not that of its Do.
// Empty: it is not so.
func (t reasons) panicked(i int) string {
	e := &t.X.Events[i]
	for k := i + 1; k < len(t.X.Events) && e.Kind == trace.Once && e.OK; k++ {
		if d := &t.X.Events[k]; d.Kind == trace.OnceDone && d.Obj == e.Obj && d.Proc == e.Proc {
			if place := t.At.inBrackets(Site(t.X.Sites, k)); place != t.placeOf(i) && place != "" {
				return ", which panicked" + place + ","
			}
			return ""
		}
	}
	return ""
}

// dropped says that a send has filled a channel, so that the process that came first in the passing
// execution did not send: it took the default of its select. Empty: it is not so.
func (t reasons) dropped(p Parting) string {
	i, e := p.Step, &t.X.Events[p.Step]
	if e.Kind != trace.Send || e.Partner >= 0 || e.Obj < 0 {
		return ""
	}
	for k := i + 1; k < len(t.X.Events); k++ {
		d := &t.X.Events[k]
		switch {
		case d.Obj == e.Obj && d.Kind == trace.Recv:
			return "" // there was room again
		case d.Kind != trace.Default || t.X.Procs[d.Proc].Path != p.Instead.Proc:
			continue
		}
		for _, c := range d.Op.Cases {
			if c.Obj == e.Obj && c.Kind == trace.Send {
				t.decided(i, k)
				who := t.proc(d.Proc)
				return t.tells(i) + t.placeOf(i) + ", so that " + who + " found it full and took " +
					"the default of its select" + t.placeOf(k) + "; in the passing order " + who +
					" came first."
			}
		}
	}
	return ""
}
