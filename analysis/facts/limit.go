package facts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// What is printed of a large program is what tells most; the JSON object has all.

// maxLines bounds the lines of one kind: accesses, sends, operations of a task, pairs of an actor, calls of a handler.
const maxLines = 12

// maxNames bounds what is listed in one line.
const maxNames = 8

// chosen returns the indices of at most maxLines of n lines, those with the least ranks, in order, and how many are left.
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
		fmt.Fprintf(b, "%sand %d more %s; -json has all\n", indent, left, what)
	}
}

// shortened returns at most maxNames of names, and says how many there are beside these.
func shortened(names []string) []string {
	if len(names) <= maxNames {
		return names
	}
	return append(names[:maxNames:maxNames], fmt.Sprintf("and %d more", len(names)-maxNames))
}

// rankAccess puts writes before reads.
func (t Task) rankAccess(i int) int {
	if t.Accesses[i].Mode == Reads {
		return 1
	}
	return 0
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
	for _, i := range list {
		a := t.Accesses[i]
		shared := ""
		if a.Shared.IsValid() {
			shared = ", shared with " + a.Shared.String()
		}
		fmt.Fprintf(b, "%s%s  %s, %s%s\n", indent, a, a.Location.Where, places(a.At), shared)
	}
	more(b, indent, left, "accesses")
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

// writePairs prints what holds for each pair. Of many pairs, those of a handler that all have the same verdict are one line.
func (x Behaviour) writePairs(b *strings.Builder) {
	const indent = "        "
	done := make([]bool, len(x.Pairs))
	if len(x.Pairs) > maxLines {
		for h := range x.Tasks {
			if of := x.pairsOf(h, done); len(of) > 2 && x.alike(of) {
				fmt.Fprintf(b, "%s%s, and %s: %s\n", indent, x.Tasks[h].Handler, others(len(of)), x.Pairs[of[0]].words())
				for _, i := range of {
					done[i] = true
				}
			}
		}
	}
	left := 0
	for i, p := range x.Pairs {
		switch {
		case done[i]:
		case left < maxLines || len(x.Pairs) <= maxLines:
			left++
			fmt.Fprintf(b, "%s%s, %s: %s\n", indent, x.Tasks[p.First].Handler, x.Tasks[p.Second].Handler, p.words())
		default:
			left++
		}
	}
	more(b, indent, left-maxLines, "pairs")
}

func others(n int) string { return fmt.Sprintf("each of %d handlers, itself and those below", n) }

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
	return !slices.ContainsFunc(pairs, func(i int) bool { return x.Pairs[i].words() != x.Pairs[pairs[0]].words() })
}
