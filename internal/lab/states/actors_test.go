package states

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// actorPrelude is what the programs of actors have in common: an actor that counts, forwards,
// answers and makes others.
const actorPrelude = `package prog

import "testing"

type msg struct {
	op    int
	n     int
	reply chan int
	to    *actor
}

type actor struct {
	inbox chan msg
	sum   int
	log   []int
	peers map[string]*actor
}

func newActor() *actor {
	a := &actor{inbox: make(chan msg, 1), peers: map[string]*actor{}} //rehearse:mailbox
	go a.loop(0)
	return a
}

// send puts a message into the mailbox.
func (a *actor) send(op, n int, reply chan int, to *actor) { a.inbox <- msg{op, n, reply, to} }

func (a *actor) loop(turn int) {
	for {
		m := <-a.inbox
		turn++
		switch m.op {
		case 0: // add
			a.sum += m.n
		case 1: // set
			a.sum = m.n
		case 2: // forward
			if m.to != nil {
				m.to.send(0, a.sum+m.n, nil, nil)
			}
		case 3: // answer
			m.reply <- a.sum
		case 4: // remember
			a.log = append(a.log, m.n)
			a.peers[string(rune('a'+m.n))] = m.to
		case 5: // tell all that are known
			for _, n := range a.log {
				if p := a.peers[string(rune('a'+n))]; p != nil {
					p.send(0, n, nil, nil)
				}
			}
		case 6: // a child adds for itself, and answers
			go child(m.n, a.sum, m.reply)
		case 7: // wait for the next message, whatever it is, and count it twice
			next := <-a.inbox
			a.sum += next.n * 2
			if next.reply != nil {
				next.reply <- a.sum + turn
			}
		case 8: // stop
			m.reply <- -1
			return
		}
	}
}

func child(n, sum int, reply chan int) {
	total := 0
	for i := range n {
		total += i * sum
	}
	reply <- total
}

// collect receives n numbers and reports them in a way that depends on their order, or only on
// their sum.
func collect(t *testing.T, from chan int, n int, ordered bool) {
	sum := 0
	for range n {
		v := <-from
		if ordered {
			sum *= 10
		}
		sum += v
	}
	t.Log(sum)
}
`

// newActors makes a program: some actors, some processes that send to them, and a test that
// collects the answers.
func newActors(seed uint64) program {
	r := rand.New(rand.NewPCG(seed, 0x5e1a9))
	var b strings.Builder
	test := fmt.Sprintf("TestActors%d", seed)
	fmt.Fprintf(&b, "package prog\n\nimport \"testing\"\n\nfunc %s(t *testing.T) {\n", test)
	actors := 1 + r.IntN(2)
	for i := range actors {
		fmt.Fprintf(&b, "\ta%d := newActor()\n\t_ = a%d\n", i, i)
	}
	b.WriteString("\tback := make(chan int, 8) //rehearse:mailbox\n")
	answers := 0
	send := func(indent string) {
		op := r.IntN(8)
		reply := "nil"
		if op == 3 || op == 6 || op == 7 && r.IntN(2) == 0 {
			reply = "back"
		}
		if op == 3 || op == 6 {
			answers++
		}
		to := fmt.Sprintf("a%d", r.IntN(actors))
		if r.IntN(3) == 0 {
			to = "nil"
		}
		fmt.Fprintf(&b, "%sa%d.send(%d, %d, %s, %s)\n", indent, r.IntN(actors), op, 1+r.IntN(2),
			reply,
			to)
	}
	left := 2 + r.IntN(3)
	for left > 0 {
		if r.IntN(2) == 0 {
			send("\t")
			left--
			continue
		}
		b.WriteString("\tgo func() {\n")
		for range min(left, 1+r.IntN(2)) {
			send("\t\t")
			left--
		}
		b.WriteString("\t}()\n")
	}
	fmt.Fprintf(&b, "\tcollect(t, back, %d, %t)\n}\n", answers, r.IntN(2) == 0)
	return program{test, b.String()}
}
