package isolate

import (
	"encoding/gob"
	"os"
	"sync"

	"github.com/rehearse-go/rehearse/runtime/executor"
	"github.com/rehearse-go/rehearse/runtime/library"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Link is a child's connection to its parent. It is the chooser of the child's execution.
type Link struct {
	mu       sync.Mutex // for out: a process that is given up is reported from another goroutine
	out      *gob.Encoder
	requests chan Request
	answers  chan int

	known counts // what the parent knows of the execution
}

// counts are lengths of lists.
type counts struct{ procs, log, objects, sites int }

// listen receives what the parent says, until it says no more.
func (l *Link) listen(in *gob.Decoder) {
	var r Request
	if in.Decode(&r) != nil {
		os.Exit(gone)
	}
	l.requests <- r
	for {
		var i int
		if in.Decode(&i) != nil {
			os.Exit(gone)
		}
		l.answers <- i
	}
}

// gone is the exit code, which nobody sees, of a child whose parent is gone.
const gone = 2

// Request tells the parent that the program is ready, and returns what to execute.
func (l *Link) Request() Request {
	l.send(message{})
	return <-l.requests
}

// send ends the process if there is nobody to send to.
func (l *Link) send(m message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.out.Encode(m) != nil {
		os.Exit(gone)
	}
}

// Choose implements trace.Chooser.
func (l *Link) Choose(s *trace.State) int {
	o := &offer{Last: s.Last, Alts: s.Alts, Procs: make([]pending, len(s.Procs)), Now: s.Now,
		Next: s.Next, Moves: s.Moves, Alone: s.Alone, Forced: s.Forced, Since: s.Since,
		New: l.news()}
	for i, op := range s.Procs {
		if op != nil {
			o.Procs[i] = pending{true, *op}
		}
	}
	l.send(message{Offer: o})
	return <-l.answers
}

// Done implements trace.Witness.
func (l *Link) Done(e *trace.Event) { l.send(message{Done: e}) }

// news is what the parent does not know yet.
func (l *Link) news() trace.Execution {
	x := executor.Partial(l.known.procs)
	k := l.known
	l.known = counts{k.procs + len(x.Procs), len(x.Log), len(x.Objects), len(x.Sites)}
	n := trace.Execution{Procs: x.Procs, Log: x.Log[k.log:], Objects: x.Objects[k.objects:]}
	if len(x.Sites) > 0 {
		n.Sites, n.PartnerSites, n.LogSites = x.Sites[k.sites:], x.PartnerSites[k.sites:],
			x.LogSites[k.log:]
		n.Calls = x.Calls[k.sites:]
	}
	return n
}

// End reports the execution.
func (l *Link) End(x *trace.Execution) {
	l.send(message{End: x, Files: library.SaveFiles(), Changed: library.ChangedFiles()})
}
