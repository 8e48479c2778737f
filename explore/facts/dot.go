package facts

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteDOT prints the sends of v as a graph for Graphviz, with a record per actor and its
// mailboxes. It has an edge per sender, mailbox and kind of message. The edge's label is the kind
// and, if several places send it, their number. Messages from code outside of actors come from the
// node "outside". A dashed edge comes from a goroutine that the sender starts, a dotted one closes
// the mailbox.
func WriteDOT(w io.Writer, v Inventory) error {
	g := graph{nodes: map[string]string{"": "outside"}, shorten: onePackage(v)}
	g.b.WriteString("digraph actors {\n\trankdir=LR\n\tnode [shape=record]\n")
	for i := range v.Actors {
		g.node(&v.Actors[i], i)
	}
	for i := range v.Actors {
		g.edges(&v.Actors[i])
	}
	if g.outside {
		g.b.WriteString("\toutside [shape=ellipse, style=dashed]\n")
	}
	g.b.WriteString("}\n")
	_, err := io.WriteString(w, g.b.String())
	return err
}

// onePackage reports whether all actors of v are of one package.
func onePackage(v Inventory) bool {
	return !slices.ContainsFunc(v.Actors, func(a Actor) bool {
		return a.Package != v.Actors[0].Package
	})
}

// graph is a graph being printed.
type graph struct {
	b       strings.Builder
	nodes   map[string]string // node by Actor.ID
	shorten bool              // packages are left out of names
	outside bool              // an edge starts at the environment
}

func (g *graph) node(a *Actor, i int) {
	id := fmt.Sprintf("a%d", i)
	g.nodes[a.ID()] = id
	name := a.ID()
	if g.shorten {
		name = a.Name
	}
	var ports []string
	for j, m := range a.Mailboxes {
		label := m.Name
		if m.Kind != Data {
			label += ", " + string(m.Kind)
		}
		ports = append(ports, fmt.Sprintf("<m%d> %s", j, inRecord(label)))
	}
	extra := ""
	if a.Family {
		extra = ", peripheries=2"
	}
	fmt.Fprintf(&g.b, "\t%s [label=%s%s]\n", id,
		quote(inRecord(name)+" | {"+strings.Join(ports, " | ")+"}"), extra)
}

// flow is what the senders of one edge have in common.
type flow struct {
	from, to, kind, style string
}

func (g *graph) edges(a *Actor) {
	for j, m := range a.Mailboxes {
		var order []flow
		places := map[flow][]Pos{}
		for _, s := range m.Senders {
			for _, f := range g.flows(s, fmt.Sprintf("%s:m%d", g.nodes[a.ID()], j)) {
				if places[f] == nil {
					order = append(order, f)
				}
				places[f] = addPos(places[f], s.Pos)
			}
		}
		for _, f := range order {
			g.edge(f, places[f])
		}
	}
}

// flows returns an edge for each kind that each of s's processes may send.
func (g *graph) flows(s Sender, to string) []flow {
	kinds := s.Kinds
	switch {
	case s.Close:
		kinds = []string{"close"}
	case len(kinds) == 0:
		kinds = []string{""}
	}
	var out []flow
	for _, f := range s.From {
		from, ok := g.nodes[f.Actor]
		if !ok || f.Actor == "" {
			from, g.outside = "outside", true
		}
		for _, k := range kinds {
			out = append(out, flow{from, to, k, styleOf(s, f)})
		}
	}
	return out
}

func styleOf(s Sender, f From) string {
	switch {
	case s.Close:
		return "dotted"
	case f.Spawned:
		return "dashed"
	}
	return ""
}

func addPos(list []Pos, p Pos) []Pos {
	if slices.Contains(list, p) {
		return list
	}
	return append(list, p)
}

func (g *graph) edge(f flow, at []Pos) {
	label := f.kind
	if len(at) > 1 {
		label = strings.TrimSpace(fmt.Sprintf("%s ×%d", label, len(at)))
	}
	var places []string
	for _, p := range at {
		places = append(places, p.String())
	}
	attrs := fmt.Sprintf("label=%s, edgetooltip=%s", quote(label), quote(strings.Join(places, " ")))
	if f.style != "" {
		attrs += ", style=" + f.style
	}
	fmt.Fprintf(&g.b, "\t%s -> %s [%s]\n", f.from, f.to, attrs)
}

// inRecord escapes what means something in the label of a record.
func inRecord(s string) string {
	return strings.NewReplacer(`\`, `\\`, "{", `\{`, "}", `\}`, "|", `\|`, "<", `\<`, ">",
		`\>`).Replace(s)
}

// quote writes s as a string of the DOT language, in which only the quotation mark has to be
// escaped: backslashes are the label's.
func quote(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }
