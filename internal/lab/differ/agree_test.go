package differ

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/lab/goprog"
)

// agree compares two explorations.
func agree(d, x *explored) string {
	if d == x || !d.complete || !x.complete {
		return ""
	}
	for o := range x.outcomes {
		if !d.outcomes[o] {
			return fmt.Sprintf("%v does not find what %v finds: %v", d.flags, x.flags, o)
		}
	}
	for o := range d.outcomes {
		if !x.outcomes[o] {
			return fmt.Sprintf("%v does not find what %v finds: %v", x.flags, d.flags, o)
		}
	}
	if d.traces != x.traces && len(x.panics) == 0 { // a crash cuts traces short, at any place
		return fmt.Sprintf("%v has %d traces, %v has %d", d.flags, d.traces, x.flags, x.traces)
	}
	return ""
}

// within compares native outcomes with those of an exploration.
func (r *native) within(x *explored, p *goprog.Program) string {
	if !x.complete {
		return ""
	}
	for o, n := range r.outcomes {
		if !x.has(o, p) {
			return fmt.Sprintf("%d native runs show what %v does not find: %v\nbut only %v", n,
				x.flags, o,
				x.sorted())
		}
	}
	for text, n := range r.panics {
		if !x.panics[text] {
			return fmt.Sprintf("%d native runs panic with %q; %v has only %v", n, text, x.flags,
				x.panics)
		}
	}
	return ""
}

// has reports whether an exploration has a native outcome.
func (x *explored) has(o outcome, p *goprog.Program) bool {
	for e := range x.outcomes {
		if e.shownAs(o, p) {
			return true
		}
	}
	return false
}

// shownAs reports whether o is how an explored outcome of p may show natively.
func (e outcome) shownAs(o outcome, p *goprog.Program) bool {
	if e == o {
		return true
	}
	if o.kind == "leak" && p.Global() && e == (outcome{"pass", o.log}) {
		return true // receivers of the package's channels may wait
	}
	// a bubble that reports what it leaves behind does not say what failed before
	if o.kind == "leak" && e.kind == "fail" && p.Timed {
		return e.log == o.log
	}
	if e.kind != o.kind {
		return false
	}
	logs := []string{e.log}
	if !p.Joins() {
		logs = append(logs, withLoss(e.log)...)
	}
	return slices.ContainsFunc(logs, func(log string) bool {
		return log == o.log || o.kind == "panic" && goesOn(log, o.log)
	})
}

// withLoss returns a log with each of its lines missing in turn: package testing loses a line that
// is logged at the very moment at which the test ends.
func withLoss(log string) (less []string) {
	lines := strings.Split(log, "\n")
	for i := range lines {
		less = append(less, strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "\n"))
	}
	return less
}

// goesOn reports whether a log is the beginning of a longer one: others went on while Go reported a
// panic.
func goesOn(log, longer string) bool { return log == "" || strings.HasPrefix(longer, log+"\n") }

func (x *explored) sorted() []string {
	var list []string
	for o := range x.outcomes {
		list = append(list, o.String())
	}
	slices.Sort(list)
	return list
}

// TestShownAs checks how an explored outcome may show natively, and how not.
func TestShownAs(t *testing.T) {
	waiting := first(func(p *goprog.Program) bool { return p.Joins() && !p.Global() })
	leaving := first(func(p *goprog.Program) bool { return !p.Joins() && !p.Global() })
	global := first(func(p *goprog.Program) bool { return p.Global() && !p.Joins() })
	for _, c := range []struct {
		p                *goprog.Program
		explored, native outcome
		want             bool
	}{
		{waiting, outcome{"pass", "1\n2"}, outcome{"pass", "1\n2"}, true},
		{waiting, outcome{"pass", "1\n2"}, outcome{"fail", "1\n2"}, false},
		{waiting, outcome{"pass", "1\n2"}, outcome{"pass", "1"}, false},
		{leaving, outcome{"pass", "1\n2"}, outcome{"pass", "1"}, true},
		{leaving, outcome{"pass", "1\n2\n3"}, outcome{"pass", "1"}, false},
		{leaving, outcome{"pass", "1"}, outcome{"pass", "1\n2"}, false},
		{waiting, outcome{"panic", "1"}, outcome{"panic", "1\n2"}, true},
		{waiting, outcome{"panic", "1"}, outcome{"panic", "12"}, false},
		{waiting, outcome{"panic", "1\n2"}, outcome{"panic", "1"}, false},
		{leaving, outcome{"panic", "1\n2"}, outcome{"panic", "2"}, true},
		{leaving, outcome{"panic", "1\n2"}, outcome{"panic", "1\n3"}, true},
		{leaving, outcome{"panic", "1\n2"}, outcome{"panic", "3"}, false},
		{global, outcome{"pass", "1"}, outcome{"leak", "1"}, true},
		{global, outcome{"leak", "1\n2"}, outcome{"leak", "1"}, true},
		{global, outcome{"pass", "1\n2"}, outcome{"leak", "1"}, false},
		{waiting, outcome{"pass", "1"}, outcome{"leak", "1"}, false},
	} {
		if got := c.explored.shownAs(c.native, c.p); got != c.want {
			t.Errorf("%v as %v: %t, want %t", c.explored, c.native, got, c.want)
		}
	}
}

// first is the first program that is asked for.
func first(is func(*goprog.Program) bool) *goprog.Program {
	for seed := uint64(1); ; seed++ {
		if p := goprog.New(seed); is(p) {
			return p
		}
	}
}
