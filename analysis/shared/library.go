package shared

import (
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// The accesses of the standard library to variables of the program: its functions are not
// rewritten.

// lookers are the packages whose functions look at the elements of slices and maps that they are
// given.
var lookers = []string{
	"bytes", "crypto/md5", "crypto/sha1", "crypto/sha256", "crypto/sha512", "encoding/base64",
	"encoding/binary", "encoding/hex", "fmt", "hash/adler32", "hash/crc32", "hash/crc64", "log",
	"maps", "slices", "sort", "strings", "unicode/utf16", "unicode/utf8",
}

// changers are their functions that also change the elements of their first argument.
var changers = []string{
	"encoding/binary.PutUvarint", "encoding/binary.PutVarint", "encoding/hex.Decode",
	"encoding/hex.Encode", "maps.Copy", "maps.DeleteFunc",
	"slices.Compact", "slices.CompactFunc", "slices.Delete", "slices.DeleteFunc", "slices.Reverse",
	"slices.Sort", "slices.SortFunc",
	"slices.SortStableFunc", "sort.Float64s", "sort.Ints", "sort.Slice", "sort.SliceStable",
	"sort.Strings", "unicode/utf8.EncodeRune",
}

// keepers are their functions that keep what they are given for later, or return it.
var keepers = []string{
	"bytes.NewBuffer", "bytes.NewReader", "encoding/binary.Append", "encoding/binary.Decode",
	"encoding/binary.Encode", "encoding/binary.Read", "fmt.Sscan", "fmt.Sscanf", "fmt.Sscanln",
	"fmt.Fscan",
	"fmt.Fscanf", "fmt.Fscanln",
	"fmt.Scan", "fmt.Scanf", "fmt.Scanln", "log.New", "log.SetOutput", "maps.All", "maps.Keys",
	"maps.Values", "slices.All", "slices.Backward",
	"slices.Chunk", "slices.Clip", "slices.Grow", "slices.Insert", "slices.Replace",
	"slices.Values", "sort.Sort", "sort.Stable",
	"sort.Reverse", "sort.IsSorted", "strings.NewReader", "unicode/utf16.AppendRune",
	"unicode/utf8.AppendRune",
}

// printers are the methods of package testing that print what they are given.
var printers = []string{"Error", "Errorf", "Fatal", "Fatalf", "Log", "Logf", "Skip", "Skipf"}

// writers are packages with types whose methods Write read all of the slice.
var writers = []string{"bufio", "bytes", "os", "strings"}

// Sorts reports whether a function of the library puts the elements of a slice in another order, or
// leaves them where they are.
func Sorts(fn *types.Func) bool {
	return fn.Pkg() != nil && (fn.Pkg().Path() == "sort" || fn.Pkg().Path() == "slices" &&
		(strings.HasPrefix(fn.Name(), "Sort") || fn.Name() == "Reverse"))
}

// Flushes reports whether fn is a method that writes only if something is buffered.
func Flushes(fn *types.Func) bool { return fn.FullName() == "(*bufio.Writer).Flush" }

// Keeps reports whether a function of the library keeps what it is given for later, or returns it.
func Keeps(fn *types.Func) bool {
	return fn.Pkg() != nil && fn.Signature().Recv() == nil &&
		slices.Contains(keepers, fn.Pkg().Path()+"."+fn.Name())
}

// Looks reports whether a function of the library looks at what its i-th argument leads to, and
// whether it changes that.
func Looks(fn *types.Func, i int) (writing, is bool) {
	if fn.Pkg() == nil {
		return false, false
	}
	if fn.Signature().Recv() != nil {
		return looksMethod(fn)
	}
	name := fn.Pkg().Path() + "." + fn.Name()
	switch {
	case !slices.Contains(lookers, fn.Pkg().Path()), slices.Contains(keepers, name):
		return false, false
	case strings.HasPrefix(name, "fmt.Fprint") && i == 0,
		strings.HasPrefix(name, "fmt.Append") && i == 0:
		return false, false
	}
	return i == 0 && slices.Contains(changers, name), true
}

// Deep reports how a function of the library reads all that its i-th argument leads to: as
// encoding/json or as reflect.DeepEqual does. Both are false for others.
func Deep(fn *types.Func, i int) (marshals, compares bool) {
	switch fn.FullName() {
	case "encoding/json.Marshal", "encoding/json.MarshalIndent", "(*encoding/json.Encoder).Encode":
		return i == 0, false
	case "reflect.DeepEqual":
		return false, true
	}
	return false, false
}

// given are functions of the library that access all that an argument leads to: which argument, and
// whether they write there.
var given = map[string]struct {
	argument int
	writes   bool
}{
	"encoding/json.Unmarshal":                   {1, true},
	"(*encoding/json.Decoder).Decode":           {0, true},
	"encoding/xml.Unmarshal":                    {1, true},
	"(*encoding/xml.Decoder).Decode":            {0, true},
	"(*encoding/gob.Decoder).Decode":            {0, true},
	"errors.As":                                 {1, true},
	"reflect.ValueOf":                           {0, true},
	"(*text/template.Template).Execute":         {1, false},
	"(*text/template.Template).ExecuteTemplate": {2, false},
	"(*html/template.Template).Execute":         {1, false},
	"(*html/template.Template).ExecuteTemplate": {2, false},
	"slices.Insert":                             {0, true},
	"slices.Values":                             {0, false},
	"slices.All":                                {0, false},
	"slices.Backward":                           {0, false},
	"maps.Keys":                                 {0, false},
	"maps.Values":                               {0, false},
	"maps.All":                                  {0, false},
	"io.ReadFull":                               {1, true},
	"io.ReadAtLeast":                            {1, true},
}

// Given reports whether a function of the library accesses all that its i-th argument leads to, and
// whether it writes there. The accesses are announced as the function makes them.
func Given(fn *types.Func, i int) (writing, is bool) {
	if g, known := given[fn.Origin().FullName()]; known {
		return g.writes, g.argument == i
	}
	return true, i == 0 && fn.Name() == "Read" && fn.Signature().Recv() != nil
}

// Emits reports whether fn, a method of an interface, may be a method of a stream of the library
// that changes the stream.
func Emits(fn *types.Func) bool {
	switch fn.Name() {
	case "Write", "WriteString", "WriteByte", "WriteRune", "Read", "ReadByte", "ReadRune":
		return true
	}
	return false
}

// streams are the types of streams of the library that may be behind a pointer in an interface.
var streams = []key{"*bufio.Reader", "*bufio.Writer", "*bytes.Buffer", "*bytes.Reader",
	"*strings.Builder", "*strings.Reader"}

// MapMethod reports whether fn is a method of a map type of the library, and whether it changes the
// map.
func MapMethod(fn *types.Func) (writing, is bool) {
	recv := fn.Signature().Recv()
	if recv == nil || fn.Pkg() == nil || !kernel.Is[*types.Map](recv.Type()) {
		return false, false
	}
	switch fn.Pkg().Path() {
	case "net/http", "net/textproto", "net/url":
	default:
		return false, false
	}
	switch fn.Name() {
	case "Add", "Del", "Set":
		return true, true
	}
	return false, true
}

// looksMethod is Looks for methods.
func looksMethod(fn *types.Func) (writing, is bool) {
	path, name := fn.Pkg().Path(), fn.Name()
	switch {
	case path == "testing":
		return false, slices.Contains(printers, name)
	case path == "encoding/binary": // of a ByteOrder
		return strings.HasPrefix(name, "Put"), !strings.HasPrefix(name, "Append")
	case slices.Contains(writers, path):
		return false, name == "Write" && !types.IsInterface(fn.Signature().Recv().Type())
	}
	return false, false
}

// unguarded are types of the library that one goroutine may use at a time, and whose methods do not
// tell of that themselves, by their packages.
var unguarded = map[string][]string{
	"bufio":   {"Reader", "Scanner", "Writer"},
	"bytes":   {"Buffer", "Reader"},
	"strings": {"Builder", "Reader"},
	"time":    {"Time"},
}

// readers are their methods that change nothing, beside those whose names begin with Append, Is or
// Marshal.
var readers = []string{"Available", "Buffered", "Bytes", "Cap", "Err", "Len", "Size", "String",
	"Text"}

// Unguarded reports whether fn is a method of a type that one goroutine may use at a time, and
// whether it changes its receiver, which it gets by pointer.
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
	if !is || named.Obj().Pkg() == nil {
		return false, false
	}
	path := named.Obj().Pkg().Path()
	if !slices.Contains(unguarded[path], named.Obj().Name()) {
		return false, false
	}
	return !readsOnly(fn.Name()), true
}

func readsOnly(name string) bool {
	for _, prefix := range []string{"Append", "Is", "Marshal"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return slices.Contains(readers, name)
}
