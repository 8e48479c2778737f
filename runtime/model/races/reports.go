package races

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

func (r *reports) reset() {
	clear(r.known)
	r.found, r.listed = nil, listed{}
}

// report notes a race of two accesses. It names them in an order that does not depend on the
// execution.
func (r *reports) report(a *access, was way, b *access, is way) {
	first, second := a.told(was), b.told(is)
	if second < first {
		first, second = second, first
	}
	mark := ""
	if was >= loading && !a.sync || is >= loading && !b.sync {
		mark = trace.BesideAtomic
	}
	r.note("data race: "+first+" and "+second, mark, a, b)
}

// told describes an access for people.
func (a *access) told(how way) string {
	if a.sync {
		return "use of " + a.what
	}
	return ways[how] + a.what
}

// note notes a race, unless it is noted already. accesses are its accesses, if they are known. mark
// ends the names of their places.
func (r *reports) note(text, mark string, accesses ...*access) {
	if r.known[text] {
		return
	}
	r.known[text] = true
	race := trace.Race{Number: len(r.found), Text: text}
	for _, a := range accesses {
		if a.sync {
			race.Uses = true
			continue
		}
		race.Places = append(race.Places, a.what+mark)
	}
	if len(accesses) == 2 && accesses[0].entry > 0 && accesses[1].entry > 0 {
		l, a, b := &r.listed, accesses[0].entry-1, accesses[1].entry-1
		race.Stack, race.Accesses = bothStacks(l.calls(b), l.calls(a)),
			[]trace.Access{l.accesses[a], l.accesses[b]}
	}
	r.found = append(r.found, race)
}

// bothStacks are two stacks as one, in the form of runtime/debug.Stack.
func bothStacks(a, b []uintptr) []byte {
	var out bytes.Buffer
	out.WriteString("goroutine 0 [running]:\n")
	own(&out, a)
	out.WriteString(trace.NextStack)
	own(&out, b)
	return out.Bytes()
}

// own writes a stack without the calls that made the process run.
func own(out *bytes.Buffer, stack []uintptr) {
	frames := runtime.CallersFrames(stack)
	for {
		f, more := frames.Next()
		if strings.HasSuffix(f.Function, "runtime/sched.(*Sched).runBody") || f.PC == 0 {
			return
		}
		fmt.Fprintf(out, "%s(...)\n\t%s:%d +0x0\n", f.Function, f.File, f.Line)
		if !more {
			return
		}
	}
}
