// The overlay adds this to package flag: there are the same flags, with the same values, at the
// beginning of each execution.
package flag

import (
	"maps"
	"rehearse/runtime/gate"
)

// rehearseKept has the values of flags that the execution has set, as they were before.
var rehearseKept map[string]rehearseValue

type rehearseValue struct {
	text   string
	actual bool // it had been set
}

// rehearseKeep is called before an execution sets a flag.
func rehearseKeep(f *FlagSet, name string) {
	known, ok := f.formal[name]
	if _, kept := rehearseKept[name]; f != CommandLine || !ok || kept {
		return
	}
	if rehearseKept == nil {
		rehearseKept = map[string]rehearseValue{}
	}
	_, actual := f.actual[name]
	rehearseKept[name] = rehearseValue{known.Value.String(), actual}
}

func init() {
	gate.Settings = append(gate.Settings, func() (restore func()) {
		line, defined := CommandLine, maps.Clone(CommandLine.formal)
		return func() {
			CommandLine = line
			if len(line.formal) > len(defined) {
				isNew := func(name string, _ *Flag) bool { return defined[name] == nil }
				maps.DeleteFunc(line.formal, isNew)
				maps.DeleteFunc(line.actual, isNew)
			}
			for name, old := range rehearseKept {
				if defined[name] == nil {
					continue
				}
				CommandLine.formal[name].Value.Set(old.text)
				if !old.actual {
					delete(CommandLine.actual, name)
				}
			}
			clear(rehearseKept)
		}
	})
}
