// The overlay adds this to package internal/testlog: there is a logger from the beginning. It
// remembers what is read in the initialisation of packages and in TestMain.
package testlog

import (
	"rehearse/runtime/gate"
	"sync/atomic"
)

func init() { SetLogger(rehearseLogger{}) }

// rehearseLogger tells rehearseTo what is read, or remembers it as long as there is nobody to tell.
type rehearseLogger struct{}

var rehearseTo atomic.Pointer[func(what, name string)]

// rehearseRead is a read that is remembered.
type rehearseRead struct {
	what, name string
	dir        string        // the working directory then; empty: the first one
	before     *rehearseRead // the one before it
	n          int           // their number, with this one
}

var (
	rehearseLast  atomic.Pointer[rehearseRead]
	rehearseFirst atomic.Pointer[string] // the first working directory, if it was left
	rehearseDir   atomic.Pointer[string] // the one now; nil: the first one
)

// rehearseMost bounds how many are remembered.
const rehearseMost = 1 << 16

// Getenv implements Interface.
func (rehearseLogger) Getenv(key string) { rehearseNote("getenv", key) }

// Open implements Interface.
func (rehearseLogger) Open(name string) { rehearseNote("open", name) }

// Stat implements Interface.
func (rehearseLogger) Stat(name string) { rehearseNote("stat", name) }

// Chdir implements Interface.
func (rehearseLogger) Chdir(dir string) {
	if rehearseTo.Load() == nil {
		rehearseDir.Store(&dir)
	}
}

// RehearseLeave is called before the working directory is changed. getwd says which it is.
func RehearseLeave(getwd func() (dir string, err error)) {
	if rehearseTo.Load() != nil || rehearseFirst.Load() != nil {
		return
	}
	dir, err := getwd()
	if err != nil {
		gate.ReadUnknown()
	}
	rehearseFirst.Store(&dir)
}

func rehearseNote(what, name string) {
	if to := rehearseTo.Load(); to != nil {
		(*to)(what, name)
		return
	}
	if gate.Prepares() {
		return
	}
	one := &rehearseRead{what: what, name: name, n: 1}
	if dir := rehearseDir.Load(); dir != nil {
		one.dir = *dir
	}
	for {
		if one.before = rehearseLast.Load(); one.before != nil {
			one.n = one.before.n + 1
		}
		if one.n > rehearseMost {
			gate.ReadUnknown()
			return
		}
		if rehearseLast.CompareAndSwap(one.before, one) {
			return
		}
	}
}

// RehearseTell tells to what is read from now on, and early what is remembered: dir was the working
// directory then, and is empty if it has never been changed.
func RehearseTell(to func(what, name string), early func(what, name, dir string)) {
	rehearseTo.Store(&to)
	first := ""
	if dir := rehearseFirst.Load(); dir != nil {
		first = *dir
	}
	for one := rehearseLast.Swap(nil); one != nil && early != nil; one = one.before {
		if one.dir == "" {
			one.dir = first
		}
		early(one.what, one.name, one.dir)
	}
}

// RehearseEnd is called when the program has ended: what is read from now on is the explorer's.
func RehearseEnd() {
	to := func(what, name string) {}
	rehearseTo.Store(&to)
}
