package process

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// claimed is the file of a temporary directory that its process has a lock on. Processes are not
// told apart by number: containers with numbers of their own can share a directory.
const claimed = ".lock"

// young is the age at which a directory may not have its lock yet.
const young = time.Minute

// ofTests are the directories that test binaries have as os.TempDir: rehearse-test-12ab34cd-0. A
// binary locks the directory, and no file in it: see temp.go in rewrite/std/_added/os.
var ofTests = "rehearse-test-" + strings.Repeat("[0-9a-f]", 8) + "-[0-9]"

// TempDir makes a directory for temporary files, which remove removes. Directories of that prefix
// which processes that were killed have left are removed, too, and so are those of test binaries.
func TempDir(prefix string) (dir string, remove func(), err error) {
	sweep(prefix+"*", claimed)
	sweep(ofTests, ".")
	sweep(ofTests+"[0-9]", ".")
	if dir, err = os.MkdirTemp("", prefix); err != nil {
		return "", nil, err
	}
	lock, err := os.OpenFile(filepath.Join(dir, claimed), os.O_CREATE|os.O_RDWR, 0o600)
	if err == nil {
		err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		os.RemoveAll(dir)
		return "", nil, err
	}
	return dir, func() { os.RemoveAll(dir); lock.Close() }, nil
}

// sweep removes the directories that match a pattern, and in which nobody has a lock on the file of
// this name.
func sweep(pattern, name string) {
	list, _ := filepath.Glob(filepath.Join(os.TempDir(), pattern))
	for _, dir := range list {
		if info, err := os.Lstat(dir); err == nil && info.Mode() == fs.ModeDir|0o700 &&
			isOurs(info) && time.Since(info.ModTime()) > young {
			removeLeft(dir, filepath.Join(dir, name))
		}
	}
}

func isOurs(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Getuid()
}

// removeLeft removes a directory if it has a lock file, and no process has the lock. Nobody else
// gets the lock until the directory is gone.
func removeLeft(dir, file string) {
	lock, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer lock.Close()
	if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return
	}
	locked, err := lock.Stat()
	if named, err2 := os.Stat(file); err == nil && err2 == nil && os.SameFile(locked, named) {
		os.RemoveAll(dir)
	}
}
