package semantics

import "fmt"

// holder has a variable of each kind that a call may change while its statement is evaluated.
type holder struct {
	n    int
	next *holder
	list []int
	m    map[string]int
	any  any
	ok   bool
	f    func(int) int
	arr  [2]int
}

func (h holder) plus(k int) int   { return h.n + k }
func (h *holder) times(k int) int { return h.n * k }

type adder interface{ times(int) int }

func get(h *holder) *holder { return h }

func one() int { return 1 }

// late reads variables in statements that change them: each is read where the compiler reads it,
// before or behind the calls.
func late() {
	var h holder
	var p *holder
	var i adder
	x, s, b, text := 0, []int{}, []byte{}, ""
	reset := func() {
		x, s, b, text = 1, []int{1, 2, 3}, []byte("abc"), "text"
		h = holder{
			1, &holder{n: 5, list: []int{7, 8}}, []int{1, 2}, map[string]int{"a": 1}, 1, true,
			func(k int) int { return k }, [2]int{1, 2},
		}
		p, i = &h, &holder{n: 3}
	}
	change := func() int {
		x, s, b[0], text = 2, []int{4, 5, 6, 7}, 'z', "other"
		h = holder{
			2, &holder{n: 6, list: []int{9, 10}}, []int{3, 4}, map[string]int{"a": 2}, 2, false,
			func(k int) int { return -k }, [2]int{3, 4},
		}
		p, i = &holder{n: 9, next: p, list: []int{5, 6}}, &holder{n: 4}
		return 1
	}
	truly := func() bool { return change() == 1 }
	two := func() (int, int) { return change(), 2 }
	c := make(chan int, 1)
	show := func(name string, values ...any) { logf("late %s %v", name, fmt.Sprint(values...)) }
	for k, f := range []func(){
		func() { show("arguments", x, change(), x, h.n, p.n, s[0], text) },
		func() { show("fields", p.next.n, p.list[0], h.arr[1], h.m["a"], change()) },
		func() { show("bools", h.ok, !h.ok, x == 1, change()) },
		func() { show("structs", h.arr, h.arr == [2]int{1, 2}, change()) },
		func() { show("sum", x+change()+x*10, text+fmt.Sprint(change()), string(b)+fmt.Sprint(change())) },
		func() {
			show("literals", []int{x, change()}, [2]int{x, change()}, point{x, change()}, point{y: x, x: change()})
		},
		func() { show("boxes", []any{x, h.ok, h.arr, change()}, map[any]any{x: h.n, 7: change()}) },
		func() { show("index", s[change()], s[x], p.list[change()], h.arr[change()]) },
		func() { show("slice", s[x:change()+1], s[change():], h.list[:change()]) },
		func() { show("len", len(s), change(), len(s), cap(h.list)) },
		func() { show("append", append(s, change()), append([]int{x}, change()), append(s, x, change())) },
		func() { show("logic", h.ok && truly(), h.ok || truly(), x, h.ok && truly() && h.ok) },
		func() { show("assertion", h.any.(int), change()) },
		func() { show("methods", h.plus(change()), p.plus(change()), p.times(change()), i.times(change())) },
		func() { show("functions", h.f(change()), h.f(x)+change(), func() int { return x }()+change()) },
		func() { show("conversions", float64(x), change(), []byte(text), change(), any(x), any(h.arr)) },
		func() { show("addresses", (*p).arr, (&h.arr)[1], (*p.next).list, change()) },
		func() { show("min", min(x, 5), max(x, h.n), change()) },
		func() { c <- x + change(); show("send", <-c) },
		func() { c <- change(); show("receive", x, <-c, x) },
		func() { show("held field", get(p).n, get(p).next.n+change(), get(p).n+change()+get(p).n) },
		func() { show("held element", get(p).list[0]+change(), get(p).arr[1]+change(), s[one()-1]+change()) },
		func() { show("held twice", get(get(p).next).n+change(), get(p).list[one()]+change()) },
		func() { show("held map", get(p).m["a"]+change(), (*get(p)).plus(change()), get(p).ok && truly()) },
		func() {
			if get(p).n+change() == 3 {
				show("held if", get(p).n, change())
			} else if get(p).next.n < change() {
				show("held else", get(p).n, change())
			}
			switch get(p).n + change() {
			case get(p).n + 1, get(p).n + change():
				show("held case", get(p).n)
			}
			for k := 0; get(p).n+change() > k; k += get(p).n + change() {
				show("held loop", k)
			}
		},
		func() { get(p).n, get(p.next).n = get(p).list[0]+change(), 7; show("held left", h.n, p.n) },
		func() { defer show("deferred", get(p).n, change()); defer delete(h.m, "a"); defer clear(s) },
		func() { a, b := x, change(); show("define", a, b) },
		func() { a, b, d := x, h.n, change(); a, b = h.n, change(); show("assign", a, b, d) },
		func() { var a, b = s[0], change(); show("var", a, b) },
		func() { a := []int{0, 0, 0, 0}; a[x] = change(); show("left", a) },
		func() { q := p; p.n = change(); show("pointer", q.n, p.n, h.n) },
		func() { q := p; p.n += change(); p.list[x-1] += change(); show("update", q.n, p.n, p.list) },
		func() { a := []int{0, 0, 0}; var r int; a[x], r = two(); show("tuple", a, r) },
		func() { a := []int{0, 0, 0}; a[x], a[change()] = 5, 6; show("pair", a) },
		func() { h.m[text] = change(); h.m["a"] += change(); show("maps", h.m) },
		func() { show("returned", fmt.Sprint(func() (int, int) { return x, change() }())) },
		func() { a, b := func() (v, w int) { return x, change() }(); show("results", a, b) },
		func() { show("nested", min(x, change()), max(x+change(), x), fmt.Sprint(x, change()), x) },
		func() { defer show("deferred", x, change()) },
		func() { d := make(chan bool); go func(a, b int) { show("go", a, b); close(d) }(x, change()); <-d },
		func() {
			if x < change() || x > change() {
				show("if", x)
			}
		},
		func() {
			switch x {
			case change():
				show("switch same")
			default:
				show("switch other")
			}
		},
		func() {
			for k, v := range s[:change()+x] {
				show("range", k, v)
			}
		},
		func() { p.next.list[x-1], p = change(), p.next; show("follow", p.n) },
		func() { copy(s, append(s[x:], change())); show("copy", s) },
		func() { show("shift", x<<change(), 1<<x, change()) },
		func() {
			p.times(func() int { change(); return x }())
			show("closure", x, func() int { return x + change() }())
		},
		func() {
			v, ok := h.m[fmt.Sprint("a"[:change()])]
			show("comma", v, ok, x)
		},
	} {
		reset()
		recovered(fmt.Sprint("late ", k), f)
	}
}
