package shared

import (
	"go/types"
	"slices"
	"strings"
)

// Functions of the standard library, which are not rewritten: what they do to variables of the program.

// lookers are the packages whose functions look at the elements of slices and maps that they are given.
var lookers = []string{"bytes", "fmt", "log", "maps", "slices", "sort", "strings"}

// changers are their functions that also change the elements of their first argument.
var changers = []string{
	"maps.Copy", "maps.DeleteFunc",
	"slices.Compact", "slices.CompactFunc", "slices.Delete", "slices.DeleteFunc", "slices.Reverse", "slices.Sort", "slices.SortFunc",
	"slices.SortStableFunc", "sort.Float64s", "sort.Ints", "sort.Slice", "sort.SliceStable", "sort.Strings",
}

// keepers are their functions that keep what they are given for later, or return it.
var keepers = []string{
	"bytes.NewBuffer", "bytes.NewReader", "fmt.Sscan", "fmt.Sscanf", "fmt.Sscanln", "fmt.Fscan", "fmt.Fscanf", "fmt.Fscanln",
	"fmt.Scan", "fmt.Scanf", "fmt.Scanln", "log.New", "log.SetOutput", "maps.All", "maps.Keys", "maps.Values", "slices.All", "slices.Backward",
	"slices.Chunk", "slices.Clip", "slices.Grow", "slices.Values", "sort.Sort", "sort.Stable", "sort.Reverse", "sort.IsSorted", "strings.NewReader",
}

// printers are the methods of package testing that print what they are given.
var printers = []string{"Error", "Errorf", "Fatal", "Fatalf", "Log", "Logf", "Skip", "Skipf"}

// Looks reports whether a function of the library looks at what its i-th argument leads to, and whether it changes that.
func Looks(fn *types.Func, i int) (writing, is bool) {
	if fn.Pkg() == nil {
		return false, false
	}
	if fn.Signature().Recv() != nil {
		return false, fn.Pkg().Path() == "testing" && slices.Contains(printers, fn.Name())
	}
	name := fn.Pkg().Path() + "." + fn.Name()
	switch {
	case !slices.Contains(lookers, fn.Pkg().Path()), slices.Contains(keepers, name):
		return false, false
	case strings.HasPrefix(name, "fmt.Fprint") && i == 0, strings.HasPrefix(name, "fmt.Append") && i == 0:
		return false, false
	}
	return i == 0 && slices.Contains(changers, name), true
}

// unguarded are types of the library that one goroutine may use at a time.
var unguarded = []string{
	"bufio.Reader", "bufio.Scanner", "bufio.Writer", "bytes.Buffer", "bytes.Reader", "container/list.List", "math/rand.Rand", "math/rand/v2.Rand",
	"strings.Builder", "strings.Reader",
}

// readers are their methods that change nothing.
var readers = []string{"Available", "Back", "Buffered", "Bytes", "Cap", "Err", "Front", "Len", "Size", "String", "Text"}

// Unguarded reports whether fn is a method of a type that one goroutine may use at a time, and whether it changes its
// receiver, which it gets by pointer.
func Unguarded(fn *types.Func) (writing, is bool) {
	recv := fn.Signature().Recv()
	if recv == nil {
		return false, false
	}
	p, is := recv.Type().(*types.Pointer)
	if !is {
		return false, false
	}
	named, is := types.Unalias(p.Elem()).(*types.Named)
	if !is || named.Obj().Pkg() == nil || !slices.Contains(unguarded, named.Obj().Pkg().Path()+"."+named.Obj().Name()) {
		return false, false
	}
	return !slices.Contains(readers, fn.Name()), true
}
