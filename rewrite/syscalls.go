package rewrite

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/rewrite/edit"
)

// System calls that the program makes itself, past package os, are no steps: a hook notes where
// that is.
//
//	syscall.Open(name, 0, 0)       _rehearse.Beyond(syscall.Open, "syscall.Open")(name, 0, 0)
//	unix.Syscall(n, a, b, c)       unix.Syscall(_rehearse.Beyond(uintptr(n), "unix.Syscall"), a, b, c)
//
// The second form is for functions whose arguments are pointers as numbers, which only a direct
// call keeps alive.

// systemCall returns the name of the function of package syscall, or of golang.org/x/sys, that e
// is, if others may notice what it does.
func (lib *library) systemCall(e ast.Expr) string {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	fn, ok := lib.In.Info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Signature().Recv() != nil {
		return ""
	}
	path := fn.Pkg().Path()
	if path != "syscall" && !strings.HasPrefix(path, "golang.org/x/sys/") ||
		strings.HasSuffix(path, "/cpu") || computes(fn.Name()) {
		return ""
	}
	return fn.Pkg().Name() + "." + fn.Name()
}

// computes reports whether a function with that name asks for nothing that another goroutine could
// change, or is a hook of its own.
func computes(name string) bool {
	for _, prefix := range []string{"Byte", "Cmsg", "Errno", "FD_", "Major", "Minor", "Mkdev",
		"Nsec",
		"Parse", "Signal", "SlicePtr", "StringByte", "StringSlice", "Timespec", "Timeval", "Unix",
		"WSTOPSIG"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return slices.Contains(harmlessCalls, name)
}

var harmlessCalls = []string{
	"Clearenv", "Environ", "Exit", "Getegid", "Getenv", "Geteuid", "Getgid", "Getgroups",
	"Getpagesize", "Getpid", "Getppid", "Gettid", "Getuid",
	"IoctlGetTermios", "IoctlGetWinsize", "Setenv", "Sysinfo", "Uname", "Unsetenv",
}

// isRaw reports whether a system call takes pointers as numbers.
func isRaw(name string) bool {
	return strings.Contains(name, ".Syscall") || strings.Contains(name, ".RawSyscall")
}

// beyond makes a function that is a system call note that it is used.
func (lib *library) beyond(e *ast.SelectorExpr) {
	if name := lib.systemCall(e); name != "" && !isRaw(name) {
		lib.Open(e, lib.Hooked("Beyond"))
		lib.Close(e, ", "+strconv.Quote(name)+")")
	}
}

// entered makes an exported function of the library's border tell when it is called.
func (lib *library) entered(d *ast.FuncDecl) {
	if lib.In.Enters && d.Body != nil && d.Name.IsExported() {
		lib.Edits.Open(lib.Offset(d.Body.Lbrace)+1, edit.Text(" "+lib.Hooked("Entered")+");"))
	}
}
