// Package cycles reports actors that wait for each other's answers.
package cycles

import (
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Analyzer is the check.
var Analyzer = &analysis.Analyzer{
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

Not reported: requests or waits in a select; processes of which there may be several; answers that are not waited for.

Law: persistence, relaxed: who waits for an answer has taken a temporary name. A temporary name
takes none itself, so chains of them end (f*(f(x)) is none). Two actors that wait
for each other make a circle. (P. Thati, R. Ziaei, G. Agha, A Theory of May Testing for Actors,
FMOODS 2002, section 4.)`,
	Requires: []*analysis.Analyzer{discipline.Code},
	Run:      discipline.Run(func(r *discipline.Rule) { check{r}.cycles() }),
}

// check is the package, for this check to look at.
type check struct{ *discipline.Rule }

func (c check) cycles() {
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
	by, to     *discipline.Process
	send, wait *discipline.Op
}

func (c check) reportCycle(a, b question) {
	c.Report(a.send.Pos, b.send.Pos, "asks here",
		"%s asks %s here, and waits for the answer at %s, while %s may ask %s at %s, and wait for the answer at %s: a deadlock",
		discipline.Name(a.by.Root), discipline.Name(a.to.Root), c.At(a.wait.Pos),
		discipline.Name(b.by.Root), discipline.Name(b.to.Root), c.At(b.send.Pos), c.At(b.wait.Pos))
}

// questions returns the requests that loops make, one for each pair of processes.
func (c check) questions() []question {
	var out []question
	type pair struct{ by, to *discipline.Process }
	seen := map[pair]bool{}
	for _, s := range c.Ops {
		if s.Kind != discipline.Send || !s.Alone || c.Flow.Of(s.Ch).Open {
			continue
		}
		to := c.server(s)
		wait := c.waitAfter(s)
		if to == nil || wait == nil {
			continue
		}
		for _, by := range c.Procs {
			if by != to && by.Runs[s.In()] && by.Single() && c.InTask(by, s.At) &&
				!seen[pair{by, to}] {
				seen[pair{by, to}] = true
				out = append(out, question{by, to, s, wait})
			}
		}
	}
	return out
}

// server returns the one process that receives what s sends, in its loop.
func (c check) server(s *discipline.Op) *discipline.Process {
	var to *discipline.Process
	for _, r := range c.Flow.Of(s.Ch).Ops[discipline.Receive] {
		for _, p := range c.Procs {
			if !p.Runs[r.In()] {
				continue
			}
			if to != nil && to != p || !p.Single() || !c.Alone(p, r.In()) {
				return nil
			}
			to = p
		}
	}
	return to
}

// waitAfter returns the wait for an answer to s: a plain receive after it in its function, from a
// channel that is made there and that s has sent along.
func (c check) waitAfter(s *discipline.Op) *discipline.Op {
	for _, w := range c.Ops {
		if w.Kind != discipline.Receive || !w.Alone || w.In() != s.In() ||
			!kernel.Dominates(s.At, w.At) {
			continue
		}
		for _, m := range c.Flow.Of(w.Ch).Makes {
			if m.Parent() == s.In() &&
				discipline.IsReply(w.Ch, m, discipline.Locate(w.Ch).Last) &&
				c.carriesAlong(s, m) {
				return w
			}
		}
	}
	return nil
}

// carriesAlong reports whether s sends m, or something in which m is stored.
func (c check) carriesAlong(s *discipline.Op, m *ssa.MakeChan) bool {
	v := s.Msg
	if i, ok := v.(*ssa.MakeInterface); ok {
		v = i.X
	}
	if u, ok := v.(*ssa.UnOp); ok && u.Op == token.MUL {
		v = u.X
	}
	l := discipline.Locate(v)
	return l.Root == m || discipline.StoredIn(m, l.Root)
}
