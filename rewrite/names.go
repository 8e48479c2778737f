package rewrite

import (
	"fmt"
	"go/ast"
	"strings"
)

// names are the identifiers that rewritten text may use freely.
type names struct {
	hook   string // the name that package hook is imported under
	prefix string // of temporaries
}

// chooseNames returns names that no identifier of the files collides with, wherever it is declared.
func chooseNames(files []*ast.File) names {
	used := identifiers(files)
	free := func(prefix string) bool {
		for name := range used {
			if len(name) > len(prefix) && strings.HasPrefix(name, prefix) {
				return false
			}
		}
		return !used[prefix] || prefix == "_"
	}
	return names{hook: first("_rehearse", free), prefix: first("_", free)}
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

// temp returns the name of a temporary.
func (n names) temp(stem string) string { return n.prefix + stem }

// tempN returns the name of the i-th temporary of its kind.
func (n names) tempN(stem string, i int) string { return fmt.Sprintf("%s%s%d", n.prefix, stem, i) }
