package pointsto

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Reason says why too little is known about a site.
type Reason string

const (
	Reflect Reason = "reflection" // a call of package reflect
	// a conversion to or from unsafe.Pointer or uintptr, a function of package unsafe
	Unsafe  Reason = "unsafe"
	Cgo     Reason = "cgo"            // a call of C
	NoBody  Reason = "no Go body"     // assembly or linkname in a source package
	Decoder Reason = "decoder"        // fills in values by reflection
	ByName  Reason = "called by name" // may call exported methods by their names
	TooMuch Reason = "too much"       // the whole program: see Result.GaveUp; no position
)

// Site is a place that was reached and about which too little is known.
type Site struct {
	Pos    token.Pos
	Instr  ssa.Instruction
	In     *Instance // the first that came there
	Reason Reason
	What   string // the function or conversion
}

type unknowns struct {
	sites  []Site
	listed map[ssa.Instruction]bool
}

func (a *analysis) list(in *Instance, instr ssa.Instruction, why Reason, what string) {
	if a.listed == nil {
		a.listed = map[ssa.Instruction]bool{}
	}
	if !a.listed[instr] {
		a.listed[instr] = true
		a.sites = append(a.sites, Site{instr.Pos(), instr, in, why, what})
	}
}

// listCall lists a call of a function without a body, if more than the bag may happen.
func (a *analysis) listCall(in *Instance, site ssa.CallInstruction, fn *ssa.Function) {
	pkg := packageOf(fn)
	switch {
	case pkg == nil:
	case pkg.Path() == "reflect":
		a.list(in, site, Reflect, fn.String())
	case isCgo(fn):
		a.list(in, site, Cgo, fn.String())
	case a.types.source[pkg]:
		a.list(in, site, NoBody, fn.String())
	case decoder(fn):
		a.list(in, site, Decoder, fn.String())
	case findsByName(fn):
		a.list(in, site, ByName, fn.String())
	}
}

// isCgo reports whether fn calls C.
func isCgo(fn *ssa.Function) bool {
	name := fn.Name()
	return strings.HasPrefix(name, "_Cfunc_") || strings.HasPrefix(name, "_C2func_") ||
		strings.HasPrefix(name, "_cgo")
}

// decoder reports whether a library function fills in what it is given: Unmarshal, Decode, Scan,
// and the like.
func decoder(fn *ssa.Function) bool {
	for _, verb := range []string{"Unmarshal", "Decode", "Scan"} {
		if strings.HasPrefix(fn.Name(), verb) && fn.Signature.Params().Len() > 0 {
			return true
		}
	}
	return false
}

// findsByName reports whether a library function calls methods by their names.
func findsByName(fn *ssa.Function) bool {
	switch pkg := packageOf(fn); {
	case pkg == nil:
		return false
	case pkg.Path() == "text/template" || pkg.Path() == "html/template":
		return strings.HasPrefix(fn.Name(), "Execute")
	case pkg.Path() == "net/rpc":
		return strings.HasPrefix(fn.Name(), "Register")
	}
	return false
}
