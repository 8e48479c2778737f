// Package kinds reports kinds of messages that nobody takes, and handlers that nobody calls.
package kinds

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Analyzer is the check.
var Analyzer = &analysis.Analyzer{
	Name: "kinds",
	Doc: `check that each kind of message has a handler, and each handler a sender

A mailbox of an interface type takes everything. A type switch without a default drops what it has no case for: the sender
is never told. A case for a type of which no value is ever made is a handler that nobody calls: it is left over, or the
message for it is missing. The same goes for a switch on constants: on a field that says what a message asks for, or on
messages that are numbers or words themselves.

Example:

	type start struct{}
	type stop struct{}

	s.in <- stop{}

	for m := range s.in {
		switch m.(type) {
		case start: // nobody sends one
			s.run()
		} // stop is dropped
	}

Fix: add the case, or remove it; or say with a default that the others are to be dropped.

Not reported: exported types, which other packages may send or take; mailboxes that code outside of the package may hold;
switches with a default, or with anything behind them that is done with every message, if only to count it or to look at
something; messages that are handed on; a field or mailbox that gets other values than constants, or is also looked at
elsewhere.

Law: persistence, rule ACT: an actor takes each message that comes, and goes on. A message that it
has no case for is one for a sink. (P. Thati, R. Ziaei, G. Agha, A Theory of May Testing for Actors,
FMOODS 2002, section 4.)`,
	Requires: []*analysis.Analyzer{discipline.Code},
	Run:      discipline.Run(func(r *discipline.Rule) { check{r}.kinds() }),
}

// check is the package, for this check to look at.
type check struct{ *discipline.Rule }

func (c check) kinds() {
	c.opcodes()
	switches := c.typeSwitches()
	made := c.interfaced()
	for _, r := range c.Ops {
		if r.Kind != discipline.Receive || r.Msg == nil || !types.IsInterface(r.Msg.Type()) ||
			c.Flow.Of(r.Ch).Open {
			continue
		}
		sw := c.switchOn(r.Msg, switches)
		if sw == nil {
			continue
		}
		c.uncalled(sw, made)
		if len(c.Flow.Of(r.Ch).Ops[discipline.Receive]) == 1 && !sw.rest &&
			c.passesBy(sw.first.Block(), kernel.IndexOf(sw.first)+1, sw.isCase) {
			c.untaken(r, sw)
		}
	}
}

// typeSwitch is a type switch on a message.
type typeSwitch struct {
	stmt  *ast.TypeSwitchStmt
	first *ssa.TypeAssert // its first test
	types []types.Type    // of the cases
	at    []token.Pos     // of the cases
	rest  bool            // it has a default, or something else looks at the message
}

// typeSwitches returns the type switches by the positions of their cases, by which the code tests
// for a type.
func (c check) typeSwitches() map[token.Pos]*ast.TypeSwitchStmt {
	out := map[token.Pos]*ast.TypeSwitchStmt{}
	for _, f := range c.Pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if sw, ok := n.(*ast.TypeSwitchStmt); ok {
				for _, cc := range sw.Body.List {
					out[cc.(*ast.CaseClause).Case] = sw
				}
			}
			return true
		})
	}
	return out
}

// interfaced returns the types of which values become interfaces in the package, or may.
func (c check) interfaced() map[string]bool {
	all := map[types.Type]bool{}
	c.Each(func(i ssa.Instruction) {
		switch x := i.(type) {
		case *ssa.MakeInterface:
			all[x.X.Type()] = true
		case ssa.CallInstruction: // what is generic may make an interface of it
			if fn := x.Common().StaticCallee(); fn != nil {
				for _, t := range fn.TypeArgs() {
					all[t] = true
				}
			}
		}
	})
	out := map[string]bool{}
	for t := range all {
		out[t.String()] = true
	}
	return out
}

// switchOn returns the one type switch in which msg is looked at, or nil.
func (c check) switchOn(msg ssa.Value, switches map[token.Pos]*ast.TypeSwitchStmt) *typeSwitch {
	sw := &typeSwitch{}
	for _, ref := range *msg.Referrers() {
		a, ok := ref.(*ssa.TypeAssert)
		if !ok || !a.CommaOk {
			sw.rest = true
			continue
		}
		stmt := switches[a.Pos()]
		if stmt == nil || sw.stmt != nil && sw.stmt != stmt {
			sw.rest = true
			continue
		}
		if sw.first == nil {
			sw.first = a
		}
		sw.stmt = stmt
		sw.types = append(sw.types, a.AssertedType)
		sw.at = append(sw.at, a.Pos())
	}
	if sw.stmt == nil {
		return nil
	}
	for _, cc := range sw.stmt.Body.List {
		sw.rest = sw.rest || cc.(*ast.CaseClause).List == nil
	}
	return sw
}

// isCase reports whether a branch on cond is a case for the types of sw.
func (sw *typeSwitch) isCase(cond ssa.Value) bool {
	x, ok := cond.(*ssa.Extract)
	if !ok {
		return false
	}
	a, ok := x.Tuple.(*ssa.TypeAssert)
	return ok && x.Index == 1 && slices.Contains(sw.at, a.Pos())
}

// uncalled reports the cases of sw for types of which no message is made.
func (c check) uncalled(sw *typeSwitch, made map[string]bool) {
	for i, t := range sw.types {
		obj := c.Hidden(t)
		if obj == nil || made[t.String()] || c.inIgnored(obj.Name()) {
			continue
		}
		c.Report(sw.at[i], obj.Pos(), "declared here",
			"no message of kind %s, declared at %s, is ever sent: nobody calls this handler",
			types.TypeString(t, types.RelativeTo(c.Pass.Pkg)), c.At(obj.Pos()))
	}
}

// inIgnored reports whether a name occurs in files that are for other systems.
func (c check) inIgnored(name string) bool {
	for _, f := range c.Pass.IgnoredFiles {
		if text, err := c.Pass.ReadFile(f); err != nil || strings.Contains(string(text), name) {
			return true
		}
	}
	return false
}

// untaken reports the messages sent to r's mailbox for which sw has no case.
func (c check) untaken(r *discipline.Op, sw *typeSwitch) {
	for _, s := range c.Flow.Of(r.Ch).Ops[discipline.Send] {
		m, ok := s.Msg.(*ssa.MakeInterface)
		if !ok || c.Hidden(m.X.Type()) == nil || takes(sw, m.X.Type()) {
			continue
		}
		c.Report(s.Pos, sw.stmt.Switch, "has no case for it",
			"%s sends a %s here, for which the type switch of %s, at %s, has no case: it is dropped",
			discipline.Name(s.In()), types.TypeString(m.X.Type(), types.RelativeTo(c.Pass.Pkg)),
			discipline.Name(r.In()), c.At(sw.stmt.Switch))
	}
}

func takes(sw *typeSwitch, t types.Type) bool {
	for _, u := range sw.types {
		if types.Identical(t, u) {
			return true
		}
		if iface, ok := u.Underlying().(*types.Interface); ok && types.Implements(t, iface) {
			return true
		}
	}
	return false
}
