package hook

import (
	"math"
	"testing"

	"github.com/rehearse-go/rehearse/runtime/gate"
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
		startPayloads()
		m, n := numberOf(c.a), numberOf(c.b)
		if (m == n && m != trace.NoValue) != c.equal {
			t.Errorf("%s: %d and %d, want equal %v", c.name, m, n, c.equal)
		}
	}
}

// TestNumbered: sends have the numbers of their values, and receives say whether something that is
// shared has been touched before them, in executions that are to record that.
func TestNumbered(t *testing.T) {
	body := func(gate.TB) {
		ch := Made(make(chan string, 4))
		shared := 0
		for _, v := range []string{"a", "b", "a"} {
			Send(ch).V(v)
		}
		Recv(ch)
		*Write(&shared, "shared") = 1
		Recv(ch)
		Recv(ch)
	}
	for _, technique := range techniques {
		for _, c := range []struct {
			values, groups bool
			want           [6]int32
		}{
			{true, false, [6]int32{1, 2, 1, 0, trace.Touched, 0}},
			{false, true, [6]int32{0, 0, 0, 7, trace.Symmetric(7, true), 7}},
			{true, true, [6]int32{1, 2, 1, 7, trace.Symmetric(7, true), 7}},
			{false, false, [6]int32{}},
		} {
			config := Config{Technique: technique, Values: c.values}
			if c.groups {
				config.Group = func(string) int32 { return 7 }
			}
			e := configured(config, body)
			for range 2 {
				x := e.Execute(first{}, false)
				var got [6]int32
				n := 0
				for i := range x.Events {
					if k := x.Events[i].Kind; n < len(got) && (k == trace.Send || k == trace.Recv) {
						got[n] = x.Events[i].Op.N
						n++
					}
				}
				if got != c.want {
					t.Errorf("%s, values %v, groups %v: %v, want %v", technique, c.values, c.groups, got, c.want)
				}
			}
		}
	}
}
