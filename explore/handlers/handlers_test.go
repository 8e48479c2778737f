package handlers

import (
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

type (
	add  struct{ n int }
	put  struct{ k string }
	list []int
	op   int
	cmd  struct {
		head struct{ op op }
		k    string
	}
)

const self = "github.com/rehearse-go/rehearse/explore/handlers"

func at(line int) facts.Pos { return facts.Pos{File: "p.go", Line: line, Col: 1} }

// program has an actor for each way to tell messages apart, and two that receive at one place.
var program = facts.Program{
	Dir: "/src",
	Inventory: facts.Inventory{Actors: []facts.Actor{
		{Name: "types", Launches: []facts.Launch{{Pos: at(90)}}, Handlers: []facts.Handler{
			{By: facts.ByType, Kind: "add", Key: self + ".add"},
			{By: facts.ByType, Kind: "*put", Key: "*" + self + ".put"},
			{By: facts.ByType, Kind: "string", Key: "string"},
			{By: facts.ByType, Kind: "default"},
		}},
		{Name: "constants", Launches: []facts.Launch{{Pos: at(91)}}, Handlers: []facts.Handler{
			{By: facts.ByConstant, Kind: "opAdd", Part: ".head.op", Key: "Int 3"},
			{By: facts.ByConstant, Kind: "opPut", Part: ".head.op", Key: "Int 4"},
			{By: facts.ByConstant, Kind: "default", Part: ".head.op"},
		}},
		{Name: "one", Launches: []facts.Launch{{Pos: at(92)}}, Handlers: []facts.Handler{{}}},
		{Name: "select", Handlers: []facts.Handler{{Mailbox: "a", By: facts.ByType, Kind: "add",
			Key: self + ".add"},
			{Mailbox: "a", By: facts.ByType, Kind: "*put", Key: "*" + self + ".put"},
			{Mailbox: "b"}}},
		{Name: "other", Launches: []facts.Launch{{Pos: at(92)}}, Handlers: []facts.Handler{{}}},
	}},
	Behaviours: []facts.Behaviour{
		{Actor: "p.types", Tasks: []facts.Task{{Receive: at(10)}, {Receive: at(10)},
			{Receive: at(10)},
			{Receive: at(10), Accesses: []facts.Access{{Shared: at(50)}}}}, Pairs: []facts.Pair{
			{First: 0, Second: 0, Commuting: []string{"total by +"}},
			{First: 0, Second: 1},
			{First: 0, Second: 2,
				Conflicts: []facts.Conflict{{Kind: facts.SendOrder,
					Models: []facts.Model{facts.PairsModel}}}},
			{First: 0, Second: 3},
			{First: 1, Second: 1,
				Conflicts: []facts.Conflict{{Unless: []facts.Atom{{Op: facts.Differ,
					First: facts.Operand{Path: ".k"}, Second: facts.Operand{Path: ".k"}}}}}},
			{First: 1, Second: 2}, {First: 1, Second: 3}, {First: 2, Second: 2},
			{First: 2, Second: 3},
			{First: 3, Second: 3},
		}},
		{Actor: "p.constants", Tasks: []facts.Task{{Receive: at(20)}, {Receive: at(20)},
			{Receive: at(20)}}},
		{Actor: "p.one", Tasks: []facts.Task{{Receive: at(30)}}},
		{Actor: "p.select", Tasks: []facts.Task{{Receive: at(41), Select: at(40)},
			{Receive: at(41), Select: at(40)}, {Receive: at(42), Select: at(40), Case: 1}}},
		{Actor: "p.other", Tasks: []facts.Task{{Receive: at(30)}}},
	},
}

// TestHandlers classifies messages. Several handlers mean that it is one of them.
func TestHandlers(t *testing.T) {
	table := NewTable(program)
	command := func(o op) cmd { return cmd{head: struct{ op op }{o}} }
	for _, c := range []struct {
		line    string
		message any
		want    []int
	}{
		{"10", add{1}, []int{0}},
		{"10", &put{"a"}, []int{1}},
		{"10", "text", []int{2}},
		{"10", put{"a"}, []int{0, 1, 2, 3}}, // no handler names it: perhaps in another way
		{"10", list{1}, []int{0, 1, 2, 3}},
		{"10", []int{1}, []int{0, 1, 2, 3}},
		{"10", nil, []int{0, 1, 2, 3}},
		{"20", command(3), []int{0}},
		{"20", command(4), []int{1}},
		{"20", command(5), []int{2}},
		{"20", add{3}, []int{0, 1, 2}}, // it has no such field
		{"30", add{3}, nil},            // of two actors
		{"11", add{3}, nil},
		{"40", add{3}, []int{0, 1, 2}}, // of either case
		{"41", add{3}, nil},
	} {
		var got []int
		for _, r := range table.Handlers("/src/p.go:"+c.line, c.message) {
			got = append(got, r.Handler)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("line %s, %T %v: handlers %v, want %v", c.line, c.message, c.message, got,
				c.want)
		}
	}
	for index, want := range [][]Ref{{{3, 0}}, {{3, 2}}, nil} {
		if got := table.HandlersOf("/src/p.go:40", index, add{3}); !slices.Equal(got, want) {
			t.Errorf("case %d: handlers %v, want %v", index, got, want)
		}
	}
	if a, ok := table.Launched("/src/p.go:91"); !ok || a != 1 {
		t.Errorf("what starts at line 91 is %d, %v", a, ok)
	}
	if _, ok := table.Launched("/src/p.go:92"); ok {
		t.Error("two actors start at line 92")
	}
}

// TestCommute has two deliveries at one place, with the fact by which they commute under each
// model; empty: they do not.
func TestCommute(t *testing.T) {
	table := NewTable(program)
	for _, c := range []struct {
		first, second any
		allow         string
		actor, pairs  string
	}{
		{add{1}, add{2}, "commute", "total by +", "total by +"},
		{add{1}, add{2}, "disjoint", "", ""},
		{add{1}, &put{"a"}, "disjoint", "disjoint", "disjoint"},
		{&put{"a"}, add{1}, "disjoint", "disjoint", "disjoint"},
		{add{1}, &put{"a"}, "", "", ""},
		{add{1}, "text", "disjoint", "disjoint", ""},
		{"text", add{1}, "disjoint", "disjoint", ""},
		{&put{"a"}, &put{"b"}, "disjoint,commute", "m1.k != m2.k", "m1.k != m2.k"},
		{&put{"a"}, &put{"a"}, "disjoint,commute", "", ""},
		// it may be a default, which shares something
		{add{1}, put{"b"}, "disjoint,commute", "", ""},
	} {
		for model, want := range map[facts.Model]string{facts.ActorModel: c.actor,
			facts.PairsModel: c.pairs} {
			messages := []any{c.first, c.second}
			world := World{
				Place: func(n int32) string {
					return map[int32]string{1: "/src/p.go:10", 2: "/src/p.go:77"}[n]
				},
				LaunchedAt: func(int32) int32 { return 0 },
				Sent:       func(m trace.Message) (any, bool) { return messages[m.Number-1], true },
			}
			classes := NewClassifier(table, world, model,
				Refinement{strings.Contains(c.allow, "disjoint"),
					strings.Contains(c.allow, "commute")})
			op := &trace.Op{Kind: trace.Recv, N: 1}
			a, ok1 := classes.Delivery(op, trace.Message{Sender: 1, Number: 1})
			b, ok2 := classes.Delivery(op, trace.Message{Sender: 2, Number: 2})
			why, ok := classes.Commute(&a, &b)
			if !ok1 || !ok2 || ok != (want != "") || ok && why.Fact != want {
				t.Errorf("%s, %T and %T, %q: %v, %q; want %q", model, c.first, c.second, c.allow,
					ok, why.Fact,
					want)
			}
			if _, ok := classes.Delivery(&trace.Op{Kind: trace.Recv, N: 2},
				trace.Message{Sender: 1, Number: 1}); ok {
				t.Error("a delivery at a place where no actor receives")
			}
		}
	}
}
