package hook

import (
	"path"
	"slices"
	"strings"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// Objects of the library that one goroutine may use at a time: their methods tell package gate of
// the fields that they access.

func init() { gate.Field = touched }

// singly are the packages that may be between the program and such an object. Those that are left
// out have objects of their own, which several goroutines use.
var singly = sched.NewPassers(func(file string) bool {
	dir := path.Dir(file)
	first, _, _ := strings.Cut(dir, "/")
	return !slices.Contains(shareable, first) && dir != "crypto/tls" || dir == "net/url"
})

var shareable = []string{"database", "expvar", "internal", "log", "net", "os", "runtime", "sync",
	"testing"}

// touched is gate.Field.
func touched(at unsafe.Pointer, write bool) {
	p := world.W.Current()
	if p == nil || !world.W.Races.Watches(p) ||
		!world.W.Call.Uses.Touches(world.Touch{At: at, Proc: p.ID, Write: write}, world.W.Steps()) {
		return
	}
	g := singly.Given()
	if !g.OK {
		return
	}
	what := "what " + g.Function + " uses at " + g.Site
	world.W.Call.Announcing, world.W.Call.Of = true, g
	world.W.Call.Anew()
	defer func() { world.W.Call.Announcing = false }()
	if write {
		writes(at, what)
	} else {
		reads(at, what)
	}
}
