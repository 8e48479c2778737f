package discipline

import (
	"go/token"
	"go/types"
	"maps"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Ownership reports writes to what has been sent away.
var Ownership = &analysis.Analyzer{
	Name: "ownership",
	Doc: `check that what has been sent is not written afterwards

Who sends a pointer, a slice or a map hands over what it refers to: from then on the receiver reads it, whenever it comes
to that. A sender that writes to it afterwards changes the message under the eyes of the receiver: a data race.

Example:

	buf := make([]byte, 4096)
	for {
		n, err := conn.Read(buf) // overwrites what the receiver may be reading
		if err != nil {
			return
		}
		packets <- buf[:n]
	}

Fix: make a new buffer or object for each message, or send a copy (slices.Clone, maps.Clone); or wait for the receiver's
answer before the next write.

Not reported: writes after anything that may have waited for the receiver (an operation on a channel, a lock, a call of
code that is not seen); objects with a lock in them; sends under a lock; messages that no receiver is seen to use.`,
	Requires: []*analysis.Analyzer{Code},
	Run:      run((*rule).ownership),
}

func (c *rule) ownership() {
	for _, o := range c.ops {
		if o.kind != sends || !refers(messageType(o.msg)) || hasLock(messageType(o.msg)) || c.locked(o.at) {
			continue
		}
		use := c.usedBy(o)
		if use == nil {
			continue
		}
		if w := c.writeAfter(o); w != nil {
			c.reportWrite(o, w, use)
		}
	}
}

func (c *rule) reportWrite(o *op, w, use ssa.Instruction) {
	pos := posOf(w)
	c.out(analysis.Diagnostic{Pos: pos, Message: "what was sent to " + c.nameOf(o) + " at " + c.at(o.pos) +
		" is written here, while its receiver may use it, at " + c.at(posOf(use)),
		Related: []analysis.RelatedInformation{{Pos: o.pos, Message: "sent here"}, {Pos: posOf(use), Message: "used here"}}})
}

// posOf returns the position of an instruction, or of the first one near it that has one.
func posOf(i ssa.Instruction) token.Pos {
	if i.Pos().IsValid() {
		return i.Pos()
	}
	for _, v := range i.Operands(nil) {
		if *v != nil && (*v).Pos().IsValid() && (*v).Parent() == i.Parent() {
			return (*v).Pos()
		}
	}
	for _, x := range i.Block().Instrs[indexOf(i):] {
		if x.Pos().IsValid() {
			return x.Pos()
		}
	}
	return i.Parent().Pos()
}

// refers reports whether a message of type t shares memory with its sender.
func refers(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map:
		return true
	}
	return false
}

// hasLock reports whether what t points to is a struct with something of package sync in it.
func hasLock(t types.Type) bool {
	s, ok := deref(t).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if n, ok := types.Unalias(deref(f.Type())).(*types.Named); ok && n.Obj().Pkg() != nil {
			if path := n.Obj().Pkg().Path(); path == "sync" || path == "sync/atomic" {
				return true
			}
		}
	}
	return false
}

// locked reports whether a lock is taken before instr in its function.
func (c *code) locked(instr ssa.Instruction) bool {
	held := false
	eachOf(instr.Parent(), func(i ssa.Instruction) {
		if call, ok := i.(*ssa.Call); ok && isLock(call.Common()) && reaches(i, instr, nil) {
			held = true
		}
	})
	return held
}

// isLock reports whether a call takes a lock, to judge by its name.
func isLock(call *ssa.CallCommon) bool {
	switch calleeName(call) {
	case "Lock", "RLock", "TryLock", "lock", "rlock":
		return true
	}
	return false
}

func calleeName(call *ssa.CallCommon) string {
	if call.IsInvoke() {
		return call.Method.Name()
	}
	if fn := call.StaticCallee(); fn != nil {
		return fn.Name()
	}
	return ""
}

// usedBy returns where a receiver of o's channel, on another process, uses what the message refers to.
func (c *code) usedBy(o *op) ssa.Instruction {
	for _, r := range c.flow.of(o.ch).ops[receives] {
		if r.msg == nil || !types.Identical(elem(r.ch), elem(o.ch)) || !c.apart(o.in(), r.in()) {
			continue
		}
		if u := firstUse(r.msg, map[ssa.Value]bool{}); u != nil {
			return u
		}
	}
	return nil
}

func elem(ch ssa.Value) types.Type {
	if t, ok := ch.Type().Underlying().(*types.Chan); ok {
		return t.Elem()
	}
	return types.Typ[types.Invalid]
}

// apart reports whether some process runs one of the functions and not the other.
func (c *code) apart(f, g *ssa.Function) bool {
	if f == g {
		return false
	}
	for _, p := range c.procs {
		if p.runs[f] != p.runs[g] {
			return true
		}
	}
	return false
}

// firstUse returns an instruction that reads or writes what v refers to, or hands v to a function.
func firstUse(v ssa.Value, seen map[ssa.Value]bool) ssa.Instruction {
	if seen[v] || v.Referrers() == nil {
		return nil
	}
	seen[v] = true
	for _, ref := range *v.Referrers() {
		var next ssa.Value
		switch i := ref.(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Lookup, *ssa.MapUpdate, *ssa.Range:
			return ref
		case *ssa.Call:
			if b, ok := i.Call.Value.(*ssa.Builtin); !ok || b.Name() == "copy" || b.Name() == "append" {
				return ref
			}
		case *ssa.UnOp:
			if i.Op == token.MUL {
				if _, variable := v.(*ssa.Alloc); !variable {
					return ref
				}
				next = i
			}
		case *ssa.Store:
			if a, ok := i.Addr.(*ssa.Alloc); ok && i.Val == v {
				next = a
			}
		case *ssa.TypeAssert:
			next = i
			if i.CommaOk {
				next = extracted(i, 0)
			}
			if next == nil || !refers(next.Type()) {
				continue
			}
		case *ssa.Phi, *ssa.ChangeType, *ssa.Slice:
			next = ref.(ssa.Value)
		}
		if next != nil {
			if u := firstUse(next, seen); u != nil {
				return u
			}
		}
	}
	return nil
}

// held are the values and variables that share memory with a message on one path. The keys are *ssa.Value and loci; a
// shortened slice starts at the same place and has room for what it no longer shows.
type held map[any]memory

type memory int

const (
	whole memory = 1 + iota
	shortened
)

// writeAfter returns the first write to the message of o on a path from o on which nothing waits.
func (c *code) writeAfter(o *op) ssa.Instruction {
	start := held{}
	v := o.msg
	if i, ok := v.(*ssa.MakeInterface); ok {
		v = i.X
	}
	c.hold(start, v)
	b, i := after(o)
	if b == nil {
		return nil
	}
	f := &follow{code: c, seen: map[*ssa.BasicBlock]int{}}
	return f.from(b, i, start)
}

// hold notes that v, and what it is a part or a copy of, is the message.
func (c *code) hold(h held, v ssa.Value) {
	for {
		h[v] = whole
		switch x := v.(type) {
		case *ssa.Slice:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.UnOp:
			if x.Op == token.MUL {
				h[c.locate(x)] = whole
			}
			return
		default:
			return
		}
	}
}

// follow walks the paths after a send.
type follow struct {
	code *code
	seen map[*ssa.BasicBlock]int // how often a block was entered
}

// maxEntries bounds how often a block is entered, each time with other held values.
const maxEntries = 4

func (f *follow) from(b *ssa.BasicBlock, i int, h held) ssa.Instruction {
	for _, instr := range b.Instrs[i:] {
		if f.writes(instr, h) {
			return instr
		}
		if f.code.waits(instr) {
			return nil
		}
		f.update(instr, h)
	}
	for _, s := range b.Succs {
		if f.seen[s]++; f.seen[s] > maxEntries {
			continue
		}
		if w := f.from(s, 0, enter(s, b, h)); w != nil {
			return w
		}
	}
	return nil
}

// enter returns what is held at the begin of s, coming from b.
func enter(s, b *ssa.BasicBlock, h held) held {
	out := maps.Clone(h)
	for k, p := range s.Preds {
		if p != b {
			continue
		}
		for _, i := range s.Instrs {
			phi, ok := i.(*ssa.Phi)
			if !ok {
				break
			}
			out.set(phi, h[phi.Edges[k]])
		}
		break
	}
	return out
}

func (h held) set(key any, m memory) {
	if m == 0 {
		delete(h, key)
	} else {
		h[key] = m
	}
}

// update notes what instr holds after it has run.
func (f *follow) update(instr ssa.Instruction, h held) {
	switch i := instr.(type) {
	case *ssa.Phi:
	case *ssa.Store:
		h.set(f.code.locate(i.Addr), h[i.Val])
	case *ssa.Slice:
		m := h[i.X]
		if m != 0 && i.High != nil {
			m = shortened
		}
		h.set(i, m)
	case *ssa.ChangeType:
		h.set(i, h[i.X])
	case *ssa.UnOp:
		if i.Op == token.MUL {
			h.set(i, h[f.code.locate(i)])
		}
	case *ssa.Call:
		if f.code.static(i.Common()) != nil {
			h.forgetFields()
		}
		delete(h, instr.(ssa.Value))
	case ssa.Value:
		delete(h, i)
	}
}

// forgetFields drops what is known of fields: a call may have assigned to them.
func (h held) forgetFields() {
	maps.DeleteFunc(h, func(k any, _ memory) bool { l, ok := k.(locus); return ok && l.last != nil })
}

// writes reports whether instr writes to what is held.
func (f *follow) writes(instr ssa.Instruction, h held) bool {
	switch i := instr.(type) {
	case *ssa.Store:
		return h.inside(i.Addr)
	case *ssa.MapUpdate:
		return h[i.Map] != 0
	case *ssa.Call:
		return callWrites(i.Common(), h)
	}
	return false
}

// inside reports whether an address is in memory that is held.
func (h held) inside(addr ssa.Value) bool {
	if _, variable := addr.(*ssa.Alloc); variable {
		return h[addr] != 0
	}
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr = x.X
		case *ssa.IndexAddr:
			addr = x.X
		default:
			return false
		}
		if h[addr] != 0 {
			return true
		}
	}
}

// callWrites reports whether a call writes to a slice or map that is held.
func callWrites(call *ssa.CallCommon, h held) bool {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append":
			return h[call.Args[0]] == shortened
		case "copy", "delete", "clear":
			return h[call.Args[0]] != 0
		}
		return false
	}
	args := call.Args
	switch calleeName(call) {
	case "Read":
		if !call.IsInvoke() && len(args) > 0 && call.Signature().Recv() != nil {
			args = args[1:]
		}
		return len(args) == 1 && isBytes(args[0].Type()) && h[args[0]] != 0
	case "ReadFull", "ReadAtLeast":
		return len(args) > 1 && isBytes(args[1].Type()) && h[args[1]] != 0
	}
	return false
}

func isBytes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(s.Elem(), types.Typ[types.Byte])
}
