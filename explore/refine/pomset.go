package refine

import (
	"cmp"
	"maps"
	"slices"
)

// Output is one output of an execution.
type Output struct {
	Kind  Kind
	Port  string
	Seq   int // among the outputs of the port; of a bag, without meaning
	Op    int // as of Input
	Value Value
	Chain int    `json:",omitempty"` // of messages of one sender that stay in order; 0: in none
	Needs uint64 // the inputs that happen before it, a bit for each
}

// Pomset is the view of one execution. It stands for all paths in which the outputs of a port are
// in order, and each output comes after the inputs that it needs.
type Pomset struct {
	Outputs []Output // ordered by port, then Seq
}

// View is what clients of one kind see of the executions of one script.
type View struct {
	Inputs  []Input
	Pomsets []Pomset
	Bags    bool // the outputs of a port are in no order
}

// Sort orders the outputs of a pomset, and numbers the component's names by their first output.
func (p *Pomset) Sort() {
	slices.SortStableFunc(p.Outputs, byPort)
	number := map[int]int{}
	chains := map[chain]int{}
	for i := range p.Outputs {
		if o := &p.Outputs[i]; o.Chain > 0 {
			c := chain{o.Port, o.Chain}
			if chains[c] == 0 {
				chains[c] = len(chains) + 1
			}
			o.Chain = chains[c]
		}
		for j := range p.Outputs[i].Value.Names {
			n := &p.Outputs[i].Value.Names[j]
			if n.Own != "" {
				continue
			}
			if number[n.ID] == 0 {
				number[n.ID] = len(number) + 1
			}
			n.ID = number[n.ID]
		}
	}
}

// byPort is the order of outputs in a pomset.
func byPort(a, b Output) int {
	return cmp.Or(cmp.Compare(a.Port, b.Port), cmp.Compare(a.Seq, b.Seq))
}

// chain is the messages of one sender at one port.
type chain struct {
	port   string
	number int
}

// before reports whether all outputs before the i-th of its sender are in a set.
func (p *Pomset) before(i int, set uint64) bool {
	for j, o := range p.Outputs[:i] {
		if o.Chain == p.Outputs[i].Chain && o.Port == p.Outputs[i].Port && set>>j&1 == 0 {
			return false
		}
	}
	return true
}

// Add adds a pomset that no other covers, and drops those that it covers.
func (v *View) Add(p Pomset) (added bool) {
	if slices.ContainsFunc(v.Pomsets, func(q Pomset) bool { return v.covers(q, p) }) {
		return false
	}
	v.Pomsets = slices.DeleteFunc(v.Pomsets, func(q Pomset) bool { return v.covers(p, q) })
	v.Pomsets = append(v.Pomsets, p)
	return true
}

// Show adds what one execution has shown: a pomset whose needs are bits of these inputs. It reports
// false if there are more inputs in all than a set can hold.
func (v *View) Show(inputs []Input, p Pomset) bool {
	at := make([]int, len(inputs))
	for i, in := range inputs {
		at[i] = slices.IndexFunc(v.Inputs, func(k Input) bool { return k.Key() == in.Key() })
		if at[i] < 0 {
			at[i] = len(v.Inputs)
			v.Inputs = append(v.Inputs, in)
		}
	}
	if len(v.Inputs) > mostInputs {
		return false
	}
	for i := range p.Outputs {
		needs := uint64(0)
		for j := range inputs {
			needs |= p.Outputs[i].Needs >> j & 1 << at[j]
		}
		p.Outputs[i].Needs = needs
	}
	v.Add(p)
	return true
}

// mostInputs is what fits into a set.
const mostInputs = 64

// covers reports whether q stands for each path that p stands for: it has the same outputs, or
// more, and they need no more. (In a bag, outputs are looked at in the order in which they are
// listed, so some pomsets that are covered stay.)
func (v *View) covers(q, p Pomset) bool {
	var names bijection
	i := 0
	for _, o := range p.Outputs {
		for i < len(q.Outputs) && (q.Outputs[i].Port != o.Port || q.Outputs[i].Seq != o.Seq) {
			i++
		}
		if i == len(q.Outputs) || q.Outputs[i].Chain != o.Chain ||
			q.Outputs[i].Needs&^o.Needs != 0 ||
			!names.match(o, q.Outputs[i]) {
			return false
		}
	}
	return true
}

// bijection relates the component's names of two executions: pairs of numbers.
type bijection [][2]int

// match reports whether two outputs are equal up to names, and relates their names.
func (b *bijection) match(p, q Output) bool {
	if p.Kind != q.Kind || p.Value.Text != q.Value.Text ||
		len(p.Value.Names) != len(q.Value.Names) {
		return false
	}
	for i, n := range p.Value.Names {
		if m := q.Value.Names[i]; n.Own != m.Own || n.Own == "" && !b.relate(n.ID, m.ID) {
			return false
		}
	}
	return true
}

// relate reports whether two names can be the same, and notes that they are.
func (b *bijection) relate(n, m int) bool {
	for _, pair := range *b {
		if pair[0] == n || pair[1] == m {
			return pair == [2]int{n, m}
		}
	}
	*b = append(slices.Clip(*b), [2]int{n, m})
	return true
}

// Async is what asynchronous clients see: sends end unseen, and somebody always receives.
func (v *View) Async() *View {
	receives := uint64(0)
	for i, in := range v.Inputs {
		if in.Kind == Receive {
			receives |= 1 << i
		}
	}
	w := &View{Inputs: slices.Clone(v.Inputs), Bags: v.Bags}
	sent := map[Outcome]bool{} // ends that asynchronous clients cannot wait for
	for _, p := range v.Pomsets {
		for _, o := range p.Outputs {
			if o.Kind == Sent {
				sent[Outcome{o.Port, o.Seq}] = true
			}
		}
	}
	for i, in := range w.Inputs {
		w.Inputs[i].After = slices.DeleteFunc(slices.Clone(in.After),
			func(o Outcome) bool { return sent[o] })
	}
	for _, p := range v.Pomsets {
		q := Pomset{}
		for _, o := range p.Outputs {
			if o.Kind != Sent {
				o.Needs &^= receives
				q.Outputs = append(q.Outputs, o)
			}
		}
		w.Add(q)
	}
	return w
}

// Bounded drops outputs beyond the k-th of each port.
func (v *View) Bounded(k int) *View {
	w := &View{Inputs: v.Inputs, Bags: v.Bags}
	for _, p := range v.Pomsets {
		q := Pomset{slices.DeleteFunc(slices.Clone(p.Outputs), func(o Output) bool {
			return !v.Bags && o.Seq >= k
		})}
		w.Add(q)
	}
	return w
}

// with is the view and a path: a pomset in which each output needs all inputs before it. It stands
// for no more paths than the laws L1 to L5 give for this one.
func (v *View) with(path Path) *View {
	w := &View{Inputs: v.Inputs, Bags: v.Bags, Pomsets: slices.Clone(v.Pomsets)}
	var p Pomset
	sent := uint64(0)
	for _, s := range path {
		if s.in >= 0 {
			sent |= 1 << s.in
			continue
		}
		p.Outputs = append(p.Outputs, Output{Kind: s.Kind, Port: s.Port, Seq: s.seq, Op: s.Op,
			Value: s.out, Needs: sent})
	}
	slices.SortStableFunc(p.Outputs, byPort)
	w.Add(p)
	return w
}

// operations is the set of inputs that begin operations of the script, and wait for nothing.
func (v *View) operations(free bool) (set uint64) {
	for i, in := range v.Inputs {
		if in.Op > 0 && !(free && len(in.After) > 0) {
			set |= 1 << i
		}
	}
	return set
}

// eager has the paths of clients that begin all operations at once.
func (v *View) eager() *View {
	first := v.operations(true)
	w := &View{Inputs: v.Inputs, Bags: v.Bags, Pomsets: make([]Pomset, len(v.Pomsets))}
	for i, p := range v.Pomsets {
		outputs := slices.Clone(p.Outputs)
		for j := range outputs {
			outputs[j].Needs |= first
		}
		w.Pomsets[i].Outputs = outputs
	}
	return w
}

// align gives two views of one script the same inputs.
func align(v, w *View) (*View, *View) {
	at := map[string]int{}
	var all []Input
	for _, in := range slices.Concat(v.Inputs, w.Inputs) {
		if _, known := at[in.Key()]; !known {
			at[in.Key()] = len(all)
			all = append(all, in)
		}
	}
	return v.onto(all, at), w.onto(all, at)
}

func (v *View) onto(all []Input, at map[string]int) *View {
	w := &View{Inputs: all, Bags: v.Bags, Pomsets: make([]Pomset, len(v.Pomsets))}
	for i, p := range v.Pomsets {
		outputs := slices.Clone(p.Outputs)
		for j := range outputs {
			needs := uint64(0)
			for k, in := range v.Inputs {
				if outputs[j].Needs>>k&1 == 1 {
					needs |= 1 << at[in.Key()]
				}
			}
			outputs[j].Needs = needs
		}
		w.Pomsets[i].Outputs = outputs
	}
	return w
}

// Names lists the names of the component's in all outputs, each with where it comes from, in order.
func (v *View) Names() (list []Handle) {
	seen := map[Handle]bool{}
	for _, p := range v.Pomsets {
		for _, o := range p.Outputs {
			for _, n := range o.Value.Names {
				if n.Type != "" && n.Own == "" {
					seen[Handle{Ref: Outcome{o.Port, o.Seq}.String() + "/" + n.Path,
						Type: n.Type}] = true
				}
			}
		}
	}
	return slices.SortedFunc(maps.Keys(seen), func(a, b Handle) int {
		return cmp.Or(cmp.Compare(a.Ref, b.Ref), cmp.Compare(a.Type, b.Type))
	})
}

// Handle is a name that an output brings, and that the environment may use from then on.
type Handle struct{ Ref, Type string }
