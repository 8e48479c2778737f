package report

import (
	"cmp"
	"slices"

	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Twins describes several goroutines that one go statement starts. They are indistinguishable until
// they begin, so the search lets them begin in the order in which they were started; or Why says
// why they are no twins.
type Twins struct {
	Pos   string // the go statement
	Name  string // the function that they run
	Most  int    // so many of them in an execution
	First string `json:",omitempty"` // the operation with which they begin
	// the number of times that a later one could have begun before an earlier one, and the search
	// left it out
	Held int    `json:",omitempty"`
	Why  string `json:",omitempty"` // they are no twins; empty: they are
}

// Verb is the word for operations of a kind.
func Verb(k trace.Kind) string {
	return cmp.Or(k.Operation().Word, k.String())
}

// twins prints what -why symmetry asks for.
func (t *Text) twins(list []Twins) {
	if !t.WhyTwins {
		return
	}
	t.printf("    goroutines that one go statement starts\n")
	for _, w := range list {
		t.printf("      %s  %d of %s", w.Pos, w.Most, w.Name)
		switch {
		case w.Why != "":
			t.printf(", no twins: %s\n", w.Why)
		case w.Held == 0:
			t.printf(", twins: a later one could never begin (%s) before an earlier one\n", w.First)
		default:
			t.printf(
				", twins: %s a later one could have begun (%s) before an earlier one, which is the same but for names\n",
				words.Plural(w.Held, "time"), w.First)
		}
	}
	if len(list) == 0 {
		t.printf("      none starts several\n")
	}
}

// BySite puts together who was started by one process at one place.
func BySite(procs []trace.Proc) (groups [][]int) {
	for q, p := range procs {
		i := slices.IndexFunc(groups, func(g []int) bool {
			return procs[g[0]].Site == p.Site && procs[g[0]].Parent == p.Parent
		})
		switch {
		case p.Site == "" || p.Service:
		case i < 0:
			groups = append(groups, []int{q})
		default:
			groups[i] = append(groups[i], q)
		}
	}
	return groups
}
