package confirm

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxDepth bounds how deep objects are put together.
const maxDepth = 3

// writer writes the values of a driver. There is one object of each type: pointers that lead back
// lead to the same object.
type writer struct {
	clues
	pkg     *types.Package
	by      way
	imports map[string]string
	setup   []string
	stubs   []string
	objects map[string]string // by type
	making  map[string]bool   // whose constructor's arguments are being written
	made    bool              // a constructor was called
	signals bool              // somebody closes a channel
}

// clues say which values are worth trying.
type clues struct {
	text   string // of the finding: a field that it names is drawn
	likely []likely
}

func newWriter(pkg *types.Package, text string, by way) *writer {
	return &writer{clues: clues{text: text}, pkg: pkg, by: by, imports: map[string]string{
		"testing": "_testing", "math/rand/v2": "_rand", "errors": "_errors"},
		objects: map[string]string{}, making: map[string]bool{}}
}

// noDriver says which value cannot be written.
type noDriver struct{ what string }

// Error implements error.
func (e *noDriver) Error() string { return e.what }

// typeName writes a type.
func (w *writer) typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == w.pkg {
			return ""
		}
		name, ok := w.imports[p.Path()]
		if !ok {
			name = fmt.Sprintf("_p%d", len(w.imports))
			w.imports[p.Path()] = name
		}
		return name
	})
}

// nameable reports whether the package can write a type.
func (w *writer) nameable(t types.Type) bool {
	ok := true
	types.TypeString(t, func(p *types.Package) string { return p.Path() })
	var see func(t types.Type, depth int)
	see = func(t types.Type, depth int) {
		if named, is := types.Unalias(t).(*types.Named); is {
			obj := named.Obj()
			if obj.Pkg() != nil && obj.Pkg() != w.pkg && !obj.Exported() {
				ok = false
			}
			return
		}
		if p, is := t.Underlying().(*types.Pointer); is && depth > 0 {
			see(p.Elem(), depth-1)
		}
	}
	see(t, 4)
	return ok
}

// value writes a value of type t.
func (w *writer) value(t types.Type, name string, depth int) string {
	if !w.nameable(t) {
		return "nil"
	}
	switch named := types.TypeString(t, nil); named {
	case "error":
		return "_unknownError()"
	case "context.Context":
		w.typeName(t)
		return "_unknownContext()"
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return w.basic(t, u, name)
	case *types.Pointer:
		if w.own(u.Elem()) {
			return w.object(u.Elem(), depth)
		}
		return w.zeroObject(w.typeName(u.Elem()))
	case *types.Slice:
		return fmt.Sprintf("_unknownSlice(func() %s { return %s })", w.typeName(u.Elem()),
			w.value(u.Elem(), "", depth-1))
	case *types.Map:
		return fmt.Sprintf("%s{%s: %s}", w.typeName(t), w.zero(u.Key()),
			w.value(u.Elem(), "", depth-1))
	case *types.Chan:
		return w.channel(t, u)
	case *types.Signature:
		return w.function(u, depth)
	case *types.Interface:
		return w.stub(t, u, depth)
	case *types.Struct:
		if w.own(t) && depth > 0 {
			return "*" + w.object(t, depth)
		}
	}
	return w.zero(t)
}

func (w *writer) zero(t types.Type) string { return "*new(" + w.typeName(t) + ")" }

// own reports whether t is a struct type of the package.
func (w *writer) own(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() != w.pkg {
		return false
	}
	_, ok = named.Underlying().(*types.Struct)
	return ok
}

func (w *writer) basic(t types.Type, u *types.Basic, name string) string {
	drawn := name == "" || w.named(name)
	switch {
	case !drawn || u.Info()&(types.IsBoolean|types.IsInteger|types.IsString) == 0:
		return w.zero(t)
	case u.Info()&types.IsBoolean != 0:
		return w.typeName(t) + "(_rand.IntN(2) == 0)"
	case u.Info()&types.IsInteger != 0:
		return w.oneOf(t, "int", w.integers(name, u.Info()&types.IsUnsigned != 0))
	}
	return w.oneOf(t, "string", w.strings(name))
}

// oneOf writes a choice among values.
func (w *writer) oneOf(t types.Type, base string, values []string) string {
	return fmt.Sprintf("%s([]%s{%s}[_rand.IntN(%d)])", w.typeName(t), base,
		strings.Join(values, ", "), len(values))
}

// maxValues is how many values a choice may have so that rehearse tries all by itself.
const maxValues = 4

// integers lists numbers to try: those about the constants that the finding compares a name with,
// and the smallest ones.
func (w *writer) integers(name string, unsigned bool) []string {
	var out []string
	add := func(n int) {
		if s := strconv.Itoa(n); (n >= 0 || !unsigned) && len(out) < maxValues &&
			!slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for _, c := range w.compared(name) {
		if n, err := strconv.Atoi(c); err == nil {
			add(n)
			add(n - 1)
			add(n + 1)
		}
	}
	for n := range 3 {
		add(n)
	}
	return out
}

// strings lists texts to try: what the finding compares a name with, and two others.
func (w *writer) strings(name string) []string {
	out := []string{`""`, `"a"`}
	for _, c := range w.compared(name) {
		if _, err := strconv.Unquote(c); err == nil && len(out) < maxValues &&
			!slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// compared lists the constants that the finding compares a name with, as they are written, and the
// likely values of the name.
func (w *writer) compared(name string) (out []string) {
	if name == "" {
		return nil
	}
	for _, m := range comparison.FindAllStringSubmatch(w.text, -1) {
		if m[1] == name {
			out = append(out, m[2])
		}
	}
	for _, l := range w.likely {
		if l.name == name {
			out = append(out, l.value)
		}
	}
	return out
}

// comparison matches the comparison of a field or parameter with a constant.
var comparison = regexp.MustCompile(`(\w+) (?:==|!=|<=|>=|<|>) (-?\d+|"(?:[^"\\]|\\.)*")`)

// named reports whether the finding, or a likely value, names a field or parameter.
func (w *writer) named(name string) bool {
	if slices.ContainsFunc(w.likely, func(l likely) bool { return l.name == name }) {
		return true
	}
	for rest := w.text; ; {
		_, after, ok := strings.Cut(rest, name)
		if !ok {
			return false
		}
		if after == "" || !token.IsIdentifier("a"+after[:1]) {
			return true
		}
		rest = after
	}
}

// channel writes a channel with which nobody has to wait.
func (w *writer) channel(t types.Type, u *types.Chan) string {
	elem := w.typeName(u.Elem())
	if u.Dir() == types.RecvOnly {
		return fmt.Sprintf("_closed[%s]()", elem)
	}
	return fmt.Sprintf("%s(make(chan %s, 64))", "("+w.typeName(t)+")", elem)
}

// function writes a function that returns unknown values.
func (w *writer) function(u *types.Signature, depth int) string {
	if depth <= 0 || u.TypeParams().Len() > 0 {
		return "nil"
	}
	return "func" + w.signature(u) + w.body(u, depth)
}

// signature writes the parameters and results, without names.
func (w *writer) signature(u *types.Signature) string {
	bare := func(list *types.Tuple) *types.Tuple {
		var out []*types.Var
		for v := range list.Variables() {
			out = append(out, types.NewParam(token.NoPos, nil, "", v.Type()))
		}
		return types.NewTuple(out...)
	}
	sig := types.NewSignatureType(nil, nil, nil, bare(u.Params()), bare(u.Results()),
		u.Variadic())
	return strings.TrimPrefix(w.typeName(sig), "func")
}

func (w *writer) body(u *types.Signature, depth int) string {
	var results []string
	for v := range u.Results().Variables() {
		results = append(results, w.value(v.Type(), "", depth-1))
	}
	if len(results) == 0 {
		return " {}"
	}
	return " { return " + strings.Join(results, ", ") + " }"
}

// stub writes a value of an interface. Its methods return unknown values.
func (w *writer) stub(t types.Type, u *types.Interface, depth int) string {
	if u.NumMethods() == 0 || depth <= 0 {
		return "nil"
	}
	name := fmt.Sprintf("_stub%d", len(w.stubs))
	at := len(w.stubs)
	w.stubs = append(w.stubs, "")
	var b strings.Builder
	fmt.Fprintf(&b, "type %s struct{ %s }\n", name, w.typeName(t))
	if named, ok := types.Unalias(t).(*types.Named); !ok || named.TypeArgs().Len() > 0 {
		b.Reset()
		fmt.Fprintf(&b, "type %s struct{}\n", name)
	}
	for m := range u.Methods() {
		if m.Exported() || m.Pkg() == w.pkg {
			sig := m.Signature()
			fmt.Fprintf(&b, "func (%s) %s%s%s\n", name, m.Name(), w.signature(sig),
				w.body(sig, depth-1))
		}
	}
	w.stubs[at] = b.String()
	return name + "{}"
}

// object writes a pointer to the object of a struct type of the package.
func (w *writer) object(t types.Type, depth int) string {
	key := w.typeName(t)
	if name, ok := w.objects[key]; ok {
		return name
	}
	if depth <= 0 {
		return "new(" + key + ")"
	}
	if w.by == constructed && !w.making[key] {
		w.making[key] = true
		if fn, ok := w.constructor(t); ok {
			return w.construct(t, fn, depth)
		}
	}
	name := w.zeroObject(key)
	s := t.Underlying().(*types.Struct)
	for f := range s.Fields() {
		if f.Name() == "_" || !w.wanted(f) {
			continue
		}
		w.setup = append(w.setup, fmt.Sprintf("%s.%s = %s", name, f.Name(),
			w.field(f, depth-1)))
		if w.by == signalled && signal(f.Type()) {
			w.signals = true
			w.setup = append(w.setup, fmt.Sprintf("go close(%s.%s)", name, f.Name()))
		}
	}
	return name
}

// zeroObject returns the one object of a type, which is named; a new one is the zero value.
func (w *writer) zeroObject(typeName string) string {
	name, ok := w.objects[typeName]
	if !ok {
		name = fmt.Sprintf("_v%d", len(w.objects))
		w.objects[typeName] = name
		w.setup = append(w.setup, fmt.Sprintf("%s := new(%s)", name, typeName))
	}
	return name
}

// signal reports whether t is a channel that carries nothing.
func signal(t types.Type) bool {
	ch, ok := t.Underlying().(*types.Chan)
	if !ok || ch.Dir() == types.RecvOnly {
		return false
	}
	s, ok := ch.Elem().Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}

// wanted reports whether a field of an object that is put together is set.
func (w *writer) wanted(f *types.Var) bool {
	if !w.nameable(f.Type()) {
		return false
	}
	switch u := f.Type().Underlying().(type) {
	case *types.Chan, *types.Map, *types.Signature:
		return true
	case *types.Interface:
		return !f.Embedded() && u.NumMethods() > 0
	case *types.Pointer:
		return true
	case *types.Basic:
		return w.named(f.Name())
	}
	return false
}

func (w *writer) field(f *types.Var, depth int) string {
	if u, ok := f.Type().Underlying().(*types.Chan); ok {
		return fmt.Sprintf("make(chan %s)", w.typeName(u.Elem()))
	}
	return w.value(f.Type(), f.Name(), depth)
}

// constructor finds a function of the package that returns a pointer to t, or t, perhaps with an
// error: the one that is called New or New and the type's name, or else the shortest.
func (w *writer) constructor(t types.Type) (best callable, found bool) {
	scope := w.pkg.Scope()
	name := types.Unalias(t).(*types.Named).Obj().Name()
	least := 0
	for _, id := range scope.Names() {
		f, ok := scope.Lookup(id).(*types.Func)
		if !ok || f.Name() == "main" {
			continue
		}
		rank := f.Signature().Params().Len()
		switch {
		case strings.EqualFold(f.Name(), "New"+name):
		case strings.EqualFold(f.Name(), "New"):
			rank += 10
		default:
			rank += 20
		}
		c, ok := w.asConstructor(f, t)
		if ok && (!found || rank < least) {
			best, least, found = c, rank, true
		}
	}
	return best, found
}

// construct calls a constructor.
func (w *writer) construct(t types.Type, f callable, depth int) string {
	args := w.arguments(f.sig, depth-1)
	key := w.typeName(t)
	name := fmt.Sprintf("_v%d", len(w.objects))
	w.objects[key], w.made = name, true
	if f.sig.Results().Len() == 2 {
		w.setup = append(w.setup,
			fmt.Sprintf("%s, _err%s := %s(%s)", name, name, f.name, args),
			fmt.Sprintf("if _err%s != nil { return }", name))
	} else {
		w.setup = append(w.setup, fmt.Sprintf("%s := %s(%s)", name, f.name, args))
	}
	return name
}

// arguments writes the arguments of a call.
func (w *writer) arguments(sig *types.Signature, depth int) string {
	var out []string
	for v := range sig.Params().Variables() {
		if sig.Variadic() && v == sig.Params().At(sig.Params().Len()-1) {
			break
		}
		out = append(out, w.value(v.Type(), v.Name(), depth))
	}
	return strings.Join(out, ", ")
}

// paths lists what is imported.
func (w *writer) paths() []string { return slices.Sorted(maps.Keys(w.imports)) }
