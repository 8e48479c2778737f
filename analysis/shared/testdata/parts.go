package parts

import (
	"math/big"
	"time"
)

// What is touched as a whole is touched in all its parts, and what pointers to these lead to is, too.

type whole struct {
	pointed int        // shared: pointed
	inner   inner      // shared: inner
	array   [2]element // shared: array
	at      time.Time  // shared: at
}

type inner struct{ deep int } // shared: deep

type element struct{ elem int } // shared: elem

type untouched struct{ n int } // private: n

type number struct {
	n *big.Int // private: n
}

func TestParts() {
	w := &whole{}
	go read(w)
	*w = whole{}
	n := number{big.NewInt(1)}
	go func() { n.n.SetInt64(2) }()
	_ = n.n.String()
}

func read(w *whole) {
	load(&w.pointed)
	_, _, _ = w.inner.deep, w.array[1].elem, w.at
	u := untouched{}
	_ = u.n
}

func load(p *int) { _ = *p }
