package rewrite

import (
	"cmp"
	"go/ast"
	"go/types"

	"github.com/rehearse-go/rehearse/rewrite/edit"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// processFunctions are library functions of four kinds: those that yield or end a goroutine or the
// program; those that tie a goroutine to the world outside of the program (a thread, the garbage
// collector, signals) or to a coroutine; those that iterate over a map; and those whose accesses
// package hook announces. The values are their names in package hook, which has the functions of
// package sync/atomic under their own.
var processFunctions = map[string]string{
	"runtime.Gosched":            "Gosched",
	"runtime.Goexit":             "Goexit",
	"runtime.NumGoroutine":       "NumGoroutine",
	"runtime.LockOSThread":       "LockOSThread",
	"runtime.UnlockOSThread":     "UnlockOSThread",
	"runtime.SetFinalizer":       "SetFinalizer",
	"runtime.AddCleanup":         "AddCleanup",
	"weak.Make":                  "MakeWeak",
	"runtime.GC":                 "GC",
	"runtime/debug.FreeOSMemory": "GC",
	"runtime.ReadMemStats":       "ReadMemStats",
	"runtime.NumCgoCall":         "NumCgoCall",
	"runtime/debug.ReadGCStats":  "ReadGCStats",
	"testing.AllocsPerRun":       "AllocsPerRun",
	"os.Exit":                    "Exit",
	"syscall.Exit":               "Exit",
	"os/signal.Notify":           "SignalNotify",
	"os/signal.Stop":             "SignalStop",
	"os/signal.Ignore":           "SignalIgnore",
	"os/signal.Ignored":          "SignalIgnored",
	"os/signal.Reset":            "SignalReset",
	"iter.Pull":                  "Pull",
	"iter.Pull2":                 "Pull2",
	"maps.Keys":                  "MapKeys",
	"maps.Values":                "MapValues",
	"maps.All":                   "MapAll",
	"slices.All":                 "SliceAll",
	"slices.Backward":            "SliceBackward",
	"slices.Insert":              "SliceInsert",
	"slices.Values":              "SliceValues",
}

// keptUses has a use for each import whose uses may all be rewritten away.
var keptUses = map[string]string{"runtime": "Gosched", "os": "Exit", "os/signal": "Notify",
	"iter": "Pull[int]", "runtime/debug": "FreeOSMemory", "testing": "AllocsPerRun",
	"syscall": "Exit", "weak": "Make[int]", "maps": "Keys[map[int]int]",
	"slices":        "Values[[]int]",
	unit.AtomicPath: "AddInt32"}

// selector rewrites runtime.Gosched into Gosched of package hook, and so on, in calls and as
// values; and the methods of package sync/atomic.
func (lib *library) selector(e *ast.SelectorExpr) {
	lib.done[e.Sel] = true
	hooked := lib.processFunction(e.Sel)
	if hooked == "" {
		lib.atomicMethod(e)
		lib.notAtomic(e)
		lib.met(e)
		lib.peer(e)
		return
	}
	x, ok := e.X.(*ast.Ident)
	if !ok {
		return
	}
	if name, ok := lib.In.Info.Uses[x].(*types.PkgName); ok {
		lib.gone[name]++
		lib.Replace(x.Pos(), x.End(), edit.Text(cmp.Or(lib.taking[e], lib.Hook)))
		if hooked != e.Sel.Name {
			lib.Replace(e.Sel.Pos(), e.Sel.End(), edit.Text(hooked))
		}
	}
}

// ident rewrites Gosched and so on where a dot import provides them.
func (lib *library) ident(id *ast.Ident) {
	if hooked := lib.processFunction(id); hooked != "" {
		lib.Replace(id.Pos(), id.End(), edit.Text(lib.Hook+"."+hooked))
	}
}

// processFunction returns what takes the place of the function that id names, "" if it stays.
func (lib *library) processFunction(id *ast.Ident) string {
	if fn, ok := lib.In.Info.Uses[id].(*types.Func); ok && fn.Pkg() != nil {
		if lib.AtomicFunction(fn) {
			if lib.isBlind(id) {
				return "Blind." + fn.Name()
			}
			return fn.Name()
		}
		if fn.Pkg().Path() == "maps" && (!lib.In.Maps || lib.IsCgo()) {
			return ""
		}
		if fn.Pkg().Path() == "slices" && !lib.Announces() {
			return ""
		}
		hooked := processFunctions[fn.Origin().FullName()]
		lib.counts = lib.counts || hooked == "NumGoroutine"
		lib.looks = lib.looks || fn.FullName() == "runtime.Stack"
		return hooked
	}
	return ""
}

// peer marks a mention of the address from which a request has come: it tells which connection that
// was.
func (lib *library) peer(e *ast.SelectorExpr) {
	v, is := lib.In.Info.Uses[e.Sel].(*types.Var)
	if !is || v.Name() != "RemoteAddr" || v.Pkg() == nil || v.Pkg().Path() != "net/http" ||
		lib.In.Enters {
		return
	}
	if !unit.IsPointer(lib.In.Info.TypeOf(e.X)) {
		lib.peers = true
		return
	}
	lib.Open(e.X, lib.Hooked("Peer"))
	lib.Close(e.X, ")")
}

// keepCount tells package hook, in an init function of the file, that the program counts processes,
// shows which process started which, or names the clients of requests.
func (lib *library) keepCount() {
	if lib.counts {
		lib.AtEnd("; func init() { " + lib.Hooked("CountsGoroutines") + ") }")
	}
	if lib.looks {
		lib.AtEnd("; func init() { " + lib.Hooked("ShowsCreators") + ") }")
	}
	if lib.peers {
		lib.AtEnd("; func init() { " + lib.Hooked("NamesPeers") + ") }")
	}
}
