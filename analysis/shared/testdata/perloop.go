package perloop

// In this language version all iterations share the loop's variables.

type pair struct {
	name  string // shared: name
	other string // shared: other
	alone string // private: alone
}

type single struct{ alone string }

func TestLoops(list []pair, singles []single) {
	for i, p := range list { // shared: i p
		go func() { use(&p.name); _, _ = i, p.other }()
	}
	for j, q := range singles { // private: j q
		_, _ = j, q
	}
	for range list {
	}
}

func use(s *string) { _ = *s }

var kept []*single

func TestServe(c chan single, d chan int) {
	for m := range c { // private: m
		_ = m.alone
	}
	for n := range d { // shared: n
		go func() { _ = n }()
	}
	for o := range c { // shared: o
		kept = append(kept, &o)
		*kept[0] = single{}
	}
	var calls []func()
	for p := range d { // shared: p
		calls = append(calls, func() { _ = p })
	}
}
