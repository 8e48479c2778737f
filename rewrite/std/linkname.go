package std

import (
	"go/ast"
	"strings"
)

// linked has the functions of package runtime that modules reach by go:linkname, with the function
// of package hook that takes their place.
var linked = map[string]string{
	"runtime.nanotime":              "Nanotime",
	"runtime.walltime":              "Walltime",
	"time.now":                      "TimeNow",
	"runtime.fastrand":              "Fastrand",
	"runtime.cheaprand":             "Fastrand",
	"runtime.fastrandn":             "Fastrandn",
	"runtime.cheaprandn":            "Fastrandn",
	"runtime.fastrand64":            "Fastrand64",
	"runtime.rand":                  "Fastrand64",
	"runtime.memhash":               "Memhash",
	"runtime.strhash":               "Strhash",
	"runtime.procPin":               "ProcPin",
	"runtime.procUnpin":             "ProcUnpin",
	"sync.runtime_procPin":          "ProcPin",
	"sync.runtime_procUnpin":        "ProcUnpin",
	"sync/atomic.runtime_procPin":   "ProcPin",
	"sync/atomic.runtime_procUnpin": "ProcUnpin",
}

// Link is a function without a body that is linked by name to another.
type Link struct {
	Comment *ast.Comment // the pragma
	Target  string       // "runtime.mapassign"
}

// LinkOf returns the link of a declaration without a body; the zero Link if there is none. comments
// are where the pragma may stand, beside the declaration's own.
func LinkOf(d *ast.FuncDecl, comments ...*ast.CommentGroup) Link {
	if d.Body != nil || d.Recv != nil {
		return Link{}
	}
	if d.Doc != nil {
		comments = append([]*ast.CommentGroup{d.Doc}, comments...)
	}
	for _, group := range comments {
		for _, c := range group.List {
			words := strings.Fields(c.Text)
			if len(words) == 3 && words[0] == "//go:linkname" && words[1] == d.Name.Name {
				return Link{c, words[2]}
			}
		}
	}
	return Link{}
}

// Hook returns the function of package hook that is to be the body of the declaration: it is linked
// to a function of package runtime that is controlled. It returns "" for all others.
func (l Link) Hook() string { return linked[l.Target] }

// Harmless reports whether what is linked does nothing that depends on a schedule, or is hooked
// itself. Packages other than those below have their functions in Go, which are rewritten, or
// hooked at their entry.
func (l Link) Harmless() bool {
	dot := strings.LastIndexByte(l.Target, '.')
	if dot < 0 {
		return false
	}
	path, name := l.Target[:dot], l.Target[dot+1:]
	switch path {
	case "runtime", "reflect", "internal/reflectlite", "sync", "sync/atomic", "internal/poll",
		"time",
		"os/signal", "os", "net", "testing", "runtime/pprof", "runtime/debug":
	case "syscall":
		return harmlessLinks[name] || harmlessSockets[name]
	default:
		return !strings.HasPrefix(path, "internal/")
	}
	name = strings.TrimPrefix(name, "reflect_")
	return harmlessLinks[name] || strings.HasPrefix(name, "map") ||
		strings.HasPrefix(name, "conv") ||
		strings.HasPrefix(name, "memclr") ||
		strings.HasPrefix(name, "memequal") || strings.HasPrefix(name, "makemap")
}

// harmlessLinks are functions of the runtime that compute, allocate or copy.
var harmlessLinks = set(`
	add addReflectOff args assertE2I assertE2I2 chanlen chancap efaceeq envs fastexprand firstmoduledata findfunc funcdata funcline
	funcname getcallersp goexit0 growslice ifaceE2I ifaceeq interequal interhash f32hash f64hash c64hash c128hash itab_init lastmoduledatap mallocgc
	makeslice makeslice64 makeslicecopy memmove moduledataverify1 modulesinit name_off newarray newobject nilinterequal nilinterhash noescape
	panicdivide panicmem pcvalue pkgPath printint printlock printnl printstring printunlock rawbyteslice rawruneslice rawstring resolveNameOff
	resolveTextOff resolveTypeOff rtypeOff runtime_args runtime_envs runtime_beforeExit slicebytetostring slicecopy slicerunetostring step
	strequal stringHash stringtoslicebyte stringtoslicerune concatstrings throw toType typedmemclr typedmemclrpartial typedmemmove typedslicecopy
	typedarrayclear typehash typelinks typelinksinit typesByString typesEqual unsafe_New unsafe_NewArray verifyNotInHeapPtr wbMove wbZero
	activeModules goargs gostring gostringnocopy bytesHash int32Hash int64Hash funcspdelta cputicks_ getRuntimePrefix heapBits isDirectIface
	unsafeslice unsafestring unsafestringcheckptr unsafeslicecheckptr valueInterface packEface unpackEface readUnaligned32 readUnaligned64 runtime_doAllThreadsSyscall_
	support_aes support_sse41 x86HasPOPCNT x86HasSSE41 useAeshash hash_init atoi itoa bytealg_MakeNoZero decoderune countrunes`)

// harmlessSockets are system calls that do not wait.
var harmlessSockets = set(
	`setsockopt getsockopt socket bind getsockname getpeername listen fcntl ioctl runtime_envs runtime_BeforeFork_`)

func set(names string) map[string]bool {
	all := map[string]bool{}
	for _, name := range strings.Fields(names) {
		all[name] = true
	}
	return all
}
