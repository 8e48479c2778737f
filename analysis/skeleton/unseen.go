package skeleton

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// unseen knows the calls by which code that is not seen, such as json.Unmarshal, gets addresses of
// variables. The slice treats such a call as a store to the variable. Types tell which arguments
// lead to which variables. An argument that is an interface may be any pointer that has been made
// an interface, unless more is known of it.
type unseen struct {
	calls map[string][]ssa.Instruction // by what they are given
	leads map[any][]string             // from what may be given to a variable
	told  map[string]bool              // the types that leads has
	boxed map[any]bool                 // variables that an interface may lead to
	blind []ssa.Instruction            // calls that are given interfaces
}

func newUnseen() *unseen {
	return &unseen{calls: map[string][]ssa.Instruction{}, leads: map[any][]string{},
		told: map[string]bool{}, boxed: map[any]bool{}}
}

// changing are the functions, in packages whose other functions only read their arguments, that
// write through them, or keep them and call them later.
var changing = map[string]bool{
	"fmt.Scan": true, "fmt.Scanf": true, "fmt.Scanln": true,
	"fmt.Sscan": true, "fmt.Sscanf": true, "fmt.Sscanln": true,
	"fmt.Fscan": true, "fmt.Fscanf": true, "fmt.Fscanln": true,
	"errors.As": true,
	"log.New":   true, "log.SetOutput": true, "(*log.Logger).SetOutput": true,
	"log/slog.New": true, "log/slog.SetDefault": true,
	"log/slog.NewTextHandler": true, "log/slog.NewJSONHandler": true,
	"(*testing.common).Cleanup": true,
}

// Prints reports whether a function of the standard library only reads its arguments, and keeps
// nothing of them.
func Prints(full string) bool {
	if changing[full] {
		return false
	}
	return slices.ContainsFunc([]string{"fmt.", "log.", "(*log.", "log/slog.", "(*log/slog.",
		"errors.", "(*testing.common).", "encoding/json.Marshal", "(*encoding/json.Encoder)."},
		func(prefix string) bool { return strings.HasPrefix(full, prefix) })
}

// given looks at the arguments of a call that may be of code that is not seen.
func (n *slicer) given(i ssa.CallInstruction) {
	c := i.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "copy", "clear", "delete":
			n.give(c.Args[0], i)
		}
		return
	}
	fn := c.StaticCallee()
	if fn != nil && (n.known[kernel.Origin(fn)] || fn.Blocks != nil || n.others.code(fn) != nil ||
		synchronises(i) || Prints(n.names.of(fn))) {
		return
	}
	for _, v := range c.Args {
		n.give(v, i)
	}
}

// give notes that the call i may write what v leads to.
func (n *slicer) give(v ssa.Value, i ssa.Instruction) {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		n.give(v.X, i)
		return
	case *ssa.ChangeInterface:
		n.give(v.X, i)
		return
	case *ssa.Slice:
		if list, ok := v.X.(*ssa.Alloc); ok && list.Comment == "varargs" {
			n.giveAll(list, i)
			return
		}
	}
	switch t := v.Type(); t.Underlying().(type) {
	case *types.Interface:
		n.unseen.blind = append(n.unseen.blind, i)
	case *types.Pointer, *types.Slice, *types.Map, *types.Struct:
		key := n.typeKey(t)
		n.unseen.calls[key] = append(n.unseen.calls[key], i)
		if !n.unseen.told[key] {
			n.unseen.told[key] = true
			leads := n.unseen.leads
			n.leadTo(t, func(cell any) { leads[cell] = append(leads[cell], key) })
		}
		if s, ok := t.Underlying().(*types.Slice); ok && types.IsInterface(s.Elem()) {
			n.unseen.blind = append(n.unseen.blind, i)
		}
	}
}

// giveAll gives the arguments of a variadic call.
func (n *slicer) giveAll(list *ssa.Alloc, i ssa.Instruction) {
	for _, r := range *list.Referrers() {
		addr, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, r := range *addr.Referrers() {
			if st, ok := r.(*ssa.Store); ok {
				n.give(st.Val, i)
			}
		}
	}
}

// box notes that a value of type t is made an interface.
func (n *slicer) box(t types.Type) {
	key := "boxed " + n.typeKey(t)
	if n.unseen.told[key] {
		return
	}
	n.unseen.told[key] = true
	n.leadTo(t, func(cell any) { n.unseen.boxed[cell] = true })
}

// maxLead bounds how many pointers lead from an argument to a variable.
const maxLead = 3

// leadTo calls add with the variables that a value of type t leads to.
func (n *slicer) leadTo(t types.Type, add func(cell any)) {
	(&leading{n, map[types.Type]bool{}, add}).value(t, 0)
}

// leading is a walk through types.
type leading struct {
	n    *slicer
	seen map[types.Type]bool
	add  func(cell any)
}

func (l *leading) value(t types.Type, depth int) {
	if depth > maxLead || l.seen[t] {
		return
	}
	l.seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		l.variable(u.Elem(), depth)
	case *types.Slice:
		l.variable(u.Elem(), depth)
	case *types.Map:
		l.add(l.n.typeKey(t))
		l.value(u.Elem(), depth+1)
	case *types.Array:
		l.value(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			l.value(f.Type(), depth+1)
		}
	}
}

// variable adds a variable, its parts, and what they lead to.
func (l *leading) variable(t types.Type, depth int) {
	l.add(l.n.typeKey(t))
	for _, part := range l.n.appendParts(nil, t, 0) {
		l.add(part)
	}
	l.value(t, depth+1)
}

// writersOf calls add with the calls that may write a variable.
func (u *unseen) writersOf(cell any, add func(ssa.Instruction)) {
	for _, key := range u.leads[cell] {
		for _, i := range u.calls[key] {
			add(i)
		}
	}
	if u.boxed[cell] {
		for _, i := range u.blind {
			add(i)
		}
	}
}
