package refine

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
)

// Included looks for a path of one side that is none of the other: a shortest one, or nil. It also
// says what the other side has in the place of the last step. The two views have the same inputs;
// see Align.
//
// The search goes through the paths that one pomset p of the first side stands for, and keeps the
// pomsets of the other side that stand for the same path. Inputs come as late as they can. If the
// other side has such a path, it also has the paths whose inputs come earlier (law L5).
//
// Lemma 1 (TestLazyInputs): let s be a path of p, and of no pomset of the other side. Then so is
// the path with the outputs of s in which each input comes right before the first output that needs
// it.
//
// Lemma 2 (TestCoveredIsSkipped): if a pomset of the other side covers p, each path of p is one of
// the other side's. So the search leaves p out.
func Included(these, those *View) (path Path, instead []Value) {
	path, instead, _ = includedIn(these, those, 0, nil)
	return path, instead
}

// includedIn is Included, for paths that have all inputs of a set. It gives up, and whole is false,
// when over reports true, which may be nil, or when the search needs too much memory.
func includedIn(these, those *View, all uint64, over func() bool) (path Path, instead []Value,
	whole bool) {
	w := &walk{these: these, those: those, all: all, over: over,
		seen: map[[sha256.Size]byte]bool{}}
	for i, p := range these.Pomsets {
		covers := func(q Pomset) bool { return those.covers(q, p) }
		if !slices.ContainsFunc(those.Pomsets, covers) {
			w.start(i)
		}
	}
	path, instead = w.search()
	return path, instead, !w.cut
}

// walk is a search, breadth first by the length of paths.
type walk struct {
	these, those *View
	all          uint64
	over         func() bool // asks whether to give up; may be nil
	cut          bool        // given up
	kept         int         // matches in memory
	levels       [][]*place  // by the length of the path
	seen         map[[sha256.Size]byte]bool
}

// mostKept bounds the matches that a search remembers: about a gigabyte.
const mostKept = 1 << 24

// place is a path of one pomset.
type place struct {
	p     int     // the pomset
	shown uint64  // its outputs on the path
	sent  uint64  // the inputs on the path
	live  []match // pomsets of the other side that stand for the path
	from  *place
	last  int    // the last output
	new   uint64 // the inputs before it, after the output before
}

// match is a pomset of the other side, with those of its outputs that are on the path.
type match struct {
	q     int
	used  uint64
	names bijection
}

func (w *walk) start(p int) {
	s := &place{p: p, last: -1}
	for q := range w.those.Pomsets {
		s.live = append(s.live, match{q: q})
	}
	w.push(0, s)
}

func (w *walk) push(length int, s *place) {
	key := sha256.Sum256([]byte(s.key()))
	if w.seen[key] {
		return
	}
	w.seen[key] = true
	w.kept += 1 + len(s.live)
	for len(w.levels) <= length {
		w.levels = append(w.levels, nil)
	}
	w.levels[length] = append(w.levels[length], s)
}

// key is the same for paths that go on in the same ways.
func (s *place) key() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %x", s.p, s.shown)
	for _, m := range s.live {
		fmt.Fprintf(&b, " %d.%x%v", m.q, m.used, m.names)
	}
	return b.String()
}

func (w *walk) search() (path Path, instead []Value) {
	for length := 0; length < len(w.levels); length++ {
		level := w.levels[length]
		slices.SortStableFunc(level, func(s, t *place) int {
			return slices.Compare(w.texts(s), w.texts(t))
		})
		for i, s := range level {
			if w.kept > mostKept || i%256 == 0 && w.over != nil && w.over() {
				w.cut = true
				return nil, nil
			}
			if len(s.live) == 0 && w.all&^s.sent == 0 {
				return w.path(s), w.instead(s)
			}
			w.extend(length, s)
		}
		w.levels[length] = nil
	}
	return nil, nil
}

// instead says what the other side has in the place of the last output of s.
func (w *walk) instead(s *place) (values []Value) {
	if s.from == nil {
		return nil
	}
	last := w.these.Pomsets[s.p].Outputs[s.last]
	for _, m := range s.from.live {
		for _, o := range w.those.Pomsets[m.q].Outputs {
			if o.Port == last.Port && o.Seq == last.Seq && o.Needs&^s.sent == 0 &&
				!slices.ContainsFunc(values, o.Value.showsAs) {
				values = append(values, o.Value)
			}
		}
	}
	slices.SortFunc(values, func(a, b Value) int { return strings.Compare(a.Shown(), b.Shown()) })
	return values
}

func (v Value) showsAs(other Value) bool { return v.Shown() == other.Shown() }

// shownAll is values for people.
func shownAll(values []Value) string {
	var texts []string
	for _, v := range values {
		texts = append(texts, v.Shown())
	}
	return strings.Join(texts, " or ")
}

// extend pushes the paths that are one output longer.
func (w *walk) extend(length int, s *place) {
	p := w.these.Pomsets[s.p]
	if s.last >= 0 && p.Outputs[s.last].Kind == Panic {
		return
	}
	for i, o := range p.Outputs {
		if !w.next(p, s.shown, i) {
			continue
		}
		sent, ok := w.before(p, s, o.Needs)
		if !ok {
			continue
		}
		t := &place{p: s.p, shown: s.shown | 1<<i, sent: sent, from: s, last: i,
			new: sent &^ s.sent}
		for _, m := range s.live {
			t.live = w.follow(t.live, m, o, sent)
		}
		w.push(length+1+count(t.new), t)
	}
}

// next reports whether output i of p may be the next one, as far as other outputs are concerned.
func (w *walk) next(p Pomset, shown uint64, i int) bool {
	switch {
	case shown>>i&1 == 1:
		return false
	case w.these.Bags:
		return p.Outputs[i].Chain == 0 || p.before(i, shown)
	}
	return i == 0 || p.Outputs[i-1].Port != p.Outputs[i].Port || shown>>(i-1)&1 == 1
}

// before returns the inputs that must have been sent for an output with these needs: the needed
// inputs, and those that come before them on their ports. ok is false if some input needs an output
// that the path lacks, or is beyond the bound.
func (w *walk) before(p Pomset, s *place, needs uint64) (sent uint64, ok bool) {
	sent = s.sent
	for i, in := range w.these.Inputs {
		if needs>>i&1 == 0 || sent>>i&1 == 1 {
			continue
		}
		if in.Seq < 0 {
			return 0, false
		}
		for j, other := range w.these.Inputs {
			if other.Port != in.Port || other.Seq > in.Seq || other.Seq < 0 || sent>>j&1 == 1 {
				continue
			}
			if !allSeen(p, s.shown, other.After) {
				return 0, false
			}
			sent |= 1 << j
		}
	}
	return sent, true
}

// allSeen reports whether all outcomes are among the outputs shown.
func allSeen(p Pomset, shown uint64, list []Outcome) bool {
	for _, want := range list {
		if !slices.ContainsFunc(p.Outputs, func(o Output) bool {
			return o.Port == want.Port && o.Seq == want.Seq
		}) {
			return false
		}
		for i, o := range p.Outputs {
			if o.Port == want.Port && o.Seq == want.Seq && shown>>i&1 == 0 {
				return false
			}
		}
	}
	return true
}

// follow appends the ways in which m can show o, when the inputs sent are those.
func (w *walk) follow(live []match, m match, o Output, sent uint64) []match {
	q := w.those.Pomsets[m.q]
	fixed := !w.those.Bags || w.refers(o) // what a script refers to keeps its number in a bag, too
	for j, c := range q.Outputs {
		if c.Port != o.Port || m.used>>j&1 == 1 || fixed && c.Seq != o.Seq || c.Needs&^sent != 0 {
			continue
		}
		if c.Chain > 0 && !q.before(j, m.used) {
			continue
		}
		names := slices.Clone(m.names)
		if names.match(o, c) {
			live = append(live, match{m.q, m.used | 1<<j, names})
		}
	}
	return live
}

// refers reports whether inputs come after an output.
func (w *walk) refers(o Output) bool {
	return slices.ContainsFunc(w.these.Inputs, func(in Input) bool {
		return slices.Contains(in.After, Outcome{o.Port, o.Seq})
	})
}

// path is the path to s, for people.
func (w *walk) path(s *place) (path Path) {
	if s.from == nil {
		return nil
	}
	path = w.path(s.from)
	for i, in := range w.these.Inputs {
		if s.new>>i&1 == 1 {
			path = append(path, Step{Kind: in.Kind, Port: in.Port, Op: in.Op, Value: in.Label,
				in:  i,
				seq: in.Seq, after: in.After})
		}
	}
	o := w.these.Pomsets[s.p].Outputs[s.last]
	step := Step{Kind: o.Kind, Port: o.Port, Op: o.Op, Value: o.Value.Shown(), in: -1, out: o.Value,
		seq: o.Seq}
	if i := slices.IndexFunc(o.Value.Names, func(n Name) bool { return n.Own == "" }); i >= 0 {
		step.Name = o.Value.Names[i].ID
	}
	return append(path, step)
}

// texts is the path to s in an order that decides between paths of one length.
func (w *walk) texts(s *place) []string {
	if s.from == nil {
		return nil
	}
	o := w.these.Pomsets[s.p].Outputs[s.last]
	return append(w.texts(s.from), fmt.Sprintf("%016x %s %s", s.new, o.Port, o.Value.Text))
}

func count(set uint64) (n int) {
	for ; set != 0; set &= set - 1 {
		n++
	}
	return n
}
