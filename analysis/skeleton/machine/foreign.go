package machine

import "go/token"

// here is where in the package at hand p is, when it is at pos: if it runs code of another package,
// that is the call that has led there.
func here(p *Proc, pos token.Pos) token.Pos {
	for i := len(p.stack) - 1; i >= 0; i-- {
		f := p.stack[i]
		if !f.fn.Foreign {
			return pos
		}
		pos = f.pos
	}
	if len(p.stack) > 0 {
		return p.Site
	}
	return pos
}

// Within returns the name of the function of the package at hand that p is in. If p runs code of
// another package alone, it is the function there.
func Within(p *Proc) string {
	for i := len(p.stack) - 1; i >= 0; i-- {
		if f := p.stack[i]; !f.fn.Foreign {
			return f.fn.Name
		}
	}
	return p.Where()
}
