package kernel

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// NeverReturns reports whether instr ends the process or the program.
func NeverReturns(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok {
		_, panics := instr.(*ssa.Panic)
		return panics
	}
	fn := call.Call.StaticCallee()
	return fn != nil && (isEnding(fn) ||
		len(fn.Blocks) > 0 && len(fn.Blocks) <= maxEnding &&
			Search(fn.Blocks[0], 0, toReturn) == nil)
}

// maxEnding bounds the blocks of a function of the package that is searched for a call that never
// returns.
const maxEnding = 16

func toReturn(i ssa.Instruction) Answer {
	switch x := i.(type) {
	case *ssa.Return:
		return Found
	case *ssa.Panic:
		return Blocked
	case *ssa.Call:
		if fn := x.Call.StaticCallee(); fn != nil && isEnding(fn) {
			return Blocked
		}
	}
	return Onward
}

// isEnding reports whether fn is one of the library's functions that never return, or one of
// another package that bears such a name: log.Fatal has many relatives.
func isEnding(fn *ssa.Function) bool {
	return endings.Have(fn) ||
		len(fn.Blocks) == 0 && strings.HasPrefix(fn.Name(), "Fatal")
}

var endings = NamesOf("os.Exit", "runtime.Goexit", "log.Fatal", "log.Fatalf", "log.Fatalln",
	"log.Panic", "log.Panicf", "log.Panicln",
	"(*testing.common).Fatal", "(*testing.common).Fatalf", "(*testing.common).FailNow",
	"(*testing.common).Skip", "(*testing.common).Skipf", "(*testing.common).SkipNow")
