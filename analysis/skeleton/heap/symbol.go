package heap

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
)

// Term returns the unknown value of an operation on others. Its name stays short: x += x in a loop
// must not double the name in each round.
func (h *Heap) Term(t types.Type, key string, pos token.Pos) Value {
	n, ok := h.terms[key]
	if !ok {
		n = "(" + strconv.Itoa(len(h.terms)) + ")"
		h.terms[key] = n
	}
	return h.Interned(t, n, "what is computed here", pos)
}

// Fresh returns a new unknown value. Slices of structs are not needed: the fields of a struct are
// unknown one by one.
func (h *Heap) Fresh(t types.Type, reason string, pos token.Pos) Value {
	h.syms++
	return lazy(t, fmt.Sprintf("s%d", h.syms), func(t types.Type, name string) Value {
		return &Sym{Name: name, Reason: reason, Pos: pos, Type: t}
	})
}

// Interned returns the unknown value of a name.
func (h *Heap) Interned(t types.Type, name, reason string, pos token.Pos) Value {
	if v, ok := h.names[name]; ok {
		return v
	}
	v := Value(nil)
	if other, ok := h.Same[name]; ok {
		v = h.Interned(t, other, reason, pos)
	} else {
		v = lazy(t, name, func(part types.Type, of string) Value {
			if of != name {
				return h.Interned(part, of, reason, pos)
			}
			return &Sym{Name: name, Reason: reason, Pos: pos, Type: t}
		})
	}
	h.names[name] = v
	return v
}

// lazy makes an unknown value of a name. One of a struct is a struct of unknown values.
func lazy(t types.Type, name string, part func(t types.Type, name string) Value) Value {
	if tuple, ok := t.(*types.Tuple); ok {
		out := make(Tuple, tuple.Len())
		for i := range out {
			out[i] = lazy(tuple.At(i).Type(), fmt.Sprintf("%s#%d", name, i), part)
		}
		return out
	}
	if s, ok := t.Underlying().(*types.Struct); ok {
		out := make(Struct, s.NumFields())
		for i := range out {
			out[i] = lazy(s.Field(i).Type(), name+"."+s.Field(i).Name(), part)
		}
		return out
	}
	return part(t, name)
}

// Constant is the value of operand ^i of fn.
func (h *Heap) Constant(fn *skeleton.Func, i int) Value {
	consts := h.consts[fn]
	if consts == nil {
		consts = make([]Value, len(fn.Consts))
		h.consts[fn] = consts
	}
	if consts[i] == nil {
		consts[i] = h.constant(&fn.Consts[i])
	}
	return consts[i]
}

// constant is the value of an operand that is no register.
func (h *Heap) constant(k *skeleton.Const) Value {
	switch {
	case k.Func != nil:
		return &Closure{Fn: k.Func}
	case k.Global != nil:
		return h.Global(k.Global)
	case k.Value == nil:
		return Zero(k.Type)
	}
	switch k.Value.Kind() {
	case constant.Bool:
		return constant.BoolVal(k.Value)
	case constant.String:
		return constant.StringVal(k.Value)
	case constant.Int:
		if n, ok := constant.Int64Val(k.Value); ok {
			return n
		}
	case constant.Float:
		if f := constant.ToInt(k.Value); f.Kind() == constant.Int {
			if n, ok := constant.Int64Val(f); ok {
				return n
			}
		}
	}
	return h.Interned(k.Type, "const "+k.Value.ExactString(), "a constant", token.NoPos)
}
