package strategy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/internal/micro"
	"github.com/rehearse-go/rehearse/explore/strategy"
)

// registry is Fig. 1 of the TransDPOR paper: a master sends r0 to the registry, w1 and w2 to two workers, which send r1 and r2
// to the registry.
const registry = `
bag r
bag w1
bag w2
master: r<-0; w1<-1; w2<-2
registry: <-r; <-r; <-r
worker1: <-w1; r<-1
worker2: <-w2; r<-2`

// fib is Fibonacci as in the papers: an actor gets a request and, if it asks for 2 or more, makes two actors, sends them
// requests and waits for their results. The first one has no client.
func fib(n int) string {
	var b strings.Builder
	actors := 0
	var actor func(n int, client string) string
	actor = func(n int, client string) string {
		name := fmt.Sprintf("f%d", actors)
		actors++
		body := "<-" + name
		if n >= 2 {
			x, y := actor(n-1, name), actor(n-2, name)
			body += fmt.Sprintf("; go %s; %s<-1; go %s; %s<-1; <-%s; <-%s", x, x, y, y, name, name)
		}
		if client != "" {
			body += "; " + client + "<-1"
		}
		fmt.Fprintf(&b, "bag %s\n*%s: %s\n", name, name, body)
		return name
	}
	actor(n, "")
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	var bags, procs []string
	for i := 0; i < len(lines); i += 2 {
		bags, procs = append(bags, lines[i]), append(procs, lines[i+1])
	}
	return strings.Join(bags, "\n") + "\nmain: go f0; f0<-1\n" + strings.Join(procs, "\n")
}

// pi is a master that sends work to n workers and waits for their results.
func pi(n int) string {
	bags, master, workers := "bag m\n", "master:", ""
	for i := range n {
		bags += fmt.Sprintf("bag w%d\n", i)
		master += fmt.Sprintf(" w%d<-%d;", i, i)
		workers += fmt.Sprintf("worker%d: <-w%d; m<-%d\n", i, i, i)
	}
	return bags + master + strings.Repeat(" <-m;", n) + "\n" + workers
}

func TestScratch(t *testing.T) {
	for _, c := range []struct{ name, text string }{{"registry", registry}, {"fib3", fib(3)}, {"fib4", fib(4)}, {"pi3", pi(3)}, {"pi5", pi(5)}} {
		m := micro.New(micro.Parse(c.text))
		line := c.name
		for v := range 4 {
			for _, order := range []string{"fifo", "eca", "lca"} {
				o, _ := strategy.NewOrder(order)
				var s *strategy.Deliveries
				if v/2 == 0 {
					s = strategy.NewActorDPOR(v%2 == 1, o)
				} else {
					s = strategy.NewTransDPOR(v%2 == 1, o)
				}
				r := run(m, s, 1000000)
				line += fmt.Sprintf("  %d/%d", r.executions, s.Steps())
				if r.blocked > 0 {
					line += fmt.Sprintf("(%d)", r.blocked)
				}
				if s.Refused() != nil {
					t.Fatal(s.Refused().Why)
				}
			}
			line += " |"
		}
		t.Log(line)
	}
}

func TestScratchTrap(t *testing.T) {
	for _, c := range []struct{ name, text string }{{"registry", registry}, {"fib3", fib(3)}, {"fib4", fib(4)}, {"pi3", pi(3)}, {"pi5", pi(5)}} {
		m := micro.New(micro.Parse(c.text))
		line := c.name
		for _, order := range []string{"fifo", "eca", "lca"} {
			r := run(m, strategy.NewTransDPOR(true, orderOf(t, order)).Literal(), 1000000)
			line += fmt.Sprintf("  %d (%d)", r.executions, r.blocked)
		}
		t.Log(line)
	}
}
