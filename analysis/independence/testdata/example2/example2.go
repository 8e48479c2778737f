// Package example2 has the actors of Example 2 of the paper: c knows b, b knows a, and so c may reach a without knowing it.
package example2

type (
	messageA struct{}
	messageB struct{}
	messageC struct{ y *B }
)

type A struct {
	inbox chan messageA
	n     int
}

func (a *A) loop() {
	for range a.inbox {
		a.n++
	}
}

type B struct {
	inbox chan messageB
	f     *A
}

func (b *B) loop() {
	for range b.inbox {
		x := b.f
		x.inbox <- messageA{}
	}
}

type C struct{ inbox chan messageC }

func (c *C) loop() {
	for m := range c.inbox {
		m.y.inbox <- messageB{}
	}
}

func Main() {
	a1 := &A{inbox: make(chan messageA, 1)}
	a2 := &B{inbox: make(chan messageB, 1), f: a1}
	a3 := &C{inbox: make(chan messageC, 1)}
	go a1.loop()
	go a2.loop()
	go a3.loop()
	a3.inbox <- messageC{a2}
}
