package sched

import (
	"path"
	"runtime"
	"slices"
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
	// code of our own does not call them: it uses some for itself
	Direct bool
	paths  []string
	givens map[uint64]Given // by the hashes of stacks: the library accesses much in one call
}

// NewPassers returns packages by their import paths.
func NewPassers(paths ...string) *Passers {
	return &Passers{paths: paths, givens: map[uint64]Given{}}
}

// Given returns the call of the library in which the current process is. From the module's code to
// here there may only be passers.
func (ps *Passers) Given() Given {
	var pcs [128]uintptr
	stack := pcs[:gate.Callers(2, pcs[:])]
	hash := uint64(14695981039346656037)
	for _, pc := range stack {
		hash = (hash ^ uint64(pc)) * 1099511628211
	}
	g, known := ps.givens[hash]
	if !known {
		g = ps.givenBy(stack)
		ps.givens[hash] = g
	}
	return g
}

// pooled reads into a buffer that package io keeps in a pool for all who throw something away.
const pooled = "io.discard.ReadFrom"

func (ps *Passers) givenBy(stack []uintptr) (g Given) {
	frames := runtime.CallersFrames(stack)
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		isTest := strings.HasSuffix(f.File, "_test.go")
		switch dir, std := strings.CutPrefix(f.File, StdRoot); {
		case std && strings.HasPrefix(f.File, ownRoot):
			if ps.Direct && g.Function != "" {
				return Given{}
			}
		case f.Function == pooled:
			return Given{}
		case std && !isTest && slices.Contains(ps.paths, path.Dir(dir)):
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
