package graph

import (
	"slices"
	"testing"
)

// build makes a graph of processes that are all there from the beginning. An event is written "a!"
// (a send into channel a), "ax" (its close), or "a0" (a receive of what the 0-th event sends).
func build(procs int, events ...string) *Graph {
	g := &Graph{}
	for p := range procs {
		g.AddProc(Proc{Root, -1, int32(p)})
	}
	for _, text := range events {
		e := Event{Proc: int32(text[0] - '0'), Chan: int32(text[2] - 'a'), From: -1}
		g.Chans = max(g.Chans, e.Chan+1)
		switch rest := text[3:]; rest {
		case "!":
			e.Kind = Send
		case "x":
			e.Kind = Close
		default:
			e.Kind, e.Cases, e.From = Receive, []int32{e.Chan}, int32(rest[0]-'0')
		}
		g.Add(e)
	}
	return g
}

// TestLinearise: the channels' orders count together, and each by itself.
func TestLinearise(t *testing.T) {
	for _, c := range []struct {
		name string
		g    *Graph
		want []int32 // nil: not consistent
	}{
		{"as added", build(2, "0 a!", "1 a0"), []int32{0, 1}},
		{"the second send is received first", build(3, "0 a!", "1 a!", "2 a1"), []int32{1, 0, 2}},
		{"of one sender, that is not possible", build(2, "0 a!", "0 a!", "1 a1"), nil},
		{"twice", build(2, "0 a!", "1 a0", "1 a0"), nil},
		{"the end, with a value left", build(2, "0 a!", "0 ax", "1 a1"), nil},
		{"the end", build(2, "0 a!", "0 ax", "1 a0", "1 a1", "1 a1"), []int32{0, 1, 2, 3, 4}},
		{"a circle of what is left", build(4, "0 a!", "0 b!", "1 b!", "1 a!", "2 a3", "3 b1"), nil},
		{"XCHG, the circle", build(4, "0 a!", "0 b!", "1 b!", "1 a!", "2 a3", "2 a0", "3 b1",
			"3 b2"),
			nil},
		{"XCHG, one of the three", build(4, "0 a!", "0 b!", "1 b!", "1 a!", "2 a3", "2 a0", "3 b2",
			"3 b1"), []int32{2, 3, 0, 1, 4, 5, 6, 7}},
	} {
		var l Line
		got, ok := l.Linearise(c.g)
		if ok != (c.want != nil) || ok && !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.name, got, ok, c.want)
		}
	}
}

// TestBounds: a send may find its channel full only where no receive comes before it.
func TestBounds(t *testing.T) {
	free := build(2, "0 a!", "1 a0", "0 a!", "1 a2")
	answered := build(2, "0 a!", "1 a0", "1 b!", "0 b2", "0 a!")
	for _, c := range []struct {
		name               string
		g                  *Graph
		crowded, overtaken int32
	}{
		{"the second may come first", free, 2, -1},
		{"the second waits for an answer", answered, -1, -1},
		{"a close that waits", build(2, "0 a!", "0 ax"), -1, -1},
		{"a close that does not", build(2, "0 a!", "1 ax"), -1, 1},
	} {
		if got := c.g.Crowded([]int32{1, 1}); got != c.crowded {
			t.Errorf("%s: event %d waits, want %d", c.name, got, c.crowded)
		}
		if got := c.g.Overtaken(); got != c.overtaken {
			t.Errorf("%s: event %d is overtaken, want %d", c.name, got, c.overtaken)
		}
	}
}

// TestOrder: the order of processes does not depend on the order in which they are added.
func TestOrder(t *testing.T) {
	g := &Graph{}
	a := g.AddProc(Proc{Root, -1, 0})
	late, early := g.AddProc(Proc{a, 5, 0}), g.AddProc(Proc{a, 2, 1})
	last, first := g.AddProc(Proc{Root, -1, 1}), g.AddProc(Proc{a, 2, 0})
	child := g.AddProc(Proc{first, 0, 0})
	if want := []int32{a, first, child, early, late, last}; !slices.Equal(g.Order(), want) {
		t.Errorf("order %v, want %v", g.Order(), want)
	}
}
