// Loops that keep tallies, and loops whose counts decide something. The comments are those of
// still.go; branches, and loops, that keep a tally say so, too.
package still

import "sync/atomic"

type number int

func (n *number) add() { *n++ }

func tallies(closed, other chan int, x *atomic.Bool, t interface{ Log(...any) }) (result int) {
	n, most, seen := 0, 0.0, false
	for { // still
		select {
		case <-closed: // tally
			n++
		case <-other:
			t.Log(n)
			return n
		}
	}
	for !x.Load() { // still and tally
		n++
	}
	for { // still
		if x.Load() { // tally
			most += 2
			seen = true
			continue
		} else if !x.Load() {
			t.Log(n, most)
			return
		}
	}
	for { // still
		switch {
		case x.Load(): // tally
			result -= 2
		default:
		}
	}
	for !x.Load() { // still and tally
		n = len(other)
	}
	for { // still
		v := x.Load()
		if v { // tally
			most++
		}
	}
	for n < 3 {
		for { // still
			select {
			case <-closed: // tally
				n++
			case <-other:
				return
			}
		}
	}
	func() {
		k := 0
		for !x.Load() { // still and tally
			k++
		}
		t.Log(k)
	}()
	t.Log(seen)
	return n
}

var global int

func counts(closed, other chan int, x *atomic.Bool, t interface{ Log(...any) }) {
	n, m, pointed, caught, last := 0, 0, 0, 0, 0
	var text string
	var named number
	p, pair := &pointed, []chan int{other, closed}
	for {
		select {
		case <-closed:
			if n++; n > 9 {
				return
			}
		case <-other:
			return
		}
	}
	for n < 9 { // still
		if x.Load() { // changes
			n++
		}
	}
	for { // still
		if x.Load() { // changes
			m = n
		}
		if !x.Load() { // changes
			n = m
		}
	}
	for *p < 9 { // still
		if x.Load() { // changes
			pointed++
		}
	}
	more := func() bool { return caught < 9 }
	for { // still
		if x.Load() { // changes
			caught++
		}
	}
	for { // still
		if x.Load() { // changes
			global++
		}
	}
	for { // still
		if x.Load() { // changes
			text += "."
		}
	}
	for { // still
		if x.Load() { // changes
			named++
		}
	}
	for { // still
		if x.Load() { // changes
			last = <-other
		}
	}
	for { // still
		if x.Load() { // changes
			last++
			t.Log(last)
		}
	}
	for { // still
		select {
		case <-closed: // changes
			last++
		case <-pair[last%2]:
		}
	}
	func() {
		for { // still
			if x.Load() { // changes
				m++
			}
		}
	}()
	t.Log(more(), text, last, named)
	named.add()
}
