package show

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

type inner struct {
	name string
	next *inner
}

type loud struct{ N int }

func (loud) String() string { panic("a method of the program was called") }
func (loud) Error() string  { panic("a method of the program was called") }

type outer struct {
	A int
	b inner
	E error
	M map[string]int
	F func()
	C chan int
}

// TestValue: what is printed, and that no method is called.
func TestValue(t *testing.T) {
	cycle := &inner{name: "x"}
	cycle.next = cycle
	deep := [][][][]int{{{{1, 2}}}}
	for _, c := range []struct {
		v    any
		want string
	}{
		{nil, "nil"},
		{7, "7"},
		{-1.5, "-1.5"},
		{float32(0.1), "0.1"},
		{2i, "(0+2i)"},
		{true, "true"},
		{"a\"b\n", `"a\"b\n"`},
		{[]byte("body"), `"body"`},
		{[3]bool{true}, "[true false false]"},
		{[]int(nil), "nil"},
		{struct{}{}, "{}"},
		{loud{3}, "{N:3}"},
		{&loud{3}, "&{N:3}"},
		{error(loud{4}), "{N:4}"},
		{[]any{loud{1}, "s", 2, nil}, `[show.loud {N:1} "s" 2 nil]`},
		{errors.New("no"), `&{s:"no"}`},
		{map[string]int{"b": 2, "a": 1}, `map["a":1 "b":2]`},
		{cycle, `&{name:"x" next:ptr#1}`},
		{deep, "[[[[2…]]]]"},
		{outer{E: errors.New("no")},
			`{A:0 b:{name:"" next:nil} E:*errors.errorString &{s:"no"} M:nil F:nil C:nil}`},
	} {
		if got := new(Printer).Value(c.v); got != c.want {
			t.Errorf("%T: %s, want %s", c.v, got, c.want)
		}
	}
}

// TestAddresses: they are numbered by first appearance, until Forget.
func TestAddresses(t *testing.T) {
	var p Printer
	a, b := make(chan int), make(chan int)
	for _, c := range []struct {
		ch   chan int
		want string
	}{{b, "chan#1"}, {a, "chan#2"}, {b, "chan#1"}} {
		if got := p.Value(c.ch); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	p.Forget()
	if got := p.Value(a); got != "chan#1" {
		t.Errorf("after Forget: %s", got)
	}
}

// TestBounds: no text is longer than the bound, or ends within a character.
func TestBounds(t *testing.T) {
	long := map[int]string{}
	for i := range 5000 {
		long[i] = "x"
	}
	for _, v := range []any{
		strings.Repeat("ä", 1000), make([]int, 100_000), long, make([]struct{ A, B, C string }, 99),
		[]byte(strings.Repeat("b", 1<<20)), "\xff\xfe",
		[]string{strings.Repeat("€", 30), strings.Repeat("€", 30), strings.Repeat("€", 30)},
	} {
		got := new(Printer).Value(v)
		if len(got) > maxBytes || !utf8.ValidString(got) {
			t.Errorf("%T: %d bytes: %q", v, len(got), got)
		}
	}
	if got := new(Printer).Value(make([]int, 25)); !strings.HasSuffix(got, "… 5 more]") {
		t.Error(got)
	}
}
