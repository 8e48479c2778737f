package heap

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// The bounds of sums. A larger sum is one unknown value, without a relation to its parts.
const (
	maxTerms = 6
	maxTimes = 1 << 20
	far      = 1 << 41 // no bound is farther from 0
)

// linearOf is v as a sum; false if v is no integer.
func linearOf(v Value) (linear, bool) {
	switch v := v.(type) {
	case int64:
		return linear{more: v}, -far <= v && v <= far
	case *Sym:
		if v.sum != nil {
			return *v.sum, true
		}
		return linear{terms: []term{{v, 1}}}, kernel.IsInteger(v.Type)
	}
	return linear{}, false
}

func isUnsigned(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}

func abs(n int64) int64 { return max(n, -n) }

// plus is a and n times b.
func (a linear) plus(b linear, n int64) (linear, bool) {
	out := linear{terms: slices.Clone(a.terms), more: a.more + n*b.more}
	for _, t := range b.terms {
		i := slices.IndexFunc(out.terms, func(u term) bool { return u.of.Name == t.of.Name })
		if i < 0 {
			i, out.terms = len(out.terms), append(out.terms, term{of: t.of})
		}
		out.terms[i].times += n * t.times
	}
	out.terms = slices.DeleteFunc(out.terms, func(t term) bool { return t.times == 0 })
	slices.SortFunc(out.terms, func(a, b term) int { return cmp.Compare(a.of.Name, b.of.Name) })
	small := abs(n) <= maxTimes && abs(out.more) <= far
	for _, t := range out.terms {
		small = small && abs(t.times) <= maxTimes
	}
	return out, small && len(out.terms) <= maxTerms
}

// calculate is x op y as a sum, if it is one. Differences of unsigned numbers are none: they wrap.
func calculate(op token.Token, x, y Value) (linear, bool) {
	a, ok1 := linearOf(x)
	b, ok2 := linearOf(y)
	switch {
	case !ok1 || !ok2:
	case op == token.ADD:
		return a.plus(b, 1)
	case op == token.SUB && !wraps(x) && !wraps(y):
		return a.plus(b, -1)
	case op == token.MUL && len(b.terms) == 0 && abs(b.more) <= maxTimes:
		return linear{}.plus(a, b.more)
	case op == token.MUL && len(a.terms) == 0 && abs(a.more) <= maxTimes:
		return linear{}.plus(b, a.more)
	}
	return linear{}, false
}

// difference is x - y, whatever their types hold.
func difference(x, y Value) (linear, bool) {
	a, ok1 := linearOf(x)
	b, ok2 := linearOf(y)
	if !ok1 || !ok2 {
		return linear{}, false
	}
	return a.plus(b, -1)
}

func wraps(v Value) bool {
	s, ok := v.(*Sym)
	return ok && isUnsigned(s.Type)
}

// String is the sum in words.
func (a linear) String() string {
	var b strings.Builder
	for i, t := range a.terms {
		switch {
		case i > 0 && t.times > 0:
			b.WriteString(" + ")
		case t.times < 0:
			b.WriteString(" - ")
		}
		if n := abs(t.times); n != 1 {
			fmt.Fprintf(&b, "%d * ", n)
		}
		b.WriteString(t.of.Reason)
	}
	switch {
	case a.more > 0:
		fmt.Fprintf(&b, " + %d", a.more)
	case a.more < 0:
		fmt.Fprintf(&b, " - %d", -a.more)
	}
	return strings.TrimSpace(b.String())
}

// limits are the bounds of a number. The least and the largest int64 stand for none.
type limits struct{ low, high int64 }

var unlimited = limits{math.MinInt64, math.MaxInt64}

// near is l without what is far away.
func (l limits) near() limits {
	l.low, l.high = min(l.low, far), max(l.high, -far)
	if l.low < -far {
		l.low = unlimited.low
	}
	if l.high > far {
		l.high = unlimited.high
	}
	return l
}

// plus is the bounds of a sum.
func (l limits) plus(m limits) limits {
	out := unlimited
	if l.low != unlimited.low && m.low != unlimited.low {
		out.low = l.low + m.low
	}
	if l.high != unlimited.high && m.high != unlimited.high {
		out.high = l.high + m.high
	}
	return out.near()
}

// times is the bounds of n times a number.
func (l limits) times(n int64) limits {
	out := unlimited
	if l.low != unlimited.low {
		out.low = abs(n) * l.low
	}
	if l.high != unlimited.high {
		out.high = abs(n) * l.high
	}
	if n < 0 {
		out.low, out.high = -1-out.high, -1-out.low // of no bound, this is none
		if out.low != unlimited.low {
			out.low++
		}
		if out.high != unlimited.high {
			out.high++
		}
	}
	return out.near()
}

// and is the bounds of a number of which both are bounds.
func (l limits) and(m limits) limits { return limits{max(l.low, m.low), min(l.high, m.high)} }

// over returns the bounds of x if n*x is within l.
func (l limits) over(n int64) limits {
	if n < 0 {
		l, n = l.times(-1), -n
	}
	if l.low != unlimited.low {
		l.low = -floor(-l.low, n)
	}
	if l.high != unlimited.high {
		l.high = floor(l.high, n)
	}
	return l
}

func floor(x, n int64) int64 {
	if x < 0 {
		return -((-x + n - 1) / n)
	}
	return x / n
}

// Sources names the unknown values that a value, or a condition, is about.
func Sources(v Value) (names []string) {
	switch v := v.(type) {
	case *Cond:
		return append(Sources(v.X), Sources(v.Y)...)
	case *Sym:
		switch {
		case v.from != nil:
			return v.from
		case v.sum == nil:
			return []string{v.Name}
		}
		for _, t := range v.sum.terms {
			names = append(names, Sources(t.of)...)
		}
	}
	return names
}

// Opaque names the numbers in a condition of which the relation to their sources is not known.
func Opaque(v Value) (names []string) {
	switch v := v.(type) {
	case *Cond:
		return append(Opaque(v.X), Opaque(v.Y)...)
	case *Sym:
		if v.from != nil {
			return []string{v.Name}
		}
		if v.sum != nil {
			for _, t := range v.sum.terms {
				names = append(names, Opaque(t.of)...)
			}
		}
	}
	return names
}
