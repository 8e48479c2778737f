package std

import (
	"go/ast"
	"strings"
)

// linked has the functions of package runtime that modules reach by go:linkname, with the function of package hook that
// takes their place.
var linked = map[string]string{
	"runtime.nanotime":   "Nanotime",
	"runtime.fastrand":   "Fastrand",
	"runtime.cheaprand":  "Fastrand",
	"runtime.fastrandn":  "Fastrandn",
	"runtime.cheaprandn": "Fastrandn",
	"runtime.fastrand64": "Fastrand64",
	"runtime.rand":       "Fastrand64",
	"runtime.memhash":    "Memhash",
	"runtime.strhash":    "Strhash",
}

// Linked returns the function of package hook that is to be the body of a declaration without one: d is linked by name
// to a function of package runtime that is controlled. It returns "" for all others.
func Linked(d *ast.FuncDecl) string {
	if d.Body != nil || d.Recv != nil || d.Doc == nil {
		return ""
	}
	for _, c := range d.Doc.List {
		words := strings.Fields(c.Text)
		if len(words) == 3 && words[0] == "//go:linkname" && words[1] == d.Name.Name {
			return linked[words[2]]
		}
	}
	return ""
}
