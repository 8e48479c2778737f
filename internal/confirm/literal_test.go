package confirm

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// The package that has the function literals of findings.
const literalCode = `package p

type Handler interface{ Serve(n int) }
type HandlerFunc func(n int)
func (f HandlerFunc) Serve(n int) { f(n) }

func Wrap(next Handler) Handler {
	return HandlerFunc(func(n int) { next.Serve(n) })
}
func Twice() (func(func(int)) func(int), error) {
	for range func(yield func(int) bool) {} {
	}
	return func(f func(int)) func(int) {
		return func(n int) { f(n) }
	}, nil
}

type Command struct {
	Name string
	Run  func(args []string) error
}
func NewCommand() *Command {
	c := &Command{Run: func([]string) error { return nil }}
	return c
}
func Late() *Command {
	c := new(Command)
	c.Run = func(args []string) error { return nil }
	return c
}

var First = func() {}
var nested = func() func(string) { return func(s string) {} }
var table = map[string]func(int){"a": func(int) {}, "b": func(int) {}}
var list = []Command{{"x", func([]string) error { return nil }}}

type Mux struct{ routes map[string]func(int) }
func NewMux() *Mux { return &Mux{routes: map[string]func(int){}} }
func (m *Mux) Add() { m.routes["x"] = func(n int) {} }

func Pick(name string) func(int) {
	switch name {
	default:
		return func(n int) { name = "other" }
	case "x":
		return func(n int) { name = "x" }
	}
}
func (m *Mux) Each(f func(func())) { f(func() {}) }
`

func TestLiteral(t *testing.T) {
	pkg, err := check("p", literalCode)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		text, want string // text: the literal begins with it
		by         way
	}{
		{"func(n int) { next.Serve", "_r0.(HandlerFunc)(", literal},
		{"func(n int) { f(n) }\n\t}", "\t_r1(", literal},
		{"func(f func(int)) func(int) {", "\t_r0(func(", literal},
		{"func([]string) error { return nil }}\n", "_r0.Run(", literal},
		{"func(args []string) error { return nil }", "_r0.Run(", literal},
		{"func() {}\n", "\tFirst()", literal},
		{"func(int) {}}\n", "\ttable[\"b\"](", literal},
		{"func([]string) error { return nil }}}", "\tlist[0].Run(", literal},
		{"func(n int) {}", `_v0.routes["x"](`, constructed},
		{"func() {})", "", literal},
		{`func(n int) { name = "other" }`, "_r0(", literal},
		{`func(n int) { name = "x" }`, `{"", "a", "x"}`, literal},
		{"func(s string) {}", ":= nested()\n\t_r0(", literal},
		{"Handler interface", "", literal},
		{"for range func", "", literal},
	} {
		name := fmt.Sprint("p.F$1@p0:", strings.Index(literalCode, x.text))
		text, err := driver(pkg, Finding{Functions: []string{name}, Text: x.text}, x.by)
		var no *noDriver
		switch {
		case x.want == "":
			if !errors.As(err, &no) {
				t.Errorf("%s: %v\n%s", x.text, err, text)
			}
			continue
		case err != nil:
			t.Errorf("%s: %v", x.text, err)
			continue
		case !strings.Contains(string(text), x.want):
			t.Errorf("%s: no %s in\n%s", x.text, x.want, text)
		}
		if _, err := check("p", literalCode, string(text)); err != nil {
			t.Errorf("%s: %v\n%s", x.text, err, text)
		}
	}
}
