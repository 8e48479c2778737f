package differ

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/exec/goprog"
)

// agree compares two explorations.
func agree(d, x *explored) string {
	if !d.complete || !x.complete {
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
			return fmt.Sprintf("%d native runs show what %v does not find: %v\nbut only %v", n, x.flags, o, x.sorted())
		}
	}
	for text, n := range r.panics {
		if !x.panics[text] {
			return fmt.Sprintf("%d native runs panic with %q; %v has only %v", n, text, x.flags, x.panics)
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
	if o.kind == "leak" && p.Global() { // receivers of the package's channels may wait
		return e == outcome{"pass", o.log}
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

// withLoss returns a log with each of its lines missing in turn: package testing loses a line that is logged at the very
// moment at which the test ends.
func withLoss(log string) (less []string) {
	lines := strings.Split(log, "\n")
	for i := range lines {
		less = append(less, strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "\n"))
	}
	return less
}

// goesOn reports whether a log is the beginning of a longer one: others went on while Go reported a panic.
func goesOn(log, longer string) bool { return log == "" || strings.HasPrefix(longer, log+"\n") }

func (x *explored) sorted() []string {
	var list []string
	for o := range x.outcomes {
		list = append(list, o.String())
	}
	slices.Sort(list)
	return list
}
