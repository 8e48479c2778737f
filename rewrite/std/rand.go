package std

// randHooks give the top-level functions of math/rand the calling process's own sequence of numbers, also after a call
// of Seed.
var randHooks = []hook{{name: "globalRand", code: isHere + "{ return rehearseRand() }"}}

// rand2Hooks do the same in math/rand/v2, whose functions all come to one source.
var rand2Hooks = []hook{{recv: "runtimeSource", name: "Uint64", code: isHere + "{ return gate.Random() }"}}

func hookRand(goroot string, out map[string][]byte) error {
	if err := hookFile(goroot, "math/rand", "func globalRand(", randHooks, out); err != nil {
		return err
	}
	return hookFile(goroot, "math/rand/v2", "func (runtimeSource) Uint64(", rand2Hooks, out)
}
