package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore/depend"
)

// TestBalance compares the sets that a balance lists with all sets of events that have what each of
// them needs and leave the counter zero. Events 0 to n-1 are in random relations; a third of them
// is in all sets, or in none.
func TestBalance(t *testing.T) {
	listed, none := 0, 0
	for seed := range uint64(3000) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		n := int32(3 + rnd.IntN(7))
		before := make([][]bool, n) // before[k][o]: k needs o
		for k := range n {
			before[k] = make([]bool, n)
			for o := range k {
				if rnd.IntN(5) == 0 {
					before[k][o] = true
					for p := range o {
						before[k][p] = before[k][p] || before[o][p]
					}
				}
			}
		}
		b := &Balance{Needs: func(o, k int32) bool { return o < k && before[k][o] }}
		for range rnd.IntN(4) {
			a := rnd.Int32N(n - 1)
			p := depend.Pair{Add: a, Done: -1}
			if d := a + 1 + rnd.Int32N(n-1-a); rnd.IntN(6) > 0 {
				p.Done = d
				before[d][a] = true
				for k := range n {
					for o := range k {
						if before[k][d] && (o == a || before[a][o]) || k == d && before[a][o] {
							before[k][o] = true
						}
					}
				}
			}
			b.Pairs = append(b.Pairs, p)
		}
		// what is in all sets has all it needs, and what needs something of no set is in none
		const free, in, out = 0, 1, 2
		state := make([]int, n)
		for k := n - 1; k >= 0; k-- {
			if rnd.IntN(6) == 0 {
				state[k] = in
			}
			for later := k + 1; later < n; later++ {
				if state[later] == in && before[later][k] {
					state[k] = in
				}
			}
		}
		for k := range n {
			if state[k] == free && rnd.IntN(8) == 0 ||
				slices.ContainsFunc(indices(before[k]),
					func(o int32) bool { return state[o] == out }) {
				state[k] = out
			}
			if state[k] == free {
				b.List = append(b.List, k)
			}
		}
		b.Out = func(k int32) bool { return state[k] == out }
		var got []string
		b.Found = func(left []int32) bool {
			got = append(got, fmt.Sprint(left))
			return true
		}
		if b.Each() {
			listed += len(got)
		}
		if want := allSets(b, state, before); !slices.Equal(sorted(got), sorted(want)) {
			t.Fatalf("seed %d: got %v, want %v\nlist %v, pairs %v, states %v, needs %v", seed, got,
				want,
				b.List, b.Pairs, state, before)
		} else if len(want) == 0 {
			none++
		}
	}
	t.Logf("%d sets; %d times none", listed, none)
	if listed < 3000 || none < 100 {
		t.Errorf("%d sets, %d times none: too few tell anything", listed, none)
	}
}

func indices(row []bool) (list []int32) {
	for o, b := range row {
		if b {
			list = append(list, int32(o))
		}
	}
	return list
}

func sorted(list []string) []string {
	slices.Sort(list)
	return list
}

// allSets lists what is left out of each set, by trying all.
func allSets(b *Balance, state []int, before [][]bool) (list []string) {
	for bits := range 1 << len(b.List) {
		var left []int32
		in := make([]bool, len(state))
		for k := range in {
			in[k] = state[k] == 1
		}
		for i, k := range b.List {
			if in[k] = bits>>i&1 == 1; !in[k] {
				left = append(left, k)
			}
		}
		ok := true
		for k := range in {
			for o := range k {
				ok = ok && !(in[k] && before[k][o] && !in[o])
			}
		}
		for _, p := range b.Pairs {
			ok = ok && !(in[p.Add] && (p.Done < 0 || !in[p.Done]))
		}
		if ok {
			list = append(list, fmt.Sprint(left))
		}
	}
	return list
}
