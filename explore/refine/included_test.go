package refine

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A pitfall is what goes wrong if the paper is taken literally. This file has the tests of pitfalls
// in their smallest form. Those that need a program are in internal/lab/maytest, which also breaks
// the product for each of them.

// view makes a view from pomsets, each a list of outputs, with inputs a, b, c, each on a port of
// its own.
func view(pomsets ...[]Output) *View {
	v := &View{}
	for i, port := range []string{"a", "b", "c"} {
		v.Inputs = append(v.Inputs, Input{Kind: Call, Port: port, Op: i + 1, Label: port})
	}
	for _, outputs := range pomsets {
		p := Pomset{outputs}
		p.Sort()
		v.Pomsets = append(v.Pomsets, p)
	}
	return v
}

// out is an output with a value, that needs inputs: bit 0 is a.
func out(port string, seq int, value string, needs uint64) Output {
	return Output{Kind: Received, Port: port, Seq: seq, Value: Value{Text: value}, Needs: needs}
}

// named is an output of a name of the component's.
func named(port string, seq, id int) Output {
	return Output{Kind: Received, Port: port, Seq: seq,
		Value: Value{Text: "$", Names: []Name{{ID: id}}}}
}

func wantPath(t *testing.T, new, old *View, steps int) {
	t.Helper()
	if path, _ := Included(new, old); len(path) != steps {
		t.Errorf("a path of %d steps, want %d: %v", len(path), steps, path)
	}
}

// TestPitfall8TwoCoverOne: a read lock is covered by two executions of an actor together, by none
// alone.
func TestPitfall8TwoCoverOne(t *testing.T) {
	lock := view([]Output{out("ra", 0, "x", 1), out("rb", 0, "x", 2)})
	actor := view(
		[]Output{out("ra", 0, "x", 1), out("rb", 0, "x", 3)},
		[]Output{out("ra", 0, "x", 3), out("rb", 0, "x", 2)},
	)
	wantPath(t, lock, actor, 0)
	wantPath(t, actor, lock, 0)
	one := view([]Output{out("ra", 0, "x", 1), out("rb", 0, "x", 3)})
	wantPath(t, lock, one, 2) // b, and then its output
}

// TestPitfall1Complement: law L1 lets a component take an input for which it does nothing. It does
// not let it invent an output.
func TestPitfall1Complement(t *testing.T) {
	silent, speaks := view([]Output{}), view([]Output{out("o", 0, "x", 0)})
	wantPath(t, silent, speaks, 0)
	wantPath(t, speaks, silent, 1)
}

// TestPitfall4OneChannel: outputs of one channel have an order, those of two have none.
func TestPitfall4OneChannel(t *testing.T) {
	xy := view([]Output{out("o", 0, "x", 0), out("o", 1, "y", 0)})
	yx := view([]Output{out("o", 0, "y", 0), out("o", 1, "x", 0)})
	wantPath(t, xy, yx, 1)
	xy.Bags, yx.Bags = true, true
	wantPath(t, xy, yx, 0)
	two := view([]Output{out("o", 0, "x", 0), out("p", 0, "y", 0)})
	wantPath(t, two, view([]Output{out("p", 0, "y", 0), out("o", 0, "x", 0)}), 0)
}

// TestLazyInputs: inputs come as late as they can, or a path is missed that OLD lacks (lemma 1).
func TestLazyInputs(t *testing.T) {
	early, late := view([]Output{out("o", 0, "x", 1)}), view([]Output{out("o", 0, "x", 3)})
	wantPath(t, early, late, 2)
	wantPath(t, late, early, 0)
}

// TestPitfall10Alpha: names are equal up to a bijection, which is no substitution: two new names
// are not one.
func TestPitfall10Alpha(t *testing.T) {
	fresh := view([]Output{named("o", 0, 1), named("o", 1, 2)})
	other := view([]Output{named("o", 0, 7), named("o", 1, 3)})
	again := view([]Output{named("o", 0, 1), named("o", 1, 1)})
	wantPath(t, fresh, other, 0)
	wantPath(t, fresh, again, 2)
	wantPath(t, again, fresh, 2)
}

// TestPitfall9AsyncForgets: for asynchronous clients a send has no end, and receives always have
// begun.
func TestPitfall9AsyncForgets(t *testing.T) {
	v := &View{Inputs: []Input{{Kind: Send, Port: "in", Op: 1}, {Kind: Receive, Port: "o"}}}
	v.Pomsets = []Pomset{{[]Output{{Kind: Received, Port: "o", Needs: 3},
		{Kind: Sent, Port: "r1", Op: 1, Needs: 3}}}}
	a := v.Async()
	if got := a.Pomsets[0].Outputs; len(got) != 1 || got[0].Needs != 1 {
		t.Errorf("%+v", got)
	}
}

// TestPitfall8Beyond: an output that needs a receive beyond the bound is seen by no go client, and
// outputs that nobody looks at do not use up the bound of asynchronous ones.
func TestPitfall8Beyond(t *testing.T) {
	v := &View{Inputs: []Input{{Kind: Receive, Port: "o", Seq: -1}}}
	v.Pomsets = []Pomset{{[]Output{out("p", 0, "x", 1)}}}
	none := &View{Inputs: v.Inputs, Pomsets: []Pomset{{}}}
	wantPath(t, v, none, 0)
	wantPath(t, v.Async(), none.Async(), 1)
}

// TestPitfall7Prefix: an execution that was cut shows what it showed until then.
func TestPitfall7Prefix(t *testing.T) {
	v := &View{}
	for _, outputs := range [][]Output{{out("o", 0, "x", 0)},
		{out("o", 0, "x", 0), out("o", 1, "y", 0)}, {out("o", 0, "x", 0)}} {
		v.Add(Pomset{outputs})
	}
	if len(v.Pomsets) != 1 || len(v.Pomsets[0].Outputs) != 2 {
		t.Errorf("%+v", v.Pomsets)
	}
}

// TestScripts: sends of one channel have an order, calls have none.
func TestScripts(t *testing.T) {
	of := &Interface{Types: map[string][]Port{}, Ports: []Port{
		{On: "c", Kind: Call, Label: "Get"},
		{On: "in", Kind: Send, Label: "in", Args: []Arg{{Values: []string{"1", "2"}}}},
	}}
	list, want := []*Script{{}}, []int{3, 7, 15}
	for _, n := range want {
		s := NewScripts(of)
		for _, shorter := range list {
			s.Extend(shorter, nil)
		}
		if list = s.List; len(list) != n {
			t.Errorf("%d scripts, want %d", len(list), n)
		}
	}
}

// TestCoveredIsSkipped: the search finds the same path if it goes through covered pomsets, too
// (lemma 2).
func TestCoveredIsSkipped(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	differ, covered := 0, 0
	for range 2000 {
		these, those := randomView(r), randomView(r)
		these.Bags = r.IntN(2) == 0
		those.Bags = these.Bags
		w := &walk{these: these, those: those, seen: map[[sha256.Size]byte]bool{}}
		for i, p := range these.Pomsets {
			w.start(i)
			covers := func(q Pomset) bool { return those.covers(q, p) }
			if slices.ContainsFunc(those.Pomsets, covers) {
				covered++
			}
		}
		want, _ := w.search()
		got, _ := Included(these, those)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%+v\n%+v\n%v, and with covered pomsets %v", these, those, got, want)
		}
		if want != nil {
			differ++
		}
	}
	if differ < 200 || covered < 200 {
		t.Errorf("%d pairs differ, %d pomsets are covered", differ, covered)
	}
}

// randomView is a view of two inputs, with up to three pomsets.
func randomView(r *rand.Rand) *View {
	v := view()
	for range 1 + r.IntN(3) {
		var p Pomset
		for _, port := range []string{"o", "p"} {
			for seq := range r.IntN(3) {
				p.Outputs = append(p.Outputs,
					out(port, seq, []string{"x", "y"}[r.IntN(8)/7], uint64(r.IntN(4))))
			}
		}
		v.Add(p)
	}
	return v
}

// TestGivesUp: a search that is told to end says that it has not looked at all paths.
func TestGivesUp(t *testing.T) {
	has, lacks := view([]Output{out("o", 0, "x", 0)}), view([]Output{out("o", 0, "y", 0)})
	path, _, whole := includedIn(has, lacks, 0, func() bool { return true })
	if path != nil || whole {
		t.Errorf("path %v, whole %t", path, whole)
	}
}
