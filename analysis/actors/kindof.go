package actors

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/explore/facts"
)

// kindsOf returns the kinds of the messages that s may send, in the order of the handlers hs; none
// if that is unknown.
func (p *mailboxes) kindsOf(s *Send, hs []*Handler) []string {
	var keys []string
	ok := true
	switch t := hs[0].task; t.by {
	case facts.ByFunction:
		keys, ok = p.functionKeys(s.X)
	case facts.ByType:
		keys, ok = p.values(s.X, t.part, typeKey)
	case facts.ByConstant:
		keys, ok = p.values(s.X, t.part, constantKey)
	}
	if !ok {
		return nil
	}
	var out []string
	for _, k := range keys {
		for _, h := range handlersFor(k, hs) {
			if !slices.Contains(out, h) {
				out = append(out, h)
			}
		}
	}
	return out
}

func (p *mailboxes) functionKeys(v ssa.Value) ([]string, bool) {
	var out []string
	for _, f := range p.functionValues(v, token.NoPos, nil) {
		out = append(out, shortName(f.root))
	}
	return out, len(out) > 0
}

// handlersFor returns the kinds of the handlers that take a message with that key: its own, or the
// default.
func handlersFor(key string, hs []*Handler) []string {
	var out []string
	for _, h := range hs {
		if h.task.key == key && key != "" || h.By == facts.ByFunction && h.Kind == key {
			return []string{h.Kind}
		}
		if h.Kind == "default" || h.task.wide {
			out = append(out, h.Kind)
		}
	}
	return out
}

// leaf returns the key of a value, if it has one.
type leaf func(ssa.Value) (key string, ok bool)

func typeKey(v ssa.Value) (string, bool) {
	if m, ok := v.(*ssa.MakeInterface); ok {
		return types.TypeString(m.X.Type(), nil), true
	}
	return "", false
}

func constantKey(v ssa.Value) (string, bool) {
	if c, ok := v.(*ssa.Const); ok && c.Value != nil {
		return key(c.Value), true
	}
	return "", false
}

// values returns the keys of what the part of v may be. It follows v back to what it is copied
// from; false if it loses the track.
func (p *mailboxes) values(v ssa.Value, part string, key leaf) ([]string, bool) {
	if strings.Contains(part, "()") {
		return nil, false
	}
	var out []string
	seen := map[ssa.Value]bool{v: true}
	for work := []ssa.Value{v}; len(work) > 0; {
		x := work[0]
		work = work[1:]
		var from []ssa.Value
		if k, ok := key(x); ok && part == "" {
			out = append(out, k)
			continue
		}
		if a := allocated(x); a != nil && part != "" {
			keys, ok := p.fieldValues(a, part, key)
			if !ok {
				return nil, false
			}
			out = append(out, keys...)
			from = wholes(a)
		} else if from = p.sources(x); len(from) == 0 {
			return nil, false
		}
		for _, y := range from {
			if !seen[y] {
				seen[y] = true
				work = append(work, y)
			}
		}
	}
	return out, true
}

// allocated returns the struct that v is, or points to, if it is made in its function.
func allocated(v ssa.Value) *ssa.Alloc {
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		v = load.X
	}
	a, _ := v.(*ssa.Alloc)
	if a == nil {
		return nil
	}
	if _, ok := kernel.Deref(a.Type()).Underlying().(*types.Struct); !ok {
		return nil
	}
	return a
}

// wholes returns what is assigned to a as a whole.
func wholes(a *ssa.Alloc) []ssa.Value {
	var out []ssa.Value
	for _, ref := range *a.Referrers() {
		if s, ok := ref.(*ssa.Store); ok && s.Addr == a {
			out = append(out, s.Val)
		}
	}
	return out
}

// fieldValues returns the keys of what is assigned to the part of the struct a; of the zero value
// if nothing is.
func (p *mailboxes) fieldValues(a *ssa.Alloc, part string, key leaf) ([]string, bool) {
	out, stored, ok := p.assigned(a, part, key)
	if !ok || stored || len(wholes(a)) > 0 {
		return out, ok
	}
	return zero(kernel.Deref(a.Type()), part)
}

// assigned returns the keys of what is assigned, by field, to the part of the struct at addr.
func (p *mailboxes) assigned(addr ssa.Value, part string,
	key leaf) (out []string, stored, ok bool) {
	name, rest := cutField(part)
	for _, ref := range *addr.Referrers() {
		f, isField := ref.(*ssa.FieldAddr)
		if !isField || fieldName(f) != name {
			continue
		}
		for _, use := range *f.Referrers() {
			if s, ok := use.(*ssa.Store); ok && s.Addr == f {
				keys, ok := p.values(s.Val, rest, key)
				if !ok {
					return nil, true, false
				}
				out, stored = append(out, keys...), true
			}
		}
		if rest != "" {
			keys, inner, ok := p.assigned(f, rest, key)
			if !ok {
				return nil, true, false
			}
			out, stored = append(out, keys...), stored || inner
		}
	}
	return out, stored, true
}

// cutField cuts ".head.op" into "head" and ".op".
func cutField(part string) (name, rest string) {
	name, rest, ok := strings.Cut(part[1:], ".")
	if ok {
		rest = "." + rest
	}
	return name, rest
}

func fieldName(f *ssa.FieldAddr) string {
	return kernel.Deref(f.X.Type()).Underlying().(*types.Struct).Field(f.Field).Name()
}

// zero returns the key of the zero value of the part of a struct.
func zero(t types.Type, part string) ([]string, bool) {
	for part != "" {
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			return nil, false
		}
		var name string
		name, part = cutField(part)
		for f := range s.Fields() {
			if f.Name() == name {
				t = f.Type()
			}
		}
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return nil, false
	}
	switch info := b.Info(); {
	case info&types.IsInteger != 0:
		return []string{key(constant.MakeInt64(0))}, true
	case info&types.IsString != 0:
		return []string{key(constant.MakeString(""))}, true
	case info&types.IsBoolean != 0:
		return []string{key(constant.MakeBool(false))}, true
	}
	return nil, false
}

func key(v constant.Value) string { return v.Kind().String() + " " + v.ExactString() }
