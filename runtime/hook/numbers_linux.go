//go:build linux && (amd64 || arm64)

package hook

import "syscall"

// harmlessNumber reports whether the system call of a number does not wait, and asks for nothing
// that changes by itself.
func harmlessNumber(n uintptr) bool {
	switch n {
	case syscall.SYS_GETPID, syscall.SYS_GETPPID, syscall.SYS_GETTID, syscall.SYS_GETUID,
		syscall.SYS_GETEUID, syscall.SYS_GETGID,
		syscall.SYS_GETEGID, syscall.SYS_GETGROUPS, syscall.SYS_GETPGID, syscall.SYS_GETSID,
		syscall.SYS_UNAME, syscall.SYS_GETCWD,
		syscall.SYS_GETPRIORITY, syscall.SYS_SCHED_GETAFFINITY, syscall.SYS_PRCTL,
		syscall.SYS_UMASK,
		syscall.SYS_MMAP, syscall.SYS_MUNMAP, syscall.SYS_MPROTECT, syscall.SYS_MADVISE,
		syscall.SYS_MINCORE, syscall.SYS_MSYNC,
		syscall.SYS_MREMAP, syscall.SYS_MLOCK, syscall.SYS_MUNLOCK,
		syscall.SYS_IOCTL, syscall.SYS_FCNTL, syscall.SYS_DUP, syscall.SYS_DUP3, syscall.SYS_CLOSE,
		syscall.SYS_LSEEK,
		syscall.SYS_FSYNC, syscall.SYS_FDATASYNC, syscall.SYS_FTRUNCATE, syscall.SYS_FALLOCATE,
		syscall.SYS_FSTAT, syscall.SYS_FSTATFS,
		syscall.SYS_STATFS, syscall.SYS_PREAD64, syscall.SYS_PWRITE64, syscall.SYS_GETDENTS64,
		syscall.SYS_SYNC_FILE_RANGE,
		syscall.SYS_MKDIRAT, syscall.SYS_UNLINKAT, syscall.SYS_RENAMEAT, syscall.SYS_LINKAT,
		syscall.SYS_SYMLINKAT,
		syscall.SYS_READLINKAT, syscall.SYS_FCHMOD, syscall.SYS_FCHMODAT, syscall.SYS_FCHOWN,
		syscall.SYS_FCHOWNAT, syscall.SYS_UTIMENSAT,
		syscall.SYS_GETXATTR, syscall.SYS_SETXATTR, syscall.SYS_LISTXATTR, syscall.SYS_REMOVEXATTR,
		syscall.SYS_SOCKET, syscall.SYS_BIND, syscall.SYS_SETSOCKOPT, syscall.SYS_GETSOCKOPT,
		syscall.SYS_GETSOCKNAME, syscall.SYS_GETPEERNAME:
		return true
	}
	return false
}
