package std

import (
	"go/types"
	"strings"
	"sync"
)

// Treatment says what an exploration makes of a function of the standard library.
type Treatment uint8

const (
	// does nothing that depends on a schedule, or nothing that others can see
	Harmless Treatment = iota
	// its effects are the exploration's: a rewritten call, or an entry hook
	Controlled
	Refused // an exploration would be wrong about it
	Guarded // likewise, and noticed when an execution comes to it
)

// String is the name in small letters, as the tables of the documentation have it.
func (t Treatment) String() string {
	return [...]string{"harmless", "controlled", "refused", "guarded"}[t]
}

// Kind says how a refused function could spoil an exploration; it decides where in a program the
// function matters.
type Kind uint8

const (
	None Kind = iota
	// its effects depend on other processes, or they on it: matters only while several can run
	Schedule
	// its result is not a function of the program's input: matters while executions are compared
	Input
	// something goes on after it has returned, or will: matters even before the exploration begins
	Background
)

// String is the name in small letters.
func (k Kind) String() string { return [...]string{"none", "schedule", "input", "background"}[k] }

// Verdict is an entry of the table.
type Verdict struct {
	Treatment Treatment
	Kind      Kind // of a refused or guarded function
	// completes "X is refused: it ..."; for a controlled function, how it is controlled
	Reason string

	// ByCall is set if the calls are rewritten: the function is controlled, or guarded, only if its
	// caller is rewritten. Entry hooks work everywhere.
	ByCall bool

	// Starts is set if the function starts a timer, or a process, which every execution has if that
	// happens before the exploration begins.
	Starts bool

	// Keeps is set if the function only registers the functions that it is given: none of them is
	// called before the exploration begins.
	Keeps bool
}

// Treat looks f up: first the function itself, then its receiver's type, then its package. f must
// belong to the standard library; a package that the table does not know is refused.
func Treat(f *types.Func) Verdict {
	f = f.Origin()
	if f.Pkg() == nil {
		return Verdict{} // error.Error
	}
	path := f.Pkg().Path()
	typ := receiverName(f)
	if typ == "" {
		return find(path, path+"."+f.Name())
	}
	v := find(path, "("+path+"."+typ+")."+f.Name(), path+"."+typ)
	if v.Treatment == Refused && describes[f.Name()] {
		return Verdict{}
	}
	return v
}

// describes has the methods that only say what a value is, whatever its type: every error has them.
var describes = map[string]bool{
	"Error": true, "GoString": true, "Is": true, "String": true, "Temporary": true, "Timeout": true,
	"Unwrap": true,
}

// find returns the verdict on the first of names that the table has, or else on package path as a
// whole.
func find(path string, names ...string) Verdict {
	index, packages := indexes()
	for _, name := range names {
		if v, ok := index[name]; ok {
			return v
		}
	}
	if v, ok := packages[path]; ok {
		return v
	}
	if strings.HasPrefix(path, "internal/") || strings.Contains(path, "/internal/") {
		return Verdict{}
	}
	return Verdict{Treatment: Refused, Kind: Background,
		Reason: "belongs to package " + path +
			", which is not known to be free of hidden concurrency"}
}

// receiverName returns the name of the type that f is a method of, "" if f is a function.
func receiverName(f *types.Func) string {
	recv := f.Signature().Recv()
	if recv == nil {
		return ""
	}
	typ := types.Unalias(recv.Type())
	if ptr, ok := typ.(*types.Pointer); ok {
		typ = types.Unalias(ptr.Elem())
	}
	if named, ok := typ.(*types.Named); ok {
		return named.Obj().Name()
	}
	return "interface" // a method of an interface literal
}

// indexes are the table by name, and by the path of a package.
var indexes = sync.OnceValues(func() (index, packages map[string]Verdict) {
	index, packages = make(map[string]Verdict), make(map[string]Verdict)
	for _, e := range table {
		into := index
		if e.packages {
			into = packages
		}
		for _, name := range strings.Fields(e.names) {
			if _, dup := into[name]; dup {
				panic("std: two entries for " + name)
			}
			into[name] = e.Verdict
		}
	}
	return index, packages
})
