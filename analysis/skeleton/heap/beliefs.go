package heap

import (
	"go/token"
	"go/types"
	"math"
)

// Beliefs are what an execution knows and assumes of unknown values. A condition is decided once:
// its answer is kept under a name that does not depend on how the condition is written. Comparisons
// with constants also bound integers. Nothing else is concluded.
type Beliefs struct {
	known     map[string]Value // what unknown values are, if that has been decided
	answers   map[string]bool  // of conditions
	low, high map[string]int64 // bounds of unknown integers
}

func newBeliefs() *Beliefs {
	return &Beliefs{known: map[string]Value{}, answers: map[string]bool{}, low: map[string]int64{},
		high: map[string]int64{}}
}

func (b *Beliefs) reset() {
	clear(b.known)
	clear(b.answers)
	clear(b.low)
	clear(b.high)
}

// IsSet notes that an unknown value is not nil.
func (b *Beliefs) IsSet(v Value) {
	if s, ok := v.(*Sym); ok {
		b.answers[s.Name+" == nil"] = false
	}
}

// Is notes that an unknown number is n.
func (b *Beliefs) Is(s *Sym, n int64) { b.known[s.Name], b.low[s.Name], b.high[s.Name] = n, n, n }

// notNegative notes that an unknown number is a length.
func (b *Beliefs) notNegative(n Value) { b.atLeast(n, 0) }

// atLeast notes a lower bound of an unknown number.
func (b *Beliefs) atLeast(n Value, low int64) {
	if s, ok := n.(*Sym); ok {
		b.low[s.Name] = max(b.low[s.Name], low)
	}
}

// Decide returns the answer of a condition, if it is known.
func (b *Beliefs) Decide(cond Value) (answer, known bool) {
	switch c := cond.(type) {
	case bool:
		return c, true
	case *Sym:
		v, ok := b.known[c.Name].(bool)
		return v, ok
	case *Cond:
		return b.compared(c)
	}
	return false, false
}

func (b *Beliefs) compared(c *Cond) (answer, known bool) {
	if c.Tok == token.NOT {
		answer, known = b.Decide(c.X)
		return !answer, known
	}
	x, y := b.Resolve(c.X), b.Resolve(c.Y)
	if v, ok := compare(c.Tok, x, y).(bool); ok {
		return v, true
	}
	if answer, known = b.bounded(c.Tok, x, y); known {
		return answer, true
	}
	key, negated := key(c.Tok, x, y)
	answer, known = b.answers[key]
	return answer != negated, known
}

// Resolve returns what an unknown value is known to be.
func (b *Beliefs) Resolve(v Value) Value {
	if s, ok := v.(*Sym); ok {
		if k, ok := b.known[s.Name]; ok {
			return k
		}
	}
	return v
}

// key names a comparison, or its negation.
func key(tok token.Token, x, y Value) (name_ string, negated bool) {
	a, b := Name(x), Name(y)
	switch tok {
	case token.NEQ:
		tok, negated = token.EQL, true
	case token.GTR: // x > y is y < x
		tok, a, b = token.LSS, b, a
	case token.GEQ: // x >= y is not x < y
		tok, negated = token.LSS, true
	case token.LEQ: // x <= y is not y < x
		tok, a, b, negated = token.LSS, b, a, true
	}
	if tok == token.EQL && (a == "nil" || a > b && b != "nil") {
		a, b = b, a
	}
	op := " == "
	if tok == token.LSS {
		op = " < "
	}
	return a + op + b, negated
}

// bounded compares by what is known of integers.
func (b *Beliefs) bounded(tok token.Token, x, y Value) (answer, known bool) {
	xl, xh, ok1 := b.Limits(x)
	yl, yh, ok2 := b.Limits(y)
	if !ok1 || !ok2 {
		return false, false
	}
	less := func(al, ah, bl, bh int64) (bool, bool) {
		switch {
		case ah < bl:
			return true, true
		case al >= bh:
			return false, true
		}
		return false, false
	}
	switch tok {
	case token.LSS:
		return less(xl, xh, yl, yh)
	case token.GTR:
		return less(yl, yh, xl, xh)
	case token.GEQ:
		answer, known = less(xl, xh, yl, yh)
		return !answer, known
	case token.LEQ:
		answer, known = less(yl, yh, xl, xh)
		return !answer, known
	case token.EQL, token.NEQ:
		if xh < yl || yh < xl {
			return tok == token.NEQ, true
		}
	}
	return false, false
}

// Limits returns the bounds of an integer.
func (b *Beliefs) Limits(v Value) (low, high int64, ok bool) {
	switch v := v.(type) {
	case int64:
		return v, v, true
	case *Sym:
		if b, ok := v.Type.Underlying().(*types.Basic); !ok || b.Info()&types.IsInteger == 0 {
			return 0, 0, false
		}
		low, high = math.MinInt64, math.MaxInt64
		if n, ok := b.low[v.Name]; ok {
			low = n
		} else if b := v.Type.Underlying().(*types.Basic); b.Info()&types.IsUnsigned != 0 {
			low = 0
		}
		if n, ok := b.high[v.Name]; ok {
			high = n
		}
		return low, high, true
	}
	return 0, 0, false
}

// Assume notes the answer of a condition.
func (b *Beliefs) Assume(cond Value, answer bool) {
	switch c := cond.(type) {
	case *Sym:
		b.known[c.Name] = answer
	case *Cond:
		if c.Tok == token.NOT {
			b.Assume(c.X, !answer)
			return
		}
		x, y := b.Resolve(c.X), b.Resolve(c.Y)
		key, negated := key(c.Tok, x, y)
		b.answers[key] = answer != negated
		b.narrow(c.Tok, x, y, answer)
	}
}

var opposite = map[token.Token]token.Token{token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR}

var mirrored = map[token.Token]token.Token{token.EQL: token.EQL, token.NEQ: token.NEQ,
	token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ}

// narrow notes what an answer says of a value that is compared with a constant.
func (b *Beliefs) narrow(tok token.Token, x, y Value, answer bool) {
	if !answer {
		tok = opposite[tok]
	}
	if Unknown(y) {
		x, y, tok = y, x, mirrored[tok]
	}
	s, ok := x.(*Sym)
	if !ok || Unknown(y) {
		return
	}
	if _, pointer := y.(*Cell); tok == token.EQL && !pointer {
		b.known[s.Name] = y
		return
	}
	n, ok := y.(int64)
	low, high, isInt := b.Limits(s)
	if !ok || !isInt {
		return
	}
	switch tok {
	case token.LSS:
		high = min(high, n-1)
	case token.LEQ:
		high = min(high, n)
	case token.GTR:
		low = max(low, n+1)
	case token.GEQ:
		low = max(low, n)
	case token.NEQ:
		if low == n {
			low++
		}
		if high == n {
			high--
		}
	}
	b.low[s.Name], b.high[s.Name] = low, high
	if low == high {
		b.known[s.Name] = low
	}
}

// Equates reports whether an answer says that an unknown value is a value of the program that is
// neither nil nor a constant, such as a struct. Hardly ever is that so.
func (b *Beliefs) Equates(cond Value, answer bool) bool {
	c, ok := cond.(*Cond)
	switch {
	case !ok:
		return false
	case c.Tok == token.NOT:
		return b.Equates(c.X, !answer)
	case c.Tok == token.EQL && !answer, c.Tok == token.NEQ && answer:
		return false
	case c.Tok != token.EQL && c.Tok != token.NEQ:
		return false
	}
	return Describe(b.Resolve(c.X)) == Unnamed || Describe(b.Resolve(c.Y)) == Unnamed
}

// Usual is the answer that is tried first.
func (b *Beliefs) Usual(cond Value) bool {
	c, ok := cond.(*Cond)
	switch {
	case !ok:
		return true
	case c.Tok == token.NOT:
		return !b.Usual(c.X)
	case c.Tok == token.NEQ:
		return !IsError(c.X) && !IsError(c.Y)
	case c.Tok == token.EQL:
		return IsError(c.X) || IsError(c.Y)
	}
	return true
}

// IsError reports whether v is an unknown error.
func IsError(v Value) bool {
	s, ok := v.(*Sym)
	return ok && isErrorType(s.Type)
}

func isErrorType(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}
