package confirm

import (
	"bytes"
	"fmt"
	"go/format"
	"go/types"
	"strings"
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
func driver(pkg *types.Package, f Finding, by way) ([]byte, error) {
	w := newWriter(pkg, f.Text, by)
	var calls []string
	for i, name := range f.Functions {
		fn := lookup(pkg, name)
		if fn == nil {
			return nil, &noDriver{name + " has no name by which it can be called"}
		}
		call, err := w.call(fn)
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

// call writes the call of a function.
func (w *writer) call(fn *types.Func) (string, error) {
	c, err := w.instance(fn)
	if err != nil {
		return "", err
	}
	on := ""
	if c.recv != nil {
		if !w.own(c.recv) {
			return "", &noDriver{"the receiver of " + fn.Name() + " is no struct"}
		}
		on = w.object(c.recv, maxDepth) + "."
	}
	return on + c.name + "(" + w.arguments(c.sig, maxDepth) + ")", nil
}

// lookup finds a function by its full name: p.F, (p.T).M or (*p.T).M, T perhaps with type
// parameters.
func lookup(pkg *types.Package, full string) *types.Func {
	name, method, is := strings.Cut(strings.TrimPrefix(full, "("), ").")
	name, _, _ = strings.Cut(name, "[")
	name = name[strings.LastIndexByte(name, '.')+1:]
	obj := pkg.Scope().Lookup(name)
	if !is {
		fn, _ := obj.(*types.Func)
		return fn
	}
	tn, ok := obj.(*types.TypeName)
	if !ok {
		return nil
	}
	sel, _, _ := types.LookupFieldOrMethod(types.NewPointer(tn.Type()), true, pkg, method)
	fn, _ := sel.(*types.Func)
	return fn
}
