package confirm

import (
	"bytes"
	"fmt"
	"go/format"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/load"
)

// testName is the driver's test.
const testName = "TestRehearseConfirm"

// helpers are what a driver makes unknown values with.
const helpers = `
func _unknownError() error {
	if _rand.IntN(2) == 0 {
		return nil
	}
	return _errors.New("an error")
}

func _unknownSlice[T any](f func() T) (out []T) {
	for range _rand.IntN(3) {
		out = append(out, f())
	}
	return out
}

func _closed[T any]() <-chan T {
	c := make(chan T)
	close(c)
	return c
}

var _, _, _ = _unknownError, _unknownSlice[int], _closed[int]
`

// contexts is the helper for contexts: somebody ends them.
const contexts = `
func _unknownContext() %[1]s.Context {
	ctx, cancel := %[1]s.WithCancel(%[1]s.Background())
	go cancel()
	return ctx
}

var _ = _unknownContext
`

// driver writes the file of a test that runs the functions of a finding.
func driver(src *load.Package, f Finding, by way) ([]byte, error) {
	pkg := src.Types
	w := newWriter(pkg, f.Text, by)
	var calls []string
	for i, name := range f.Functions {
		call, err := callNamed(w, src, name)
		if err != nil {
			return nil, err
		}
		if i > 0 && f.Started && w.made {
			continue // the constructor has started it
		}
		calls = append(calls, call)
	}
	switch {
	case by == constructed && !w.made:
		return nil, &noDriver{"there is no constructor"}
	case by == signalled && !w.signals:
		return nil, &noDriver{"there is no channel to close"}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "//go:build go1.22\n\npackage %s\n\nimport (\n", pkg.Name())
	for _, path := range w.paths() {
		fmt.Fprintf(&b, "\t%s %q\n", w.imports[path], path)
	}
	fmt.Fprintf(&b, ")\n\n// %s does what rehearse vet has found: %s.\nfunc %s(t *_testing.T) {\n",
		testName, strings.ReplaceAll(f.Text, "\n", " "), testName)
	for _, s := range w.setup {
		b.WriteString("\t" + s + "\n")
	}
	for _, c := range calls[1:] {
		b.WriteString("\tgo " + c + "\n")
	}
	b.WriteString("\t" + calls[0] + "\n")
	if f.Again {
		b.WriteString("\t" + calls[0] + "\n")
	}
	b.WriteString("}\n" + helpers)
	if name, ok := w.imports["context"]; ok {
		fmt.Fprintf(&b, contexts, name)
	}
	for _, s := range w.stubs {
		b.WriteString("\n" + s)
	}
	text, err := format.Source(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("the driver is no Go: %w\n%s", err, b.Bytes())
	}
	return text, nil
}

// callNamed writes the call of a function that a finding names.
func callNamed(w *writer, src *load.Package, name string) (string, error) {
	if fn := lookup(src.Types, name); fn != nil {
		return w.call(fn)
	}
	if l := findLiteral(src, name); l != nil {
		return (&taker{w, src}).call(l)
	}
	return "", &noDriver{name + " has no name by which it can be called"}
}
