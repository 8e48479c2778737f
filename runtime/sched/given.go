package sched

import (
	"path"
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

// givens has the results for stacks, by their hashes: the library accesses much in one call.
var givens = map[uint64]Given{}

// GivenHere returns the call of the library in which the current process is. From the module's code
// to here there may only be packages of the library that pass on what they are given. Other
// packages, such as net/http, may use memory of their own, whose synchronisation is unknown.
// passOn, by import path, is the same in all calls.
func GivenHere(passOn map[string]bool) Given {
	var pcs [128]uintptr
	stack := pcs[:gate.Callers(2, pcs[:])]
	hash := uint64(14695981039346656037)
	for _, pc := range stack {
		hash = (hash ^ uint64(pc)) * 1099511628211
	}
	g, known := givens[hash]
	if !known {
		g = givenBy(stack, passOn)
		givens[hash] = g
	}
	return g
}

// pooled reads into a buffer that package io keeps in a pool for all who throw something away.
const pooled = "io.discard.ReadFrom"

func givenBy(stack []uintptr, passOn map[string]bool) (g Given) {
	frames := runtime.CallersFrames(stack)
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		isTest := strings.HasSuffix(f.File, "_test.go")
		switch dir, std := strings.CutPrefix(f.File, StdRoot); {
		case std && strings.HasPrefix(f.File, ownRoot):
		case f.Function == pooled:
			return Given{}
		case std && !isTest && passOn[path.Dir(dir)]:
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
