package actors

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/explore/facts"
)

// maxCalls is how many calls that pass the message on are followed in search of the switch that
// tells its kinds apart.
const maxCalls = 3

// handlers describes the handlers of g's receive r.
func (p *tasks) handlers(g *Goroutine, r *Receive, name string) []*Handler {
	var out []*Handler
	tasks := p.tasks(r)
	for _, t := range tasks {
		h := &Handler{Receive: r, task: t}
		h.Handler = facts.Handler{Mailbox: name, Case: r.site.shape, By: t.by, Kind: t.kind,
			Pos: p.pos(t.pos)}
		h.Handler.Part, h.Key = t.part, t.told(tasks)
		h.Reply = p.reply(t, 0)
		p.code(g, r, h)
		h.Effects = t.effects()
		h.Effects.Stops = h.Code.Ends
		out = append(out, h)
	}
	return out
}

// told returns the key of t's kind if each message with that key, and no other, causes t, which is
// one of tasks. A kind that is an interface might take the message away from t.
func (t task) told(tasks []task) string {
	if !t.kept || slices.ContainsFunc(tasks, func(u task) bool { return u.wide }) {
		return ""
	}
	return t.key
}

// Part returns the part of the message that h's kind is a constant of, as ".op", "" for the whole.
// ok is false if the kind is no constant, or if the part may have changed since the message was
// sent.
func (h *Handler) Part() (part string, ok bool) {
	return h.task.part, h.By == facts.ByConstant && h.task.kept
}

// Is reports whether v is the constant of h's kind.
func (h *Handler) Is(v constant.Value) bool { return h.task.key == key(v) }

// tasks divides the code after the receive r by the kind of the message.
func (p *tasks) tasks(r *Receive) []task {
	whole := task{info: r.site.info, body: r.site.body, recv: r.site.recv, pos: r.site.at}
	if r.site.msg != nil {
		whole.msg = []types.Object{r.site.msg}
	}
	tasks := p.byFunction(r, whole)
	if tasks == nil {
		tasks = p.divide(whole, 0)
	}
	if tasks == nil {
		tasks = []task{whole}
	}
	return tasks
}

// byFunction returns a task for each function that r may receive: a message that is a function is
// its own handler. It returns nil if messages are no functions.
func (p *tasks) byFunction(r *Receive, whole task) []task {
	if _, ok := elem(r.Chan).Underlying().(*types.Signature); !ok {
		return nil
	}
	var out []task
	seen := map[token.Pos]bool{}
	for _, s := range p.sendsTo(r.Chan) {
		for _, f := range p.functionValues(s.X, s.Pos, nil) {
			if seen[f.root.Pos()] {
				continue
			}
			seen[f.root.Pos()] = true
			t := task{info: whole.info, by: facts.ByFunction, kind: shortName(f.root),
				pos: f.root.Pos(), root: f.root}
			if syntax, ok := p.syntax[f.root.Pos()]; ok {
				t.info, t.body = syntax.info, syntax.body.List
			}
			out = append(out, t)
		}
	}
	if out == nil {
		whole.by, whole.kind = facts.ByFunction, "func"
		out = []task{whole}
	}
	return out
}

// divide finds the switches over the message in t, or in a function that t passes the message to.
func (p *tasks) divide(t task, depth int) []task {
	if len(t.msg) == 0 && t.recv == nil || depth > maxCalls {
		return nil
	}
	if out := t.switches(); out != nil {
		return out
	}
	for _, next := range p.passed(t, false) {
		if out := p.divide(next, depth+1); out != nil {
			return out
		}
	}
	return nil
}

// passed returns the bodies of the functions that t calls with the message, or with a part of it if
// parts is set, as an argument or as the receiver.
func (p *tasks) passed(t task, parts bool) []task {
	var out []task
	t.walk(func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if next, ok := p.callee(t, call, parts); ok {
				out = append(out, next)
			}
		}
		return true
	})
	return out
}

// callee returns the body of the function that call calls, with the parameters that take the
// message of t; ok is false if there are none.
func (p *tasks) callee(t task, call *ast.CallExpr, parts bool) (next task, ok bool) {
	fn, ok := callee(t.info, call)
	if !ok {
		return task{}, false
	}
	syntax, ok := p.syntax[fn.Pos()]
	decl, isDecl := syntax.node.(*ast.FuncDecl)
	if !ok || !isDecl || syntax.body == nil {
		return task{}, false
	}
	next = task{info: syntax.info, body: syntax.body.List, pos: t.pos,
		via:  append(t.via[:len(t.via):len(t.via)], call.Lparen),
		base: map[types.Object]string{}}
	is := t.isWhole
	if parts {
		is = t.isMessage
	}
	params := names(syntax.info, decl.Type.Params)
	for i, a := range call.Args {
		if i < len(params) && (is(a) || t.isTag(a)) {
			next.msg = append(next.msg, params[i])
			next.base[params[i]] = t.partOf(a)
		}
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && decl.Recv != nil && is(sel.X) {
		next.msg = append(next.msg, names(syntax.info, decl.Recv)...)
	}
	return next, len(next.msg) > 0
}

// isTag reports whether e is a part of the message by which kinds may be told apart: an op code, or
// a payload of any type.
func (t task) isTag(e ast.Expr) bool {
	switch t.info.TypeOf(e).Underlying().(type) {
	case *types.Basic, *types.Interface:
		return t.isMessage(e)
	}
	return false
}

// names returns the variables that fields declares, one for each parameter; nil for one without a
// name.
func names(info *types.Info, fields *ast.FieldList) []types.Object {
	var out []types.Object
	for _, f := range fields.List {
		if len(f.Names) == 0 {
			out = append(out, nil)
		}
		for _, id := range f.Names {
			out = append(out, info.Defs[id])
		}
	}
	return out
}

// reply returns the channel in the message that t sends on or closes.
func (p *tasks) reply(t task, depth int) string {
	var name string
	t.walk(func(n ast.Node) bool {
		if ch := target(t.info, n); name == "" && ch != nil && t.isMessage(ch) {
			name = types.ExprString(ch)
		}
		return name == ""
	})
	if name != "" || depth == maxCalls {
		return name
	}
	for _, next := range p.passed(t, true) {
		if name = p.reply(next, depth+1); name != "" {
			return name
		}
	}
	return ""
}

// target returns the channel that n sends on or closes, or nil.
func target(info *types.Info, n ast.Node) ast.Expr {
	switch n := n.(type) {
	case *ast.SendStmt:
		return n.Chan
	case *ast.CallExpr:
		if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "close" && len(n.Args) == 1 {
			if _, ok := info.Uses[id].(*types.Builtin); ok {
				return n.Args[0]
			}
		}
	}
	return nil
}

// effects summarises the body of t.
func (t task) effects() facts.Effects {
	var e facts.Effects
	t.walk(func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			e.Sends = add(e.Sends, types.ExprString(n.Chan))
		case *ast.GoStmt:
			e.Spawns++
		}
		return true
	})
	return e
}

func add(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// stops reports whether s always leaves the loop. A plain break only leaves a select.
func stops(s ast.Stmt, shape facts.Shape) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.BREAK && (s.Label != nil || shape == facts.Range)
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return ok && types.ExprString(call.Fun) == "panic"
	case *ast.BlockStmt:
		return len(s.List) > 0 && stops(s.List[len(s.List)-1], shape)
	}
	return false
}
