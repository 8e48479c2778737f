package states

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/image"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// state has the variables that executions must not hand on to each other.
var state struct {
	kept  []any    // pointers to package-level variables
	names []string // what these are called: "count (state.go:12)"
	owner []string // the import paths of their packages
	image *image.Image
}

// Keep is Keep for the file that has called its caller.
func Keep(names string, vars []any) {
	pc, file, _, _ := runtime.Caller(2)
	owner := packageOf(runtime.FuncForPC(pc).Name())
	for name := range strings.FieldsSeq(names) {
		name, line, _ := strings.Cut(name, ":")
		state.names = append(state.names,
			fmt.Sprintf("%s (%s:%s)", name, filepath.Base(file), line))
		state.owner = append(state.owner, owner)
	}
	state.kept = append(state.kept, vars...)
}

// packageOf returns the import path in the name of a function: "gopkg.in/yaml%2ev3.init.0" is in
// gopkg.in/yaml.v3.
func packageOf(function string) string {
	slash := strings.LastIndexByte(function, '/') + 1
	last, _, _ := strings.Cut(function[slash:], ".")
	return function[:slash] + strings.ReplaceAll(last, "%2e", ".")
}

// Touched lists the variables registered with Keep that the last execution has changed, by the
// import paths of their packages.
func Touched() map[string][]string {
	all := map[string][]string{}
	if state.image == nil {
		return all
	}
	for _, i := range state.image.Touched() {
		all[state.owner[i]] = append(all[state.owner[i]], state.names[i])
	}
	return all
}

// WatchCarried makes Carried tell of later changes only.
func WatchCarried() {
	if state.image != nil {
		state.image.Rebase()
	}
}

// Carried lists the variables registered with Keep that lead to changed memory outside of the
// image: captured variables of a function, or memory behind an unsafe pointer.
func Carried() (names []string) {
	if state.image == nil {
		return nil
	}
	for _, i := range state.image.Changed() {
		names = append(names, state.names[i])
	}
	return names
}

// Save remembers the variables, once: after the initialisation of all packages, and after the
// preparations of TestMain.
func Save() {
	if state.image == nil {
		state.image = image.Save(state.kept, staticChans{})
	}
}

// Restore puts the variables back that Keep was told of.
func Restore() { state.image.Restore() }

// staticChans implements image.Channels with the present world, which changes from test to test.
type staticChans struct{}

// Closed reports whether a channel is closed, if the world knows it.
func (staticChans) Closed(ch unsafe.Pointer) (closed, known bool) {
	return world.W.Chans.Closed(ch)
}

// Renew tells the world that new stands for old from now on.
func (staticChans) Renew(old, new unsafe.Pointer, closed bool) {
	world.W.Chans.Renew(old, new, closed)
}
