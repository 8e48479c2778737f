package blocking

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/skeleton/heap"
	"github.com/rehearse-go/rehearse/analysis/skeleton/machine"
)

// unifier makes two functions act on the same objects. A parameter of the second one may be any
// value of the first one that has its type. A field is a certain value only for a reason: for
// example, the maker of the object puts itself into the field.
type unifier struct {
	p     *pairs
	f     *ssa.Function     // the second one
	same  map[string]string // names of values of the second one, and what they are in the first
	doubt string
}

// direct makes a parameter of the second function what it must be. It is not ok if that cannot be.
func (u *unifier) direct(x, y *heap.Sym) bool {
	if x == nil || y == nil {
		return x == y
	}
	if !types.Identical(x.Type, y.Type) {
		return false
	}
	for _, v := range u.f.Params {
		if y.Name == machine.Param(0, v) {
			name := machine.Param(1, v)
			if old, set := u.same[name]; set && old != x.Name {
				return false
			}
			u.same[name] = x.Name
		}
	}
	return true
}

// rest makes y what x is, if it is no parameter.
func (u *unifier) rest(x, y taking) bool {
	if x.base == nil {
		return x.path == y.path
	}
	name := u.renamed(y.base.Name)
	if to, set := u.same[name]; set {
		name = to
	}
	if name == x.base.Name {
		return true
	}
	if !strings.Contains(name, "param") || !strings.HasPrefix(name, "*") {
		return false
	}
	u.same[name] = x.base.Name
	if y.base.Field == nil || !u.p.ownedBy(y.base.Field) {
		u.doubt = "two pointers may never be the same"
	}
	return true
}

// renamed is the name that a value of the second function has when it runs beside the first.
func (u *unifier) renamed(name string) string {
	for _, v := range u.f.Params {
		was, is := machine.Param(0, v), machine.Param(1, v)
		if to, ok := u.same[is]; ok {
			is = to
		}
		name = replaceWord(name, was, is)
	}
	return name
}

// replaceWord replaces a word that no letter follows.
func replaceWord(s, word, by string) string {
	for at := 0; ; {
		i := strings.Index(s[at:], word)
		if i < 0 {
			return s
		}
		i += at
		end := i + len(word)
		if end < len(s) && strings.IndexByte(".[@#)", s[end]) < 0 {
			at = end
			continue
		}
		s = s[:i] + by + s[end:]
		at = i + len(by)
	}
}

// ownedBy reports whether a field points to the maker of the object, or to an object that was made
// with it: some method puts its receiver there, itself or by way of a constructor.
func (p *pairs) ownedBy(field types.Object) bool {
	v, ok := field.(*types.Var)
	return ok && slices.ContainsFunc(p.c.Stores[v], func(st *ssa.Store) bool {
		return p.maker(st.Val, 2)
	})
}

// maker reports whether v is the receiver of a method, or was made by the function, at some call.
func (p *pairs) maker(v ssa.Value, depth int) bool {
	switch v := v.(type) {
	case *ssa.Alloc:
		return v.Heap
	case *ssa.MakeInterface:
		return p.maker(v.X, depth)
	case *ssa.ChangeInterface:
		return p.maker(v.X, depth)
	case *ssa.Parameter:
		fn := v.Parent()
		n := slices.Index(fn.Params, v)
		if n == 0 && fn.Signature.Recv() != nil {
			return true
		}
		return depth > 0 && slices.ContainsFunc(p.c.Callers[fn],
			func(call ssa.CallInstruction) bool {
				args := call.Common().Args
				return n < len(args) && p.maker(args[n], depth-1)
			})
	}
	return false
}
