package hook

import "github.com/rehearse-go/rehearse/runtime/world"

// Beyond says that the program makes a system call past package os. Where there are several
// processes, the order of such calls is not explored. It returns f, the function that is called, or
// its first argument.
func Beyond[F any](f F, name string) F {
	beyond(name)
	return f
}

//go:noinline
func beyond(name string) {
	if p := world.W.Current(); p != nil && len(world.W.All()) > 1 {
		world.W.Cut("system calls past package os are in no order: " + name)
	}
}
