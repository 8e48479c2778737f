package machine

import (
	"fmt"
	"go/token"
)

// Describe says in words that a condition holds, or that it does not.
func (m *Machine) Describe(cond Value, holds bool) string {
	switch c := cond.(type) {
	case *Cond:
		if c.Tok == token.NOT {
			return m.Describe(c.X, !holds)
		}
		return describeComparison(c, holds)
	}
	if holds {
		return describe(cond) + " is true"
	}
	return describe(cond) + " is false"
}

func describeComparison(c *Cond, holds bool) string {
	tok, x, y := c.Tok, c.X, c.Y
	if !holds {
		tok = opposite[tok]
	}
	if unknown(y) && !unknown(x) {
		x, y, tok = y, x, mirrored[tok]
	}
	if is, known := isNil(y); known && is && isError(x) {
		if tok == token.EQL {
			return describe(x) + " is no error"
		}
		return describe(x) + " is an error"
	}
	return fmt.Sprintf("%s %v %s", describe(x), tok, describe(y))
}

// unnamed stands for a value for which people have no name.
const unnamed = "another value"

// describe names a value for people.
func describe(v Value) string {
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
