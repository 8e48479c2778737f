package machine

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/skeleton"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// A condition on unknown values is decided once: its answer is kept under a name that does not
// depend on how the condition is written. Comparisons with constants also bound integers. Nothing
// else is concluded: two conditions of different names are taken to be independent.

// decide returns the answer of a condition, if it is known.
func (m *Machine) decide(cond Value) (answer, known bool) {
	switch c := cond.(type) {
	case bool:
		return c, true
	case *Sym:
		v, ok := m.known[c.Name].(bool)
		return v, ok
	case *Cond:
		return m.compared(c)
	}
	return false, false
}

func (m *Machine) compared(c *Cond) (answer, known bool) {
	if c.Tok == token.NOT {
		answer, known = m.decide(c.X)
		return !answer, known
	}
	x, y := m.resolve(c.X), m.resolve(c.Y)
	if v, ok := compare(c.Tok, x, y).(bool); ok {
		return v, true
	}
	if answer, known = m.bounded(c.Tok, x, y); known {
		return answer, true
	}
	key, negated := key(c.Tok, x, y)
	answer, known = m.answers[key]
	return answer != negated, known
}

// resolve returns what an unknown value is known to be.
func (m *Machine) resolve(v Value) Value {
	if s, ok := v.(*Sym); ok {
		if k, ok := m.known[s.Name]; ok {
			return k
		}
	}
	return v
}

// key names a comparison, or its negation.
func key(tok token.Token, x, y Value) (name_ string, negated bool) {
	a, b := name(x), name(y)
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
func (m *Machine) bounded(tok token.Token, x, y Value) (answer, known bool) {
	xl, xh, ok1 := m.limits(x)
	yl, yh, ok2 := m.limits(y)
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

// limits returns the bounds of an integer.
func (m *Machine) limits(v Value) (low, high int64, ok bool) {
	switch v := v.(type) {
	case int64:
		return v, v, true
	case *Sym:
		if b, ok := v.Type.Underlying().(*types.Basic); !ok || b.Info()&types.IsInteger == 0 {
			return 0, 0, false
		}
		low, high = math.MinInt64, math.MaxInt64
		if n, ok := m.low[v.Name]; ok {
			low = n
		} else if b := v.Type.Underlying().(*types.Basic); b.Info()&types.IsUnsigned != 0 {
			low = 0
		}
		if n, ok := m.high[v.Name]; ok {
			high = n
		}
		return low, high, true
	}
	return 0, 0, false
}

// assume notes the answer of a condition.
func (m *Machine) assume(cond Value, answer bool) {
	switch c := cond.(type) {
	case *Sym:
		m.known[c.Name] = answer
	case *Cond:
		if c.Tok == token.NOT {
			m.assume(c.X, !answer)
			return
		}
		x, y := m.resolve(c.X), m.resolve(c.Y)
		key, negated := key(c.Tok, x, y)
		m.answers[key] = answer != negated
		m.narrow(c.Tok, x, y, answer)
	}
}

var opposite = map[token.Token]token.Token{token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR}

var mirrored = map[token.Token]token.Token{token.EQL: token.EQL, token.NEQ: token.NEQ,
	token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ}

// narrow notes what an answer says of a value that is compared with a constant.
func (m *Machine) narrow(tok token.Token, x, y Value, answer bool) {
	if !answer {
		tok = opposite[tok]
	}
	if unknown(y) {
		x, y, tok = y, x, mirrored[tok]
	}
	s, ok := x.(*Sym)
	if !ok || unknown(y) {
		return
	}
	if _, pointer := y.(*Cell); tok == token.EQL && !pointer {
		m.known[s.Name] = y
		return
	}
	n, ok := y.(int64)
	low, high, isInt := m.limits(s)
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
	m.low[s.Name], m.high[s.Name] = low, high
	if low == high {
		m.known[s.Name] = low
	}
}

// nameDecision names a decision of p at pos.
func (m *Machine) nameDecision(pos token.Pos, p *Proc) string {
	n := fmt.Sprintf("%s@%d", p.path, pos)
	m.decided[n]++
	return fmt.Sprintf("%s#%d", n, m.decided[n])
}

// Contradicts is why an execution is unfinished that takes a condition to be true and false.
const Contradicts = "two decisions contradict each other"

// ask lets the search decide a condition. The usual answer comes first: that nothing went wrong.
func (m *Machine) ask(p *Proc, cond Value, pos token.Pos, then func(answer bool)) {
	first := m.usual(cond)
	d := &Decision{Name: m.nameDecision(pos, p), Pos: pos, Cond: cond}
	d.Text = []string{m.Describe(cond, first), m.Describe(cond, !first)}
	d.Equates = []bool{m.equates(cond, first), m.equates(cond, !first)}
	m.declare(p, trace.Op{Kind: trace.Draw, Obj: -1, N: 2}, pos, func(_ *trace.Event, which int,
		_ Value, _ bool) {
		answer := first == (which == 0)
		if now, known := m.decide(cond); known && now != answer {
			m.unfinished(Contradicts) // another process has decided it since
		}
		m.assume(cond, answer)
		then(answer)
	})
	p.decision = d
}

// equates reports whether an answer says that an unknown value is a value of the program that is
// neither nil nor a constant, such as a struct. Hardly ever is that so.
func (m *Machine) equates(cond Value, answer bool) bool {
	c, ok := cond.(*Cond)
	switch {
	case !ok:
		return false
	case c.Tok == token.NOT:
		return m.equates(c.X, !answer)
	case c.Tok == token.EQL && !answer, c.Tok == token.NEQ && answer:
		return false
	case c.Tok != token.EQL && c.Tok != token.NEQ:
		return false
	}
	return describe(m.resolve(c.X)) == unnamed || describe(m.resolve(c.Y)) == unnamed
}

// usual is the answer that is tried first.
func (m *Machine) usual(cond Value) bool {
	c, ok := cond.(*Cond)
	switch {
	case !ok:
		return true
	case c.Tok == token.NOT:
		return !m.usual(c.X)
	case c.Tok == token.NEQ:
		return !isError(c.X) && !isError(c.Y)
	case c.Tok == token.EQL:
		return isError(c.X) || isError(c.Y)
	}
	return true
}

func isError(v Value) bool {
	s, ok := v.(*Sym)
	return ok && types.Identical(s.Type, types.Universe.Lookup("error").Type())
}

// concrete lets the search decide what a small number is, if that is not known.
func (m *Machine) concrete(p *Proc, v Value, pos token.Pos, then func(n int64)) {
	v = m.resolve(v)
	if n, ok := v.(int64); ok {
		then(n)
		return
	}
	if s, ok := v.(*Sym); ok && s.base != nil {
		m.concrete(p, s.base, pos, func(n int64) { then(max(0, n+s.off)) })
		return
	}
	low, high, ok := m.limits(v)
	if !ok {
		low, high = 0, 2
	}
	low = max(low, 0)
	high = max(low, min(high, int64(m.Rounds)))
	d := &Decision{Name: m.nameDecision(pos, p), Pos: pos}
	order := []int64{}
	for n := low; n <= high; n++ {
		order = append(order, n)
	}
	if len(order) > 1 && order[0] == 0 { // nothing is the least usual
		order = append(order[1:], 0)
	}
	for _, n := range order {
		d.Text = append(d.Text, fmt.Sprintf("%s is %d", describe(v), n))
	}
	take := func(n int64) {
		if s, ok := v.(*Sym); ok {
			m.Vague = m.Vague || strings.HasPrefix(s.Name, "(")
			m.known[s.Name], m.low[s.Name], m.high[s.Name] = n, n, n
		}
		then(n)
	}
	if len(order) == 1 {
		take(order[0])
		return
	}
	m.declare(p, trace.Op{Kind: trace.Draw, Obj: -1, N: int32(len(order))}, pos,
		func(_ *trace.Event,
			which int, _ Value, _ bool) {
			take(order[which])
		})
	p.decision = d
}

// binary computes x op y.
func (m *Machine) binary(i *skeleton.Instr, x, y Value) Value {
	x, y = m.resolve(x), m.resolve(y)
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
	v := m.term(i.Type, name(x)+" "+i.Tok.String()+" "+name(y), i.Pos)
	offset(v, i.Tok, x, y)
	return v
}

// offset notes that v is an unknown number and a known one.
func offset(v Value, tok token.Token, x, y Value) {
	sum, ok := v.(*Sym)
	base, ok1 := x.(*Sym)
	off, ok2 := y.(int64)
	if tok == token.SUB {
		off = -off
	}
	if ok && ok1 && ok2 && (tok == token.ADD || tok == token.SUB) {
		sum.base, sum.off = base, off
	}
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
		is, known := equal(x, y)
		if known && (is || !unknown(x) && !unknown(y)) {
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

func (m *Machine) unary(i *skeleton.Instr, x Value) Value {
	x = m.resolve(x)
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
	return m.term(i.Type, i.Tok.String()+" "+name(x), i.Pos)
}

// convert converts x to the type of i. An unknown value of another basic type is another one.
func (m *Machine) convert(i *skeleton.Instr, x Value) Value {
	s, ok := x.(*Sym)
	if ok {
		from, ok1 := s.Type.Underlying().(*types.Basic)
		to, ok2 := i.Type.Underlying().(*types.Basic)
		if !ok1 || !ok2 || from.Info()&types.IsInteger != 0 && to.Info()&types.IsInteger != 0 {
			return x
		}
		return m.interned(i.Type, fmt.Sprintf("%s(%s)", i.Type, s.Name), s.Reason, i.Pos)
	}
	b, ok := i.Type.Underlying().(*types.Basic)
	switch x.(type) {
	case int64:
		if !ok || b.Info()&types.IsNumeric == 0 {
			return m.fresh(i.Type, "what is computed here", i.Pos)
		}
	case string:
		if !ok || b.Info()&types.IsString == 0 {
			return m.fresh(i.Type, "what is computed here", i.Pos)
		}
	case SliceOf:
		if ok {
			return m.fresh(i.Type, "what is computed here", i.Pos)
		}
	}
	return x
}
