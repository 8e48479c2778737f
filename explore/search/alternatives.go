package search

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Wide is the number of alternatives beyond which a station does not keep them: with thousands of
// processes they would take most of the memory. Such a station learns only when it is reached again
// whether it has something left to explore. If it has nothing, that execution is cut off.
var Wide = 256

// Unknown is the index of the alternative of a wide station that is to be picked when the station
// is reached.
const Unknown = -1

// Describe says what a does, whose process had declared an operation of kind k.
func Describe(a trace.Alt, k trace.Kind) string {
	if a.Partner >= 0 {
		return fmt.Sprintf("process %d meets %d", a.Proc, a.Partner)
	}
	return fmt.Sprintf("process %d does %v", a.Proc, k)
}

// DescribeAll says what is possible in state s.
func DescribeAll(s *trace.State) string {
	var list []string
	for _, a := range s.Alts {
		list = append(list, Describe(a, s.Procs[a.Proc].Kind))
	}
	return strings.Join(list, ", ")
}
