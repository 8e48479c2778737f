package own

type pair struct{ a, b int }

func (p *pair) add()    { p.a++ }
func (p pair) sum() int { return p.a + p.b }

type list struct{ items [4]int }

var global pair // others: global

func f(param pair, run func(func())) (named pair) { // own: param named
	var local pair    // own: local
	var captured pair // others: captured
	var pointed pair  // others: pointed
	var inside pair   // others: inside
	var called pair   // others: called
	var read pair     // own: read
	var slice list    // others: slice
	var array list    // own: array
	local.a++
	param.b = local.a
	run(func() {
		captured.a++
		own := pair{} // own: own
		own.a++
	})
	p, q := &pointed, &inside.b
	p.a, *q = 1, 2
	called.add()
	named.a = read.sum()
	s := slice.items[:]
	s[0], array.items[1] = 1, 2
	global.a++
	return named
}
