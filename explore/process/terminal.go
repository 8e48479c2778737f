package process

import (
	"os"
	"strconv"
	"syscall"
	"unsafe"
)

// TerminalWidth is the number of characters in a line of the terminal f; 0 if f is no terminal, or
// does not tell.
func TerminalWidth(f *os.File) int {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return 0
	}
	var size struct{ rows, columns, x, y uint16 }
	_, _, failed := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ,
		uintptr(unsafe.Pointer(&size)))
	if failed == 0 && size.columns > 0 {
		return int(size.columns)
	}
	n, _ := strconv.Atoi(os.Getenv("COLUMNS")) // 0 if it is not set
	return n
}

// WantsColours reports whether the user accepts colours; see no-color.org.
func WantsColours() bool { return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" }
