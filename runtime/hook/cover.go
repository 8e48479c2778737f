package hook

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Covered returns the marks of the blocks of a file, for -cover. They are a file in memory, so that
// the marks of all processes come together, and stay whatever ends a process.
func Covered(file string, blocks int) []byte {
	dir := os.Getenv("REHEARSE_COVER")
	if dir == "" {
		return nil
	}
	f, err := os.OpenFile(filepath.Join(dir, strings.ReplaceAll(file, "/", "%")),
		os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil
	}
	defer f.Close()
	if f.Truncate(int64(blocks)) != nil {
		return nil
	}
	marks, err := syscall.Mmap(int(f.Fd()), 0, blocks, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_SHARED)
	if err != nil {
		return nil
	}
	return marks
}

// Ran marks a block. Functions may run before their package's variables have their values.
//
//go:norace
func Ran(marks []byte, block int) {
	if block < len(marks) {
		marks[block] = 1
	}
}
