package strategy

// What optimal costs: see Adaptive.

// effort is what optimal has done and holds.
type effort struct {
	bounded bool // it is to give up when it is too much
	work    int  // steps of the search for the races of the last execution: cuts, and branches that were looked at
	waiting int  // nodes in the trees, and entries of their dictionaries; those that are gone may be counted
	over    bool // it was too much
}

// step counts one step of the search for the races of an execution with so many events.
func (d *Optimal) step(events int32) {
	d.work++
	d.over = d.over || d.bounded && d.work > workSlack+workPerEvent*int(events)
}

// measure gives up an execution that is too long to look for its races.
func (d *Optimal) measure(events int) { d.over = d.over || d.bounded && events > mostEvents }

// weigh counts what is held, if it may have become too much.
func (d *Optimal) weigh() {
	if !d.bounded || d.waiting <= mostWaiting {
		return
	}
	seen := map[*dictionary]bool{}
	d.waiting = weight(d.guide, seen)
	for _, n := range d.stack {
		d.waiting += weight(n.tree, seen)
		if n.next != nil {
			d.waiting += weight(n.next.children, seen)
		}
	}
	d.over = d.over || d.waiting > mostWaiting/2
}

func weight(tree []*wake, seen map[*dictionary]bool) (sum int) {
	for _, w := range tree {
		if sum++; !seen[w.words] {
			seen[w.words] = true
			sum += len(w.words.keys) / 4 // which are that much smaller
		}
		sum += weight(w.children, seen)
	}
	return sum
}

// tooMuch reports whether dpor should go on in optimal's place.
func (d *Optimal) tooMuch() bool { return d.over || d.lost || d.coarse }
