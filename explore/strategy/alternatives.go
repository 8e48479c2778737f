package strategy

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// wide is the number of alternatives beyond which a node does not keep them: with thousands of
// processes that would be most of the memory. Such a node learns only when it is reached again
// whether something is left to explore, and if nothing is, that execution is cut off.
var wide = 256

// unknown is the index of the alternative of a wide node that is to be picked when the node is
// reached.
const unknown = -1

func describe(a trace.Alt, k trace.Kind) string {
	if a.Partner >= 0 {
		return fmt.Sprintf("process %d meets %d", a.Proc, a.Partner)
	}
	return fmt.Sprintf("process %d does %v", a.Proc, k)
}

func describeAll(s *trace.State) string {
	var list []string
	for _, a := range s.Alts {
		list = append(list, describe(a, s.Procs[a.Proc].Kind))
	}
	return strings.Join(list, ", ")
}
