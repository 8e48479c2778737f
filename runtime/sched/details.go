package sched

import (
	"runtime"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/gate"
)

// maxCalls bounds a stack that is recorded: the program's own calls, innermost first.
const maxCalls = 16

// Detailed reports whether this execution records stacks and values. A caller asks before Sent, so
// that it makes no interface of a value in vain.
func (r *record) Detailed() bool { return r.opts.Details }

// mostSpots bounds the stacks that are remembered.
const mostSpots = 4096

// spotHere is the spot where the caller is. To walk a stack is cheap beside saying what is in it.
func (r *record) spotHere() spot {
	var pcs [maxFrames]uintptr
	n := gate.Callers(2, pcs[:])
	d := &r.details
	if d.spots == nil || len(d.spots) == mostSpots {
		d.spots = map[[maxFrames]uintptr]spot{}
	}
	at, ok := d.spots[pcs]
	if !ok || r.opts.Details && at.stack == 0 {
		at.site, at.call = shown(pcs[:n])
		if r.opts.Details {
			at.stack = d.intern(callsOf(pcs[:n]))
		}
		d.spots[pcs] = at
	}
	return at
}

func (d *details) intern(text string) int32 {
	if text == "" {
		return 0
	}
	if d.byText == nil {
		d.byText = map[string]int32{}
	}
	if d.byText[text] == 0 {
		d.stacks = append(d.stacks, text)
		d.byText[text] = int32(len(d.stacks))
	}
	return d.byText[text]
}

// callsOf has a line for each call of the program's own code in a stack.
func callsOf(pcs []uintptr) string {
	var text strings.Builder
	frames := runtime.CallersFrames(pcs)
	for calls := 0; calls < maxCalls; {
		f, more := frames.Next()
		if strings.HasSuffix(f.Function, ".runBody") {
			break
		}
		if f.Function != "" && !internalFrame(f.Function) && !strings.HasPrefix(f.File, ownRoot) {
			text.WriteString(f.Function + "\t" + f.File + ":" + strconv.Itoa(f.Line) + "\n")
			calls++
		}
		if !more {
			break
		}
	}
	return text.String()
}

// Sent notes the value that the last event, of the current process, has sent. It is for executions
// with details. The race detector would take a look at the value for an access of the program. So
// values are not known under the race detector.
func (r *record) Sent(v any) {
	if !r.opts.Details || gate.Race {
		return
	}
	for len(r.x.Sent) < len(r.x.Events)-1 {
		r.x.Sent = append(r.x.Sent, "")
	}
	if len(r.x.Sent) < len(r.x.Events) {
		r.x.Sent = append(r.x.Sent, r.details.printer.Value(v))
	}
}
