package heap

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Beliefs are what an execution knows and assumes of unknown values. A condition is decided once:
// its answer is kept under a name that does not depend on how the condition is written. Comparisons
// also bound integers, their sums and differences. Nothing else is concluded.
type Beliefs struct {
	known     map[string]Value // what unknown values are, if that has been decided
	answers   map[string]bool  // of conditions
	low, high map[string]int64 // bounds of unknown integers
	relations []*relation      // bounds of sums of these, in the order in which they came
	// Impossible is set if these bounds contradict each other.
	Impossible bool
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
	b.relations, b.Impossible = nil, false
}

// IsSet notes that an unknown value is not nil.
func (b *Beliefs) IsSet(v Value) {
	if s, ok := v.(*Sym); ok {
		b.answers[s.Name+" == nil"] = false
	}
}

// Is notes that an unknown number is n.
func (b *Beliefs) Is(s *Sym, n int64) {
	b.known[s.Name] = n
	if d, ok := difference(s, n); ok {
		b.require(d, limits{})
	}
}

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
	d, ok := difference(x, y)
	if !ok {
		return false, false
	}
	l := b.limitsOf(d)
	less, more, same := l.high < 0, l.low > 0, l.low == 0 && l.high == 0
	switch tok {
	case token.LSS:
		return less, less || l.low >= 0
	case token.GTR:
		return more, more || l.high <= 0
	case token.GEQ:
		return !less, less || l.low >= 0
	case token.LEQ:
		return !more, more || l.high <= 0
	}
	return same == (tok == token.EQL), less || more || same
}

// Limits returns the bounds of an integer.
func (b *Beliefs) Limits(v Value) (low, high int64, ok bool) {
	if n, ok := v.(int64); ok {
		return n, n, true
	}
	s, ok := v.(*Sym)
	if !ok || !kernel.IsInteger(s.Type) {
		return 0, 0, false
	}
	l := b.own(s)
	if s.sum != nil {
		l = l.and(b.limitsOf(*s.sum))
	}
	return l.low, l.high, true
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

// narrow notes what an answer says of unknown values.
func (b *Beliefs) narrow(tok token.Token, x, y Value, answer bool) {
	if !answer {
		tok = opposite[tok]
	}
	if Unknown(y) {
		x, y, tok = y, x, mirrored[tok]
	}
	s, ok := x.(*Sym)
	if !ok {
		return
	}
	if _, pointer := y.(*Cell); tok == token.EQL && !pointer && !Unknown(y) {
		b.known[s.Name] = y
	}
	if d, ok := difference(x, y); ok {
		b.require(d, b.solutions(tok, d))
	}
}

// solutions are the bounds of a sum d for which d tok 0 holds.
func (b *Beliefs) solutions(tok token.Token, d linear) limits {
	out := unlimited
	switch tok {
	case token.LSS:
		out.high = -1
	case token.LEQ:
		out.high = 0
	case token.GTR:
		out.low = 1
	case token.GEQ:
		out.low = 0
	case token.EQL:
		out = limits{}
	case token.NEQ:
		switch now := b.limitsOf(d); {
		case now.low == 0:
			out.low = 1
		case now.high == 0:
			out.high = -1
		}
	}
	return out
}

// relation bounds a sum of unknown numbers, whose first term is positive.
type relation struct {
	terms []term
	limits
}

// related returns the relation of a's terms, and the sign (1 or -1) between the two. If there is no
// such relation, it makes one if add, and else returns nil.
func (b *Beliefs) related(a linear, add bool) (r *relation, sign int64) {
	sign = 1
	if a.terms[0].times < 0 {
		sign = -1
	}
	same := func(s, t term) bool { return s.of.Name == t.of.Name && s.times == sign*t.times }
	for _, r := range b.relations {
		if slices.EqualFunc(r.terms, a.terms, same) {
			return r, sign
		}
	}
	if !add {
		return nil, sign
	}
	scaled, _ := linear{}.plus(linear{terms: a.terms}, sign)
	r = &relation{scaled.terms, unlimited}
	b.relations = append(b.relations, r)
	return r, sign
}

// limitsOf bounds a sum by its terms, and by what is known of it as a whole.
func (b *Beliefs) limitsOf(a linear) limits {
	out := limits{a.more, a.more}
	for _, t := range a.terms {
		out = out.plus(b.own(t.of).times(t.times))
	}
	if len(a.terms) > 0 {
		if r, sign := b.related(a, false); r != nil {
			out = out.and(r.limits.times(sign).plus(limits{a.more, a.more}))
		}
	}
	return out
}

// own bounds an unknown integer by itself.
func (b *Beliefs) own(s *Sym) limits {
	if n, ok := b.known[s.Name].(int64); ok {
		return limits{n, n}.near()
	}
	out := unlimited
	if n, ok := b.low[s.Name]; ok {
		out.low = n
	} else if isUnsigned(s.Type) {
		out.low = 0
	}
	if n, ok := b.high[s.Name]; ok {
		out.high = n
	}
	return out.near()
}

// set bounds an unknown integer.
func (b *Beliefs) set(s *Sym, l limits) {
	if l == b.own(s) {
		return
	}
	b.low[s.Name], b.high[s.Name] = l.low, l.high
	if l.low == l.high {
		b.known[s.Name] = l.low
	}
	b.Impossible = b.Impossible || l.low > l.high
}

// require notes that a sum is within limits, and what follows for its terms.
func (b *Beliefs) require(a linear, l limits) {
	l = l.plus(limits{-a.more, -a.more})
	switch {
	case len(a.terms) == 0:
		return
	case len(a.terms) == 1 && abs(a.terms[0].times) == 1:
		b.set(a.terms[0].of, b.own(a.terms[0].of).and(l.times(a.terms[0].times)))
	default:
		r, sign := b.related(a, true)
		r.limits = r.limits.and(l.times(sign))
		b.Impossible = b.Impossible || r.low > r.high
	}
	for range maxTerms {
		for _, r := range b.relations {
			b.propagate(r)
		}
	}
}

// propagate narrows the bounds of each term of a relation by those of the others. A number of which
// nothing is known counts as at least 0: nobody believes a finding that needs a negative one.
func (b *Beliefs) propagate(r *relation) {
	for i, t := range r.terms {
		rest := r.limits
		for j, u := range r.terms {
			if i != j {
				of := b.own(u.of)
				if of.low == unlimited.low && of.high >= 0 {
					of.low = 0
				}
				rest = rest.plus(of.times(-u.times))
			}
		}
		of := b.own(t.of)
		b.set(t.of, of.and(rest.over(t.times)))
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
	return Describe(b.Resolve(c.X)) == unnamed || Describe(b.Resolve(c.Y)) == unnamed
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
		return !isError(c.X) && !isError(c.Y)
	case c.Tok == token.EQL:
		return isError(c.X) || isError(c.Y)
	}
	return true
}

// isError reports whether v is an unknown error.
func isError(v Value) bool {
	s, ok := v.(*Sym)
	return ok && isErrorType(s.Type)
}

func isErrorType(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}
