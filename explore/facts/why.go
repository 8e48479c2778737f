package facts

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Why explains whether tasks of two handlers commute: "A.m1,A.m2", where A is the name of an actor
// and m1 that of a handler, the kind of its messages, or its mailbox. The error says what there is
// instead.
func Why(w io.Writer, v Program, pair string) error {
	b, first, second, err := v.find(pair)
	if err != nil {
		return err
	}
	var out strings.Builder
	for _, i := range first {
		for _, k := range second {
			p, flipped := b.Pair(i, k)
			b.explain(&out, p, flipped)
		}
	}
	_, err = io.WriteString(w, out.String())
	return err
}

// find parses a pair. A comma may be a part of a name.
func (v Program) find(pair string) (b Behaviour, first, second []int, err error) {
	if !strings.Contains(pair, ",") {
		return b, nil, nil, fmt.Errorf(
			"%q is no pair of handlers: write ACTOR.HANDLER,ACTOR.HANDLER",
			pair)
	}
	for i, c := range pair {
		if c != ',' {
			continue
		}
		x, one, err1 := v.handlers(pair[:i])
		y, two, err2 := v.handlers(pair[i+1:])
		switch {
		case err1 != nil:
			err = err1
		case err2 != nil:
			err = err2
		case x != y:
			return b, nil, nil, fmt.Errorf(
				"%s and %s are two actors: their tasks do not share a mailbox; the table is of one actor's handlers",
				v.Behaviours[x].Actor, v.Behaviours[y].Actor)
		default:
			return v.Behaviours[x], one, two, nil
		}
	}
	return b, nil, nil, err
}

// handlers returns the handlers that a name means, and their actor.
func (v Program) handlers(name string) (actor int, handlers []int, err error) {
	found := -1
	for i, b := range v.Behaviours {
		for _, prefix := range []string{b.Actor, v.Actors[i].Name} {
			if rest, ok := strings.CutPrefix(name, prefix+"."); ok {
				found = i
				if hs := v.Actors[i].named(rest); len(hs) > 0 {
					return i, hs, nil
				}
			}
		}
	}
	if found < 0 {
		return 0, nil, fmt.Errorf("%q: no such actor; there %s", name, v.list())
	}
	return 0, nil, fmt.Errorf("%q: %s has no such handler; it has %s", name, v.Actors[found].Name,
		strings.Join(v.Actors[found].handlerNames(), ", "))
}

// list says which actors there are.
func (v Program) list() string {
	names := make([]string, len(v.Actors))
	for i, a := range v.Actors {
		names[i] = a.Name
	}
	switch len(names) {
	case 0:
		return "are none"
	case 1:
		return "is " + names[0]
	}
	return "are " + strings.Join(names, ", ")
}

func (a Actor) handlerNames() []string {
	var names []string
	for _, h := range a.Handlers {
		if !slices.Contains(names, h.Name()) {
			names = append(names, h.Name())
		}
	}
	return names
}

// named returns the handlers that name means, the most literal meaning first.
func (a Actor) named(name string) []int {
	for _, of := range []func(Handler) string{
		Handler.Name,
		func(h Handler) string { return h.Kind },
		func(h Handler) string { return strings.TrimPrefix(h.Kind, "*") },
		func(h Handler) string { return h.Mailbox },
	} {
		var out []int
		for i, h := range a.Handlers {
			if name != "" && of(h) == name {
				out = append(out, i)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// explain prints one pair.
func (b Behaviour) explain(out *strings.Builder, p Pair, flipped bool) {
	x, y := b.Tasks[p.First], b.Tasks[p.Second]
	if flipped {
		p, x, y = p.Flip(), y, x
	}
	fmt.Fprintf(out, "%s: %s (%s) and %s (%s)\n", b.Actor, x.Handler, x.Pos, y.Handler, y.Pos)
	for _, m := range models {
		fmt.Fprintf(out, "    -model %-6s %s\n", m, Words(p, m))
	}
	if len(p.Conflicts) > 0 {
		out.WriteString("    because\n")
	}
	for _, c := range p.Conflicts {
		fmt.Fprintf(out, "        %-9s %s\n", c.Kind, c)
	}
	for i, t := range []Task{x, y} {
		if i == 1 && p.First == p.Second {
			break
		}
		if t.Round != nil && i == 0 {
			out.WriteString(
				"    what follows the loop, which ends after a number of messages, is left out\n")
		}
		t.Followed().write(out)
	}
}

// Flip returns the pair with the tasks the other way.
func (p Pair) Flip() Pair {
	p.First, p.Second = p.Second, p.First
	p.Conflicts = slices.Clone(p.Conflicts)
	for i := range p.Conflicts {
		c := &p.Conflicts[i]
		c.First, c.Second = c.Second, c.First
		c.Unless = slices.Clone(c.Unless)
		for k := range c.Unless {
			a := &c.Unless[k]
			a.First, a.Second = a.Second, a.First
		}
	}
	return p
}
