package std

// environmentHooks tell the logger of package internal/testlog about variables of the environment
// that are read through package syscall, as package time reads TZ. "*" is the whole environment.
var environmentHooks = []hook{
	{name: "Getenv", code: "testlog.Getenv($1)", imports: []string{"internal/testlog"}},
	{name: "Environ", code: `testlog.Getenv("*")`, imports: []string{"internal/testlog"}},
}

func hookInputs(goroot string, out map[string][]byte) error {
	return hookNamed(goroot, "syscall", "env_unix.go", environmentHooks, out)
}
