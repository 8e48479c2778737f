// Package noreply reports handlers that leave a client waiting.
package noreply

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// Analyzer is the check.
var Analyzer = &analysis.Analyzer{
	Name: "noreply",
	Doc: `check that a request is answered on every path

A request that carries a channel for the answer is a promise: the client waits on that channel. A path through the
handler that neither sends, nor closes the channel, nor hands the request on, leaves the client waiting for ever. It is
most often the path of an error.

Example:

	case req := <-s.lookups:
		v, ok := s.table[req.key]
		if !ok {
			continue // the client waits for ever
		}
		req.reply <- v

Fix: answer on this path, too, with a zero value or an error, or close the channel.

Not reported: clients that wait for something else, too, such as a context; requests of a type of which some are sent
without a channel; handlers that answer in a loop, or that compare the channel with nil.

Law: persistence, relaxed: who waits for an answer has taken a temporary name, the channel for the
answer, and is back under its own name when the answer has come (rule ACT, the function f). Without
an answer it never is. (P. Thati, R. Ziaei, G. Agha, A Theory of May Testing for Actors, FMOODS
2002, section 4.)`,
	Requires: []*analysis.Analyzer{discipline.Code},
	Run:      discipline.Run(func(r *discipline.Rule) { check{r}.noReply() }),
}

// check is the package, for this check to look at.
type check struct{ *discipline.Rule }

func (c check) noReply() {
	for _, q := range discipline.Requests(c.Package) {
		if clients := discipline.Clients(c.Package, q); clients != nil {
			c.unanswered(q, clients)
		}
	}
}

// unanswered reports the receives of a request whose task has a path without an answer.
func (c check) unanswered(q *discipline.Request, clients []discipline.Client) {
	seen := map[*discipline.Op]bool{}
	for _, cl := range clients {
		for _, r := range c.Flow.Of(cl.Send.Ch).Ops[discipline.Receive] {
			if seen[r] || r.Msg == nil {
				continue
			}
			seen[r] = true
			for _, b := range c.taken(r, q) {
				t := &task{code: c.Package, request: q, receive: r}
				if end := t.gap(b.block, b.from, b.msg); end != nil && !t.loop {
					c.reportGap(r, t, end, cl)
				}
			}
		}
	}
}

func (c check) reportGap(r *discipline.Op, t *task, end ssa.Instruction, cl discipline.Client) {
	where := ""
	if pos := t.endPos(end); pos.IsValid() {
		where = " (it ends at " + c.At(pos) + ")"
	}
	c.Report(r.Pos, cl.Wait.Pos, "waits here",
		"%s takes a request here and on some path%s does not answer on %s, for which %s waits at %s",
		discipline.Name(r.In()), where, t.request.Channel(), discipline.Name(cl.Wait.In()),
		c.At(cl.Wait.Pos))
}

// begin is where a task begins that has a request in hand.
type begin struct {
	block *ssa.BasicBlock
	from  int
	msg   ssa.Value
}

// taken returns where r has received a request: after it, or where a type switch has found it to be
// one.
func (c check) taken(r *discipline.Op, q *discipline.Request) []begin {
	if q.Is(r.Msg.Type()) {
		if b, i := discipline.After(r); b != nil {
			return []begin{{b, i, r.Msg}}
		}
		return nil
	}
	var out []begin
	for _, ref := range *r.Msg.Referrers() {
		a, ok := ref.(*ssa.TypeAssert)
		if !ok || !a.CommaOk || !q.Is(a.AssertedType) {
			continue
		}
		if b := kernel.IfTrue(kernel.Extracted(a, 1)); b != nil && kernel.Extracted(a, 0) != nil {
			out = append(out, begin{b, 0, kernel.Extracted(a, 0)})
		}
	}
	return out
}

// task looks for a path through the handling of one request.
type task struct {
	code    *discipline.Package
	request *discipline.Request
	receive *discipline.Op
	loop    bool // an answer is inside a loop of its own: how often that runs is not known
	depth   int
}

// gap returns the instruction that ends a path from instruction i of block b on which nothing is
// done with the reply channel of msg: a return, or the next receive. It is nil if there is no such
// path.
func (t *task) gap(b *ssa.BasicBlock, i int, msg ssa.Value) ssa.Instruction {
	held := t.holders(msg)
	var end ssa.Instruction
	kernel.SearchEdges(b, i, func(instr ssa.Instruction) kernel.Answer {
		_, returns := instr.(*ssa.Return)
		switch {
		case t.answers(instr, held):
			t.loop = t.loop || kernel.Reaches(instr, instr,
				func(i ssa.Instruction) bool { return i == t.receive.At })
			return kernel.Blocked
		case kernel.NeverReturns(instr):
			return kernel.Blocked
		case returns || instr == t.receive.At:
			end = instr
			return kernel.Blocked
		}
		return kernel.Onward
	}, func(b *ssa.BasicBlock, k int) bool { return t.infeasible(b, k, held) })
	return end
}

// holders returns the values that are, or lead to, the request.
func (t *task) holders(msg ssa.Value) map[ssa.Value]bool {
	held := map[ssa.Value]bool{}
	for work := []ssa.Value{msg}; len(work) > 0; work = work[1:] {
		v := work[0]
		if held[v] || v.Referrers() == nil {
			continue
		}
		held[v] = true
		for _, ref := range *v.Referrers() {
			if x := t.passesOn(ref, v); x != nil {
				work = append(work, x)
			}
		}
	}
	return held
}

// passesOn returns the value by which instr, which uses v, has the request or its reply channel in
// hand; or nil.
func (t *task) passesOn(instr ssa.Instruction, v ssa.Value) ssa.Value {
	switch i := instr.(type) {
	case *ssa.Store:
		if a, ok := i.Addr.(*ssa.Alloc); ok && i.Val == v {
			return a
		}
	case *ssa.UnOp:
		if i.Op == token.MUL {
			return i
		}
	case *ssa.FieldAddr:
		if t.leads(i.X.Type(), i.Field) {
			return i
		}
	case *ssa.Field:
		if t.leads(i.X.Type(), i.Field) {
			return i
		}
	case *ssa.ChangeType, *ssa.Phi:
		return instr.(ssa.Value)
	}
	return nil
}

// leads reports whether field i of t is the reply channel.
func (t *task) leads(st types.Type, i int) bool { return kernel.FieldVar(st, i) == t.request.Reply }

// answers reports whether instr does something with the request other than to look at it.
func (t *task) answers(instr ssa.Instruction, held map[ssa.Value]bool) bool {
	for _, v := range instr.Operands(nil) {
		if *v != nil && held[*v] {
			return !t.looks(instr, *v)
		}
	}
	return false
}

// looks reports whether instr, which uses v, only reads from the request, copies it, or calls a
// function that does not answer.
func (t *task) looks(instr ssa.Instruction, v ssa.Value) bool {
	switch i := instr.(type) {
	case *ssa.FieldAddr, *ssa.Field, *ssa.ChangeType, *ssa.Phi:
		return true
	case *ssa.UnOp:
		return i.Op == token.MUL
	case *ssa.Store:
		_, ok := i.Addr.(*ssa.Alloc)
		return ok
	case *ssa.Call:
		return t.callLooks(i, v)
	}
	return false
}

// callLooks reports whether the function that is called has a path on which it does not answer.
func (t *task) callLooks(call *ssa.Call, v ssa.Value) bool {
	fn := t.code.Static(call.Common())
	if fn == nil || t.depth == discipline.MaxTask || call.Common().StaticCallee() != fn {
		return false
	}
	for k, a := range call.Call.Args {
		if a != v {
			continue
		}
		inner := &task{code: t.code, request: t.request, receive: t.receive, depth: t.depth + 1}
		end := inner.gap(fn.Blocks[0], 0, fn.Params[k])
		t.loop = t.loop || inner.loop
		if end == nil || inner.loop {
			return false
		}
	}
	return true
}

// endPos returns the position of the end of a path, if it is in the source.
func (t *task) endPos(end ssa.Instruction) token.Pos {
	if _, ok := end.(*ssa.Return); ok {
		return end.Pos()
	}
	return token.NoPos
}

// infeasible reports whether successor k of b is for a closed channel, or for a field of the
// request that equals none of the constants it is compared with: the author may know that there are
// no other values.
func (t *task) infeasible(b *ssa.BasicBlock, k int, held map[ssa.Value]bool) bool {
	i, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || k == 0 {
		return false
	}
	switch cond := i.Cond.(type) {
	case *ssa.Extract:
		v, _ := t.receive.At.(ssa.Value)
		return cond.Index == 1 && cond.Tuple == v
	case *ssa.BinOp:
		_, constant := cond.Y.(*ssa.Const)
		return constant && cond.Op == token.EQL && t.ofRequest(cond.X, held)
	}
	return false
}

// ofRequest reports whether v is read from the request.
func (t *task) ofRequest(v ssa.Value, held map[ssa.Value]bool) bool {
	switch x := v.(type) {
	case *ssa.UnOp:
		return x.Op == token.MUL && t.ofRequest(x.X, held)
	case *ssa.FieldAddr:
		return held[x.X]
	case *ssa.Field:
		return held[x.X]
	}
	return false
}
