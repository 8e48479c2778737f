package record

import (
	"encoding/json"
	"slices"
)

// Question is what the live page asks of a controlled binary: a line of JSON on its standard input.
type Question struct {
	Schedule string // an execution, as the text of a schedule's file
	// Run its first Step choices, then the alternative of this number, as Trace.Alts has them, and
	// go on from there by default.
	Step, Alternative int
	Save              bool // keep the schedule below the package's directory instead
}

// Answer is a line of JSON on the binary's standard output.
type Answer struct {
	Trace   *Trace `json:",omitempty"`
	File    string `json:",omitempty"` // the schedule that was saved, below the package's directory
	Failure string `json:",omitempty"` // why there is neither
}

// Tried is the role of a trace that the live page has asked for.
const Tried = "tried"

// Told is a finding as it is told before the result of its test: a line with the action "found".
type Told struct {
	Finding
	Traces []*Trace
}

// Exploring is the verdict of a test that has no result yet.
const Exploring = "exploring"

// told are the tests that have no result yet. They take turns.
type told []*Test

// of is the test of a name, put last if it is new.
func (l *told) of(name string) *Test {
	for _, t := range *l {
		if t.Name == name {
			return t
		}
	}
	t := &Test{Name: name}
	*l = append(*l, t)
	return t
}

// add reads a line about a test that goes on.
func (l *told) add(action, test string, line []byte) error {
	switch action {
	case "run":
		l.end(test)
		l.of(test)
	case "progress":
		var p struct {
			Summary             string
			Executions, Blocked int
		}
		if err := json.Unmarshal(line, &p); err != nil {
			return err
		}
		t := l.of(test)
		t.Summary, t.Executions, t.Blocked = p.Summary, p.Executions, p.Blocked
	case "found":
		var f Told
		if err := json.Unmarshal(line, &f); err != nil {
			return err
		}
		for _, x := range f.Traces {
			if x.Role == Passing {
				f.Passing = x
			} else {
				f.Failing = x
			}
		}
		t := l.of(test)
		t.Found = append(t.Found, &f.Finding)
	}
	return nil
}

// now is what is known of these tests of a package. What is told later does not change it.
func (l told) now(of string) (list []*Test) {
	for _, t := range l {
		going := *t
		going.Package, going.Verdict = of, Exploring
		list = append(list, &going)
	}
	return list
}

// end forgets a test.
func (l *told) end(test string) {
	*l = slices.DeleteFunc(*l, func(t *Test) bool { return t.Name == test })
}
