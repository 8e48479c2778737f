package facts

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// Write prints v for people: a block per actor, then a line per rejected loop.
func Write(w io.Writer, v Inventory) error {
	var b strings.Builder
	for i, a := range v.Actors {
		if i > 0 {
			b.WriteByte('\n')
		}
		a.write(&b)
	}
	for i, f := range v.Frameworks {
		if len(v.Actors) > 0 || i > 0 {
			b.WriteByte('\n')
		}
		f.write(&b)
	}
	if len(v.Rejected) > 0 {
		writeRejected(&b, v)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeRejected(b *strings.Builder, v Inventory) {
	if len(v.Actors)+len(v.Frameworks) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString("not actors\n")
	for _, r := range v.Rejected {
		fmt.Fprintf(b, "    %-28s %s  %s\n", r.Pos, r.Name, r.Reason)
	}
}

// String returns the block that Write prints for a.
func (a Actor) String() string {
	var b strings.Builder
	a.write(&b)
	return b.String()
}

func (a Actor) write(b *strings.Builder) {
	fmt.Fprintf(b, "actor %s  %s  %s\n", a.Name, a.Loop, a.kind())
	for _, l := range a.Launches {
		fmt.Fprintf(b, "    started  %s\n", l)
	}
	for _, m := range a.Mailboxes {
		fmt.Fprintf(b, "    mailbox  %s\n", m)
		for _, h := range a.Handlers {
			if h.Mailbox == m.Name {
				fmt.Fprintf(b, "      handler  %s\n", h)
			}
		}
		for _, s := range m.Senders {
			fmt.Fprintf(b, "      %s\n", s.text(a.Package))
		}
	}
	for _, s := range a.State {
		fmt.Fprintf(b, "    state    %s\n", s)
	}
}

func (a Actor) kind() string {
	s := fmt.Sprintf("%s loop in %s", a.Shape, a.Root)
	if a.Family {
		s += ", a family"
	}
	return s
}

// String returns "file:line in New".
func (l Launch) String() string {
	s := fmt.Sprintf("%s in %s", l.Pos, l.In)
	if l.Via != "" {
		s += " by " + l.Via
	}
	if l.Loop {
		s += ", in a loop"
	}
	onOneLine := func(p, q Pos) bool { return p.String() == q.String() }
	calls := slices.CompactFunc(slices.Clone(l.Calls), onOneLine)
	for i, p := range calls {
		switch {
		case i == 0:
			s += ", called at " + p.String()
		case i == maxCalls:
			return s + fmt.Sprintf(" and %d more places", len(calls)-i)
		default:
			s += ", " + p.String()
		}
	}
	return s
}

// String returns "Server.requests  chan request, capacity 0, made at server.go:12".
func (m Mailbox) String() string {
	parts := []string{"chan " + m.Elem, "capacity " + m.Capacity}
	if m.Kind != Data {
		parts = slices.Insert(parts, 0, string(m.Kind))
	}
	if m.Nilable {
		parts = append(parts, "may be nil")
	}
	for i, p := range m.Makes {
		if i == 0 {
			parts = append(parts, "made at "+p.String())
		} else {
			parts = append(parts, p.String())
		}
	}
	return m.Name + "  " + strings.Join(parts, ", ")
}

// Name returns the handler's name: its mailbox, then the kind of its messages.
func (h Handler) Name() string {
	if h.Kind == "" {
		return h.Mailbox
	}
	return h.Mailbox + "::" + h.Kind
}

// String returns "Server.requests::opAdd  server.go:31, replies on req.resp".
func (h Handler) String() string {
	parts := []string{h.Pos.String()}
	if h.Reply != "" {
		parts = append(parts, "replies on "+h.Reply)
	}
	for _, s := range h.Effects.Sends {
		if s != h.Reply {
			parts = append(parts, "sends on "+s)
		}
	}
	if h.Effects.Spawns > 0 {
		parts = append(parts, "starts a goroutine")
	}
	if h.Effects.Stops {
		parts = append(parts, "ends the loop")
	}
	return h.Name() + "  " + strings.Join(parts, ", ")
}

// text returns "sender   *get  client.go:7 in (*Client).Get, outside of actors".
func (s Sender) text(pkg string) string {
	what := "sender   "
	if s.Close {
		what = "closer   "
	}
	if len(s.Kinds) > 0 {
		what += strings.Join(s.Kinds, ", ") + "  "
	}
	return what + s.Pos.String() + " in " + s.In + ": " + strings.Join(senders(s.From, pkg), "; ")
}

// senders writes who sends: each actor once, with its handlers.
func senders(from []From, pkg string) []string {
	var out []string
	at := map[string]int{}
	for _, f := range from {
		who, on := f.text(pkg), ""
		if f.Handler != "" {
			on = " on " + f.Handler
		}
		i, ok := at[who]
		switch {
		case !ok:
			at[who] = len(out)
			out = append(out, who+on)
		case strings.Contains(out[i], " on "):
			out[i] += strings.Replace(on, " on ", ", ", 1)
		default:
			out[i] += on
		}
	}
	if len(out) > maxSenders {
		return []string{fmt.Sprintf("%d actors and goroutines, %s and others", len(out), out[0])}
	}
	return out
}

// maxCalls is how many calls of a constructor are written.
const maxCalls = 4

// maxSenders is how many senders are written for one place. A function that is called from
// everywhere would fill the page; JSON has them all.
const maxSenders = 6

// text names the process. Names of actors of package pkg are written without it.
func (f From) text(pkg string) string {
	who := strings.TrimPrefix(f.Actor, pkg+".")
	switch {
	case f.Actor == "":
		return "outside of actors"
	case f.Spawned:
		return "a goroutine of " + who
	}
	return who
}

// String returns "Server.total  field, rw".
func (s State) String() string { return fmt.Sprintf("%s  %s, %s", s.Name, s.Where, s.Access) }

// write prints a line for the loop, then one for each method that it can reach.
func (f Framework) write(b *strings.Builder) {
	fmt.Fprintf(b, "framework %s.%s  loop %s  %s, calls at %s\n", f.Package, f.Interface, f.Loop,
		f.Pos, positions(f.Calls))
	for _, r := range f.Receivers {
		name := path.Base(r.Package) + "." + r.Name
		if rest, ok := strings.CutPrefix(r.Name, "*"); ok {
			name = "*" + path.Base(r.Package) + "." + rest
		}
		fmt.Fprintf(b, "    receiver %s\n", name)
		for _, m := range r.Methods {
			fmt.Fprintf(b, "      method   %s  %s", m.Name, m.Pos)
			if len(m.Kinds) > 0 {
				fmt.Fprintf(b, ", kinds %s", strings.Join(m.Kinds, ", "))
			}
			b.WriteByte('\n')
		}
	}
}

// positions writes the first positions of list.
func positions(list []Pos) string {
	var parts []string
	for i, p := range list {
		if i == maxCalls {
			return strings.Join(parts, ", ") + fmt.Sprintf(" and %d more places", len(list)-i)
		}
		parts = append(parts, p.String())
	}
	return strings.Join(parts, ", ")
}
