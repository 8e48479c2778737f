package refine

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Word is the kind of a step as people read it.
func (k Kind) Word() string {
	return map[Kind]string{Call: "call", Send: "send", Receive: "receive", Answer: "answer",
		Close: "close", Cancel: "cancel",
		Return: "returns", Sent: "sent", Received: "received", Closed: "closed", Callback: "calls",
		Panic: "crashes", Waits: "waits"}[k]
}

// Parts are the operation, channel or callback of a step as people name it, and what crosses there.
func (s Step) Parts(script *Script, of *Interface) (port, value string) {
	value = script.Clear(s.Value)
	switch {
	case s.Kind == Panic:
		return s.Port, value
	case s.Op > 0 && s.Kind != Return:
		return script.name(s.Op - 1), strings.Join(script.arguments(s.Op-1, of), ", ")
	case s.Op > 0:
		return script.name(s.Op - 1), value
	case s.Kind == Answer:
		return value, s.answer(script, of)
	case s.Kind == Receive:
		return script.readable(s.Port), ""
	}
	return script.readable(s.Port), value
}

// Text is a step for people: `Set("a")`, `Get  "a"`.
func (s Step) Text(script *Script, of *Interface) string {
	port, value := s.Parts(script, of)
	switch {
	case s.Kind == Panic:
		return value
	case s.Op > 0 && s.Kind != Return:
		return script.Text(s.Op-1, of)
	case s.Op > 0:
		port += script.which(s.Op)
	case s.Kind == Callback:
		return port + "(" + value + ")"
	}
	return strings.TrimSpace(port + "  " + value)
}

// which tells an operation from others of its name: by the line on which it begins.
func (s *Script) which(op int) string {
	for other := range s.lines {
		if other != op && s.name(other-1) == s.name(op-1) {
			return fmt.Sprintf(" of %d", s.lines[op])
		}
	}
	return ""
}

// answer is what a call of a callback is answered with.
func (s Step) answer(script *Script, of *Interface) string {
	if len(s.after) == 0 {
		return ""
	}
	o := s.after[0]
	answers := script.AnswersOf(o.Port)
	p := of.callback(script, o.Port)
	if p == nil || o.Seq >= len(answers) {
		return ""
	}
	var values []string
	for j, a := range answers[o.Seq] {
		switch k, err := strconv.Atoi(a); {
		case err == nil && j < len(p.Args) && k < len(p.Args[j].Values):
			a = p.Args[j].Values[k]
		case a == "new":
			a = "a new one"
		default:
			a = script.readable(a)
		}
		values = append(values, a)
	}
	return strings.Join(values, ", ")
}

// name is an operation's port, with the handle that it is on.
func (s *Script) name(i int) string {
	op := s.Ops[i]
	if strings.Contains(op.On, "#") || strings.HasPrefix(op.On, "^") {
		return s.readable(op.On) + op.Name
	}
	return op.Label
}

// Text is an operation as people read it.
func (s *Script) Text(i int, of *Interface) string {
	args := strings.Join(s.arguments(i, of), ", ")
	if s.Ops[i].Kind == Send {
		return s.name(i) + " <- " + args
	}
	return s.name(i) + "(" + args + ")"
}

func (s *Script) arguments(i int, of *Interface) (list []string) {
	op := s.Ops[i]
	for j, a := range op.Args {
		list = append(list, s.argument(of, op, j, a))
	}
	return list
}

func (s *Script) argument(of *Interface, op Op, j int, a string) string {
	if k, err := strconv.Atoi(a); err == nil {
		if p := of.portIn(s, op); p != nil && j < len(p.Args) && k < len(p.Args[j].Values) {
			return p.Args[j].Values[k]
		}
		return a
	}
	if a == "new" {
		return "a new " + cmp.Or(op.Places[j], of.kindOf(op, j))
	}
	return s.readable(a)
}

// kindOf is a word for an operation's argument j.
func (of *Interface) kindOf(op Op, j int) string {
	p := of.port(op)
	switch {
	case p == nil || j >= len(p.Args) || p.Args[j].Opens == nil ||
		p.Args[j].Opens.Kind == Send:
		return "channel"
	case p.Args[j].Opens.Kind == Callback:
		return "function"
	}
	return "context"
}

// port finds the port of an operation; of one on a handle, one of that name.
func (of *Interface) port(op Op) *Port {
	for i, p := range of.Ports {
		if p.On == op.On && p.Name == op.Name {
			return &of.Ports[i]
		}
	}
	for _, name := range of.typeNames() {
		for i, p := range of.Types[name] {
			if p.Of == op.Of && p.Name == op.Name && p.Label == op.Label &&
				len(p.Args) == len(op.Args) {
				return &of.Types[name][i]
			}
		}
	}
	return nil
}

// portIn finds the port of an operation of s, which may be on a new name of the client's.
func (of *Interface) portIn(s *Script, op Op) *Port {
	if m, is := of.made(s, op.On); is {
		return m.Opens
	}
	return of.port(op)
}

// given are the parts of a reference to an output: its port, its number, the index among the values
// that cross together, and the way to a name in that value.
var given = regexp.MustCompile(`^(.+)#(\d+)/(\d+)(.*)$`)

// readable makes a reference readable: "r1#0/0" is "what Open() has returned".
func (s *Script) readable(ref string) string {
	if m := given.FindStringSubmatch(ref); m != nil {
		seq, _ := strconv.Atoi(m[2])
		value, _ := strconv.Atoi(m[3])
		return "[" + s.giver(m[1], seq, value) + "]" + m[4]
	}
	var op, arg int
	if n, _ := fmt.Sscanf(ref, "^%d.%d", &op, &arg); n == 2 && 0 < op && op <= len(s.Ops) {
		rest := strings.TrimPrefix(ref, own(op-1, arg))
		if places := s.Ops[op-1].Places; arg < len(places) && places[arg] != "" {
			return fmt.Sprintf("[%s of %d]%s", places[arg], s.line(op), rest)
		}
		return fmt.Sprintf("[argument of %d]%s", s.line(op), rest)
	}
	return strings.TrimPrefix(ref, "^")
}

// giver is an output of a port, which brings values, and one of these.
func (s *Script) giver(port string, seq, value int) string {
	from := s.readable(port)
	var op int
	if n, _ := fmt.Sscanf(port, "r%d", &op); n == 1 && port == fmt.Sprintf("r%d", op) &&
		0 < op && op <= len(s.Ops) {
		from = fmt.Sprintf("%s of %d", s.Ops[op-1].Label, s.line(op))
		if value == 0 {
			return from
		}
	}
	if seq > 0 {
		return fmt.Sprintf("value %d of output %d of %s", value+1, seq+1, from)
	}
	return fmt.Sprintf("value %d of %s", value+1, from)
}

var ownName = regexp.MustCompile(`\^[0-9]+\.[0-9]+`)

// Clear makes the client's new names in a text readable.
func (s *Script) Clear(text string) string { return ownName.ReplaceAllStringFunc(text, s.readable) }

// line is where an operation is on the path that is shown; without one, its number.
func (s *Script) line(op int) int {
	if n := s.lines[op]; n > 0 {
		return n
	}
	return op
}

// number lets operations be named by their lines on a path.
func (s *Script) number(p Path) *Script {
	t := *s
	t.lines = map[int]int{}
	for i, step := range p {
		if step.in >= 0 && step.Op > 0 {
			t.lines[step.Op] = i + 1
		}
	}
	return &t
}

// Alphabet lists the places for data and their values.
func (of *Interface) Alphabet() (list []Letters) {
	seen := map[string]bool{}
	add := func(ports []Port) {
		for _, p := range ports {
			for _, a := range p.Args {
				place := cmp.Or(a.Place, p.Label, p.Type)
				key := place + strings.Join(a.Values, ",")
				if len(a.Values) > 0 && !seen[key] {
					seen[key] = true
					list = append(list, Letters{place, a.Values, a.Drawn})
				}
			}
		}
	}
	add(of.Ports)
	for _, name := range of.typeNames() {
		add(of.Types[name])
	}
	return list
}

// Letters are the values of a place.
type Letters struct {
	Place  string
	Values []string
	Drawn  bool
}
