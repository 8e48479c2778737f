package blocking

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/rehearse-go/rehearse/analysis/skeleton/machine"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// writer puts findings into words.
type writer struct {
	pass     *analysis.Pass
	operands map[token.Pos]string // how an operation's object is written, by position
}

func newWriter(pass *analysis.Pass) *writer {
	w := &writer{pass, map[token.Pos]string{}}
	for _, f := range pass.Files {
		ast.Inspect(f, w.noteOperand)
	}
	return w
}

func (w *writer) noteOperand(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SendStmt:
		w.operands[n.Arrow] = types.ExprString(n.Chan)
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			w.operands[n.OpPos] = types.ExprString(n.X)
		}
	case *ast.RangeStmt:
		w.operands[n.For] = types.ExprString(n.X)
		w.operands[n.TokPos] = types.ExprString(n.X)
	case *ast.CallExpr:
		sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
		switch {
		case ok && w.isPackage(sel.X):
		case ok:
			w.operands[n.Lparen] = types.ExprString(sel.X)
		case len(n.Args) == 1:
			w.operands[n.Lparen] = types.ExprString(n.Args[0])
		}
	}
	return true
}

func (w *writer) isPackage(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	_, is := w.pass.TypesInfo.Uses[id].(*types.PkgName)
	return is
}

func (w *writer) at(pos token.Pos) string {
	p := w.pass.Fset.Position(pos)
	return fmt.Sprintf("%s:%d", p.Filename[strings.LastIndexByte(p.Filename, '/')+1:], p.Line)
}

// offset writes a position as Runs.Functions has it.
func (w *writer) offset(pos token.Pos) string {
	f := w.pass.Fset.File(pos)
	return fmt.Sprintf("%s:%d", filepath.Base(f.Name()), f.Offset(pos))
}

func (w *writer) operand(pos token.Pos, otherwise string) string {
	if s := w.operands[pos]; pos.IsValid() && s != "" && len(s) < 60 {
		return s
	}
	return otherwise
}

// message is the finding in a sentence.
func (w *writer) message(f *witness) string {
	return w.what(f) + w.conditions(f)
}

func (w *writer) what(f *witness) string {
	main := f.stuck[0]
	switch {
	case f.check == closeCheck:
		ch := w.operand(f.pos, "the channel")
		if f.kind == trace.Close {
			return fmt.Sprintf("%s may be closed here for the second time, which panics", ch)
		}
		return fmt.Sprintf("this send to %s may come after its close, and panics then", ch)
	case f.fatal && f.otherwise:
		const text = "%s unlocks %s here in another way than it has locked it at %s, " +
			"which ends the program"
		lock := w.operand(f.pos, w.operand(f.freed, "a lock"))
		return fmt.Sprintf(text, main.where, lock, w.at(f.freed))
	case f.fatal:
		return fmt.Sprintf("%s unlocks %s here, which it has unlocked at %s: that ends the program",
			main.where, w.operand(f.pos, w.operand(f.freed, "a lock")), w.at(f.freed))
	case f.leaves() && f.saved:
		return fmt.Sprintf("%s recovers a panic of this call, and returns with %s locked",
			main.where, w.operand(f.lockedAt(), "a lock"))
	case f.leaves():
		return fmt.Sprintf("%s returns here with %s locked", main.where, w.operand(f.lockedAt(),
			"a lock"))
	case f.check == leakCheck:
		return fmt.Sprintf("the goroutine started here %s for ever %s at %s", doesForEver(main),
			w.waits(main), w.at(main.pos))
	}
	text := fmt.Sprintf("%s %s here for ever %s", main.where, doesForEver(main), w.waits(main))
	switch {
	case isLock(f.kind):
		text += w.holder(f)
	case f.owes != nil:
		text += fmt.Sprintf(", while %s, which is to end that, waits at %s for the lock %s",
			f.owes.where, w.at(f.owes.site), w.operand(f.owes.site, ""))
	}
	return text
}

// doesForEver says what a process does for ever.
func doesForEver(a wait) string {
	if a.goes {
		return "goes round"
	}
	return "waits"
}

// locking is the step in which the lock was taken that a function leaves locked.
func (f *witness) locking() step {
	i := slices.IndexFunc(f.steps, func(s step) bool { return s.stays })
	if i < 0 {
		return step{}
	}
	return f.steps[i]
}

// lockedAt is where that is, in this package.
func (f *witness) lockedAt() token.Pos { return f.locking().here() }

// here is where in this package a step is.
func (s step) here() token.Pos { return cmp.Or(s.site, s.pos) }

// elsewhere reports whether a step is in another package.
func (s step) elsewhere() bool { return s.here() != s.pos }

// holder says who has the lock.
func (w *writer) holder(f *witness) string {
	if f.object == nil || len(f.object.Holders) == 0 {
		return ""
	}
	h := f.object.Holders[0]
	if f.kind == trace.Once && h.Proc.Name == f.stuck[0].name {
		return " since " + w.at(h.Call)
	}
	if h.Proc.Ended {
		return fmt.Sprintf(", which %s has left locked at %s", h.Proc.Name, w.at(h.Call))
	}
	if len(f.stuck) == 1 || h.Proc.Name == f.stuck[0].name && h.Proc.Call == f.stuck[0].site {
		return fmt.Sprintf(", which it has locked itself at %s", w.at(h.Call))
	}
	return fmt.Sprintf(", which %s has locked at %s, and waits itself at %s", h.Proc.Name,
		w.at(h.Call), w.at(h.Proc.Call))
}

// waits says what a process waits to do.
func (w *writer) waits(a wait) string {
	lock := w.operand(a.site, "")
	if a.site != a.pos { // only a lock may be what a call of another package's method is on
		a.site = token.NoPos
	}
	switch a.kind {
	case trace.Send:
		if a.tokens {
			return "to acquire " + w.operand(a.site, "a semaphore")
		}
		return "to send to " + w.operand(a.site, "a channel")
	case trace.Recv:
		return "to receive from " + w.operand(a.site, "a channel")
	case trace.Select:
		return "in a select"
	case trace.WgWait:
		return "for " + w.operand(a.site, "a group")
	case trace.CondWait:
		return "to be woken by " + w.operand(a.site, "a Cond")
	case trace.Once:
		return "for " + w.operand(a.site, "a Once") + ".Do, which is under way"
	}
	return strings.TrimSuffix("for the lock "+lock, " ")
}

// conditions lists what the finding assumes.
func (w *writer) conditions(f *witness) string {
	var list []string
	for _, t := range f.taken {
		text := t.text
		if text == machine.CaseFirst {
			text = w.operand(t.pos, "another case") + " is ready first"
		}
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	if f.together != "" {
		list = append(list, f.together)
	}
	for _, x := range f.steps {
		if f.outsiders && x.decision == byOutsider && !slices.Contains(list, x.text) {
			list = append(list, x.text)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return ", if " + strings.Join(list, ", and ")
}

// maxSteps bounds the steps that are shown.
const maxSteps = 12

// related lists the steps.
func (w *writer) related(f *witness) []analysis.RelatedInformation {
	var out []analysis.RelatedInformation
	steps := slices.Clone(f.steps)
	steps = slices.CompactFunc(steps, func(a, b step) bool {
		return a.pos == b.pos &&
			a.text == b.text && a.fn == b.fn
	})
	if n := len(steps) - maxSteps; n > 0 {
		steps = steps[n:]
	}
	for _, s := range steps {
		if !s.pos.IsValid() {
			continue
		}
		text := s.text
		if s.decision != "" {
			text = "assumed: " + text
		}
		if s.elsewhere() {
			text += " at " + w.at(s.pos)
		}
		out = append(out, analysis.RelatedInformation{Pos: s.here(),
			Message: fmt.Sprintf("%d  %s: %s", len(out)+1, s.fn, text)})
	}
	return out
}
