package divide

import (
	"time"

	"github.com/rehearse-go/rehearse/explore"
)

// Portion is what a strategy explores for a task: at least one execution, if there is one.
func (t *Task) Portion(s explore.Strategy) explore.Strategy {
	return &slice{Strategy: s, most: t.Most, until: t.Until}
}

// slice is a search that ends early, with something left.
type slice struct {
	explore.Strategy
	most  int // executions; 0: any number
	until time.Time
	begun int // executions
}

// Begin implements explore.Strategy.
func (p *slice) Begin() bool {
	if p.begun > 0 && (p.begun == p.most || time.Now().After(p.until)) {
		return false
	}
	p.begun++
	return p.Strategy.Begin()
}
