package shared

import (
	"go/ast"
	"go/types"
	"go/version"
	"strings"
)

// GoVersion is the language version of a file, "go1.21"; empty: the newest. module is the module's,
// with or without "go" in front. A line //go:build may change it.
func GoVersion(info *types.Info, f *ast.File, module string) string {
	if v := info.FileVersions[f]; v != "" {
		return v
	}
	if module != "" && !strings.HasPrefix(module, "go") {
		return "go" + module
	}
	return module
}

// PerIteration reports whether the loop variables of a file are new in each iteration, as they are
// since Go 1.22.
func PerIteration(info *types.Info, f *ast.File, module string) bool {
	v := GoVersion(info, f, module)
	return v == "" || version.Compare(v, "go1.22") >= 0
}
