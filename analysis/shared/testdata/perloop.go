package perloop

// In this language version all iterations share the loop's variables.

type pair struct {
	name  string // shared: name
	other string // shared: other
	alone string // private: alone
}

type single struct{ alone string } // private: alone

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
