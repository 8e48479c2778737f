package goprog

import "fmt"

// NewWaits makes the program of a seed that gathers values, in a loop that gives up after some
// time, or at some end. Some values are sent at once, and some when the time is up, or later. Tasks
// add, set keys, take time, or show who came first.
func NewWaits(seed uint64) *Program {
	g := newMonitors(seed, 0x77)
	add := func(text string) { g.p.body = append(g.p.body, leaf(text)) }
	wait := g.choose("1100 * time.Millisecond", "5 * time.Millisecond")
	add("c, quit, n := make(chan int" + g.choose("", "", ", 1", ", 3", ", 9") +
		"), make(chan bool), new(atomic.Int32)\nm, sum, ups, last := map[int]int{}, 0, 0, \"\"\n" +
		"_, _, _, _, _ = m, &sum, &last, quit, n")
	const offer = "go func() {\nquit <- true\n}()"
	timer := map[string]string{
		"up":      "up := time.After(" + wait + ")",
		"timer.C": "timer := time.NewTimer(" + wait + ")\ndefer timer.Stop()",
		"ctx.Done()": "ctx, cancel := context.WithTimeout(context.Background(), " + wait +
			")\ndefer cancel()",
		"quit": g.choose("time.AfterFunc("+wait+", func() { close(quit) })", offer,
			"go func() {\nselect {\ncase quit <- true:\nn.Add(1)\n"+
				"case <-time.After("+wait+"):\n}\n}()"),
		"time.After(" + wait + ")": "",
	}
	from := g.choose("up", "timer.C", "ctx.Done()", "quit", "quit", "time.After("+wait+")",
		"time.After("+wait+")", "time.After("+wait+")")
	first := g.IntN(2) == 0
	offers := seed%4 == 3 // somebody offers an end, and nobody waits for a time
	if offers {
		from, timer["quit"] = "quit", offer
	}
	if first {
		add(timer[from])
	}
	senders := 2 + g.IntN(2)
	for q := range senders {
		before := g.choose("", "", "n.Add(1)\n", "time.Sleep("+wait+")\n", "time.Sleep("+wait+")\n",
			"time.Sleep(2 * "+wait+")\n")
		if offers {
			before = ""
		}
		add("go func() {\n" + before + fmt.Sprintf("c <- %d", q) + g.choose("", "", "\nn.Add(1)") +
			"\n}()")
	}
	if !first {
		add(timer[from])
	}
	tasks := []string{"m[v] = 1", "m[v] = 1", "sum += v", "sum++", "m[v] = ups",
		"last += fmt.Sprint(v)",
		"if v == 0 {\ntime.Sleep(2 * " + wait + ")\n}\nm[v] = 1", "m[v] = int(n.Load())"}
	then := g.choose("ups++", "ups = len(m)", "ups += sum", "t.Log(\"up\", len(m))\nreturn")
	add(fmt.Sprintf("for range %d {\nselect {\ncase v := <-c:\n_ = v\n%s\ncase <-%s:\n%s\n}\n}",
		senders+g.IntN(2), g.choose(tasks...), from, then))
	add("t.Log(len(m), m, sum, ups, last, n.Load() >= 0)")
	if from == "quit" && !offers { // such a channel is never served
		add("t.Log(len(c))")
	}
	return g.p
}
