// The overlay adds this to package os: operations on files, as steps of controlled processes.
package os

import (
	"internal/syscall/unix"
	"internal/testlog"
	"io"
	"rehearse/runtime/gate"
	"strconv"
	"syscall"
	"time"
	"unsafe"
)

// rehearseFile is what identifies an open file; nil for the standard ones, which nobody reads in
// the same program, and for the one without content, which takes their place in an exploration.
func rehearseFile(f *File) unsafe.Pointer {
	if f == nil || f.file == nil || f.stdoutOrErr || f == Stdin || f.name == DevNull {
		return nil
	}
	return unsafe.Pointer(f.file)
}

// rehearseOpens says what opening a file with these flags does with its name.
func rehearseOpens(flag int) gate.PathOp {
	switch {
	case flag&O_TRUNC != 0 && flag&O_EXCL == 0:
		return gate.PathTruncate
	case flag&O_CREATE != 0:
		return gate.PathMake
	}
	return gate.PathLook
}

// rehearseOpen is OpenFile.
func rehearseOpen(name string, flag int, perm FileMode) (*File, error) {
	testlog.Open(name)
	gate.Path(rehearseOpens(flag), name, "")
	f, err := openFileNolog(name, flag, perm)
	if err != nil {
		return nil, err
	}
	f.appendMode = flag&O_APPEND != 0
	gate.Opened(unsafe.Pointer(f.file), name)
	return f, nil
}

// rehearseTwo is an operation on two names.
func rehearseTwo(op gate.PathOp, from, to string, do func(from, to string) error) error {
	gate.Path(op, from, to)
	owner := gate.Aside()
	err := do(from, to)
	gate.Back(owner)
	if err == nil {
		gate.Named(op, from, to)
	}
	return err
}

// rehearseRead is File.Read. A Read that finds nothing changes nothing: who repeats it polls.
func rehearseRead(f *File, b []byte) (n int, err error, done bool) {
	file := rehearseFile(f)
	if file == nil {
		return 0, nil, false
	}
	if p := rehearsePipeOf(f); p != nil {
		n, err = p.read(f, b)
		return n, err, true
	}
	gate.Handle(file, f.name, gate.HandleRead)
	if err := f.checkValid("read"); err != nil {
		return 0, err, true
	}
	n, e := rehearseTake(f, b)
	if n == 0 {
		gate.Idle()
	}
	return n, f.wrapErr("read", e), true
}

// rehearseTake is f.read, which ends the execution if nothing is there to be read yet, but may come
// from outside: f is of a kind that waits for data, such as a FIFO or what inotify returns.
func rehearseTake(f *File, b []byte) (n int, err error) {
	var failed error
	tried := false
	f.pfd.RawRead(func(fd uintptr) bool {
		if waits, err := unix.IsNonblock(int(fd)); err == nil && waits && len(b) > 0 {
			tried = true
			n, failed = syscall.Read(int(fd), b)
		}
		return true
	})
	switch {
	case failed == syscall.EAGAIN:
		gate.Guard("(*os.File).Read", rehearseWaits)
	case tried && failed == nil && n == 0:
		return 0, io.EOF
	case tried && failed == nil:
		return n, nil
	}
	return f.read(b)
}

const rehearseWaits = "(*os.File).Read is not controlled: it waits for data from outside of the program" +
	"; -trust '(*os.File).Read' lets it run as it is"

// rehearseReaddir is File.Readdir: it lists the names, and looks at each.
func rehearseReaddir(f *File, n int) ([]FileInfo, error) {
	infos := []FileInfo{}
	for {
		names, err := f.Readdirnames(n)
		for _, name := range names {
			info, err := Lstat(f.name + "/" + name)
			if IsNotExist(err) {
				continue // it has been removed since
			}
			if err != nil {
				return infos, err
			}
			infos = append(infos, info)
		}
		if err != nil || n <= 0 || len(infos) > 0 {
			return infos, err
		}
	}
}

// rehearseRoot declares an operation on names in a directory.
func rehearseRoot(r *Root, op gate.PathOp, name, other string) {
	if other != "" {
		other = joinPath(r.Name(), other)
	}
	gate.Path(op, joinPath(r.Name(), name), other)
}

// rehearseModTime is when a file was changed, by the virtual clock.
func rehearseModTime(fs *fileStat) time.Time {
	now := func() int64 { return time.Now().UnixNano() }
	at := fs.modTime.UnixNano()
	return time.Unix(0, gate.Modified(uint64(fs.sys.Dev), uint64(fs.sys.Ino), at, now))
}

func rehearseTemp() string { return strconv.FormatUint(uint64(gate.Temp()), 10) }
