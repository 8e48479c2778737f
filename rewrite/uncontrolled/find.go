// Package uncontrolled finds what a test can reach that an exploration does not control.
//
// Vocabulary. A root is a function that the go command's test binary starts: a test function,
// TestMain, main, or a package initialiser. A root is outside if it runs before the exploration
// begins (package initialisers and TestMain), inside otherwise. A use is a place in the source with
// an uncontrolled operation: a call of a function of the standard library that rewrite/std refuses,
// or, in a package that is not rewritten, a go statement or an operation on a channel. A use is
// guarded if the binary notices when an execution, or an outside root, comes to it. External code
// is the standard library: code without bodies in the program. If the program is the tests of one
// of its packages, the files of that package other than tests are external, too.
//
// Reachability is rapid type analysis (D. F. Bacon, P. F. Sweeney: Fast Static Analysis of C++
// Virtual Function Calls, OOPSLA 1996). A call through a function value may reach every function of
// the same signature whose value has been taken in reachable code. A call through an interface may
// reach the method of every type that reachable code converts to an interface. Every inside root
// may use the values and types that package initialisers take and convert, but does not reach the
// initialisers. Goroutines and timers that outside roots start in rewritten packages are reached by
// every inside root, and not by the outside roots. External code calls all functions handed to it,
// the methods of the interfaces it asks for, and the methods that formatting and encoding look for.
// Functions that it keeps, by the table, are called inside only.
//
// Guarantees. Every use that an execution can come to is found, within the limits; the result is in
// the order of the source. Outside, only goroutines of packages that are not rewritten count. All
// else that outlives the root is guarded, or every execution starts it anew.
//
// Limits. Not seen: functions that external code finds by reflection, other than by text/template
// and reflect.Value.Method; code behind assembly; and functions that external code keeps from an
// earlier root. A use may be reported that no execution comes to: a value that is passed is thought
// to be called. The SSA program must instantiate generics (ssa.InstantiateGenerics) and have no
// bodies for the standard library.
package uncontrolled

import (
	"cmp"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/rewrite/std"
)

// Use is one place that a root reaches.
type Use struct {
	Pos       token.Position
	Construct string   // "time.Sleep", "(*sync.Cond).Wait", "go statement", "send" ...
	Kind      std.Kind // how it spoils an exploration
	Reason    string   // completes "time.Sleep is refused: it ..."
	In        string   // the function that contains Pos
	Path      []string // calls that lead there: the root, ..., In

	Package string // import path of what is used, when it is external
	Inside  string // import path of the package that contains Pos; empty for a wrapper
	// only through a function value or an interface: it is not known which function is called there
	Possible bool
	Guarded  bool     // it is noticed when an execution comes there
	InC      bool     // Pos is in a file that imports "C"
	Linked   bool     // it is a function that is linked by name
	Callers  []string // the functions of Path and In, with their packages' paths
}

// Find returns the uses that each of roots reaches, in the order of their positions. Roots that
// reach none are not in the map. The function controlled tells the packages that will be rewritten,
// trusted those that the user lets run as they are. The string library is the directory of the
// standard library's sources; withC are the files that import "C". Find builds the packages it
// comes to.
func Find(prog *ssa.Program, roots []*ssa.Function, library string, controlled,
	trusted func(path string) bool, withC map[string]bool) map[*ssa.Function][]Use {
	f := newFinder(prog, library, controlled, trusted, withC)
	uses := make(map[*ssa.Function][]Use)
	for _, root := range roots {
		if found := f.from(root, roots).report(); len(found) > 0 {
			uses[root] = found
		}
	}
	return uses
}

// from returns the walk that starts at root, after the outside roots of its package.
func (f *finder) from(root *ssa.Function, roots []*ssa.Function) *walk {
	if isInit(root) {
		return f.outside(root)
	}
	env := []*walk{f.outside(root.Pkg.Func("init"))}
	if isTestMain(root) {
		return f.outside(root, env...)
	}
	for _, r := range roots {
		if isTestMain(r) {
			env = append(env, f.from(r, nil))
		}
	}
	return f.walk(root, env)
}

// outside returns the walk from an outside root. It is made once.
func (f *finder) outside(root *ssa.Function, env ...*walk) *walk {
	if f.walks[root] == nil {
		f.walks[root] = f.walk(root, env)
	}
	return f.walks[root]
}

func isInit(fn *ssa.Function) bool { return fn.Synthetic == "package initializer" }

func isTestMain(fn *ssa.Function) bool {
	return fn.Name() == "TestMain" && fn.Parent() == nil && fn.Signature.Recv() == nil
}

// report returns the uses of w in the order of the source, each once.
func (w *walk) report() []Use {
	var uses []Use
	for _, u := range w.found {
		uses = append(uses, w.use(u))
	}
	slices.SortStableFunc(uses, func(a, b Use) int { return cmp.Or(compare(a, b), surer(a, b)) })
	return slices.CompactFunc(uses, func(a, b Use) bool { return compare(a, b) == 0 })
}

func surer(a, b Use) int {
	switch {
	case a.Possible == b.Possible:
		return 0
	case b.Possible:
		return -1
	}
	return 1
}

func compare(a, b Use) int {
	return cmp.Or(
		strings.Compare(a.Pos.Filename, b.Pos.Filename),
		cmp.Compare(a.Pos.Line, b.Pos.Line),
		cmp.Compare(a.Pos.Column, b.Pos.Column),
		strings.Compare(a.Construct, b.Construct))
}

func (w *walk) use(r reached) Use {
	v := r.finding
	return Use{
		Pos:       w.f.prog.Fset.Position(v.pos),
		Construct: v.construct + w.where(v),
		Kind:      v.kind,
		Reason:    v.reason,
		In:        w.name(v.in),
		Path:      w.path(r),
		Package:   v.pkg,
		Inside:    w.f.inside(v.in),
		Possible:  !r.direct || !w.surely()[r.by],
		Guarded:   v.guarded,
		InC:       w.f.inC(v.in),
		Linked:    v.linked,
		Callers:   w.callers(r),
	}
}

// surely returns the functions that calls of named functions lead to, and literals within those.
func (w *walk) surely() map[*ssa.Function]bool {
	if w.sure != nil {
		return w.sure
	}
	w.sure = map[*ssa.Function]bool{}
	var queue []*ssa.Function
	for fn, by := range w.caller {
		if by == nil { // the root, and what runs by itself
			w.sure[fn] = true
			queue = append(queue, fn)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		s := w.f.summary(queue[0])
		add := func(fn *ssa.Function) {
			if _, reached := w.caller[fn]; reached && !w.sure[fn] {
				w.sure[fn] = true
				queue = append(queue, fn)
			}
		}
		for _, r := range s.launches {
			add(r.fn)
		}
		for _, r := range s.calls {
			if !r.dynamic {
				add(r.fn)
			}
		}
		for _, r := range s.values {
			if r.fn.Parent() == queue[0] {
				add(r.fn)
			}
		}
	}
	return w.sure
}

// where says in which outside root a goroutine or a timer starts.
func (w *walk) where(v finding) string {
	switch {
	case !v.isGo || !w.isOutside():
		return ""
	case isInit(w.root):
		return " in package initialisation"
	default:
		return " in TestMain"
	}
}

// path lists the calls from the root to the function of r. A function value may have been taken
// elsewhere: then the caller of the value comes before the function that took it.
func (w *walk) path(r reached) []string {
	var path []string
	if r.by != r.in {
		path = append(path, w.name(r.in))
	}
	for fn := r.by; fn != nil; fn = w.caller[fn] {
		path = append(path, w.name(fn))
	}
	slices.Reverse(path)
	return path
}

// callers lists the functions of path, and the one that contains r, with the paths of their
// packages.
func (w *walk) callers(r reached) (list []string) {
	list = append(list, r.in.RelString(nil))
	for fn := r.by; fn != nil; fn = w.caller[fn] {
		list = append(list, fn.RelString(nil))
	}
	return list
}

func (w *walk) name(fn *ssa.Function) string {
	return fn.RelString(w.root.Pkg.Pkg)
}
