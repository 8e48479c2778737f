package std

// callersHooks leave out of the stacks that the program looks at what controls the program.
var callersHooks = []hook{
	{name: "Callers",
		code: "if RehearseFrames != nil && len($2) > 0 { return rehearseCallers($1, $2) }"},
	{name: "Caller",
		code: "if RehearseFrames != nil { pcs := make([]uintptr, 1); if rehearseCallers($1+1, pcs) < 1 { return }; f, _ := CallersFrames(pcs).Next(); return f.PC, f.File, f.Line, f.PC != 0 }"},
}

var stackHooks = []hook{{name: "Stack",
	code: "if RehearseStack != nil { if n, ok := RehearseStack($1, $2); ok { return n } }"}}

func hookCallers(goroot string, out map[string][]byte) error {
	if err := hookFile(goroot, "runtime", "func Callers(", callersHooks, out); err != nil {
		return err
	}
	return hookFile(goroot, "runtime", "func Stack(", stackHooks, out)
}
