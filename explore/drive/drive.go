// Package drive is the environment of a component in a controlled test binary. It calls a harness
// and performs the operations of a script, each in a process of its own. It records the component's
// outputs, each with the inputs that it needs.
//
// Vocabulary: see package refine. To announce is to make a step that touches no object: an input is
// announced right before its operation, an output right after.
//
// Inputs are given as early as possible: all processes start at once. Happens-before tells how late
// each input could have come, so that no order of announcements has to be explored.
//
// LIMITS: values are read when they cross the boundary, by reflection; later changes through a
// pointer are not seen.
package drive

import (
	"cmp"
	"reflect"
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/explore/refine"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Harness is a harness function with what the source knows of it.
type Harness struct {
	Name       string
	Package    string   // the name of the package under test
	Outside    bool     // the harness is in its external test package
	Func       any      // RefineHub
	Values     any      // RefineHubValues; nil: there is none
	Params     []string // the names of Func's parameters and results, and of Values' results
	Results    []string
	ValueNames []string
	// The names of parameters. The key is "path/of/package.Type.Method", the same for a type of
	// functions or a field, or the name of a result that is a function.
	Names map[string][]string
	// by the same, and by the names of parameters: "file.go:12"
	Places   map[string]string
	Packages map[string]string // those of type arguments, by path: their names
	Nominal  []reflect.Type    // types whose values are names
	Chans    []Chan            // the types of channels that cross the boundary
	Proxies  []Proxy           // the interfaces that the environment implements
	Protocol refine.Protocol
}

var registered []*Harness

// Register makes a harness known. The generated file calls it from an init function.
func Register(h *Harness) {
	registered = append(registered, h)
	if !slices.Contains(own, h.Package) {
		own = append(own, h.Package)
	}
	for path, name := range h.Packages {
		arguments = append(arguments, argument{path, inArguments(path), name})
	}
	slices.SortFunc(arguments, func(a, b argument) int {
		return cmp.Or(cmp.Compare(len(b.path), len(a.path)), cmp.Compare(a.path, b.path))
	})
}

// Find returns the harness of a name; nil if there is none.
func Find(name string) *Harness {
	i := slices.IndexFunc(registered, func(h *Harness) bool { return h.Name == name })
	if i < 0 {
		return nil
	}
	return registered[i]
}

// Drives reports whether a test runs a harness.
func Drives(test string) bool {
	return slices.ContainsFunc(registered, func(h *Harness) bool {
		return refine.DriverOf(h.Name) == test
	})
}

// Settings are what the executions that follow perform.
type Settings struct {
	Script *refine.Script
	Draw   refine.Draw
	Board  bool // all announcements have an order
}

var settings Settings

// Set sets what the executions that follow perform.
func Set(s Settings) { settings = s }

var latest *run

// Run performs the script on the component that h makes. It is called by the first process of an
// execution, and does not return: a test that ended would stop the component.
func Run(h *Harness, t any) {
	latest = newRun(h, t)
	latest.start()
	latest.forever()
}

// Shown is what one execution has shown.
type Shown struct {
	Pomset refine.Pomset
	Inputs []refine.Input
	Wants  []string      // callbacks that were called more often than the script answers
	Beyond bool          // more outputs than are looked at
	Left   []int         // operations, from 1, that have not ended
	Waited time.Duration // until the latest output, on the clock of the execution
	// the types of names that have crossed; the interface may not know them
	Types   map[string]reflect.Type
	Failure string // the harness has failed, or more crosses the boundary than counts
}

// Latest is what the latest execution, x, has shown.
func Latest(x *trace.Execution) Shown { return latest.shown(x) }
