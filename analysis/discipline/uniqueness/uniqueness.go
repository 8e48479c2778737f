// Package uniqueness reports mailboxes with two receivers.
package uniqueness

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/rehearse-go/rehearse/analysis/actors"
	"github.com/rehearse-go/rehearse/analysis/discipline"
)

// Analyzer is the check.
var Analyzer = &analysis.Analyzer{
	Name: "uniqueness",
	Doc: `check that a mailbox has one receiver

An actor owns its mailbox: it is the only one that receives from it. When two different loops receive from one channel,
each message reaches one of them, and which one is up to the scheduler. The same happens when clients take answers from
the channel on which they send requests: a client may take another client's request, or its answer.

Example:

	func New() *Server {
		s := &Server{in: make(chan msg)}
		go s.serve() // for m := range s.in { s.handle(m) }
		go s.audit() // for m := range s.in { s.log(m) }
		return s
	}

Half of the messages are handled, the other half are logged.

Fix: give each receiver a channel of its own, and let one of them pass on what the other needs; give each request a
channel for its answer.

Not reported: a pool of workers, which runs one function several times over one channel; loops that throw the messages
away; a receiver that starts when another has been stopped or waited for; receivers that wait for the answer to what they
have just sent to one other mailbox; channels of struct{}.

Law: uniqueness, rule COMP: two configurations that run side by side have no actor of one name. A
mailbox is a name, and its receiver the actor. (P. Thati, R. Ziaei, G. Agha, A Theory of May Testing
for Actors, FMOODS 2002, section 4.)`,
	Requires: []*analysis.Analyzer{discipline.Survey},
	Run:      runUniqueness,
}

func runUniqueness(pass *analysis.Pass) (any, error) {
	for _, c := range conflicts(pass.ResultOf[discipline.Survey].(*actors.Survey)) {
		if within(pass, c.second.Pos) {
			pass.Report(c.diagnostic(pass.Fset))
		}
	}
	return nil, nil
}

// within reports whether pos is in the package of pass.
func within(pass *analysis.Pass, pos token.Pos) bool {
	return slices.ContainsFunc(pass.Files,
		func(f *ast.File) bool { return f.FileStart <= pos && pos < f.FileEnd })
}

// conflict is two receivers of one mailbox. The second is the later one in the source.
type conflict struct {
	first, second *actors.Receive
	// of the send, if the second receiver sends requests to the channel it receives from
	exchange token.Pos
}

func (c conflict) diagnostic(fset *token.FileSet) analysis.Diagnostic {
	at := fset.Position(c.first.Pos)
	where := fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
	msg := fmt.Sprintf(
		"mailbox %s has two receivers, %s here and %s at %s: a message reaches only one of them",
		c.second.Name(), c.second.In(), c.first.In(), where)
	if c.exchange.IsValid() {
		msg = fmt.Sprintf("%s sends to mailbox %s and receives from it, too, as does %s at %s: "+
			"two callers can take each other's request or answer", c.second.In(), c.second.Name(),
			c.first.In(), where)
	}
	return analysis.Diagnostic{Pos: c.second.Pos, Message: msg,
		Related: []analysis.RelatedInformation{
			{Pos: c.first.Pos, Message: c.first.In() + " receives here"}}}
}

// conflicts returns the conflicts of s in source order.
func conflicts(s *actors.Survey) []conflict {
	var out []conflict
	takes := map[*actors.Goroutine][]*actors.Receive{nil: candidates(s, nil, s.Unlaunched)}
	for _, g := range s.Goroutines {
		takes[g] = candidates(s, g, g.Receives)
	}
	for i, g := range s.Goroutines {
		for _, h := range append(s.Goroutines[i+1:len(s.Goroutines):len(s.Goroutines)], nil) {
			out = append(out, between(s, g, takes[g], h, takes[h])...)
		}
		out = append(out, exchanges(s, g)...)
	}
	slices.SortStableFunc(out,
		func(a, b conflict) int { return cmp.Compare(a.second.Pos, b.second.Pos) })
	return slices.CompactFunc(out, func(a, b conflict) bool { return a.second.Pos == b.second.Pos })
}

// between finds, for each mailbox, the first conflict between the receives of two goroutines.
func between(s *actors.Survey, g *actors.Goroutine, rs []*actors.Receive, h *actors.Goroutine,
	qs []*actors.Receive) []conflict {
	var out []conflict
	seen := map[any]bool{}
	for _, r := range rs {
		for _, q := range qs {
			if !seen[r.Place] && compete(s, g, r, h, q) {
				seen[r.Place] = true
				out = append(out, newConflict(r, q))
			}
		}
	}
	return out
}

func newConflict(r, q *actors.Receive) conflict {
	if q.Pos < r.Pos {
		r, q = q, r
	}
	return conflict{first: r, second: q}
}

// compete reports whether r, in g, and q, in h, both candidates, take messages from each other.
func compete(s *actors.Survey, g *actors.Goroutine, r *actors.Receive, h *actors.Goroutine,
	q *actors.Receive) bool {
	switch {
	case r.Instr.Parent() == q.Instr.Parent() || g.Runs(q.Instr.Parent()) ||
		h != nil && h.Runs(r.Instr.Parent()):
		return false // one function run twice is a pool
	case !s.SameChannel(g, r, h, q):
		return false
	case h != nil && s.SendsTo(g, r) && s.SendsTo(h, q):
		return false // a token that is passed around
	case s.Asks(r, q):
		return false // answers, one at a time
	}
	return true
}

// candidates returns the receives of g, nil for none, that look at messages of a mailbox from the
// beginning.
func candidates(s *actors.Survey, g *actors.Goroutine, rs []*actors.Receive) []*actors.Receive {
	var out []*actors.Receive
	for _, r := range rs {
		if !r.Discards() && !r.Later() && (g == nil || s.CarriesData(g, r)) {
			out = append(out, r)
		}
	}
	return out
}

// exchanges finds the functions that use a mailbox of g for both request and answer.
func exchanges(s *actors.Survey, g *actors.Goroutine) []conflict {
	var out []conflict
	seen := map[any]bool{}
	for _, r := range g.Receives {
		if seen[r.Place] || !s.CarriesData(g, r) || !s.SendsTo(g, r) {
			continue
		}
		seen[r.Place] = true
		for _, x := range s.Exchanges(g, r) {
			out = append(out, conflict{r, x.Receive, x.Send})
		}
	}
	return out
}
