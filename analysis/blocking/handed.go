package blocking

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
	"github.com/rehearse-go/rehearse/analysis/skeleton"
)

// The functions that take a lock, and those that release one.
var (
	lockings = kernel.NamesOf("(*sync.Mutex).Lock", "(*sync.Mutex).TryLock",
		"(*sync.RWMutex).Lock", "(*sync.RWMutex).TryLock",
		"(*sync.RWMutex).RLock", "(*sync.RWMutex).TryRLock")
	unlockings = kernel.NamesOf("(*sync.Mutex).Unlock", "(*sync.RWMutex).Unlock",
		"(*sync.RWMutex).RUnlock")
)

// handedOn lists where a lock is taken that some function unlocks without locking it: a function
// that takes such a lock may leave the unlock to the other one. Locks are told apart by fields and
// variables; locks that a function of another package takes, by the type of its argument. A
// function literal counts as a part of the function around it.
func handedOn(prog *skeleton.Program, funcs []*ssa.Function) map[token.Pos]bool {
	type use struct {
		in   *ssa.Function
		lock types.Object
	}
	taken := map[types.Object][]token.Pos{}
	locks, unlocks := map[use]bool{}, map[use]bool{}
	for _, fn := range funcs {
		in := fn
		for in.Parent() != nil {
			in = in.Parent()
		}
		for i := range kernel.All(fn) {
			call, ok := i.(ssa.CallInstruction)
			if !ok || call.Common().StaticCallee() == nil || len(call.Common().Args) == 0 {
				continue
			}
			fn, v := call.Common().StaticCallee(), call.Common().Args[0]
			lock, told := variable(v), prog.Told(fn)
			if named := kernel.NamedOf(v.Type()); named != nil && (told.Locks || told.Unlocks) {
				lock = named.Obj()
			}
			switch {
			case lockings.Have(fn) || told.Locks:
				locks[use{in, lock}] = true
				taken[lock] = append(taken[lock], call.Pos())
			case unlockings.Have(fn) || told.Unlocks:
				unlocks[use{in, lock}] = true
			}
		}
	}
	out := map[token.Pos]bool{}
	for u := range unlocks {
		if !locks[u] && u.lock != nil {
			for _, pos := range taken[u.lock] {
				out[pos] = true
			}
		}
	}
	return out
}

// variable returns the field or variable that an address is of; nil if that is not known.
func variable(v ssa.Value) types.Object {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		pointer := v.X.Type().Underlying().(*types.Pointer)
		return pointer.Elem().Underlying().(*types.Struct).Field(v.Field)
	case *ssa.Global:
		return v.Object()
	case *ssa.UnOp:
		return variable(v.X)
	}
	return nil
}
