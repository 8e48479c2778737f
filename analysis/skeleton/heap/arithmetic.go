package heap

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/analysis/skeleton"
)

// Binary computes x op y.
func (h *Heap) Binary(i *skeleton.Instr, x, y Value) Value {
	x, y = h.Resolve(x), h.Resolve(y)
	if mirrored[i.Tok] != 0 {
		return compare(i.Tok, x, y)
	}
	a, ok1 := x.(int64)
	b, ok2 := y.(int64)
	if ok1 && ok2 {
		if n, ok := arithmetic(i.Tok, a, b); ok {
			return n
		}
	}
	s, ok1 := x.(string)
	t, ok2 := y.(string)
	if ok1 && ok2 && i.Tok == token.ADD {
		return s + t
	}
	p, ok1 := x.(bool)
	q, ok2 := y.(bool)
	switch {
	case ok1 && ok2 && i.Tok == token.AND:
		return p && q
	case ok1 && ok2 && i.Tok == token.OR:
		return p || q
	}
	v := h.Term(i.Type, Name(x)+" "+i.Tok.String()+" "+Name(y), i.Pos)
	summed(v, i.Tok, x, y)
	if Filled(x) || Filled(y) {
		mark(v)
	}
	return v
}

// Offset returns the unknown number that v is, and how much more; nil if v is none.
func Offset(v Value) (base *Sym, more int64) {
	if s, ok := v.(*Sym); ok && s.sum != nil && len(s.sum.terms) == 1 && s.sum.terms[0].times == 1 {
		return s.sum.terms[0].of, s.sum.more
	}
	return nil, 0
}

// Computed reports whether an unknown value was computed from others.
func Computed(s *Sym) bool { return strings.HasPrefix(s.Name, "(") }

// summed notes that an unknown number is a sum of others, or else what it was computed from.
func summed(v Value, op token.Token, x, y Value) {
	s, ok := v.(*Sym)
	if !ok || s.sum != nil || s.from != nil {
		return
	}
	if sum, ok := calculate(op, x, y); ok && kernel.IsInteger(s.Type) {
		s.sum = &sum
		if len(sum.terms) > 0 {
			s.Reason = sum.String()
		}
		return
	}
	s.from = slices.Concat(Sources(x), Sources(y))
	slices.Sort(s.from)
	s.from = slices.Compact(s.from)
}

func arithmetic(tok token.Token, a, b int64) (int64, bool) {
	switch tok {
	case token.ADD:
		return a + b, true
	case token.SUB:
		return a - b, true
	case token.MUL:
		return a * b, true
	case token.AND:
		return a & b, true
	case token.OR:
		return a | b, true
	case token.XOR:
		return a ^ b, true
	case token.AND_NOT:
		return a &^ b, true
	case token.SHL:
		return a << uint(b&63), b >= 0 && b < 63
	case token.SHR:
		return a >> uint(b&63), b >= 0 && b < 63
	case token.QUO:
		if b != 0 {
			return a / b, true
		}
	case token.REM:
		if b != 0 {
			return a % b, true
		}
	}
	return 0, false
}

// compare compares two values: a bool, or a *Cond if there is no saying.
func compare(tok token.Token, x, y Value) Value {
	switch tok {
	case token.EQL, token.NEQ:
		is, known := Equal(x, y)
		if known && (is || !Unknown(x) && !Unknown(y)) {
			return is == (tok == token.EQL)
		}
		return &Cond{tok, x, y}
	}
	if a, ok := x.(int64); ok {
		if b, ok := y.(int64); ok {
			return order(tok, a, b)
		}
	}
	if a, ok := x.(string); ok {
		if b, ok := y.(string); ok {
			return constant.Compare(constant.MakeString(a), tok, constant.MakeString(b))
		}
	}
	return &Cond{tok, x, y}
}

func order(tok token.Token, a, b int64) bool {
	switch tok {
	case token.LSS:
		return a < b
	case token.LEQ:
		return a <= b
	case token.GTR:
		return a > b
	}
	return a >= b
}

// Unary computes an operation of one value.
func (h *Heap) Unary(i *skeleton.Instr, x Value) Value {
	x = h.Resolve(x)
	switch v := x.(type) {
	case bool:
		return !v
	case int64:
		switch i.Tok {
		case token.SUB:
			return -v
		case token.XOR:
			return ^v
		}
	}
	if i.Tok == token.NOT {
		return &Cond{Tok: token.NOT, X: x}
	}
	return h.Term(i.Type, i.Tok.String()+" "+Name(x), i.Pos)
}

// Convert converts x to the type of i. An unknown value of another basic type is another one.
func (h *Heap) Convert(i *skeleton.Instr, x Value) Value {
	s, ok := x.(*Sym)
	if ok {
		from, ok1 := s.Type.Underlying().(*types.Basic)
		to, ok2 := i.Type.Underlying().(*types.Basic)
		if !ok1 || !ok2 || from.Info()&types.IsInteger != 0 && to.Info()&types.IsInteger != 0 {
			return x
		}
		v := h.Interned(i.Type, fmt.Sprintf("%s(%s)", i.Type, s.Name), s.Reason, i.Pos)
		if s.Filled {
			mark(v)
		}
		return v
	}
	b, ok := i.Type.Underlying().(*types.Basic)
	switch x.(type) {
	case int64:
		if !ok || b.Info()&types.IsNumeric == 0 {
			return h.Fresh(i.Type, "what is computed here", i.Pos)
		}
	case string:
		if !ok || b.Info()&types.IsString == 0 {
			return h.Fresh(i.Type, "what is computed here", i.Pos)
		}
	case SliceOf:
		if ok {
			return h.Fresh(i.Type, "what is computed here", i.Pos)
		}
	}
	return x
}
