package strategy

// SetWide sets from how many alternatives on nodes do not keep them, and returns what it was.
func SetWide(n int) (before int) {
	before, wide = wide, n
	return before
}

// Prefer gives s an order.
func (d *Optimal) Prefer(o Order) { d.first.order = o }

// Prefer gives s an order.
func (d *DPOR) Prefer(o Order) { d.first.order = o }

// SetEffort sets the bounds of Adaptive and returns what restores them.
func SetEffort(slack, perEvent, waiting int) (restore func()) {
	a, b, c := workSlack, workPerEvent, mostWaiting
	workSlack, workPerEvent, mostWaiting = slack, perEvent, waiting
	return func() { workSlack, workPerEvent, mostWaiting = a, b, c }
}

// Again reports whether a has begun again.
func (a *Adaptive) Again() bool { return a.again }

// Literal makes d freeze where Fig. 2 does if it is read to the letter.
func (d *Deliveries) Literal() *Deliveries {
	d.literal = true
	return d
}

// Blind makes task selection what Fig. 6 is if it is read to the letter.
func (d *Deliveries) Blind() *Deliveries {
	d.blind = true
	return d
}

// Prefer gives r an order.
func (r *Race) Prefer(o Order) { r.first.order = o }
