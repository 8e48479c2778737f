package confirm

import (
	"errors"
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
var table = map[string]func(int){"a": func(int) {}, "b": func(int) {}}
var list = []Command{{"x", func([]string) error { return nil }}}

type Mux struct{ routes map[string]func(int) }
func NewMux() *Mux { return &Mux{routes: map[string]func(int){}} }
func (m *Mux) Add() { m.routes["x"] = func(n int) {} }
func (m *Mux) Each(f func(func())) { f(func() {}) }
`

func TestLiteral(t *testing.T) {
	pkg, err := check("p", literalCode)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		name, want string
		by         way
	}{
		{"p.Wrap$1", "_r0.(HandlerFunc)(", literal},
		{"p.Twice$3$1", "\t_r1(", literal},
		{"p.Twice$3", "\t_r0(func(", literal},
		{"p.NewCommand$1", "_r0.Run(", literal},
		{"p.Late$1", "_r0.Run(", literal},
		{"p.init$1", "\tFirst()", literal},
		{"p.init$3", "\ttable[\"b\"](", literal},
		{"p.init$4", "\tlist[0].Run(", literal},
		{"(*p.Mux).Add$1", `_v0.routes["x"](`, constructed},
		{"(*p.Mux).Each$1", "", literal},
		{"p.Wrap$2", "", literal},
		{"p.Twice$2", "", literal},
	} {
		text, err := driver(pkg, Finding{Functions: []string{x.name}, Text: x.name}, x.by)
		var no *noDriver
		switch {
		case x.want == "":
			if !errors.As(err, &no) {
				t.Errorf("%s: %v\n%s", x.name, err, text)
			}
			continue
		case err != nil:
			t.Errorf("%s: %v", x.name, err)
			continue
		case !strings.Contains(string(text), x.want):
			t.Errorf("%s: no %s in\n%s", x.name, x.want, text)
		}
		if _, err := check("p", literalCode, string(text)); err != nil {
			t.Errorf("%s: %v\n%s", x.name, err, text)
		}
	}
}
