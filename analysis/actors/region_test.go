package actors

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// codeLines says what the tasks of a run: the functions they call, each once, sorted.
func codeLines(a *Actor) []string {
	out := []string{words("start", a.Name, called(a.Start))}
	for _, h := range a.Tasks {
		out = append(out, words("task", a.Name, h.Name(), called(h.Code)),
			words("closed", a.Name, h.Name(), called(h.Closed)))
	}
	return out
}

func called(c Code) string {
	var names []string
	for _, r := range c.Regions {
		for _, i := range r.Instrs {
			call, ok := i.(*ssa.Call)
			if ok && c.Into[call] == nil && call.Call.StaticCallee() != nil {
				names = append(names, call.Call.StaticCallee().Name())
			}
		}
	}
	slices.SortFunc(names, func(a,
		b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	return strings.Join(slices.Compact(names), " ")
}
