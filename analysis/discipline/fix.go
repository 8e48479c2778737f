package discipline

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
)

// NodeWhere returns the first node of type N in the package for which is holds; ok is false if
// there is none.
func NodeWhere[N ast.Node](pass *analysis.Pass, is func(N) bool) (out N, ok bool) {
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if x, match := n.(N); match && !ok && is(x) {
				out, ok = x, true
			}
			return !ok
		})
	}
	return out, ok
}

// Fix is the one way to mend what a check reports.
func Fix(message string, edits ...analysis.TextEdit) []analysis.SuggestedFix {
	return []analysis.SuggestedFix{{Message: message, TextEdits: edits}}
}

// Insert puts text before pos.
func Insert(pos token.Pos, text string) analysis.TextEdit {
	return analysis.TextEdit{Pos: pos, End: pos, NewText: []byte(text)}
}
