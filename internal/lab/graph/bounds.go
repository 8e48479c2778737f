package graph

// The functions of this file check that sends never wait, and that no value is sent into a closed
// channel. If that holds for all maximal graphs of a program, it holds for every state. For let a
// send wait, or panic, in some state. It could be done there if channels had no bounds, and that
// leads to a maximal graph in which these functions find it.

// Crowded returns a send that may find no room when it comes, -1 if there is none. room is by
// channel.
func (g *Graph) Crowded(room []int32) int32 {
	sends := g.count(Send)
	var v *view
	for n := range g.Events {
		e := &g.Events[n]
		if e.Kind != Send || sends[e.Chan] <= room[e.Chan] {
			continue
		}
		if v == nil {
			v = &view{}
			v.look(g)
		}
		if v.waiting(int32(n)) >= room[e.Chan] {
			return int32(n)
		}
	}
	return -1
}

// waiting is how many values there may be in the channel before send n, at most.
func (v *view) waiting(n int32) (most int32) {
	e := &v.g.Events[n]
	for _, m := range v.sources[e.Chan] {
		switch s := &v.g.Events[m]; {
		case s.Kind != Send || m == n || v.need(m).has(e):
		case v.reader[n] < 0 || v.reader[m] >= 0 && v.reader[m] < v.reader[n]:
			most++
		}
		if r := v.reader[m]; r >= 0 && v.need(n).has(&v.g.Events[r]) {
			most--
		}
	}
	return most
}

// Overtaken returns a close that does not need each send into its channel, -1 if there is none.
func (g *Graph) Overtaken() int32 {
	closes := g.count(Close)
	var v *view
	for n := range g.Events {
		e := &g.Events[n]
		if e.Kind != Send || closes[e.Chan] == 0 {
			continue
		}
		if v == nil {
			v = &view{}
			v.look(g)
		}
		for _, m := range v.sources[e.Chan] {
			if v.g.Events[m].Kind == Close && !v.need(m).has(e) {
				return m
			}
		}
	}
	return -1
}

// count counts the events of a kind, by channel.
func (g *Graph) count(k Kind) []int32 {
	list := make([]int32, g.Chans)
	for n := range g.Events {
		if e := &g.Events[n]; e.Kind == k {
			list[e.Chan]++
		}
	}
	return list
}
