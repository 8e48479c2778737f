package hook

import (
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/model/sections"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// PauseSections turns sections off until resume is called: then all is as it was. resume may be
// called in another world.
func PauseSections() (resume func()) {
	if !InSections() {
		return func() {}
	}
	m := world.W.Sects.Pause()
	return func() { world.W.Sects.Resume(m) }
}

// InSections reports whether sections may commute.
func InSections() bool { return world.W.Sects.On() }

// LearnSections reports whether the latest execution has shown something new of sections. Then all
// executions until now count for nothing.
//
// strike: the mutexes about which something new is known have no sections any more.
func LearnSections(x *trace.Execution, strike bool) bool {
	news := world.W.Sects.Learn(x)
	if news && strike {
		world.W.Sects.Strike()
	}
	return news
}

// SectionsBegun reports whether sections have begun in the latest execution.
func SectionsBegun() bool { return world.W.Sects.Begun() }

// ApplySections makes the executions that follow have the sections that were learned.
func ApplySections() { world.W.Sects.Apply() }

// Locks lists what is known of all that begins sections.
func Locks() []sections.Lock { return world.W.Sects.Locks() }

// SectionsCommute reports whether sections may have commuted in the latest execution.
func SectionsCommute() bool { return world.W.Sects.Commute() }

// OrdinarySections returns the knowledge of sections when none of them commutes; nil if sections
// are turned off.
func OrdinarySections() *sections.Ordinary {
	if !InSections() {
		return nil
	}
	o := world.W.Sects.Ordinary()
	return &o
}

// RecallSections takes over another process's knowledge of sections.
func RecallSections(o *sections.Ordinary) { world.W.Sects.Recall(o) }

// Section tells that the Lock that comes next may begin a section. place names the mutex and the
// place in the source.
func Section(place string) {
	if world.W.Sects.On() {
		if p := world.W.Current(); p != nil {
			world.W.Sects.Mark(p, place)
		}
	}
}

// Opaque tells that the next call, at a place, may access variables without an announcement.
func Opaque(place string) {
	if !world.W.Sects.On() && !world.W.Clock.Laps() {
		return
	}
	if p := world.W.Current(); p != nil {
		world.W.Clock.Change()
		world.W.Sects.Opaque(p, place)
	}
}

// Called returns f, a function that is called next. The call may access variables without an
// announcement, unless it is known to run code of a package that announces its accesses.
func Called[F any](f F, place string) F {
	if !world.W.Sects.On() || world.W.Current() != nil && !heard(entryOf(f)) {
		Opaque(place)
	}
	return f
}

// entryOf is where the code of f begins, which is a function; 0 for nil.
func entryOf[F any](f F) uintptr {
	var code *uintptr
	if unsafe.Sizeof(f) == unsafe.Sizeof(code) {
		code = *(**uintptr)(unsafe.Pointer(&f))
	}
	if code == nil {
		return 0
	}
	return *code
}

// known has for the code of functions whether that announces its accesses. Only processes use it,
// of which one runs at a time.
var known = map[uintptr]bool{}

func heard(entry uintptr) bool {
	is, met := known[entry]
	if !met {
		is = announces(runtime.FuncForPC(entry))
		known[entry] = is
	}
	return is
}

// ownCode matches the names, behind that of the package, of functions and of literals in functions
// and in methods of pointers. All of these run what the source of the package says. Other names may
// stand for a wrapper of a method that another package has, for a value that generic code makes of
// a function of another package (F[...].func1), or for a literal of a function of another package
// that was inlined (F.G.func1, which a literal of a method of a value is called, too).
var ownCode = regexp.MustCompile(
	`^(\w+|\(\*\w+\)\.\w+(\.func|-range)\d+)((\.func|\.|-range)\d+)*$`)

// sources are files whose functions all do what their source says, even where a name does not tell.
var sources = map[string]bool{}

// Literals tells that the file of its caller is such a file.
func Literals() {
	if _, file, _, ok := runtime.Caller(1); ok {
		sources[file] = true
	}
}

// announces reports whether the name of fn matches ownCode, or its file is one of sources, and fn
// belongs to a package that announces its accesses. If another function is inlined where fn begins,
// package runtime may give the name of that one. Its package is one that announces its accesses,
// and the package of fn imports it. Only packages that announce theirs import such a package.
func announces(fn *runtime.Func) bool {
	if fn == nil {
		return false
	}
	pkg, name := world.SplitName(fn.Name())
	if !slices.Contains(world.Binary.Announced, pkg) {
		return false
	}
	file, _ := fn.FileLine(fn.Entry())
	return ownCode.MatchString(name) || sources[file]
}

// Context returns x, whose Done or Err is called next. A context made by package context only makes
// steps then; any other may access variables without an announcement.
func Context[C any](x C, place string) C {
	if (world.W.Sects.On() || world.W.Clock.Laps()) && !isOfLibrary(x) {
		Opaque(place)
	}
	return x
}

// isOfLibrary reports whether Done and Err of x are those of package context.
func isOfLibrary(x any) bool {
	v := reflect.Indirect(reflect.ValueOf(x))
	if !v.IsValid() || v.Type().PkgPath() != "context" {
		return false
	}
	switch v.Type().Name() {
	case "valueCtx", "stopCtx":
		return isOfLibrary(v.FieldByName("Context").Interface())
	case "backgroundCtx", "todoCtx", "withoutCancelCtx", "cancelCtx", "timerCtx", "afterFuncCtx":
		return true
	}
	return false
}

// Opaquely is Opaque for the condition of a loop, which may have accessed such variables. It
// returns the condition.
func Opaquely[B ~bool](cond B, place string) B {
	Opaque(place)
	return cond
}

// The sorts of updates.
const (
	Adds = sections.Adds
	Ors  = sections.Ors
	Ands = sections.Ands
	Xors = sections.Xors
)

// updated is the variable that is about to be updated, and how.
var updated struct {
	at  unsafe.Pointer
	how sections.How
}

// howChanged says how the variable at an address is changed.
func howChanged(at unsafe.Pointer) sections.How {
	if at != updated.at {
		return sections.Writes
	}
	updated.at = nil
	return updated.how
}

// ReadKey announces that the element of m is about to be looked up whose key the next call of Key
// has.
func ReadKey[M ~map[K]V, K comparable, V any](m M, what string) M {
	keyed(world.Pointer(m), what, sections.Looks)
	return m
}

// WriteKey announces the same of an element that is about to be set or deleted.
func WriteKey[M ~map[K]V, K comparable, V any](m M, what string) M {
	keyed(world.Pointer(m), what, sections.Writes)
	return m
}

// AddKey announces the same of an element to which something is about to be added.
func AddKey[M ~map[K]V, K comparable, V any](m M, what string) M {
	keyed(world.Pointer(m), what, sections.Adds)
	return m
}

// ReadAt announces that m[k] is about to be looked up.
func ReadAt[M ~map[K]V, K comparable, V any](m M, k K, what string) M {
	keyed(world.Pointer(m), what, sections.Looks)
	Key(k)
	return m
}

// WriteAt announces that m[k] is about to be set or deleted.
func WriteAt[M ~map[K]V, K comparable, V any](m M, k K, what string) M {
	keyed(world.Pointer(m), what, sections.Writes)
	Key(k)
	return m
}

// AddAt announces that something is about to be added to m[k].
func AddAt[M ~map[K]V, K comparable, V any](m M, k K, what string) M {
	keyed(world.Pointer(m), what, sections.Adds)
	Key(k)
	return m
}

// keyed announces an access to a map to all but the sections, which wait for the key.
//
//go:noinline
func keyed(at unsafe.Pointer, what string, how sections.How) {
	p := world.W.Current()
	if p == nil || at == nil {
		return
	}
	world.W.Sects.Await(p, at, how, what)
	if how == sections.Looks {
		reads(at, what)
	} else {
		writes(at, what)
	}
}

// Key tells which element it is that is about to be accessed.
func Key[K any](k K) K {
	if world.W.Sects.Awaiting() {
		if v := reflect.ValueOf(&k).Elem(); v.Comparable() {
			world.W.Sects.Key(any(k))
		} else {
			world.W.Sects.Key(nil)
		}
	}
	return k
}

// Accesses to lists: see package runtime/model/sections.

// Grow announces that an element is about to be appended to the list at p. Peek announces that the
// list is read for that.
func Grow[T any](p *T, what string) *T {
	alters(unsafe.Pointer(p), isAppend, what)
	return p
}

// Grown is Grow when v, the new list, is known.
func Grown[T, U any](v T, p *U, what string) T {
	alters(unsafe.Pointer(p), isAppend, what)
	stored()
	return v
}

func isAppend(unsafe.Pointer) sections.How { return sections.Appends }

// Show is Read for a list of which more is read than the length.
func Show[T any](p *T, what string) *T {
	reads(unsafe.Pointer(p), what)
	if world.W.Current() != nil {
		world.W.Sects.Shown(unsafe.Pointer(p))
	}
	return p
}

// Sorted is Read for a list that is about to be sorted by all that tells its elements apart.
func Sorted[T any](p *T, what string) *T {
	reads(unsafe.Pointer(p), what)
	if world.W.Current() != nil {
		world.W.Sects.Sorted(unsafe.Pointer(p))
	}
	return p
}

// Expect announces that the function of a name is about to be called, and that the variable at a
// place takes its result.
func Expect(site, function string) {
	if p := world.W.Current(); p != nil {
		world.W.Sects.Expect(p, site, function)
	}
}

// Gives is called where the function of a name begins. It returns a number of the call if the
// caller expects a list; else 0.
func Gives(function string) int32 {
	if p := world.W.Current(); p != nil {
		return world.W.Sects.Gives(p, function)
	}
	return 0
}

// Give is Read for a list that a function returns in a call of a number.
func Give[T any](call int32, p *T, what string) *T {
	reads(unsafe.Pointer(p), what)
	if q := world.W.Current(); q != nil {
		world.W.Sects.Give(q, call, unsafe.Pointer(p))
	}
	return p
}

// Took announces that the variable at p, and at a place in the source, has taken the result of a
// call.
func Took[T any](p *T, site string) {
	if q := world.W.Current(); q != nil {
		world.W.Sects.Took(q, site, unsafe.Pointer(p))
	}
}
