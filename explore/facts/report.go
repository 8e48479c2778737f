package facts

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteProgram prints v for people: the inventory, then what the tasks of each actor do and which
// of them commute, then the calls. Of a long list, a few lines are printed, and the number of the
// others; see maxLines.
func WriteProgram(w io.Writer, v Program) error {
	if err := Write(w, v.Inventory); err != nil {
		return err
	}
	var b strings.Builder
	for _, x := range v.Behaviours {
		fmt.Fprintf(&b, "\ntasks of %s\n", Target{Actor: x.Actor}.short())
		for _, t := range x.Tasks {
			t.write(&b)
		}
		if len(x.Tasks) > 0 {
			fmt.Fprintf(&b, "    pairs\n")
		}
		x.writePairs(&b)
	}
	v.writeCalls(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeCalls prints what the handlers' tasks cause.
func (v Program) writeCalls(b *strings.Builder) {
	title := "\ncalls\n"
	var of []Call // of one handler
	flush := func() {
		list, left := chosen(len(of), func(i int) int { return of[i].Depth })
		for _, i := range list {
			c := of[i]
			fmt.Fprintf(b, "%s    %s -> %s  depth %d, %s\n", title, c.From.short(), c.To.short(),
				c.Depth,
				places(c.At))
			title = ""
		}
		more(b, "    ", left, "of this handler")
		of = nil
	}
	for _, c := range v.Calls {
		if len(of) > 0 && of[0].From != c.From {
			flush()
		}
		if c.From.Handler != "" {
			of = append(of, c)
		}
	}
	flush()
	if v.Silent > 0 {
		fmt.Fprintf(b, "    left out: %s\n", v.leftOut())
	}
}

// short is String with the last element of the package's path.
func (t Target) short() string {
	s := t.String()
	if i := strings.LastIndexByte(t.Actor, '/'); i >= 0 && !strings.Contains(t.Actor, "(") {
		return s[i+1:]
	}
	return s
}

func conditions(depth int) string {
	if depth == 0 {
		return ""
	}
	return fmt.Sprintf(", depth %d", depth)
}

func targets(to []Target) string {
	if len(to) == 0 {
		return ""
	}
	names := make([]string, len(to))
	for i, t := range to {
		names[i] = t.short()
	}
	return ", to " + strings.Join(shortened(names), ", ")
}

func places(at []Pos) string {
	parts := make([]string, 0, len(at))
	for i, p := range at {
		if i > 0 && p.File == at[i-1].File {
			parts = append(parts, fmt.Sprint(p.Line))
		} else {
			parts = append(parts, p.String())
		}
	}
	return strings.Join(shortened(parts), ", ")
}

// words says what holds of p: once for all models, or for those that say the same.
func (p Pair) words() string {
	var verdicts, under []string // parallel
	for _, m := range models {
		v := Words(p, m)
		if n := len(verdicts); n > 0 && verdicts[n-1] == v {
			under[n-1] += ", " + string(m)
			continue
		}
		verdicts, under = append(verdicts, v), append(under, string(m))
	}
	if len(verdicts) == 1 {
		return verdicts[0]
	}
	for i := range verdicts {
		verdicts[i] = "-model " + under[i] + ": " + verdicts[i]
	}
	return strings.Join(verdicts, "; ")
}

// models are the delivery models in the order in which verdicts are printed.
var models = []Model{GoModel, PairsModel, ActorModel}

// Words says what holds of p under m, with the first reason.
func Words(p Pair, m Model) string {
	v := p.Verdict(m)
	switch v {
	case Independent:
		return "independent"
	case Dependent:
		for _, c := range p.Under(m) {
			if len(c.Unless) == 0 {
				return "dependent (" + c.What + ")"
			}
		}
	}
	return "commute when " + conjunction(p.Under(m))
}

// conjunction writes the condition under which there is none of the conflicts. It leaves out a
// condition that another one implies: "a" implies "a or b".
func conjunction(list []Conflict) string {
	var all []string
	for i, c := range list {
		implied := func(k int) bool {
			d := list[k]
			return k != i && d.within(c) && (k < i || !c.within(d))
		}
		if !slices.ContainsFunc(indices(list), implied) {
			all = append(all, c.condition())
		}
	}
	return strings.Join(all, " and ")
}

func indices[T any](list []T) []int {
	out := make([]int, len(list))
	for i := range out {
		out[i] = i
	}
	return out
}

// within reports whether each atom of c is one of d.
func (c Conflict) within(d Conflict) bool {
	return !slices.ContainsFunc(c.Unless, func(a Atom) bool {
		return !slices.Contains(d.Unless, a)
	})
}

// condition writes when there is no conflict: "m1.id != m2.id or m1.v == m2.v".
func (c Conflict) condition() string {
	parts := make([]string, len(c.Unless))
	for i, a := range c.Unless {
		parts[i] = a.String()
	}
	text := strings.Join(parts, " or ")
	if len(parts) > 1 {
		text = "(" + text + ")"
	}
	return text
}

// String returns "memory  Server.total (write, read)  p.go:3 and p.go:9".
func (c Conflict) String() string {
	text := c.What
	if c.Comment != "" {
		text += " (" + c.Comment + ")"
	}
	text = fmt.Sprintf("%s  %s and %s", text, c.First, c.Second)
	if len(c.Models) > 0 {
		names := make([]string, len(c.Models))
		for i, m := range c.Models {
			names[i] = string(m)
		}
		text += ", under " + strings.Join(names, " and ")
	}
	if len(c.Unless) > 0 {
		text += ", unless " + c.condition()
	}
	return text
}
