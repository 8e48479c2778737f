package notes

import (
	"math"
	"testing"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// TestNumbers: two values have one number if nobody can tell them from each other, and none if that
// is not known.
func TestNumbers(t *testing.T) {
	type pair struct {
		a int
		b any
	}
	x, y := 1, 1
	ch := make(chan int)
	for _, c := range []struct {
		name  string
		a, b  any
		equal bool
	}{
		{"ints", 1, 1, true},
		{"different ints", 1, 2, false},
		{"types", 1, int64(1), false},
		{"strings", "ab", "a" + string([]byte{'b'}), true},
		{"empty structs", struct{}{}, struct{}{}, true},
		{"nil", nil, nil, true},
		{"one pointer", &x, &x, true},
		{"two pointers to equal values", &x, &y, false},
		{"one channel", ch, ch, true},
		{"two channels", ch, make(chan int), false},
		{"structs", pair{1, "x"}, pair{1, "x"}, true},
		{"different structs", pair{1, "x"}, pair{1, "y"}, false},
		{"floats", 1.5, 1.5, true},
		{"zeros", 0.0, 0.0, true},
		{"zero and negative zero", 0.0, math.Copysign(0, -1), false},
		{"negative zeros", math.Copysign(0, -1), math.Copysign(0, -1), false},
		{"NaNs", math.NaN(), math.NaN(), false},
		{"NaNs in an array", [2]float64{1, math.NaN()}, [2]float64{1, math.NaN()}, false},
		{"complex", complex(1, 2), complex(1, 2), true},
		{"complex with a negative zero", complex(1, math.Copysign(0, -1)), complex(1, 0), false},
		{"functions", TestNumbers, TestNumbers, false},
		{"slices", []int{1}, []int{1}, false},
		{"maps in structs", pair{1, map[int]int{}}, pair{1, map[int]int{}}, false},
	} {
		Payloads.numbers = map[any]int32{}
		m, n := numberOf(c.a), numberOf(c.b)
		if (m == n && m != trace.NoValue) != c.equal {
			t.Errorf("%s: %d and %d, want equal %v", c.name, m, n, c.equal)
		}
	}
}
