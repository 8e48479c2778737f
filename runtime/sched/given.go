package sched

import (
	"runtime"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/gate"
)

// Given is a call of a library's function by the module's own code.
type Given struct {
	Function string // "json.Unmarshal"
	Site     string // "f.go:7"
	OK       bool
}

// Passers are packages of the library that pass on what they are given. Other packages, such as
// net/http, may use memory of their own, whose synchronisation is unknown.
type Passers struct {
	passes func(file string) bool
	givens map[uint64]Given // by the hashes of stacks: the library accesses much in one call
}

// NewPassers returns the packages whose files, by their paths below GOROOT/src, pass on.
func NewPassers(passes func(file string) bool) *Passers {
	return &Passers{passes: passes, givens: map[uint64]Given{}}
}

// Given returns the call of the library in which the current process is. From the module's code to
// here there may only be passers.
func (ps *Passers) Given() Given {
	var pcs [128]uintptr
	n := gate.Returns(pcs[:])
	if n == 0 {
		n = gate.Callers(2, pcs[:])
	}
	hash := uint64(14695981039346656037)
	for _, pc := range pcs[:n] {
		hash = (hash ^ uint64(pc)) * 1099511628211
	}
	g, known := ps.givens[hash]
	if !known {
		g = ps.givenBy(pcs[:gate.Callers(2, pcs[:])])
		ps.givens[hash] = g
	}
	return g
}

// hookRoot is where the code is that calls the library for the program.
var hookRoot = ownRoot + "runtime/hook/"

// pooled reads into a buffer that package io keeps in a pool for all who throw something away.
const pooled = "io.discard.ReadFrom"

func (ps *Passers) givenBy(stack []uintptr) (g Given) {
	frames := runtime.CallersFrames(stack)
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		isTest := strings.HasSuffix(f.File, "_test.go")
		switch file, std := strings.CutPrefix(f.File, StdRoot); {
		case std && strings.HasPrefix(f.File, ownRoot):
			if g.Function != "" && !strings.HasPrefix(f.File, hookRoot) {
				return Given{} // our code uses the library for itself
			}
		case f.Function == pooled:
			return Given{}
		case std && !isTest && ps.passes(file):
			g.Function = f.Function[strings.LastIndexByte(f.Function, '/')+1:]
		case isTest || isOfModule(f):
			g.Site = f.File[strings.LastIndexByte(f.File, '/')+1:] + ":" + strconv.Itoa(f.Line)
			g.OK = true
			return g
		default:
			return Given{}
		}
	}
	return Given{}
}
