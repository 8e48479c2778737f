package discipline

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// NoReply reports handlers that leave a client waiting.
var NoReply = &analysis.Analyzer{
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
without a channel; handlers that answer in a loop, or that compare the channel with nil.`,
	Requires: []*analysis.Analyzer{Code},
	Run:      run((*rule).noReply),
}

func (c *rule) noReply() {
	for _, q := range c.requests() {
		if clients := c.clients(q); clients != nil {
			c.unanswered(q, clients)
		}
	}
}

// unanswered reports the receives of a request whose task has a path without an answer.
func (c *rule) unanswered(q *request, clients []client) {
	seen := map[*op]bool{}
	for _, cl := range clients {
		for _, r := range c.flow.of(cl.send.ch).ops[receives] {
			if seen[r] || r.msg == nil {
				continue
			}
			seen[r] = true
			for _, b := range c.taken(r, q) {
				t := &task{code: c.code, request: q, receive: r}
				if end := t.gap(b.block, b.from, b.msg); end != nil && !t.loop {
					c.reportGap(r, t, end, cl)
				}
			}
		}
	}
}

func (c *rule) reportGap(r *op, t *task, end ssa.Instruction, cl client) {
	where := ""
	if pos := t.endPos(end); pos.IsValid() {
		where = " (it ends at " + c.at(pos) + ")"
	}
	c.report(r.pos, cl.wait.pos, "waits here", "%s takes a request here and on some path%s does not answer on %s, for which %s waits at %s",
		name(r.in()), where, t.request.channel(), name(cl.wait.in()), c.at(cl.wait.pos))
}

// begin is where a task begins that has a request in hand.
type begin struct {
	block *ssa.BasicBlock
	from  int
	msg   ssa.Value
}

// taken returns where r has received a request: after it, or where a type switch has found it to be
// one.
func (c *code) taken(r *op, q *request) []begin {
	if q.is(r.msg.Type()) {
		if b, i := after(r); b != nil {
			return []begin{{b, i, r.msg}}
		}
		return nil
	}
	var out []begin
	for _, ref := range *r.msg.Referrers() {
		a, ok := ref.(*ssa.TypeAssert)
		if !ok || !a.CommaOk || !q.is(a.AssertedType) {
			continue
		}
		if b := ifTrue(extracted(a, 1)); b != nil && extracted(a, 0) != nil {
			out = append(out, begin{b, 0, extracted(a, 0)})
		}
	}
	return out
}

// ifTrue returns the block where control goes if v, the condition of a branch, is true.
func ifTrue(v ssa.Value) *ssa.BasicBlock {
	if v == nil {
		return nil
	}
	for _, ref := range *v.Referrers() {
		if i, ok := ref.(*ssa.If); ok && len(i.Block().Succs[0].Preds) == 1 {
			return i.Block().Succs[0]
		}
	}
	return nil
}

// after returns where control is when r has received, or has sent.
func after(r *op) (*ssa.BasicBlock, int) {
	sel, ok := r.at.(*ssa.Select)
	if !ok {
		return r.at.Block(), indexOf(r.at) + 1
	}
	index := extracted(sel, 0)
	if index == nil {
		return nil, 0
	}
	for k, st := range sel.States {
		if st.Pos != r.pos {
			continue
		}
		for _, ref := range *index.Referrers() {
			if b, ok := ref.(*ssa.BinOp); ok && isInt(b.Y, int64(k)) {
				return ifTrue(b), 0
			}
		}
	}
	return nil, 0
}

func isInt(v ssa.Value, n int64) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && c.Int64() == n
}

// task looks for a path through the handling of one request.
type task struct {
	code    *code
	request *request
	receive *op
	loop    bool // an answer is inside a loop of its own: how often that runs is not known
	depth   int
}

// gap returns the instruction that ends a path from instruction i of block b on which nothing is
// done with the reply channel of msg: a return, or the next receive. It is nil if there is no such
// path.
func (t *task) gap(b *ssa.BasicBlock, i int, msg ssa.Value) ssa.Instruction {
	held := t.holders(msg)
	var end ssa.Instruction
	searchEdges(b, i, func(instr ssa.Instruction) answer {
		_, returns := instr.(*ssa.Return)
		switch {
		case t.answers(instr, held):
			t.loop = t.loop || reaches(instr, instr, func(i ssa.Instruction) bool { return i == t.receive.at })
			return blocked
		case neverReturns(instr):
			return blocked
		case returns || instr == t.receive.at:
			end = instr
			return blocked
		}
		return onward
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
func (t *task) leads(st types.Type, i int) bool { return fieldVar(st, i) == t.request.reply }

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

// maxTask is how many calls down a request is followed.
const maxTask = 4

// callLooks reports whether the function that is called has a path on which it does not answer.
func (t *task) callLooks(call *ssa.Call, v ssa.Value) bool {
	fn := t.code.static(call.Common())
	if fn == nil || t.depth == maxTask || call.Common().StaticCallee() != fn {
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

// infeasible reports whether successor k of b is for a channel that has been closed, or for what
// none of the constants is that a field of the request is compared with: somebody may know that
// there are no others.
func (t *task) infeasible(b *ssa.BasicBlock, k int, held map[ssa.Value]bool) bool {
	i, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || k == 0 {
		return false
	}
	switch cond := i.Cond.(type) {
	case *ssa.Extract:
		v, _ := t.receive.at.(ssa.Value)
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

// neverReturns reports whether instr ends the process or the program.
func neverReturns(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok {
		_, panics := instr.(*ssa.Panic)
		return panics
	}
	fn := call.Call.StaticCallee()
	return fn != nil && (isEnding(fn) || len(fn.Blocks) > 0 && len(fn.Blocks) <= maxEnding && search(fn.Blocks[0], 0, toReturn) == nil)
}

// maxEnding bounds the blocks of a function of the package that may be there to call what never
// returns.
const maxEnding = 16

func toReturn(i ssa.Instruction) answer {
	switch x := i.(type) {
	case *ssa.Return:
		return found
	case *ssa.Panic:
		return blocked
	case *ssa.Call:
		if fn := x.Call.StaticCallee(); fn != nil && isEnding(fn) {
			return blocked
		}
	}
	return onward
}

// isEnding reports whether fn is one of the library's functions that never return, or one of
// another package that bears such a name: log.Fatal has many relatives.
func isEnding(fn *ssa.Function) bool {
	return endings[fn.RelString(nil)] || len(fn.Blocks) == 0 && strings.HasPrefix(fn.Name(), "Fatal")
}

var endings = map[string]bool{"os.Exit": true, "runtime.Goexit": true, "log.Fatal": true, "log.Fatalf": true, "log.Fatalln": true,
	"log.Panic": true, "log.Panicf": true, "log.Panicln": true,
	"(*testing.common).Fatal": true, "(*testing.common).Fatalf": true, "(*testing.common).FailNow": true,
	"(*testing.common).Skip": true, "(*testing.common).Skipf": true, "(*testing.common).SkipNow": true}
