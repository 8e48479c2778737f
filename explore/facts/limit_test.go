package facts

import (
	"fmt"
	"strings"
	"testing"
)

// TestLargeTask prints a task with more than can be read: writes go before reads, the first
// operation of each kind before the second of any, and what is left is counted.
func TestLargeTask(t *testing.T) {
	x := Task{Handler: "h", Pos: Pos{"p.go", 1, 1}}
	for i := range 20 {
		x.Accesses = append(x.Accesses,
			Access{Location: Location{Name: fmt.Sprint("r", i), Where: Field},
				Mode: Reads, At: []Pos{{"p.go", i, 1}}})
	}
	x.Accesses = append(x.Accesses,
		Access{Location: Location{Name: "w", Where: Field}, Mode: Writes,
			At: make([]Pos, 20)})
	for i := range 20 {
		x.Operations = append(x.Operations,
			Operation{Kind: Outside, What: fmt.Sprint("o", i), At: []Pos{{"p.go", i, 1}}})
	}
	x.Operations = append(x.Operations,
		Operation{Kind: Closes, What: "c", At: []Pos{{"p.go", 1, 1}}})
	var b strings.Builder
	x.write(&b)
	got := b.String()
	for text, want := range map[string]int{
		"read r": 11, "write w": 1, "and 12 more": 1,
		"and 9 more accesses; -json -tasks . has all": 1,
		"outside o": 11, "close c": 1, "and 9 more operations; -json -tasks . has all": 1,
	} {
		if n := strings.Count(got, text); n != want {
			t.Errorf("%q occurs %d times, want %d, in\n%s", text, n, want, got)
		}
	}
}

// TestManyPairs prints pairs of six handlers: a and b conflict with all, so they are one line; the
// others are independent, but for e and f.
func TestManyPairs(t *testing.T) {
	var x Behaviour
	for _, name := range strings.Fields("a b c d e f") {
		x.Tasks = append(x.Tasks, Task{Handler: name})
	}
	for i := range x.Tasks {
		for k := i; k < len(x.Tasks); k++ {
			p := Pair{First: i, Second: k}
			if i < 2 {
				p.Conflicts = []Conflict{{Kind: Anything, What: "call of f"}}
			}
			if i == 4 && k == 5 {
				p.Conflicts = []Conflict{{Kind: Memory, What: "x"}}
			}
			x.Pairs = append(x.Pairs, p)
		}
	}
	var b strings.Builder
	x.writePairs(&b)
	want := `        a, b: each with itself and all that are not above: dependent (call of f)
        c, d: each with itself and all that are not above: independent
        e, e: independent
        e, f: dependent (x)
        f, f: independent
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", &b, want)
	}
}
