package kinds

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/discipline"
	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// opcode is what says what a message asks for: a field, or the message itself. The package gives it
// constants only, and looks at it only to compare it with constants.
type opcode struct {
	field *types.Var // nil if it is the message itself
	typ   types.Type
	zero  bool // it may be zero without anybody having said so
	// where a message gets a constant first, by the constant's exact text
	made      map[string]token.Pos
	tested    map[string]token.Pos // where it is compared with a constant first
	switches  []*opSwitch          // in source order
	elsewhere bool                 // it is also looked at outside of the switches
}

// opSwitch is a switch on an opcode.
type opSwitch struct {
	stmt  *ast.SwitchStmt
	in    *ssa.Function
	code  ssa.Value    // what is compared
	cases []*ssa.BinOp // the comparisons
}

func newOpcode(field *types.Var, typ types.Type, zero bool) *opcode {
	return &opcode{field: field, typ: typ, zero: zero, made: map[string]token.Pos{},
		tested: map[string]token.Pos{}}
}

// of names a message by its constant: "op opGet", "opGet".
func (oc *opcode) of(constant string) string {
	if oc.field == nil {
		return constant
	}
	return oc.field.Name() + " " + constant
}

// with is what joins it to "message".
func (oc *opcode) with() string {
	if oc.field == nil {
		return ""
	}
	return "with "
}

// opcodes reports, like kinds, the codes of messages that no switch has a case for, and cases for
// codes that none has.
func (c check) opcodes() {
	stmts := c.tagSwitches()
	for _, f := range c.opFields() {
		if oc := newOpcode(f, f.Type(), true); c.codesMade(oc) && c.codesTested(oc, stmts) {
			c.reportCodes(oc)
		}
	}
	for _, ch := range c.plainMailboxes() {
		oc := newOpcode(nil, kernel.Elem(ch.Ops[discipline.Send][0].Ch),
			len(ch.Ops[discipline.Close]) > 0)
		if c.codesSent(oc, ch) && c.codesReceived(oc, ch, stmts) {
			c.reportCodes(oc)
		}
	}
}

func (c check) reportCodes(oc *opcode) {
	c.unsentCodes(oc)
	c.droppedCodes(oc)
}

// opFields returns the fields of messages that other packages cannot set, in source order: those to
// which a constant is assigned.
func (c check) opFields() []*types.Var {
	var out []*types.Var
	messages := c.messages()
	for v, stores := range c.Stores {
		if _, ok := v.Type().Underlying().(*types.Basic); !ok {
			continue
		}
		t := stores[0].Addr.(*ssa.FieldAddr).X.Type()
		if !c.Flow.Visible(t, v) && messages[plainName(kernel.Deref(t))] {
			out = append(out, v)
		}
	}
	slices.SortFunc(out, func(a, b *types.Var) int { return cmp.Compare(a.Pos(), b.Pos()) })
	return out
}

// messages returns the structs, not generic, that are sent to mailboxes which nobody else holds, as
// they are or by pointer, and that are never converted.
func (c check) messages() map[*types.TypeName]bool {
	sent, not := map[*types.TypeName]bool{}, map[*types.TypeName]bool{}
	for _, o := range c.Ops {
		t := plainName(kernel.Deref(kernel.Elem(o.Ch)))
		sent[t] = sent[t] || o.Kind == discipline.Send
		not[t] = not[t] || c.Flow.Of(o.Ch).Open
	}
	c.Each(func(i ssa.Instruction) {
		switch i := i.(type) {
		case *ssa.ChangeType:
			not[plainName(kernel.Deref(i.Type()))] = true
		case *ssa.MakeInterface: // by a pointer, others could set the field
			if p, ok := types.Unalias(i.X.Type()).(*types.Pointer); ok {
				not[plainName(p.Elem())] = true
			}
		}
	})
	not[nil] = true
	maps.DeleteFunc(sent, func(t *types.TypeName, is bool) bool { return !is || not[t] })
	return sent
}

// plainName returns the name of a type that is not generic; nil if it has none.
func plainName(t types.Type) *types.TypeName {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.TypeParams().Len() > 0 || n.TypeArgs().Len() > 0 {
		return nil
	}
	return n.Obj()
}

// codesMade notes the constants that the field gets. It reports whether there are no other values.
func (c check) codesMade(oc *opcode) bool {
	ok := true
	for _, s := range c.Stores[oc.field] {
		ok = ok && c.constants(s.Val, s.Pos(), oc.made, discipline.MaxTask)
	}
	return ok
}

// constants notes the constants that v, used at pos, may be, with the positions where they are
// written; it reports whether these are all.
func (c check) constants(v ssa.Value, pos token.Pos, out map[string]token.Pos, depth int) bool {
	switch x := v.(type) {
	case *ssa.Const:
		note(out, x, pos)
		return x.Value != nil
	case *ssa.Phi:
		return depth > 0 && !slices.ContainsFunc(x.Edges,
			func(e ssa.Value) bool { return !c.constants(e, pos, out, depth-1) })
	case *ssa.Parameter:
		fn := x.Parent()
		calls := c.Callers[fn]
		return depth > 0 && !c.Exported(fn) && !c.ValueOf(fn) && len(calls) > 0 &&
			!slices.ContainsFunc(calls, func(call ssa.CallInstruction) bool {
				return !c.constants(call.Common().Args[kernel.ParamIndex(x)], call.Pos(), out,
					depth-1)
			})
	}
	return false
}

// note notes a constant, if it is the first of its value.
func note(m map[string]token.Pos, k *ssa.Const, pos token.Pos) {
	if k.Value != nil && !m[k.Value.ExactString()].IsValid() {
		m[k.Value.ExactString()] = pos
	}
}

// codesTested notes where the field is looked at. It reports whether nobody takes its address, or
// compares it with what is not constant, and there is a switch on it.
func (c check) codesTested(oc *opcode, stmts map[token.Pos]*ast.SwitchStmt) bool {
	ok := true
	c.Each(func(i ssa.Instruction) {
		switch x := i.(type) {
		case *ssa.FieldAddr:
			if kernel.FieldVar(x.X.Type(), x.Field) == oc.field {
				for _, ref := range *x.Referrers() {
					switch use := ref.(type) {
					case *ssa.Store:
						ok = ok && use.Addr == x
					case *ssa.UnOp:
						c.testCode(oc, use, stmts)
					default:
						ok = false
					}
				}
			}
		case *ssa.Field:
			if kernel.FieldVar(x.X.Type(), x.Field) == oc.field {
				c.testCode(oc, x, stmts)
			}
		}
	})
	return ok && len(oc.switches) > 0
}

// plainMailboxes returns the channels of numbers or words that nobody else holds and to which
// somebody sends, in source order.
func (c check) plainMailboxes() []*discipline.Channel {
	var out []*discipline.Channel
	for _, o := range c.Ops {
		b, ok := kernel.Elem(o.Ch).Underlying().(*types.Basic)
		if !ok || o.Kind != discipline.Send || b.Info()&(types.IsInteger|types.IsString) == 0 {
			continue
		}
		if ch := c.Flow.Of(o.Ch); !ch.Open && len(ch.Makes) > 0 && !slices.Contains(out, ch) {
			out = append(out, ch)
		}
	}
	return out
}

// codesSent notes the constants that are sent to ch. It reports whether there are no other
// messages.
func (c check) codesSent(oc *opcode, ch *discipline.Channel) bool {
	return !slices.ContainsFunc(ch.Ops[discipline.Send], func(o *discipline.Op) bool {
		return o.Msg == nil || !c.constants(o.Msg, o.Pos, oc.made, discipline.MaxTask)
	})
}

// codesReceived notes what is done with the messages of ch. It reports whether there is a switch on
// them.
func (c check) codesReceived(oc *opcode, ch *discipline.Channel,
	stmts map[token.Pos]*ast.SwitchStmt) bool {
	for _, o := range ch.Ops[discipline.Receive] {
		if o.Msg == nil {
			oc.elsewhere = true
			continue
		}
		c.testCode(oc, o.Msg, stmts)
	}
	return len(oc.switches) > 0
}

// testCode notes how v, which is the opcode of a message, is used.
func (c check) testCode(oc *opcode, v ssa.Value, stmts map[token.Pos]*ast.SwitchStmt) {
	sw := &opSwitch{in: v.Parent(), code: v}
	for _, ref := range *v.Referrers() {
		if p := c.handedTo(ref, v); p != nil {
			c.testCode(oc, p, stmts)
			continue
		}
		cmp, ok := ref.(*ssa.BinOp)
		if ok {
			k, constant := cmp.Y.(*ssa.Const)
			ok = constant && cmp.Op == token.EQL
			if ok {
				note(oc.tested, k, cmp.Pos())
			}
		}
		stmt := stmts[ref.Pos()]
		if !ok || stmt == nil || sw.stmt != nil && sw.stmt != stmt {
			oc.elsewhere = true
			continue
		}
		sw.stmt, sw.cases = stmt, append(sw.cases, cmp)
	}
	if sw.stmt != nil {
		oc.switches = append(oc.switches, sw)
	}
}

// handedTo returns the parameter that is v, if ref is a call that hands v over, and the only one of
// its function; or nil.
func (c check) handedTo(ref ssa.Instruction, v ssa.Value) *ssa.Parameter {
	call, ok := ref.(*ssa.Call)
	if !ok {
		return nil
	}
	fn := c.Static(call.Common())
	if fn == nil || c.Exported(fn) || c.ValueOf(fn) || len(c.Callers[fn]) != 1 {
		return nil
	}
	i := slices.Index(call.Call.Args, v)
	if i < 0 || slices.Contains(call.Call.Args[i+1:], v) {
		return nil
	}
	return fn.Params[i]
}

// tagSwitches returns the switches on a value by the positions of what their cases compare it with.
func (c check) tagSwitches() map[token.Pos]*ast.SwitchStmt {
	out := map[token.Pos]*ast.SwitchStmt{}
	for _, f := range c.Pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if sw, ok := n.(*ast.SwitchStmt); ok && sw.Tag != nil {
				for _, cc := range sw.Body.List {
					for _, e := range cc.(*ast.CaseClause).List {
						out[e.Pos()] = sw
					}
				}
			}
			return true
		})
	}
	return out
}

// unsentCodes reports the cases for constants that no message has.
func (c check) unsentCodes(oc *opcode) {
	for _, sw := range oc.switches {
		for _, k := range sw.cases {
			v := k.Y.(*ssa.Const).Value
			obj := c.constantAt(sw.stmt, k.Pos())
			if obj == nil || oc.zero && isZero(v) || oc.made[v.ExactString()].IsValid() ||
				c.inIgnored(obj.Name()) {
				continue
			}
			c.Report(k.Pos(), obj.Pos(), "declared here",
				"no message %s, declared at %s, is ever sent: nobody calls this handler",
				oc.with()+oc.of(obj.Name()), c.At(obj.Pos()))
		}
	}
}

func isZero(v constant.Value) bool {
	switch v.Kind() {
	case constant.Int, constant.Float:
		return constant.Sign(v) == 0
	case constant.String:
		return constant.StringVal(v) == ""
	}
	return !constant.BoolVal(v)
}

// constantAt returns the constant of the package that the case of sw at pos names, or nil.
func (c check) constantAt(sw *ast.SwitchStmt, pos token.Pos) *types.Const {
	for _, cc := range sw.Body.List {
		for _, e := range cc.(*ast.CaseClause).List {
			if id, ok := e.(*ast.Ident); ok && e.Pos() == pos {
				k, _ := c.Pass.TypesInfo.Uses[id].(*types.Const)
				if k != nil && k.Pkg() == c.Pass.Pkg {
					return k
				}
			}
		}
	}
	return nil
}

// droppedCodes reports the constants of messages for which no switch has a case, if messages
// without a case go nowhere.
func (c check) droppedCodes(oc *opcode) {
	if oc.elsewhere || slices.ContainsFunc(oc.switches,
		func(sw *opSwitch) bool { return !c.drops(sw) }) {
		return
	}
	sw := oc.switches[0]
	for _, text := range slices.Sorted(maps.Keys(oc.made)) {
		if !oc.tested[text].IsValid() {
			c.Report(oc.made[text], sw.stmt.Switch, "has no case for it",
				"%s is sent here, for which the switch of %s, at %s, has no case: it is dropped",
				oc.of(c.constantName(oc.typ, text)), discipline.Name(sw.in), c.At(sw.stmt.Switch))
		}
	}
}

// drops reports whether sw silently drops a message that it has no case for: it has no default.
func (c check) drops(sw *opSwitch) bool {
	for _, cc := range sw.stmt.Body.List {
		if cc.(*ast.CaseClause).List == nil {
			return false
		}
	}
	b, i := sw.in.Blocks[0], 0
	if at, ok := sw.code.(ssa.Instruction); ok {
		b, i = at.Block(), kernel.IndexOf(at)+1
	}
	return c.passesBy(b, i, func(cond ssa.Value) bool {
		return slices.ContainsFunc(sw.cases, func(x *ssa.BinOp) bool { return x == cond })
	})
}

// constantName names the constant of the package that has a value, and the type t rather than none,
// or else is the value.
func (c check) constantName(t types.Type, text string) string {
	scope := c.Pass.Pkg.Scope()
	found := text
	for _, name := range scope.Names() {
		k, ok := scope.Lookup(name).(*types.Const)
		switch {
		case !ok || k.Val().ExactString() != text || !types.AssignableTo(k.Type(), t):
		case types.Identical(k.Type(), t):
			return name
		case found == text:
			found = name
		}
	}
	return found
}
