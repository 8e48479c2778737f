package discipline

import (
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Cycles reports actors that wait for each other's answers.
var Cycles = &analysis.Analyzer{
	Name: "cycles",
	Doc: `check that actors do not wait for each other's answers

An actor that waits for an answer handles nothing else in the meantime. When a handler of A asks B and waits, and a handler
of B asks A and waits, both may do so at the same time: each waits for the other, and neither comes back to its mailbox.

Example:

	func (a *Accounts) loop() {
		for m := range a.in {
			m.reply <- a.audit.Check(m) // sends to Audit.in, waits for the answer
		}
	}

	func (u *Audit) loop() {
		for m := range u.in {
			m.reply <- u.accounts.Balance(m) // sends to Accounts.in, waits for the answer
		}
	}

Fix: let one of them go on without waiting: take the answer as a message, in a case of the loop; or send along with the
request what the other would ask for.

Not reported: requests or waits in a select; processes of which there may be several; answers that are not waited for.`,
	Requires: []*analysis.Analyzer{Code},
	Run:      run((*rule).cycles),
}

func (c *rule) cycles() {
	asks := c.questions()
	for i, a := range asks {
		for _, b := range asks[i+1:] {
			if a.by != b.by && a.to == b.by && b.to == a.by {
				c.reportCycle(a, b)
			}
		}
	}
}

// question is a request from one process to another, which waits for the answer.
type question struct {
	by, to     *process
	send, wait *op
}

func (c *rule) reportCycle(a, b question) {
	c.report(a.send.pos, b.send.pos, "asks here", "%s asks %s here, and waits for the answer at %s, while %s may ask %s at %s, and wait for the answer at %s: a deadlock",
		name(a.by.root), name(a.to.root), c.at(a.wait.pos), name(b.by.root), name(b.to.root), c.at(b.send.pos), c.at(b.wait.pos))
}

// questions returns the requests that loops make, one for each pair of processes.
func (c *code) questions() []question {
	var out []question
	type pair struct{ by, to *process }
	seen := map[pair]bool{}
	for _, s := range c.ops {
		if s.kind != sends || !s.alone || c.flow.of(s.ch).open {
			continue
		}
		to := c.server(s)
		wait := c.waitAfter(s)
		if to == nil || wait == nil {
			continue
		}
		for _, by := range c.procs {
			if by != to && by.runs[s.in()] && by.single() && c.inTask(by, s.at) && !seen[pair{by, to}] {
				seen[pair{by, to}] = true
				out = append(out, question{by, to, s, wait})
			}
		}
	}
	return out
}

// server returns the one process that receives what s sends, in its loop.
func (c *code) server(s *op) *process {
	var to *process
	for _, r := range c.flow.of(s.ch).ops[receives] {
		for _, p := range c.procs {
			if !p.runs[r.in()] {
				continue
			}
			if to != nil && to != p || !p.single() || !c.alone(p, r.in()) {
				return nil
			}
			to = p
		}
	}
	return to
}

// waitAfter returns the wait for an answer to s: a plain receive after it in its function, from a
// channel that is made there and that s has sent along.
func (c *code) waitAfter(s *op) *op {
	for _, w := range c.ops {
		if w.kind != receives || !w.alone || w.in() != s.in() || !dominates(s.at, w.at) {
			continue
		}
		for _, m := range c.flow.of(w.ch).makes {
			if m.Parent() == s.in() && c.isReply(w.ch, m, c.locate(w.ch).last) && c.carriesAlong(s, m) {
				return w
			}
		}
	}
	return nil
}

// carriesAlong reports whether s sends m, or something in which m is stored.
func (c *code) carriesAlong(s *op, m *ssa.MakeChan) bool {
	v := s.msg
	if i, ok := v.(*ssa.MakeInterface); ok {
		v = i.X
	}
	if u, ok := v.(*ssa.UnOp); ok && u.Op == token.MUL {
		v = u.X
	}
	l := c.locate(v)
	return l.root == m || c.storedIn(m, l.root)
}
