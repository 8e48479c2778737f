package uncontrolled

import (
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/rewrite/std"
)

// goStatement records a goroutine. Whether it matters depends on the root and on the package.
func (s *scanner) goStatement(instr ssa.Instruction) {
	s.findings = append(s.findings, finding{
		pos:       s.position(instr),
		in:        s.fn,
		construct: "go statement",
		kind:      std.Background,
		reason:    "starts a goroutine outside the exploration's control",
		isGo:      true,
	})
}

// concurrency records the operation on a channel that instr is, in a function that is not
// rewritten.
func (s *scanner) concurrency(instr ssa.Instruction) {
	if op := channelOperation(instr); op != "" {
		s.findings = append(s.findings, finding{
			pos:       s.position(instr),
			in:        s.fn,
			construct: op,
			kind:      std.Schedule,
			reason: "works on a channel in package " + pkgOf(s.fn).Path() +
				", which is not rewritten",
		})
	}
}

func channelOperation(instr ssa.Instruction) string {
	switch instr := instr.(type) {
	case *ssa.Send:
		return "send"
	case *ssa.Select:
		return "select"
	case *ssa.UnOp:
		if instr.Op == token.ARROW {
			return "receive"
		}
	case ssa.CallInstruction:
		if b, ok := instr.Common().Value.(*ssa.Builtin); ok && b.Name() == "close" {
			return "close"
		}
	}
	return ""
}

// bodyless records a function of a package with syntax that the analysis cannot see into. Assembly
// is trusted: it computes. So is C, until it blocks. A function that is linked by name is guarded
// in packages that are rewritten.
func (s *scanner) bodyless() {
	decl, ok := s.fn.Syntax().(*ast.FuncDecl)
	if !ok || strings.HasPrefix(decl.Name.Name, "_cgo") ||
		strings.HasPrefix(decl.Name.Name, "_Cgo") {
		return
	}
	l := std.LinkOf(decl)
	if l.Comment == nil && (decl.Doc == nil ||
		!strings.Contains(pragmas(decl.Doc), "//go:linkname")) ||
		l.Hook() != "" && s.f.isControlled(s.fn) || l.Harmless() {
		return
	}
	s.findings = append(s.findings,
		finding{pos: s.fn.Pos(), in: s.fn, construct: s.fn.Name(), kind: std.Schedule,
			reason: "is linked by name to a function that the analysis cannot see", linked: true,
			guarded: l.Comment != nil && s.f.isControlled(s.fn)})
}

// pragmas returns the text of a comment with the directives that Text leaves out.
func pragmas(doc *ast.CommentGroup) string {
	var lines []string
	for _, c := range doc.List {
		lines = append(lines, c.Text)
	}
	return strings.Join(lines, "\n")
}
