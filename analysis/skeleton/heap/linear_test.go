package heap

import (
	"fmt"
	"go/token"
	"go/types"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// code is that of no program.
type code struct{}

func (code) Vague(types.Object) bool          { return false }
func (code) Captures(*ssa.Function, int) bool { return false }

// numbers makes unknown numbers that are not negative.
func numbers(h *Heap, n int) (out []*Sym) {
	for i := range n {
		s := &Sym{Name: fmt.Sprint("x", i), Type: types.Typ[types.Int]}
		h.notNegative(s)
		out = append(out, s)
	}
	return out
}

// sumOf is the sum of numbers, each so many times, and of one more number, the last of times.
func sumOf(of []*Sym, times []int64) *Sym {
	sum := linear{more: times[len(of)]}
	for i, s := range of {
		sum, _ = sum.plus(linear{terms: []term{{s, 1}}}, times[i])
	}
	return &Sym{Name: fmt.Sprint(times), Type: types.Typ[types.Int], sum: &sum}
}

// TestBeliefsHold compares the conclusions of beliefs with all small numbers for which the assumed
// conditions hold.
func TestBeliefsHold(t *testing.T) {
	ops := []token.Token{token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ}
	concluded := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 19))
		h := New(World{}, code{})
		x := numbers(h, 3)
		possible := triples(7)
		for range 6 {
			times := []int64{r.Int64N(5) - 2, r.Int64N(5) - 2, r.Int64N(5) - 2, r.Int64N(7) - 3}
			cond := &Cond{Tok: ops[r.IntN(len(ops))], X: sumOf(x, times), Y: r.Int64N(7) - 2}
			answer, known := h.Decide(cond)
			if known {
				concluded++
			} else {
				answer = r.IntN(2) == 0
				h.Assume(cond, answer)
			}
			all := len(possible)
			possible = slices.DeleteFunc(possible, func(at []int64) bool {
				value := times[3]
				for i := range x {
					value += times[i] * at[i]
				}
				return compare(cond.Tok, value, cond.Y) != answer
			})
			if known && len(possible) < all {
				t.Fatalf("seed %d: %s was concluded, wrongly", seed, Says(cond, answer))
			}
			check(t, h, x, possible)
			if h.Impossible {
				break
			}
		}
	}
	if concluded < 500 {
		t.Errorf("there were only %d conclusions", concluded)
	}
}

// check compares the limits of numbers with their possible values.
func check(t *testing.T, h *Heap, x []*Sym, possible [][]int64) {
	t.Helper()
	if h.Impossible && len(possible) > 0 {
		t.Fatalf("%v is taken to be impossible", possible[0])
	}
	for i, s := range x {
		low, high, _ := h.Limits(s)
		for _, at := range possible {
			if at[i] < low || at[i] > high {
				t.Fatalf("%s is taken to be in %d to %d, and may be %d", s.Name, low, high, at[i])
			}
		}
	}
}

// triples are all triples of numbers below n.
func triples(n int64) (out [][]int64) {
	for i := range n * n * n {
		out = append(out, []int64{i / n / n, i / n % n, i % n})
	}
	return out
}

// TestBeliefsConclude has conclusions that beliefs must draw: of x + y <= 3 and x > 1.
func TestBeliefsConclude(t *testing.T) {
	h := New(World{}, code{})
	x := numbers(h, 2)
	sum := sumOf(x, []int64{1, 1, 0})
	h.Assume(&Cond{Tok: token.GTR, X: sum, Y: int64(3)}, false)
	h.Assume(&Cond{Tok: token.GTR, X: x[0], Y: int64(1)}, true)
	for _, c := range []struct {
		cond   *Cond
		answer bool
	}{
		{&Cond{Tok: token.GTR, X: x[0], Y: int64(3)}, false},
		{&Cond{Tok: token.LEQ, X: x[1], Y: int64(1)}, true},
		{&Cond{Tok: token.GEQ, X: sum, Y: int64(2)}, true},
	} {
		if answer, known := h.Decide(c.cond); !known || answer != c.answer {
			t.Errorf("%v: answer %v, known %v", c.cond, answer, known)
		}
	}
	one := &Cond{Tok: token.EQL, X: x[1], Y: int64(1)}
	if _, known := h.Decide(one); known {
		t.Error("y may be 0 or 1")
	}
	h.Assume(one, true)
	if v := h.Resolve(x[0]); v != int64(2) {
		t.Errorf("x is %v", v)
	}
	h.Assume(&Cond{Tok: token.GTR, X: sum, Y: int64(9)}, true)
	if !h.Impossible {
		t.Error("a sum of 3 is larger than 9")
	}
}
