package fanin

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// lines returns the groups of receives in one block, one after the other. Either nobody uses their
// values, or one expression alone does. The expression combines the values by operations of one
// class, each value in the same way: x*2 + y*2.
func lines(fn *ssa.Function) []group {
	var out []group
	for _, b := range fn.Blocks {
		var rs []*ssa.UnOp
		for _, i := range b.Instrs {
			if r, ok := i.(*ssa.UnOp); ok && isReceive(r) {
				rs = append(rs, r)
			}
		}
		for len(rs) > 1 {
			g := groupOf(rs)
			if len(g.receives) > 1 && isPassedOnce(g.receives) {
				out = append(out, g)
			}
			rs = slices.DeleteFunc(rs,
				func(r *ssa.UnOp) bool { return r == rs[0] || slices.Contains(g.receives, r) })
		}
	}
	return out
}

// isPassedOnce reports whether control does not come from the last of rs to the first quietly.
func isPassedOnce(rs []*ssa.UnOp) bool {
	g := quietGraph(rs[len(rs)-1])
	return !reach([]*node{g.after}, nil, forward)[g.at[rs[0]]]
}

// groupOf returns the group of the first of rs.
func groupOf(rs []*ssa.UnOp) group {
	if len(usesOf(rs[0])) == 0 {
		return group{slices.DeleteFunc(slices.Clone(rs),
			func(r *ssa.UnOp) bool { return len(usesOf(r)) > 0 }), "values unused"}
	}
	for _, class := range []string{"+", "*", "|", "&", "^", "min", "max"} {
		s := &sum{class: class, at: map[ssa.Value]string{}}
		first, shape := s.term(rs[0])
		s.flatten(s.top(first), "")
		if s.at[first] == "" {
			continue
		}
		g := group{fact: "sum by " + class}
		for _, r := range rs {
			if t, other := s.term(r); s.at[t] != "" && usedOnce(t) &&
				s.at[t]+other == s.at[first]+shape {
				g.receives = append(g.receives, r)
			}
		}
		if len(g.receives) > 1 {
			return g
		}
	}
	return group{}
}

// sum is an expression that combines its terms by operations of one class.
type sum struct {
	class string
	at    map[ssa.Value]string // of each term: on which side it is, not empty
}

// isNode reports whether v combines terms.
func (s *sum) isNode(v ssa.Value) bool {
	class, _, _ := update(v, func(o ssa.Value) bool { return o == operands(v)[0] })
	return class == s.class
}

// term returns what the value of r becomes, by operations with constants, before it is combined
// with others; and by which.
func (s *sum) term(r *ssa.UnOp) (v ssa.Value, shape string) {
	v = r
	if r.CommaOk {
		return v, ""
	}
	for {
		uses := usesOf(v)
		if len(uses) != 1 {
			return v, shape
		}
		next, ok := uses[0].(ssa.Value)
		if !ok || s.isNode(next) || !isPure(next) || !hasConstants(next, v) {
			return v, shape
		}
		shape += fmt.Sprintf("%T %s ", next, describe(next, v))
		v = next
	}
}

// hasConstants reports whether all operands of v but one are constants.
func hasConstants(v, but ssa.Value) bool {
	return !slices.ContainsFunc(operands(v), func(o ssa.Value) bool {
		_, isConst := o.(*ssa.Const)
		return o != but && !isConst
	})
}

// describe says what v does with an operand.
func describe(v, with ssa.Value) string {
	text := v.Type().String()
	for _, o := range operands(v) {
		if o == with {
			text += " _"
		} else {
			text += " " + o.String()
		}
	}
	switch v := v.(type) {
	case *ssa.BinOp:
		text += v.Op.String()
	case *ssa.UnOp:
		text += v.Op.String()
	case *ssa.Field:
		text += fmt.Sprint(v.Field)
	case *ssa.Call:
		text += v.Call.Value.Name()
	}
	return text
}

// top returns the whole expression that v is a term of.
func (s *sum) top(v ssa.Value) ssa.Value {
	for {
		uses := usesOf(v)
		if len(uses) != 1 {
			return v
		}
		next, ok := uses[0].(ssa.Value)
		if !ok || !s.isNode(next) {
			return v
		}
		v = next
	}
}

// flatten notes the terms of v, which are on a side: "+", or "-" if they are taken away.
func (s *sum) flatten(v ssa.Value, side string) {
	if !s.isNode(v) || side == "without" || s.at[v] != "" {
		s.at[v] += "term" + side // a term that is there twice is not like the others
		return
	}
	for i, o := range operands(v) {
		_, _, others := update(v, func(x ssa.Value) bool { return x == o })
		switch isFirstOnly := others == nil; {
		case i == 0 || !isFirstOnly:
			s.flattenUsedOnce(o, side)
		case s.class == "&":
			s.flattenUsedOnce(o, "without")
		default:
			s.flattenUsedOnce(o, opposite[side])
		}
	}
}

var opposite = map[string]string{"": "-", "-": ""}

// flattenUsedOnce flattens o, but if it is used by others, too.
func (s *sum) flattenUsedOnce(o ssa.Value, side string) {
	if s.isNode(o) && !usedOnce(o) {
		s.at[o] += "term" + side
		return
	}
	s.flatten(o, side)
}
