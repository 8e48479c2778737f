package facts

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
)

var program = Program{
	Version:   Version,
	Inventory: inventory,
	Behaviours: []Behaviour{{
		Actor: "example.org/p.Server.loop",
		Tasks: []Task{
			{Handler: "Server.in::*get", Pos: Pos{"p.go", 14, 3}, Receive: Pos{"p.go", 12, 13},
				Accesses: []Access{
					{Location: Location{Name: "Server.vals", Where: Entry, Type: "map[string]int",
						Objects: []Pos{{"p.go", 2, 2}}}, Mode: Reads,
						Key: &Operand{Path: ".id"}, At: []Pos{{"p.go", 15, 3}, {"p.go", 16, 3}},
						Shared: Pos{"q.go", 1, 1}},
					{Location: Location{Name: "Server.total", Where: Field, Type: "int"},
						Mode: Updates, By: "+",
						At: []Pos{{"p.go", 17, 3}}},
				},
				Sends: []Send{{Channel: "m.reply", Carried: &Operand{Path: ".reply"}, Elem: "int",
					Kind:  "int",
					Depth: 1, At: Pos{"p.go", 18, 3},
					To: []Target{{"example.org/p.client", "ch"}, {Actor: "example.org/p.Test"}}}},
				Operations: []Operation{{Kind: Outside, What: "time.Now",
					At: []Pos{Pos{"p.go", 19, 3}}}},
			},
			{Handler: "Server.quit", Pos: Pos{"p.go", 20, 3},
				Operations: []Operation{{Kind: Stops, At: []Pos{Pos{"p.go", 21, 3}}}}},
		},
		Pairs: []Pair{
			{First: 0, Second: 0, Conflicts: []Conflict{
				{Kind: Memory, What: "Server.vals", First: Pos{"p.go", 15, 3},
					Second: Pos{"p.go", 15, 3},
					Unless: []Atom{{Differ, Operand{Path: ".id"}, Operand{Const: `"x"`}}}},
				{Kind: SendOrder, What: "both send", First: Pos{"p.go", 18, 3},
					Second: Pos{"p.go", 18, 3},
					Models: []Model{GoModel}},
			}},
			{First: 0, Second: 1,
				Conflicts: []Conflict{{Kind: Ending, What: "the second may end the loop",
					Second: Pos{"p.go", 21, 3}}}},
			{First: 1, Second: 1},
		},
	}},
	Calls: []Call{{From: Target{"example.org/p.Server.loop", "Server.in::*get"},
		To: Target{"example.org/p.client", "ch"}, Depth: 1, At: []Pos{{"p.go", 18, 3}}}},
}

func TestProgramRoundTrip(t *testing.T) {
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(program); err != nil {
		t.Fatal(err)
	}
	var got Program
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, program) {
		t.Errorf("got %+v", got)
	}
}

// TestShared: with what each access is shared is said of a few only.
func TestShared(t *testing.T) {
	task := program.Behaviours[0].Tasks[0]
	write := func() string {
		var b strings.Builder
		task.write(&b)
		return b.String()
	}
	if got := write(); !strings.Contains(got,
		"read Server.vals[m.id]  entry, p.go:15, 16, shared with q.go:1\n") ||
		strings.Contains(got, "other goroutines") {
		t.Errorf("got\n%s", got)
	}
	a := task.Accesses[0]
	task.Accesses = []Access{a, task.Accesses[1], a, a, a, a}
	const line = "\n        5 accesses are shared with other goroutines: Server.vals with q.go:1, Server.vals with q.go:1, Server.vals with q.go:1, and 2 more; -json -tasks . has all\n"
	if got := write(); !strings.Contains(got, "entry, p.go:15, 16, shared\n") ||
		!strings.Contains(got, "field, p.go:17\n") || strings.Count(got, "q.go:1") != 3 ||
		!strings.Contains(got, line) {
		t.Errorf("got\n%s", got)
	}
}

func TestCommute(t *testing.T) {
	type get struct {
		id string
		v  int
	}
	p := program.Behaviours[0].Pairs[0]
	for _, test := range []struct {
		model         Model
		first, second any
		want          bool
	}{
		{ActorModel, get{id: "a"}, get{id: "b"}, true},
		// the message may be a pointer; the second operand is a constant
		{ActorModel, &get{id: "a"}, nil, true},
		{ActorModel, get{id: "x"}, get{id: "b"}, false},
		{GoModel, get{id: "a"}, get{id: "b"}, false}, // the sends
		{ActorModel, 7, get{}, false},                // no such field: not known
	} {
		if got := p.Commute(test.model, test.first, test.second); got != test.want {
			t.Errorf("%s %+v %+v: %t", test.model, test.first, test.second, got)
		}
	}
}

func TestAtom(t *testing.T) {
	type inner struct{ n int }
	type m struct {
		id  string
		in  inner
		ok  bool
		any any
		f   func()
	}
	path := func(p string) Operand { return Operand{Path: p} }
	value := func(c string) Operand { return Operand{Const: c} }
	x, y := m{id: "a", in: inner{1}, ok: true, any: 1}, m{id: "b", in: inner{1}, any: "1"}
	for _, test := range []struct {
		atom Atom
		want bool
	}{
		{Atom{Differ, path(".id"), path(".id")}, true},
		{Atom{Equal, path(".id"), path(".id")}, false},
		{Atom{Equal, path(".in"), path(".in")}, true},
		{Atom{Equal, path(".in.n"), path(".in.n")}, true},
		{Atom{Equal, path(".in.n"), value("1")}, true},
		{Atom{Equal, value("true"), path(".ok")}, false},
		{Atom{Equal, path(".ok"), value("true")}, true},
		{Atom{Equal, path(".id"), value(`"a"`)}, true},
		{Atom{Differ, path(".any"), path(".any")}, false}, // of two types: not compared
		{Atom{Differ, path(".f"), path(".f")}, false},     // cannot be compared
		{Atom{Differ, path(".gone"), path(".id")}, false},
		{Atom{Differ, Operand{Whole: true}, Operand{Whole: true}}, false}, // functions in it
	} {
		if got := test.atom.Holds(x, y); got != test.want {
			t.Errorf("%s: %t", test.atom, got)
		}
	}
}

// TestAtomFloats: to write +0 and then -0 is not to write one value twice; as keys of a map they
// are one.
func TestAtomFloats(t *testing.T) {
	type nested struct {
		pair [2]complex128
		any  any
	}
	type m struct {
		f float32
		n nested
	}
	zero, minus, nan := m{}, m{}, m{}
	minus.f, minus.n.pair[1], minus.n.any = float32(math.Copysign(0, -1)),
		complex(0, math.Copysign(0, -1)), math.Copysign(0, -1)
	zero.n.any, nan.n.any = 0.0, math.NaN()
	nan.f, nan.n.pair[1] = float32(math.NaN()), complex(math.NaN(), 0)
	for _, path := range []string{".f", ".n.pair", ".n.any", ".n"} {
		o := Operand{Path: path}
		for _, test := range []struct {
			op            Comparison
			first, second m
			want          bool
		}{
			{Equal, zero, zero, true}, {Equal, zero, minus, false}, {Equal, minus, minus, true},
			{Equal, nan, nan, true}, {Equal, nan, zero, false},
			{Differ, zero, minus, false}, {Differ, nan, nan, true}, {Differ, nan, zero, true},
			{Differ, zero, zero, false},
		} {
			if got := (Atom{test.op, o, o}).Holds(test.first, test.second); got != test.want {
				t.Errorf("%s %s of %v and %v: %t", path, test.op, test.first, test.second, got)
			}
		}
	}
	if (Atom{Equal, Operand{Path: ".n.any"}, Operand{Path: ".n.any"}}).Holds(m{n: nested{any: 0}},
		zero) {
		t.Error("an int equals a float")
	}
}

// TestDecode reads facts as they travel with a binary, and refuses those that are not about it.
func TestDecode(t *testing.T) {
	data, err := program.Encode("abc")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(data, "abc")
	want := program
	want.Stamp = "abc"
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	old := program
	old.Version--
	older, _ := old.Encode("abc")
	for text, c := range map[string]struct {
		data  []byte
		stamp string
	}{
		"other code": {data, "abd"}, "have version 3, and not 4": {older, "abc"},
		"cannot be read": {data[1:], "abc"},
		"damaged":        {[]byte(`{"Version": 4, "Stamp": "abc", "Actors": [{}]}`), "abc"},
	} {
		if _, err := Decode(c.data, c.stamp); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("want an error with %q, got %v", text, err)
		}
	}
	if left := program.Within(func(path string) bool {
		return path == "example.org/p"
	}); len(left.Actors) != len(left.Behaviours) || len(left.Actors) != 1 {
		t.Errorf("%d actors, %d behaviours", len(left.Actors), len(left.Behaviours))
	}
	if left := program.Within(func(string) bool { return false }); len(left.Actors)+
		len(left.Behaviours) != 0 {
		t.Errorf("%d actors are left", len(left.Actors))
	}
}
