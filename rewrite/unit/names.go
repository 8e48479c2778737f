package unit

import (
	"fmt"
	"go/ast"
	"strings"
)

// Names are the identifiers that rewritten text may use freely.
type Names struct {
	Hook   string // the name that package hook is imported under
	prefix string // of temporaries
}

// ChooseNames returns names that no identifier of the files collides with, wherever it is declared.
func ChooseNames(files []*ast.File) Names {
	used := identifiers(files)
	free := func(prefix string) bool {
		for name := range used {
			if len(name) > len(prefix) && strings.HasPrefix(name, prefix) {
				return false
			}
		}
		return !used[prefix] || prefix == "_"
	}
	return Names{Hook: first("_rehearse", free), prefix: first("_", free)}
}

// identifiers returns all names that occur in the files.
func identifiers(files []*ast.File) map[string]bool {
	used := make(map[string]bool)
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				used[id.Name] = true
			}
			return true
		})
	}
	return used
}

// first returns the first of stem, stem1, stem2, ... that is free. The stem of temporaries, an
// underscore, continues with letters, so that _r0 stands beside _1r0 at worst.
func first(stem string, free func(string) bool) string {
	name := stem
	for i := 1; !free(name); i++ {
		name = fmt.Sprintf("%s%d", stem, i)
	}
	return name
}

// Temp returns the name of a temporary.
func (n Names) Temp(stem string) string { return n.prefix + stem }

// TempN returns the name of the i-th temporary of its kind.
func (n Names) TempN(stem string, i int) string { return fmt.Sprintf("%s%s%d", n.prefix, stem, i) }
