package heap

import (
	"fmt"
	"go/token"
	"strings"
)

// Says says in words that a condition holds, or that it does not.
func Says(cond Value, holds bool) string {
	switch c := cond.(type) {
	case *Cond:
		if c.Tok == token.NOT {
			return Says(c.X, !holds)
		}
		return describeComparison(c, holds)
	}
	return claim(Describe(cond), holds)
}

// claim says that an unknown bool is true, or false. Its name may be a question.
func claim(name string, holds bool) string {
	question, is := strings.CutPrefix(name, "whether ")
	switch {
	case is && holds:
		return question
	case is:
		for _, not := range [][2]string{{" has ", " does not have "}, {" is ", " is not "},
			{" was ", " was not "}} {
			if strings.Contains(question, not[0]) {
				return strings.Replace(question, not[0], not[1], 1)
			}
		}
	case holds:
		return name + " is true"
	}
	return name + " is false"
}

func describeComparison(c *Cond, holds bool) string {
	tok, x, y := c.Tok, c.X, c.Y
	if !holds {
		tok = opposite[tok]
	}
	if Unknown(y) && !Unknown(x) {
		x, y, tok = y, x, mirrored[tok]
	}
	if is, known := IsNil(y); known && is && isError(x) {
		if tok == token.EQL {
			return Describe(x) + " is no error"
		}
		return Describe(x) + " is an error"
	}
	return fmt.Sprintf("%s %v %s", Describe(x), tok, Describe(y))
}

// unnamed stands for a value for which people have no name.
const unnamed = "another value"

// Describe names a value for people.
func Describe(v Value) string {
	switch v := v.(type) {
	case *Sym:
		return v.Reason
	case Nil:
		return "nil"
	case int64, bool, string:
		return fmt.Sprintf("%#v", v)
	case *Cond:
		return describeComparison(v, true)
	}
	return unnamed
}

// Least says whether a condition that holds, or does not, means that an unknown value is at least
// n. Then of is the value; otherwise of is nil.
func Least(cond Value, holds bool) (of *Sym, n int64) {
	c, ok := cond.(*Cond)
	if !ok {
		return nil, 0
	}
	tok, x, y := c.Tok, c.X, c.Y
	if tok == token.NOT {
		return Least(x, !holds)
	}
	if !holds {
		tok = opposite[tok]
	}
	if Unknown(y) {
		x, y, tok = y, x, mirrored[tok]
	}
	n, number := y.(int64)
	s, unknown := x.(*Sym)
	switch {
	case !number || !unknown:
	case tok == token.GTR:
		return s, n + 1
	case tok == token.GEQ:
		return s, n
	}
	return nil, 0
}

// Given reports whether s is a parameter of a root function or a field, or the length of one, and
// nothing has computed it.
func (s *Sym) Given() bool {
	if s.of != nil {
		s = s.of
	}
	return s.Field != nil || strings.HasPrefix(s.Name, "param") &&
		!strings.ContainsAny(s.Name, "[{(")
}

// Counts reports whether a condition compares a number with an unknown one that is no length, such
// as how many workers there are to be.
func Counts(cond Value) bool {
	c, ok := cond.(*Cond)
	if !ok || c.Tok == token.NOT || c.Tok == token.EQL || c.Tok == token.NEQ {
		return false
	}
	x, y := c.X, c.Y
	if Unknown(x) {
		x, y = y, x
	}
	_, number := x.(int64)
	s, unknown := y.(*Sym)
	return number && unknown && !IsLength(s) && !Computed(s)
}

// Settles returns the answer by which a condition takes an unknown number to be a known one, if it
// is a number that another condition compares, too.
func Settles(cond, other Value) (answer, ok bool) {
	c, ok1 := cond.(*Cond)
	o, ok2 := other.(*Cond)
	if !ok1 || !ok2 || c.Tok != token.EQL && c.Tok != token.NEQ {
		return false, false
	}
	x, y := compared(c), compared(o)
	return c.Tok == token.EQL, x != nil && y != nil && x.Name == y.Name
}

// compared is the unknown number that a condition compares with a known one; nil if there is none.
func compared(c *Cond) *Sym {
	x, y := c.X, c.Y
	if Unknown(x) {
		x, y = y, x
	}
	if _, ok := x.(int64); !ok {
		return nil
	}
	if base, _ := Offset(y); base != nil {
		return base
	}
	s, _ := y.(*Sym)
	return s
}
