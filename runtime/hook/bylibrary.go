package hook

import (
	"iter"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/sched"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// The library reads and writes variables that the program gives it. Package reflect, where it
// writes, and readers, where they fill buffers, tell package gate. An announcement names the
// function that the program has called: "what json.Unmarshal was given at f.go:7".

func init() {
	gate.Accessed = accessed
	gate.Filled = func(b []byte, n int) {
		if n > 0 && n <= len(b) {
			accessed(unsafe.Pointer(unsafe.SliceData(b)), reflect.TypeFor[byte](), n, true)
		}
	}
	gate.Printed = shown
	gate.Streamed, gate.Pooled, gate.Field = streamed, pooled, touched
}

// passOn are the packages of the library that access what they are given in the goroutine that
// gives it, and keep no such memory.
var passOn = sched.NewPassers(func(file string) bool {
	return slices.Contains(passing, path.Dir(file))
})

var passing = []string{"bufio", "bytes", "encoding", "encoding/asn1", "encoding/binary",
	"encoding/gob", "encoding/json", "encoding/xml", "errors", "flag", "fmt", "html/template",
	"internal/reflectlite", "io", "maps", "os", "reflect", "slices", "strings", "text/template"}

// given names what the library was given; watching is false if nobody looks at accesses.
func given(function string) (what string, watching bool) {
	p := world.W.Current()
	if p == nil || !world.W.Races.Watches(p) {
		return "", false
	}
	g := passOn.Given()
	world.W.Call.Of = g
	if function == "" {
		function = g.Function
	}
	return "what " + function + " was given at " + g.Site, g.OK
}

// accessed is gate.Accessed.
func accessed(at unsafe.Pointer, t any, n int, write bool) {
	what, watching := given("")
	if !watching || at == nil {
		return
	}
	world.W.Call.Announcing = true
	defer func() { world.W.Call.Announcing = false }()
	access := reads
	if write {
		access = writes
		tells(at)
	}
	if t == nil {
		access(at, what)
	} else {
		elements(at, n, t.(reflect.Type), what, access)
	}
}

// shown is gate.Printed.
func shown(value any, deep bool) {
	what, watching := given("")
	v := value.(reflect.Value)
	if !watching || !v.IsValid() {
		return
	}
	world.W.Call.Announcing = true
	defer func() { world.W.Call.Announcing = false }()
	if k := v.Kind(); (k == reflect.Pointer || k == reflect.Interface) && !v.IsNil() {
		v = v.Elem()
	}
	switch {
	case v.CanAddr() && printsItself(v.Addr()), v.CanInterface() && printsItself(v):
	case !deep && v.Kind() == reflect.Map:
		reads(v.UnsafePointer(), what)
	case deep:
		if v.CanAddr() {
			eachPart(v.Addr().UnsafePointer(), layoutOf(v.Type()), what, reads)
		}
		print := printing{what, maxParts}
		print.look(v, 0)
	}
}

// Streams that the program has given to the library: to a logger, an encoder, a template, or to
// io.Copy. A call that changes such a stream changes it as the program's own buf.Write does, which
// Stream announces. The methods of these types tell package gate of each call.
//
// The library has streams of its own, too. One that it has just made is nobody else's, and one
// that is shared is so by way of an object that the program shares: an xml.Encoder, say. The
// exceptions are those that the library keeps in pools, whose synchronisation is unknown, and those
// of the border.

// streams are these types, by package and name.
var streams = map[string]map[string]bool{
	"bufio":   {"Reader": true, "ReadWriter": true, "Scanner": true, "Writer": true},
	"bytes":   {"Buffer": true, "Reader": true},
	"strings": {"Builder": true, "Reader": true},
}

// Stream announces that the stream v is about to be changed, if its type is one of the library's
// that only one goroutine may use at a time.
func Stream[T any](v T, what string) T {
	p := world.W.Current()
	if p == nil || !world.W.Races.Watching() {
		return v
	}
	x, emits := reflect.ValueOf(any(v)), false
	if x.Kind() == reflect.Pointer && !x.IsNil() {
		t := x.Type().Elem()
		emits = t.PkgPath() == "os" && t.Name() == "File"
		if streams[t.PkgPath()][t.Name()] {
			emits = true
			writesAll(x.UnsafePointer(), t, what)
		}
	}
	world.Scratch(p).Emits = emits
	return v
}

// Emitted announces that the stream that was announced last is about to read b, if it is of the
// library.
func Emitted(b []byte, what string) []byte {
	if p := world.W.Current(); p != nil && world.Scratch(p).Emits {
		return ReadElements(b, what)
	}
	return b
}

// streamers are all packages of the library: such calls may be in each of them.
var streamers = sched.NewPassers(func(string) bool { return true })

// pooled is gate.Pooled.
func pooled(v any) {
	p := world.W.Current()
	if p == nil || !world.W.Races.Watches(p) || reflect.TypeOf(v).Kind() != reflect.Pointer {
		return
	}
	world.W.Call.Uses.Pool((*[2]unsafe.Pointer)(unsafe.Pointer(&v))[1])
}

// streamed is gate.Streamed.
func streamed(at unsafe.Pointer, t any, caller uintptr) {
	p, stream := world.W.Current(), reflect.TypeOf(t).Elem()
	if p == nil || !world.W.Races.Watches(p) {
		return
	}
	use := world.Use{At: at, Caller: caller, Proc: p.ID, Steps: world.W.Steps()}
	if !world.W.Call.Uses.News(use, stream) {
		return
	}
	g := streamers.Given()
	if !g.OK {
		return
	}
	what := "the " + strings.ToLower(stream.Name()) + " that " + g.Function + " uses at " + g.Site
	world.W.Call.Announcing, world.W.Call.Of = true, g
	world.W.Call.Anew() // a call of Encode changes its stream many times
	defer func() { world.W.Call.Announcing = false }()
	eachPart(at, layoutOf(stream), what, writes)
}

// Objects of the library that one goroutine may use at a time: their methods tell of the fields
// that they access.

// singly are the packages that may be between the program and such an object. Those that are left
// out have objects of their own, which several goroutines use.
var singly = sched.NewPassers(func(file string) bool {
	dir := path.Dir(file)
	first, _, _ := strings.Cut(dir, "/")
	return !slices.Contains(shareable, first) && dir != "crypto/tls" || dir == "net/url"
})

var shareable = []string{"database", "expvar", "internal", "log", "net", "os", "runtime", "sync",
	"testing"}

// touched is gate.Field.
func touched(at unsafe.Pointer, write bool) {
	p := world.W.Current()
	if p == nil || !world.W.Races.Watches(p) ||
		!world.W.Call.Uses.Touches(world.Touch{At: at, Proc: p.ID, Write: write}, world.W.Steps()) {
		return
	}
	g := singly.Given()
	if !g.OK {
		return
	}
	what := "what " + g.Function + " uses at " + g.Site
	world.W.Call.Announcing, world.W.Call.Of = true, g
	world.W.Call.Anew()
	defer func() { world.W.Call.Announcing = false }()
	if write {
		writes(at, what)
	} else {
		reads(at, what)
	}
}

// MapKeysAnyhow is maps.Keys where the order does not matter.
func MapKeysAnyhow[M ~map[K]V, K comparable, V any](m M) iter.Seq[K] {
	look := looking(m, "maps.Keys")
	return func(yield func(K) bool) {
		look()
		maps.Keys(m)(yield)
	}
}

// SliceValues is slices.Values.
func SliceValues[S ~[]E, E any](s S) iter.Seq[E] {
	each := ranged(s, "slices.Values")
	return func(yield func(E) bool) {
		for i := range s {
			if each(i); !yield(s[i]) {
				return
			}
		}
	}
}

// SliceAll is slices.All.
func SliceAll[S ~[]E, E any](s S) iter.Seq2[int, E] {
	each := ranged(s, "slices.All")
	return func(yield func(int, E) bool) {
		for i := range s {
			if each(i); !yield(i, s[i]) {
				return
			}
		}
	}
}

// SliceBackward is slices.Backward.
func SliceBackward[S ~[]E, E any](s S) iter.Seq2[int, E] {
	each := ranged(s, "slices.Backward")
	return func(yield func(int, E) bool) {
		for i := len(s) - 1; i >= 0; i-- {
			if each(i); !yield(i, s[i]) {
				return
			}
		}
	}
}

// ranged returns what announces the reads of a range over s, which the named function has begun.
func ranged[S ~[]E, E any](s S, function string) func(i int) {
	what, watching := given(function)
	if !watching {
		return func(int) {}
	}
	return func(i int) { ReadElements(s[i:i+1], what) }
}

// SliceInsert is slices.Insert.
func SliceInsert[S ~[]E, E any](s S, i int, v ...E) S {
	if what, watching := given("slices.Insert"); watching && i >= 0 && i <= len(s) {
		switch all := len(s) + len(v); {
		case len(v) == 0:
		case all <= cap(s):
			ReadElements(s[i:], what)
			WriteElements(s[i:all], what)
		default:
			ReadElements(s, what)
		}
	}
	return slices.Insert(s, i, v...)
}
