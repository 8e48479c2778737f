package effects

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/analysis/kernel"
)

// The tables of this file say what functions without a body do. A package that is not listed is
// unknown. All other functions read and write the memory that their arguments lead to, unless a
// table says that they only read.

// pure are packages whose functions only read what their arguments lead to, and give results.
// Methods may change their receivers.
var pure = words(`
	bytes cmp errors fmt hash/crc32 hash/crc64 hash/adler32 html io/fs iter maps math math/big math/bits math/cmplx
	net/netip net/url path path/filepath regexp regexp/syntax slices strconv strings unicode unicode/utf16
	unicode/utf8 unique encoding/base32 encoding/base64 encoding/hex encoding/json crypto/md5 crypto/sha1 crypto/sha256
	crypto/sha512 crypto/subtle hash/fnv container/list container/ring container/heap sort text/template html/template
	encoding encoding/binary encoding/gob encoding/xml encoding/csv encoding/pem bufio io reflect hash/maphash
	text/tabwriter text/scanner structs context time sync sync/atomic
	testing math/rand math/rand/v2 runtime runtime/debug log os embed log/slog crypto/rand io/ioutil
	golang.org/x/sync/errgroup`)

// writers are functions of pure packages that change what their arguments lead to.
var writers = words(`
	slices.Sort slices.SortFunc slices.SortStableFunc slices.Reverse slices.Insert slices.Delete slices.DeleteFunc
	slices.Replace slices.Compact slices.CompactFunc slices.Grow slices.Clip slices.AppendSeq maps.Copy maps.DeleteFunc
	maps.Insert sort.Sort sort.Stable sort.Slice sort.SliceStable sort.Ints sort.Strings sort.Float64s
	strconv.AppendInt strconv.AppendUint strconv.AppendBool strconv.AppendFloat strconv.AppendQuote
	strconv.AppendQuoteToASCII strconv.AppendQuoteToGraphic strconv.AppendQuoteRune strconv.AppendQuoteRuneToASCII
	strconv.AppendQuoteRuneToGraphic
	fmt.Append fmt.Appendf fmt.Appendln fmt.Scan fmt.Scanf fmt.Scanln fmt.Sscan fmt.Sscanf fmt.Sscanln fmt.Fscan fmt.Fscanf fmt.Fscanln
	fmt.Fprint fmt.Fprintf fmt.Fprintln io.Copy io.CopyN io.CopyBuffer io.ReadAll io.ReadFull io.ReadAtLeast
	io.WriteString encoding/json.Unmarshal encoding/json.Indent encoding/json.Compact encoding/json.HTMLEscape
	encoding/binary.Read encoding/binary.Write encoding/binary.Decode encoding/binary.Encode encoding/binary.Append
	encoding/binary.PutUvarint encoding/binary.PutVarint encoding/binary.AppendUvarint encoding/binary.AppendVarint
	encoding/binary.ReadUvarint encoding/binary.ReadVarint crypto/subtle.ConstantTimeCopy crypto/subtle.XORBytes
	encoding/xml.Unmarshal encoding/xml.EscapeText encoding/xml.Escape encoding/pem.Encode hash/maphash.WriteComparable
	text/template.HTMLEscape text/template.JSEscape html/template.HTMLEscape html/template.JSEscape
	encoding/hex.Encode encoding/hex.Decode encoding/hex.AppendEncode encoding/hex.AppendDecode unicode/utf8.AppendRune
	unicode/utf8.EncodeRune container/heap.Init container/heap.Push container/heap.Pop container/heap.Fix
	container/heap.Remove errors.As crypto/rand.Read math/rand.Read unicode/utf16.AppendRune`)

// outside are functions and types, by their full names, and packages that work on the world,
// whatever else they do. Those that read and write through an interface belong here, too: behind it
// there may be a file or a pipe.
var outside = words(`
	fmt.Print fmt.Printf fmt.Println fmt.Scan fmt.Scanf fmt.Scanln fmt.Fprint fmt.Fprintf fmt.Fprintln
	time.Now time.Since time.Until time.Sleep time.After time.AfterFunc time.NewTimer time.NewTicker time.Tick
	time.Timer time.Ticker time.LoadLocation math/rand math/rand/v2 crypto/rand log log/slog os embed testing.common testing.T
	testing.B testing.F testing.M runtime runtime/debug hash/maphash.MakeSeed io/ioutil
	io.Copy io.CopyN io.CopyBuffer io.ReadAll io.ReadFull io.ReadAtLeast io.WriteString io.PipeReader io.PipeWriter
	io.LimitedReader io.SectionReader io.OffsetWriter
	bufio.Reader bufio.Writer bufio.ReadWriter bufio.Scanner encoding/json.Encoder encoding/json.Decoder
	encoding/gob.Encoder encoding/gob.Decoder encoding/xml.Encoder encoding/xml.Decoder encoding/csv.Reader
	encoding/csv.Writer encoding/binary.Read encoding/binary.Write encoding/binary.ReadUvarint encoding/binary.ReadVarint
	encoding/xml.EscapeText encoding/xml.Escape encoding/pem.Encode text/tabwriter.Writer text/scanner.Scanner
	text/template.HTMLEscape text/template.JSEscape html/template.HTMLEscape html/template.JSEscape
	text/template.ParseFiles text/template.ParseGlob text/template.ParseFS text/template.Template.ParseFiles
	text/template.Template.ParseGlob text/template.Template.ParseFS html/template.ParseFiles html/template.ParseGlob
	html/template.ParseFS html/template.Template.ParseFiles html/template.Template.ParseGlob html/template.Template.ParseFS
	io/fs.ReadFile io/fs.ReadDir io/fs.Stat io/fs.Lstat io/fs.ReadLink io/fs.WalkDir io/fs.Glob
	path/filepath.Abs path/filepath.EvalSymlinks path/filepath.Glob path/filepath.Walk path/filepath.WalkDir`)

// blocking are functions, types and packages that other goroutines notice, or wait for.
var blocking = words(`
	sync sync/atomic context.WithCancel context.WithTimeout context.WithDeadline context.WithCancelCause
	context.AfterFunc context.WithTimeoutCause context.WithDeadlineCause context.Context.Err context.Cause golang.org/x/sync/errgroup`)

// reflected are functions, and types with their methods, whose work is known at run time only: they
// call, send, receive, and access variables that their arguments lead to by unsafe pointers.
var reflected = words(`
	reflect.Value reflect.Select reflect.MakeFunc reflect.NewAt reflect.Copy reflect.Swapper reflect.Append reflect.AppendSlice
	text/template.Template.Execute text/template.Template.ExecuteTemplate html/template.Template.Execute
	html/template.Template.ExecuteTemplate`)

// silent are methods and functions of the above that nobody notices.
var silent = words(`
	testing.common.Helper testing.common.Name testing.T.Name testing.T.Helper
	errors.New fmt.Sprint fmt.Sprintf fmt.Sprintln fmt.Errorf context.Background context.TODO context.WithValue
	log.New os.IsNotExist os.IsExist runtime.KeepAlive runtime.Caller runtime.Callers runtime.CallersFrames
	runtime.FuncForPC runtime.Func.Name runtime.Frames.Next math/rand.New math/rand.NewSource sync.NewCond
	testing.common.Context testing.T.Context`)

// values are functions, and types with their methods, that only compute with values that nobody
// changes; see changing.
var values = words(`
	time.Time time.Duration time.Month time.Weekday time.Location time.Now time.Since time.Until time.Date time.Unix
	time.UnixMilli net/netip.Addr net/netip.Prefix errors.New`)

// changing are beginnings of names of methods of values that change what they are called on, or
// given.
var changing = []string{"Append", "Unmarshal", "GobDecode"}

// isValue reports whether a function only computes with values that nobody changes.
func isValue(f *types.Func) bool {
	return listed(values, names(f)) &&
		!slices.ContainsFunc(changing,
			func(begin string) bool { return strings.HasPrefix(f.Name(), begin) })
}

// stoppers end the goroutine that calls them, or the program.
var stoppers = words(`
	runtime.Goexit os.Exit log.Fatal log.Fatalf log.Fatalln testing.common.Fatal testing.common.Fatalf
	testing.common.FailNow testing.common.Skip testing.common.Skipf testing.common.SkipNow testing.T.Fatal
	testing.T.Fatalf testing.T.FailNow`)

// launchers start the function that they are given on a goroutine, now or later.
var launchers = words(`
	runtime.SetFinalizer runtime.AddCleanup sync.WaitGroup.Go golang.org/x/sync/errgroup.Group.Go golang.org/x/sync/errgroup.Group.TryGo time.AfterFunc
	context.AfterFunc`)

// makers give a slice or map that they have made.
var makers = words(`
	slices.Clone slices.Collect slices.Sorted slices.SortedFunc slices.Concat slices.Repeat maps.Clone maps.Collect
	bytes.Clone strings.Split strings.Fields strings.SplitN bytes.Repeat`)

// makes reports whether fn is one of makers.
func makes(fn *ssa.Function) bool {
	if fn == nil {
		return false
	}
	obj, _ := fn.Object().(*types.Func)
	return obj != nil && obj.Pkg() != nil && listed(makers, names(obj.Origin())[:1])
}

func words(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}

// names returns what the tables may call f: its full name, its receiver's type, its package.
func names(f *types.Func) []string {
	if f.Pkg() == nil {
		return []string{f.Name()}
	}
	path := f.Pkg().Path()
	recv := f.Signature().Recv()
	if recv == nil {
		return []string{path + "." + f.Name(), path}
	}
	typ := path + ".?"
	if n, ok := types.Unalias(kernel.Deref(recv.Type())).(*types.Named); ok {
		typ = path + "." + n.Obj().Name()
	}
	return []string{typ + "." + f.Name(), typ, path}
}

func listed(table map[string]bool, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return table[n] })
}

// external returns the effects of a call of fn, which has no body, and the functions that it may
// call back.
func (a *summaries) external(site ssa.CallInstruction, fn *ssa.Function) ([]invocation, []Effect) {
	obj, _ := fn.Object().(*types.Func)
	if obj == nil || obj.Pkg() == nil || !pure[obj.Pkg().Path()] {
		return nil, []Effect{{Kind: Unknown, State: -1, What: "call of " + fn.RelString(nil),
			Pos: pos(site)}}
	}
	obj = obj.Origin()
	if listed(reflected, names(obj)) {
		return nil, []Effect{{Kind: Unknown, State: -1, What: "call of " + fn.RelString(nil),
			Pos: pos(site)}}
	}
	names, name := names(obj), a.callName(site.Common())
	calls, effects := a.handed(site, asking(obj))
	calls = append(calls, a.installed(site, obj)...)
	if listed(launchers, names) {
		for i := range calls {
			calls[i].spawned = true
		}
		effects = append(effects, Effect{Kind: Spawn, State: -1, What: name, Pos: pos(site)})
	}
	effects = append(effects, a.notice(names, name, site)...)
	if !isValue(obj) {
		writes := listed(writers, names[:1]) || obj.Signature().Recv() != nil
		effects = append(effects, a.touches(site, obj, writes)...)
	}
	return calls, effects
}

// notice returns what others notice of a call.
func (a *reader) notice(names []string, name string, site ssa.CallInstruction) []Effect {
	e := Effect{State: -1, What: name, Pos: pos(site)}
	switch {
	case listed(stoppers, names):
		e.Kind = Stop
	case listed(silent, names):
		return nil
	case listed(blocking, names):
		e.Kind = Block
	case listed(outside, names):
		e.Kind = Outside
	default:
		return nil
	}
	return []Effect{e}
}

// touches returns the accesses to what the arguments of a call lead to. Objects that block, such as
// locks and contexts, are not memory.
func (a *reader) touches(site ssa.CallInstruction, f *types.Func, writes bool) []Effect {
	if listed(blocking, names(f)) || f.Pkg().Path() == "testing" || f.Pkg().Path() == "context" {
		return nil
	}
	var out []Effect
	c := site.Common()
	args := c.Args
	if c.IsInvoke() {
		args = append([]ssa.Value{c.Value}, args...)
	}
	for _, arg := range args {
		for _, v := range elementsOf(arg) {
			if m, ok := v.(*ssa.MakeInterface); ok {
				v = m.X
			}
			out = append(out, a.reachable(site, v, writes)...)
		}
	}
	return out
}

// reachable returns the accesses to all that v leads to.
func (a *reader) reachable(site ssa.CallInstruction, v ssa.Value, writes bool) []Effect {
	var out []Effect
	for i, t := range a.behind(v.Type()) {
		l := a.all(t) // of an interface: everything
		if i == 0 {
			l = a.first(v, l)
		}
		e := a.access(Read, l, v, pos(site))
		if i > 0 {
			e.Pointer, e.Base = nil, nil // a new object may lead to old ones
		}
		out = append(out, e)
		if writes {
			e.Kind = Write
			out = append(out, e)
		}
	}
	return out
}

// first returns the location that v points to itself.
func (a *reader) first(v ssa.Value, otherwise *Location) *Location {
	switch v.Type().Underlying().(type) {
	case *types.Pointer:
		return a.at(v)
	case *types.Map:
		return a.entry(v)
	case *types.Slice:
		return a.elements(v)
	}
	return otherwise
}

// behind lists the types of the variables that a value of type t leads to, those nearest first.
func (a *memory) behind(t types.Type) []types.Type {
	key := a.typeID(t)
	if out, known := a.reached[key]; known {
		return out
	}
	var out []types.Type
	seen := map[int]bool{}
	var walk func(t types.Type, depth int)
	walk = func(t types.Type, depth int) {
		id := a.typeID(t)
		if seen[id] || depth > 8 {
			return
		}
		seen[id] = true
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			out = append(out, u.Elem())
			walk(u.Elem(), depth+1)
		case *types.Slice:
			out = append(out, u.Elem())
			walk(u.Elem(), depth+1)
		case *types.Map:
			out = append(out, t)
			walk(u.Key(), depth+1)
			walk(u.Elem(), depth+1)
		case *types.Array:
			walk(u.Elem(), depth+1)
		case *types.Struct:
			for f := range u.Fields() {
				walk(f.Type(), depth+1)
			}
		case *types.Interface:
			out = append(out, u)
		}
	}
	walk(t, 0)
	a.reached[key] = out
	return out
}

// unseen returns the effects of a call of an unknown method of the standard library, or of an
// unknown function value from there.
func (a *reader) unseen(site ssa.CallInstruction) []Effect {
	c := site.Common()
	if t := types.TypeString(c.Value.Type(), nil); t == "context.CancelFunc" ||
		t == "context.CancelCauseFunc" {
		return []Effect{{Kind: Block, State: -1, What: a.callName(c), Pos: pos(site)}}
	}
	if c.IsInvoke() && (listed(describing, []string{c.Method.Name()}) || isContext(c.Method)) {
		if c.Method.Name() == "Err" {
			return []Effect{{Kind: Block, State: -1, What: a.callName(c), Pos: pos(site)}}
		}
		return nil
	}
	return []Effect{{Kind: Unknown, State: -1, What: "call of " + a.callName(c), Pos: pos(site)}}
}

func isContext(m *types.Func) bool { return m.Pkg() != nil && m.Pkg().Path() == "context" }
