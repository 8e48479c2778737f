// The overlay adds this to package os: each process has a directory for temporary files of its own.
package os

import (
	"internal/testlog"
	"rehearse/runtime/gate"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
)

// Executions repeat the names of temporary files, also fixed ones. Two processes at once, which
// explore one test or two, must not use one directory: each would find, and remove, the files of
// the other. So TempDir returns a directory that this process alone uses, unless the program has
// changed the environment variable since it began.
var rehearseOwn struct {
	claimed atomic.Bool // the other fields have their values
	sync.Mutex
	dir  string // empty: no directory could be claimed
	lock *File  // dir, which stays open
}

// rehearseTMPDIR is what the user has set.
var rehearseTMPDIR = Getenv("TMPDIR")

// rehearseTempDir is TempDir, or "" for the system's.
func rehearseTempDir() string {
	if Getenv("TMPDIR") != rehearseTMPDIR {
		return ""
	}
	rehearseClaim()
	return rehearseOwn.dir
}

func init() { gate.Claim = rehearseClaim }

// rehearseClaim claims the directory. It ends before the first execution begins.
func rehearseClaim() {
	if rehearseOwn.claimed.Load() {
		return
	}
	rehearseOwn.Lock()
	defer rehearseOwn.Unlock()
	if !rehearseOwn.claimed.Load() {
		rehearseOwn.dir = rehearseFirstFree(rehearseSystem() + "/rehearse-test-" + rehearseHere())
		rehearseOwn.claimed.Store(true)
	}
}

// rehearseSystem is the directory for temporary files of all programs.
func rehearseSystem() string {
	switch {
	case rehearseTMPDIR != "":
		return rehearseTMPDIR
	case runtime.GOOS == "android":
		return "/data/local/tmp"
	}
	return "/tmp"
}

// rehearseHere tells packages apart by their directories.
func rehearseHere() string {
	here, _ := Getwd()
	hash := uint32(2166136261) // FNV-1a
	for i := range len(here) {
		hash = (hash ^ uint32(here[i])) * 16777619
	}
	return strconv.FormatUint(1<<32+uint64(hash), 16)[1:] // eight digits
}

// rehearseFirstFree locks the directory whose name is base and the first number that is free, so
// that a program gets the same one whenever it runs alone. Processes that were killed may have left
// something there.
func rehearseFirstFree(base string) string {
	const most = 100
	for n := range most {
		dir := base + "-" + strconv.Itoa(n)
		Mkdir(dir, 0o700)
		f, err := Open(dir)
		if err != nil {
			continue
		}
		if !rehearseLock(f, dir) {
			f.Close()
			continue
		}
		names, _ := f.Readdirnames(-1)
		for _, name := range names {
			RemoveAll(dir + "/" + name)
		}
		rehearseOwn.lock = f
		gate.TempDir, gate.TempFirst = dir, base+"-0"
		return dir
	}
	return ""
}

// rehearseLock locks directory f, and reports whether that is done and it is still called dir.
func rehearseLock(f *File, dir string) bool {
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return false
	}
	named, err := Lstat(dir)
	opened, err2 := f.Stat()
	if err != nil || err2 != nil || !named.IsDir() || !SameFile(named, opened) {
		return false
	}
	s, ok := named.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == Getuid()
}

// rehearseTellTemp makes TempDir the directory of a process that the program starts, too, unless
// the program gives it another one.
func rehearseTellTemp(attr *ProcAttr) *ProcAttr {
	const name = "TMPDIR="
	dir := rehearseTempDir()
	if dir == "" || attr == nil {
		return attr
	}
	told, env := *attr, attr.Env
	if env == nil {
		env = Environ()
	}
	for _, e := range env {
		if len(e) < len(name) || e[:len(name)] != name {
			continue
		}
		if e[len(name):] != rehearseTMPDIR {
			return attr
		}
	}
	told.Env = append(env[:len(env):len(env)], name+dir)
	return &told
}

// rehearseLeave removes the directory at the end of the process.
func rehearseLeave() {
	testlog.RehearseEnd()
	if rehearseOwn.claimed.Load() && rehearseOwn.dir != "" {
		RemoveAll(rehearseOwn.dir)
	}
}
