package std

// environmentHooks tell the logger of package internal/testlog about variables of the environment
// that are read through package syscall, as package time reads TZ. "*" is the whole environment.
var environmentHooks = []hook{
	{name: "Getenv", code: "testlog.Getenv($1)", imports: []string{"internal/testlog"}},
	{name: "Environ", code: `testlog.Getenv("*")`, imports: []string{"internal/testlog"}},
}

// zoneHooks tell the same logger about the files of time zones, which package time reads by itself.
var zoneHooks = []hook{
	{name: "open", code: "testlog.Open($1)", imports: []string{"internal/testlog"}},
}

func hookInputs(goroot string, out map[string][]byte) error {
	if err := hookNamed(goroot, "time", "sys_unix.go", zoneHooks, out); err != nil {
		return err
	}
	return hookNamed(goroot, "syscall", "env_unix.go", environmentHooks, out)
}
