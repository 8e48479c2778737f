package std

const touches = isHere + "{ gate.Touch() }"

// osHooks make os.Exit the end of an execution wherever it is called, also by log.Fatal; keep what an example prints;
// and notice what a test changes of its surroundings. They are grouped by the file that has them.
var osHooks = []struct {
	marker string
	hooks  []hook
}{
	{"func Exit(", []hook{{name: "Exit", code: isHere + "{ gate.Exit($1); return }"}}},
	{"func (f *File) Write(", []hook{
		{recv: "File", name: "Write", code: "if gate.Stdout != nil && gate.Here() && $r == Stdout && gate.Stdout($1) { return len($1), nil }"},
		{name: "Chdir", code: touches},
	}},
	{"func Setenv(", []hook{
		{name: "Setenv", code: touches},
		{name: "Unsetenv", code: touches},
		{name: "Clearenv", code: touches},
	}},
}

func hookOS(goroot string, out map[string][]byte) error {
	for _, group := range osHooks {
		if err := hookFile(goroot, "os", group.marker, group.hooks, out); err != nil {
			return err
		}
	}
	return nil
}
