package goprog

import (
	"fmt"
	"strings"
)

func (g *gen) send() *node {
	c := g.pick(channel)
	g.owes(func() *node { return g.receiveFrom(c) })
	return g.sendTo(c)
}

func (g *gen) sendTo(c object) *node {
	switch g.IntN(5) {
	case 0:
		return leaf(fmt.Sprintf("send(%s, %d)", c.name, g.value()))
	case 1:
		return leaf(fmt.Sprintf("mailbox(%s).put(%d)", c.name, g.value()))
	}
	return leaf(fmt.Sprintf("%s <- %d", c.name, g.value()))
}

func (g *gen) receive() *node {
	c := g.pick(channel)
	g.owes(func() *node { return g.sendTo(c) })
	return g.receiveFrom(c)
}

func (g *gen) receiveFrom(c object) *node {
	switch g.IntN(6) {
	case 0:
		return leaf("{\nv, ok := <-" + c.name + "\n" + g.note("v, ok") + "\n}")
	case 1:
		return leaf("{\nv, ok := receive(" + c.name + ")\n" + g.note("v, ok") + "\n}")
	case 2:
		return g.noted("mailbox(%s).take()", c.name)
	case 3:
		return leaf("<-" + c.name)
	}
	return g.noted("<-%s", c.name)
}

func (g *gen) close() *node { return leaf("close(" + g.pick(channel).name + ")") }

func (g *gen) length() *node {
	c := g.pick(channel)
	return g.noted("len(%s), cap(%s)", c.name, c.name)
}

func (g *gen) rangeChannel() *node {
	c := g.pick(channel)
	g.owes(func() *node { return leaf("close(" + c.name + ")") })
	end := "\n}"
	if g.IntN(2) == 0 {
		end = "\nbreak\n}"
	}
	return leaf("for v := range " + c.name + " {\n" + g.note("v") + end)
}

// request sends a channel and waits for the answer; its counterpart answers.
func (g *gen) request() *node {
	cc := g.pick(channels)
	g.owes(func() *node { return leaf(fmt.Sprintf("(<-%s) <- %d", cc.name, g.value())) })
	return leaf(fmt.Sprintf("{\nr := make(chan int)\n%s <- r\n%s\n}", cc.name, g.note("<-r")))
}

func (g *gen) queue() *node {
	q := g.pick(queue)
	if g.IntN(2) == 0 {
		return leaf(fmt.Sprintf("%s.put(%d)", q.name, g.value()))
	}
	return leaf("{\nv, ok := " + q.name + ".get()\n" + g.note("v, ok") + "\n}")
}

// selects makes a select with two arms or three.
func (g *gen) selects() *node {
	n := &node{arms: true}
	for i := range 2 + g.IntN(2) {
		head, body := g.arm()
		if i == 0 {
			head = "select {\n" + head
		}
		n.text, n.blocks = append(n.text, head), append(n.blocks, body)
	}
	end := "}"
	if g.IntN(3) == 0 {
		n.text, n.blocks = append(n.text, "default:"),
			append(n.blocks, []*node{g.noted(`"default"`)})
	}
	n.text = append(n.text, end)
	return n
}

// arm makes a case of a select. Its text says itself what was received, so that its block can be
// empty.
func (g *gen) arm() (head string, body []*node) {
	if g.IntN(3) == 0 && g.depth < 2 {
		body = g.block(1)
	}
	c := g.pick(channel)
	switch n := g.IntN(9); {
	case n < 3:
		g.owes(func() *node { return g.sendTo(c) })
		return "case v := <-" + c.name + ":\n" + g.note("v"), body
	case n < 5:
		g.owes(func() *node { return g.receiveFrom(c) })
		return fmt.Sprintf("case %s <- %d:\n%s", c.name, g.value(), g.note(`"sent"`)), body
	case n == 5:
		return "case v, ok := <-" + c.name + ":\n" + g.note("v, ok"), body
	case n == 6:
		return "case <-(chan int)(nil):", body
	case n == 7 && g.p.Timed:
		return "case <-time.After(" + g.duration() + "):\n" + g.note(`"timeout"`), body
	}
	return "case <-" + g.pick(cancelable).name + ".Done():\n" + g.note(`"done"`), body
}

// nilTrick receives once from each of two channels.
func (g *gen) nilTrick() *node {
	c, d := g.pick(channel), g.pick(channel)
	g.owes(func() *node { return g.sendTo(c) })
	g.owes(func() *node { return g.sendTo(d) })
	var b strings.Builder
	fmt.Fprintf(&b, "{\nc, d := %s, %s\nfor range 2 {\nselect {\n", c.name, d.name)
	fmt.Fprintf(&b, "case v := <-c:\n%s\nc = nil\n", g.note("v"))
	fmt.Fprintf(&b, "case v := <-d:\n%s\nd = nil\n}\n}\n}", g.note("v"))
	return leaf(b.String())
}

func (g *gen) reflects() *node {
	c := g.pick(channel)
	r := "reflect.ValueOf(" + c.name + ")"
	switch g.IntN(7) {
	case 0, 1:
		g.owes(func() *node { return g.receiveFrom(c) })
		return leaf(fmt.Sprintf("%s.Send(reflect.ValueOf(%d))", r, g.value()))
	case 2, 3:
		g.owes(func() *node { return g.sendTo(c) })
		return leaf("{\nv, ok := " + r + ".Recv()\n" + g.note("v.Int(), ok") + "\n}")
	case 4:
		return g.noted("%s.TrySend(reflect.ValueOf(%d))", r, g.value())
	case 5:
		return leaf("{\nv, ok := " + r + ".TryRecv()\n" + g.note("v.IsValid(), ok") + "\n}")
	}
	return g.noted("%s.Len()", r)
}

func (g *gen) reflectSelect() *node {
	c, d := g.pick(channel), g.pick(channel)
	g.owes(func() *node { return g.sendTo(c) })
	var b strings.Builder
	b.WriteString("{\ni, v, ok := reflect.Select([]reflect.SelectCase{\n")
	fmt.Fprintf(&b, "{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(%s)},\n", c.name)
	fmt.Fprintf(&b,
		"{Dir: reflect.SelectSend, Chan: reflect.ValueOf(%s), Send: reflect.ValueOf(%d)},\n",
		d.name,
		g.value())
	if g.IntN(2) == 0 {
		b.WriteString("{Dir: reflect.SelectDefault},\n")
	}
	b.WriteString("})\n" + g.note("i, v.IsValid(), ok") + "\n}")
	return leaf(b.String())
}
