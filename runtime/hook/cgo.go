package hook

import (
	"runtime"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// WithC are the packages of the program that call C. Their C code is trusted: it runs as it is,
// until it blocks, and no result with some is complete.
var WithC []string

// callsOfC counts the calls of C, if the program makes some.
func callsOfC() cgoCalls {
	if len(WithC) == 0 {
		return 0
	}
	return cgoCalls(runtime.NumCgoCall())
}

type cgoCalls int64

// note says that an execution has called C since then.
func (c cgoCalls) note(x *trace.Execution) {
	if callsOfC() > c {
		x.Limits.AddCut("C code is trusted, as it is not controlled: " + strings.Join(WithC, ", "))
	}
}
