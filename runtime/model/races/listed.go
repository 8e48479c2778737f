package races

import (
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// mostListed bounds the accesses of an execution that are listed. Races of later ones are found,
// and have no stacks.
const mostListed = 1 << 20

// listed has the accesses of an execution that records sites. A loop accesses variables thousands
// of times with the same calls, which are kept once.
type listed struct {
	accesses []trace.Access
	stacks   []int32 // beside them: which of distinct
	distinct []calls
	byHash   map[uint64]int32
	buffer   [64]uintptr
}

// calls are the calls that led to an access, as numbers: most accesses are never reported.
type calls struct {
	pcs  []uintptr
	site string
}

// Accesses lists the accesses of the execution that has ended, if it has recorded sites.
func (r *reports) Accesses() []trace.Access { return r.listed.accesses }

// add enters a, an access to c after some steps, into the list. It returns the place of a there,
// from 1 on; 0: the list is full.
func (l *listed) add(a *access, c *cell, write bool, steps int) int {
	if len(l.accesses) == mostListed {
		return 0
	}
	name, _, _ := strings.Cut(a.what, " at ")
	s := l.stack()
	l.accesses = append(l.accesses, trace.Access{Proc: a.proc, After: int32(steps),
		Cell: c.number, Write: write, Name: name, Site: l.distinct[s].site})
	l.stacks = append(l.stacks, s)
	return len(l.accesses)
}

// stack returns the number of the calls that led here. Calls before the process began are of no
// interest, and may be many, because goroutines are used again.
func (l *listed) stack() int32 {
	pcs := l.buffer[:gate.Callers(4, l.buffer[:])]
	hash := uint64(len(pcs))
	for _, pc := range pcs {
		hash = (hash ^ uint64(pc)) * 0x9e3779b97f4a7c15
	}
	if i, ok := l.byHash[hash]; ok && slices.Equal(l.distinct[i].pcs, pcs) {
		return i
	}
	if l.byHash == nil {
		l.byHash = map[uint64]int32{}
	}
	i := int32(len(l.distinct))
	l.byHash[hash] = i
	l.distinct = append(l.distinct, calls{slices.Clone(pcs), sched.ShownIn(pcs)})
	return i
}

// calls returns the calls that led to access i.
func (l *listed) calls(i int) []uintptr { return l.distinct[l.stacks[i]].pcs }
