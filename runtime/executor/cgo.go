package executor

import (
	"runtime"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// callsOfC counts the calls of C, if the program makes some.
func callsOfC() cgoCalls {
	if len(world.Binary.WithC) == 0 {
		return 0
	}
	return cgoCalls(runtime.NumCgoCall())
}

type cgoCalls int64

// note says that an execution has called C since then.
func (c cgoCalls) note(x *trace.Execution) {
	if callsOfC() > c {
		x.Limits.AddCut(trace.TrustedC + strings.Join(world.Binary.WithC, ", "))
	}
}
