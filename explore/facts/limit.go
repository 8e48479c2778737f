package facts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// The text of a large program has the facts that tell most; the JSON object has all.

// maxLines bounds the lines of one kind: accesses, sends, operations of a task, pairs of an actor,
// calls of a handler.
const maxLines = 12

// maxNames bounds what is listed in one line.
const maxNames = 8

// chosen returns, in order, the indices of the maxLines lines with the least ranks, of n lines, and
// the number of other lines.
func chosen(n int, rank func(i int) int) (list []int, left int) {
	for i := range n {
		list = append(list, i)
	}
	if n <= maxLines {
		return list, 0
	}
	slices.SortStableFunc(list, func(i, j int) int { return cmp.Compare(rank(i), rank(j)) })
	list = list[:maxLines]
	slices.Sort(list)
	return list, n - maxLines
}

// more says that lines are left out.
func more(b *strings.Builder, indent string, left int, what string) {
	if left > 0 {
		fmt.Fprintf(b, "%sand %d more %s; -json -tasks . has all\n", indent, left, what)
	}
}

// maxShared bounds the accesses of a task that are listed with the tasks that share them; of more,
// the first ones are listed.
const maxShared = 3

// few returns the first maxShared of names, and says how many there are beside these.
func few(names []string) []string {
	return append(names[:maxShared:maxShared],
		fmt.Sprintf("and %d more; -json -tasks . has all", len(names)-maxShared))
}

// shortened returns at most maxNames of names, and says how many there are beside these.
func shortened(names []string) []string {
	if len(names) <= maxNames {
		return names
	}
	return append(names[:maxNames:maxNames], fmt.Sprintf("and %d more", len(names)-maxNames))
}

// others lists what t shares with other goroutines: the location, and where another one accesses
// it.
func (t Task) others() []string {
	var out []string
	for _, a := range t.Accesses {
		if a.Shared.IsValid() {
			out = append(out, a.Location.Name+" with "+a.Shared.String())
		}
	}
	return out
}

// shared says where another goroutine accesses the location, or, if that is said of all together,
// that one does.
func (a Access) shared(together bool) string {
	switch {
	case !a.Shared.IsValid():
		return ""
	case together:
		return ", shared"
	}
	return ", shared with " + a.Shared.String()
}

// rankAccess puts variables that have a name before others, and writes before reads.
func (t Task) rankAccess(i int) int {
	rank := 0
	if t.Accesses[i].Location.Where == Pointed {
		rank = 2
	}
	if t.Accesses[i].Mode == Reads {
		rank++
	}
	return rank
}

// rankOperation puts the first of each kind before the second of any.
func (t Task) rankOperation(i int) int {
	n := 0
	for _, o := range t.Operations[:i] {
		if o.Kind == t.Operations[i].Kind {
			n++
		}
	}
	return n
}

// rankSend puts sends that are made by the task itself, with few conditions, first.
func (t Task) rankSend(i int) int {
	s := t.Sends[i]
	if s.Spawned {
		return s.Depth + 1<<20
	}
	return s.Depth
}

// write prints the task.
func (t Task) write(b *strings.Builder) {
	const indent = "        "
	fmt.Fprintf(b, "    task %s  %s\n", t.Handler, t.Pos)
	list, left := chosen(len(t.Accesses), t.rankAccess)
	others := t.others()
	for _, i := range list {
		a := t.Accesses[i]
		fmt.Fprintf(b, "%s%s  %s, %s%s\n", indent, a, a.Location.Where, places(a.At),
			a.shared(len(others) > maxShared))
	}
	more(b, indent, left, "accesses")
	if n := len(others); n > maxShared {
		fmt.Fprintf(b, "%s%d accesses are shared with other goroutines: %s\n", indent, n,
			strings.Join(few(others), ", "))
	}
	list, left = chosen(len(t.Sends), t.rankSend)
	for _, i := range list {
		s := t.Sends[i]
		fmt.Fprintf(b, "%s%s  %s%s%s\n", indent, s, s.At, conditions(s.Depth), targets(s.To))
	}
	more(b, indent, left, "sends")
	list, left = chosen(len(t.Operations), t.rankOperation)
	for _, i := range list {
		fmt.Fprintf(b, "%s%s  %s\n", indent, t.Operations[i], places(t.Operations[i].At))
	}
	more(b, indent, left, "operations")
}

// writePairs prints what holds for each pair. Of many pairs, those of handlers with the same
// verdict for all are one line.
func (x Behaviour) writePairs(b *strings.Builder) {
	const indent = "        "
	done := make([]bool, len(x.Pairs))
	if len(x.Pairs) > maxLines {
		for _, g := range x.groups(done) {
			fmt.Fprintf(b, "%s%s: each with itself and all that are not above: %s\n", indent,
				strings.Join(shortened(g.handlers), ", "), g.words)
		}
	}
	lines := 0
	for i, p := range x.Pairs {
		if done[i] {
			continue
		}
		if lines++; lines <= maxLines {
			fmt.Fprintf(b, "%s%s, %s: %s\n", indent, x.Tasks[p.First].Handler,
				x.Tasks[p.Second].Handler,
				p.words())
		}
	}
	more(b, indent, lines-maxLines, "pairs")
}

// group is a set of handlers whose verdicts with all other handlers are the same.
type group struct {
	handlers []string
	words    string
}

// groups finds the groups, in the order of the handlers, and notes which pairs they cover.
func (x Behaviour) groups(done []bool) []group {
	var out []group
	for h := range x.Tasks {
		of := x.pairsOf(h, done)
		if len(of) < 2 || !x.alike(of) {
			continue
		}
		words := x.Pairs[of[0]].words()
		if n := len(out); n == 0 || out[n-1].words != words {
			out = append(out, group{words: words})
		}
		last := &out[len(out)-1]
		last.handlers = append(last.handlers, x.Tasks[h].Handler)
		for _, i := range of {
			done[i] = true
		}
	}
	return out
}

// pairsOf returns the pairs of handler h that are not done.
func (x Behaviour) pairsOf(h int, done []bool) []int {
	var out []int
	for i, p := range x.Pairs {
		if !done[i] && (p.First == h || p.Second == h) {
			out = append(out, i)
		}
	}
	return out
}

// alike reports whether the same is said of all these pairs.
func (x Behaviour) alike(pairs []int) bool {
	return !slices.ContainsFunc(pairs, func(i int) bool {
		return x.Pairs[i].words() != x.Pairs[pairs[0]].words()
	})
}
