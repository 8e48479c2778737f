package process

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// claimed is the file of a temporary directory that its process has a lock on. Processes are not
// told apart by number: containers with numbers of their own can share a directory.
const claimed = ".lock"

// young is the age at which a directory may not have its lock yet.
const young = time.Minute

// TempDir makes a directory for temporary files, which remove removes. Directories of that prefix
// which processes that were killed have left are removed, too.
func TempDir(prefix string) (dir string, remove func(), err error) {
	sweep(prefix)
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

// sweep removes what nobody has a lock on.
func sweep(prefix string) {
	list, _ := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*"))
	for _, dir := range list {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() && isOurs(info) &&
			time.Since(info.ModTime()) > young && isLeft(filepath.Join(dir, claimed)) {
			os.RemoveAll(dir)
		}
	}
}

func isOurs(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Getuid()
}

// isLeft reports whether there is a lock file, and no process has the lock.
func isLeft(path string) bool {
	lock, err := os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer lock.Close()
	return syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
