package refine

import (
	"slices"
	"strings"
	"testing"
)

// The numbers are those of the pitfalls of the paper taken literally: what would be wrong if its
// definitions were followed to the letter. The others are tests of package maytest.

// TestPitfall2OtherNames: the paper's observer has no rule for outputs to names that it does not
// look at. Here a path has the outputs that tell, and no others.
func TestPitfall2OtherNames(t *testing.T) {
	noise := Output{Kind: Received, Port: "log", Value: Value{Text: `"x"`}}
	tells := Output{Kind: Received, Port: "out", Value: Value{Text: `"y"`}}
	has := &View{Pomsets: []Pomset{{Outputs: []Output{noise, tells}}}}
	lacks := &View{Pomsets: []Pomset{{Outputs: []Output{noise}}}}
	path, _ := Included(has, lacks)
	if len(path) != 1 || path[0].Port != "out" {
		t.Errorf("the path is %v; want the output on out alone", path)
	}
	if path, _ := Included(lacks, has); path != nil {
		t.Errorf("fewer outputs are a path of their own: %v", path)
	}
}

// TestPitfall2UnknownNames: of the names that a component does not know, one is as good as another.
// So beside those that a client knows, it passes one new name.
func TestPitfall2UnknownNames(t *testing.T) {
	arg := Arg{Type: "chan<- string", Named: "chan<- string", Fresh: true}
	of := &Interface{Ports: []Port{
		{On: "log", Kind: Receive, Type: "chan<- string"},
		{On: "hub", Name: ".Join", Label: "Join", Kind: Call, Args: []Arg{arg}},
	}}
	l := NewScripts(of)
	l.Extend(&Script{K: 4}, nil)
	var passed []string
	for _, s := range l.List {
		passed = append(passed, s.Ops[0].Args[0])
	}
	if want := []string{"new", "log"}; !slices.Equal(passed, want) {
		t.Errorf("clients pass %v; want %v", passed, want)
	}
}

// TestPitfall3OneInterface: two sides are compared under one interface. The names that the
// environment may use never become fewer, whatever has ended, and outputs add names.
func TestPitfall3OneInterface(t *testing.T) {
	of := &Interface{
		Ports: []Port{{On: "door", Name: ".Close", Label: "Close", Kind: Call},
			{On: "door", Name: ".Open", Label: "Open", Kind: Call}},
		Types: map[string][]Port{"*Room": {{Name: ".Leave", Label: "Leave", Kind: Call}}},
	}
	l := NewScripts(of)
	room := Handle{Ref: "r1#0/0", Type: "*Room"}
	l.Extend(&Script{K: 4, Ops: []Op{{On: "door", Name: ".Close", Label: "Close", Kind: Call}}},
		[]Handle{room})
	var seconds []string
	for _, s := range l.List {
		seconds = append(seconds, s.Ops[1].Label)
	}
	if want := []string{"Close", "Open", "Leave"}; !slices.Equal(seconds, want) {
		t.Errorf("after Close, clients do %v; want %v", seconds, want)
	}
	less := &Interface{Ports: of.Ports[:1], Types: of.Types}
	if err := Same(of, less); err == nil || !strings.Contains(err.Error(), "Open: removed in NEW") {
		t.Errorf("one side has no Open: %v", err)
	}
}
