package drive

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore/depend"
	"github.com/rehearse-go/rehearse/explore/refine"
	"github.com/rehearse-go/rehearse/runtime/hook"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// most bounds inputs and outputs of one execution.
const most = 64

// shown says what the execution has shown: each output with the inputs that happen before it.
func (c *record) shown(x *trace.Execution) Shown {
	c.mail(x)
	switch {
	case x.End == trace.Crashed && x.Crash != nil:
		c.crash(x)
	case x.End == trace.Exited:
		c.ends(x, fmt.Sprintf("exit status %d", x.ExitCode))
	}
	s := Shown{Wants: slices.Sorted(maps.Keys(c.wants)), Beyond: c.beyond, Failure: c.failure,
		Types: c.types, Waited: c.waited}
	if len(c.begun) > most || len(c.shows) > most {
		s.Failure = "more than 64 inputs or outputs: lower -n or -k"
		return s
	}
	if x.Failed || x.Skipped {
		s.Failure = cmp.Or(s.Failure, c.failed(x))
	}
	slices.SortFunc(c.begun, func(a, b announced) int {
		return cmp.Compare(a.in.Key(), b.in.Key())
	})
	for _, a := range c.begun {
		s.Inputs = append(s.Inputs, a.in)
	}
	var order depend.Order
	for range x.Events {
		order.Add(x)
	}
	for _, b := range c.shows {
		o := b.out
		if b.taken > 0 {
			b.event = sending(x, b.taken-1)
			if c.script.Pairs {
				o.Chain = int(x.Events[b.event].Proc) + 1
			}
		}
		for i, a := range c.begun {
			if order.Before(a.event, b.event) {
				o.Needs |= 1 << i
			}
		}
		s.Pomset.Outputs = append(s.Pomset.Outputs, o)
	}
	s.Pomset.Sort()
	if x.End == trace.Quiet {
		for i := range c.script.Ops {
			if !c.ended[i+1] {
				s.Left = append(s.Left, i+1)
			}
		}
	}
	return s
}

// mail makes an output of each message in a mailbox at the boundary: as if it had been seen at
// once.
func (c *record) mail(x *trace.Execution) {
	for _, port := range slices.Sorted(maps.Keys(c.boxes)) {
		box := c.boxes[port]
		obj, letters := c.chanOf(box.Type()).letters(box)
		for k := range x.Events {
			e := &x.Events[k]
			if e.Kind != trace.Send || e.Obj != obj {
				continue
			}
			i := slices.IndexFunc(letters, func(l letter) bool { return l.Message == e.Message() })
			if i < 0 {
				continue
			}
			value, names := c.reader.read([]reflect.Value{letters[i].v})
			c.note(names)
			out := refine.Output{Kind: refine.Received, Port: port, Seq: c.next[port], Value: value}
			if c.script.Pairs {
				out.Chain = int(e.Proc) + 1
			}
			c.shows = append(c.shows, announced{event: int32(k), out: out})
			c.next[port]++
		}
	}
}

// sending is the event that sent what event k has received.
func sending(x *trace.Execution, k int32) int32 {
	for i := range x.Events[:k] {
		if e := &x.Events[i]; e.Kind == trace.Send && e.Message() == x.Events[k].Takes {
			return int32(i)
		}
	}
	return k
}

// changing is what differs in the text of a panic from one run to another.
var changing = regexp.MustCompile(`0x[0-9a-f]+|[0-9]+|goroutine .*`)

// failed says how the harness has failed.
func (c *record) failed(x *trace.Execution) string {
	where, what := c.h.Places[""], "has failed its test"
	switch {
	case x.End == trace.Crashed && x.Crash != nil && x.Crash.Proc == 0:
		what = "panics: " + firstLine(x.Crash.Text)
	case x.Skipped:
		what = "has skipped its test"
	case len(x.Log) > 0:
		what += ": " + firstLine(x.Log[len(x.Log)-1])
	}
	return fmt.Sprintf("%s: the harness %s", where, what)
}

// crash makes an output of a panic.
func (c *record) crash(x *trace.Execution) {
	if strings.HasPrefix(x.Crash.Text, "reflect") { // it may well be this package's
		c.fail("panic: %s", x.Crash.Text)
	}
	c.ends(x, changing.ReplaceAllString(x.Crash.Text, "N"))
}

// ends makes an output of the end of the program: the last one.
func (c *record) ends(x *trace.Execution, text string) {
	at := int32(len(x.Events) - 1)
	c.waited = time.Duration(hook.Elapsed())
	c.shows = append(c.shows,
		announced{event: at,
			out: refine.Output{Kind: refine.Panic, Port: "!",
				Value: refine.Value{Text: quote(text)}}})
}
