package std

// osHooks make os.Exit the end of an execution wherever it is called, also by log.Fatal.
var osHooks = []hook{{name: "Exit", code: isHere + "{ gate.Exit($1); return }"}}

func hookOS(goroot string, out map[string][]byte) error {
	p, err := load(goroot, "os", "func Exit(")
	if err != nil {
		return err
	}
	if err := p.apply(osHooks); err != nil {
		return err
	}
	p.write(out)
	return nil
}
