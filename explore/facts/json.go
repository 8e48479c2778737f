package facts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
)

// The JSON object of a program. Each location, and each target of a call, is in it once: accesses
// and calls have its number in the list of all. The tasks of a large program would make it a
// hundred times as large, so they are in it on request only. A part is written at once and not
// kept, so a large object takes little memory.

// maxItems is how many accesses, conflicts and places the tasks of a program may have that are
// written without being asked for: some megabytes.
const maxItems = 20000

// WriteProgramJSON prints v as one indented JSON object. It has the tasks of the actors that tasks
// selects; nil: all if the program is small, else none.
func WriteProgramJSON(w io.Writer, v Program, tasks *regexp.Regexp) error {
	o := &object{w: w}
	o.field("Version", v.Version)
	if v.Dir != "" {
		o.field("Dir", v.Dir)
	}
	o.field("Actors", v.Actors)
	o.field("Rejected", v.Rejected)
	o.field("Frameworks", v.Frameworks)
	if tasks == nil && v.items() > maxItems {
		o.field("TasksLeftOut", fmt.Sprintf("more than %d accesses, conflicts and places; "+
			"rehearse actors -json -tasks REGEXP has those of the actors that match", maxItems))
		v.Behaviours = nil
	}
	if tasks != nil {
		v.Behaviours = slices.DeleteFunc(slices.Clone(v.Behaviours),
			func(b Behaviour) bool { return !tasks.MatchString(b.Actor) })
	}
	locations := &table{numbers: map[string]int{}}
	calls := &calls{tasks: tasks, few: v.places() > maxItems, numbers: map[Target]int{}}
	o.list("Behaviours", len(v.Behaviours), func(i int) any {
		return locations.behaviour(v.Behaviours[i])
	})
	o.field("Locations", locations.list)
	if v.Silent > 0 {
		o.field("CallsLeftOut", v.leftOut()+
			"; rehearse actors -json -tasks REGEXP has those of the names that match")
	}
	o.list("Calls", len(v.Calls), func(i int) any { return calls.call(v.Calls[i]) })
	o.field("Targets", calls.targets)
	o.field("Sources", v.Sources)
	o.field("Sums", v.Sums)
	return o.end()
}

// leftOut says which calls are not in v.
func (v Program) leftOut() string {
	return fmt.Sprintf("the calls by and to %d tests and other goroutines that are no actors",
		v.Silent)
}

// items counts what is said of tasks.
func (v Program) items() (n int) {
	for _, b := range v.Behaviours {
		for i := range b.Tasks {
			n += b.Tasks[i].items()
		}
		for _, p := range b.Pairs {
			n += 1 + len(p.Conflicts) + len(p.Commuting)
		}
	}
	return n
}

func (t *Task) items() (n int) {
	for _, a := range t.Accesses {
		n += 1 + len(a.At)
	}
	for _, o := range t.Operations {
		n += 1 + len(o.At)
	}
	if t.Round != nil {
		n += t.Round.items()
	}
	return n + len(t.Sends)
}

// places counts the places of calls.
func (v Program) places() (n int) {
	for _, c := range v.Calls {
		n += len(c.At)
	}
	return n
}

// calls makes the calls of the object.
type calls struct {
	tasks   *regexp.Regexp // actors of whose calls all places are in it
	few     bool           // of others, only a few are
	targets []Target
	numbers map[Target]int
}

// jsonCall is a Call.
type jsonCall struct {
	Call
	From, To int // numbers in the list of targets
	At       []Pos
	More     int `json:",omitempty"` // places that are left out
}

// maxPlaces is how many places of a call are a few.
const maxPlaces = 3

func (l *calls) call(c Call) jsonCall {
	out := jsonCall{Call: c, From: l.number(c.From), To: l.number(c.To), At: c.At}
	if l.few && (l.tasks == nil || !l.tasks.MatchString(c.From.Actor)) && len(c.At) > maxPlaces {
		out.At, out.More = c.At[:maxPlaces], len(c.At)-maxPlaces
	}
	return out
}

func (l *calls) number(t Target) int {
	n, ok := l.numbers[t]
	if !ok {
		n = len(l.targets)
		l.numbers[t], l.targets = n, append(l.targets, t)
	}
	return n
}

// table has each location once.
type table struct {
	list    []Location
	numbers map[string]int // by all that a location says
}

func (t *table) number(l Location) int {
	key := fmt.Sprintf("%q %q %q %v", l.Name, l.Where, l.Type, l.Objects)
	n, ok := t.numbers[key]
	if !ok {
		n = len(t.list)
		t.numbers[key], t.list = n, append(t.list, l)
	}
	return n
}

// jsonBehaviour is a Behaviour.
type jsonBehaviour struct {
	Actor string
	Tasks []jsonTask
	Pairs []Pair
}

// jsonTask is a Task.
type jsonTask struct {
	Task
	Accesses []jsonAccess `json:",omitempty"`
	Round    *jsonTask    `json:",omitempty"`
}

// jsonAccess is an Access.
type jsonAccess struct {
	Access
	Location int // its number in the list of locations
}

func (t *table) behaviour(b Behaviour) jsonBehaviour {
	out := jsonBehaviour{Actor: b.Actor, Pairs: b.Pairs}
	for i := range b.Tasks {
		out.Tasks = append(out.Tasks, t.task(&b.Tasks[i]))
	}
	return out
}

func (t *table) task(from *Task) jsonTask {
	out := jsonTask{Task: *from}
	for _, a := range from.Accesses {
		out.Accesses = append(out.Accesses, jsonAccess{a, t.number(a.Location)})
	}
	if from.Round != nil {
		round := t.task(from.Round)
		out.Round = &round
	}
	return out
}

// object writes a JSON object, field by field.
type object struct {
	w     io.Writer
	begun bool
	err   error
}

// field writes a field. A list without elements is left out.
func (o *object) field(name string, value any) {
	text := o.encode(value, "\t")
	if s := string(text); s == "null" || s == "[]" {
		return
	}
	o.name(name)
	o.write(text)
}

// list writes a field that is a list, and makes one element at a time.
func (o *object) list(name string, n int, element func(i int) any) {
	if n == 0 {
		return
	}
	o.name(name)
	for i := range n {
		before := ",\n\t\t"
		if i == 0 {
			before = "[\n\t\t"
		}
		o.write([]byte(before))
		o.write(o.encode(element(i), "\t\t"))
	}
	o.write([]byte("\n\t]"))
}

func (o *object) name(name string) {
	before := ","
	if !o.begun {
		before, o.begun = "{", true
	}
	o.write(fmt.Appendf(nil, "%s\n\t%q: ", before, name))
}

func (o *object) end() error {
	o.write([]byte("\n}\n"))
	return o.err
}

func (o *object) write(text []byte) {
	if o.err == nil {
		_, o.err = o.w.Write(text)
	}
}

func (o *object) encode(value any, prefix string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent(prefix, "\t")
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil && o.err == nil {
		o.err = err
	}
	return bytes.TrimSpace(b.Bytes())
}
