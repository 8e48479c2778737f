package facts

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestProgramJSON: a location that two accesses have is in the object once, with what it says; and
// tasks are in it on request, or if they are few.
func TestProgramJSON(t *testing.T) {
	p := program
	p.Behaviours = slices.Clone(p.Behaviours)
	b := &p.Behaviours[0]
	b.Tasks = slices.Clone(b.Tasks)
	b.Tasks[1].Accesses = b.Tasks[0].Accesses[:1]
	large := p
	large.Behaviours = append(slices.Clone(p.Behaviours),
		Behaviour{Actor: "example.org/p.large", Tasks: []Task{
			{Accesses: []Access{{At: make([]Pos, maxItems)}}},
		}})
	large.Calls = slices.Clone(p.Calls)
	large.Calls[0].At = slices.Repeat(p.Calls[0].At, maxItems+1)
	for name, test := range map[string]struct {
		program    Program
		tasks      *regexp.Regexp
		behaviours int
		leftOut    bool
	}{
		"small":       {p, nil, 1, false},
		"chosen":      {p, regexp.MustCompile("Server"), 1, false},
		"others":      {p, regexp.MustCompile("client"), 0, false},
		"large":       {large, nil, 0, true},
		"some":        {large, regexp.MustCompile("Server"), 1, false},
		"other calls": {large, regexp.MustCompile("large"), 1, false},
		"nothing":     {Program{}, nil, 0, false},
	} {
		var text bytes.Buffer
		if err := WriteProgramJSON(&text, test.program, test.tasks); err != nil {
			t.Fatal(name, err)
		}
		var got struct {
			Actors     []Actor
			Behaviours []struct {
				Tasks []struct{ Accesses []struct{ Location int } }
			}
			Locations []Location
			Targets   []Target
			Calls     []struct {
				From, To, More int
				At             []Pos
			}

			TasksLeftOut, CallsLeftOut string
		}
		if err := json.Unmarshal(text.Bytes(), &got); err != nil {
			t.Fatal(name, err, text.String())
		}
		if len(got.Behaviours) != test.behaviours || (got.TasksLeftOut != "") != test.leftOut ||
			len(got.Actors) != len(test.program.Actors) ||
			len(got.Calls) != len(test.program.Calls) {
			t.Errorf("%s: %d behaviours, %q", name, len(got.Behaviours), got.TasksLeftOut)
		}
		if got.CallsLeftOut != "" {
			t.Errorf("%s: left out %q", name, got.CallsLeftOut)
		}
		if len(got.Calls) > 0 &&
			(got.Targets[got.Calls[0].To].Handler != "ch" || len(got.Calls[0].At) == 0) {
			t.Errorf("%s: %+v, %+v", name, got.Calls, got.Targets)
		}
		few := name == "large" || name == "other calls"
		if len(got.Calls) > 0 && few != (got.Calls[0].More > 0) {
			t.Errorf("%s: %d places, %d left out", name, len(got.Calls[0].At), got.Calls[0].More)
		}
		if test.behaviours == 0 || name == "other calls" {
			continue
		}
		tasks := got.Behaviours[0].Tasks
		if len(got.Locations) != 2 ||
			tasks[0].Accesses[0].Location != tasks[1].Accesses[0].Location ||
			got.Locations[tasks[1].Accesses[0].Location].Name != "Server.vals" {
			t.Errorf("%s: %+v, %+v", name, got.Locations, tasks)
		}
	}
}

// TestLeftOut: both reports say that calls are left out, and the JSON how to get them.
func TestLeftOut(t *testing.T) {
	p := program
	p.Silent = 3
	var text, object bytes.Buffer
	if err := errors.Join(WriteProgram(&text, p), WriteProgramJSON(&object, p, nil)); err != nil {
		t.Fatal(err)
	}
	const want = "the calls by and to 3 tests and other goroutines that are no actors"
	for _, got := range []string{text.String(), object.String()} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if !strings.Contains(object.String(), "-tasks REGEXP") {
		t.Error("no way to get them")
	}
}
