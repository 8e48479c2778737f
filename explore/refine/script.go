package refine

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Interface is the boundary of a component as a harness has it: what it takes and what it returns.
type Interface struct {
	Harness  string
	Place    string            // "file:line" of the harness
	Ports    []Port            // known from the start
	Types    map[string][]Port // what the environment may do with a name of a type
	Protocol Protocol
	Errors   []string // "file:line: what is wrong"

	// for observers, which are source text
	Package string            // the name of the package
	Outside bool              // the harness is in the external test package
	Params  []Param           // of the harness
	Results []string          // the operands that are its results
	Imports map[string]string // the paths of packages that types are of, by name
}

// Param is a parameter of a harness.
type Param struct {
	Name, Type string
	Fields     []string `json:",omitempty"` // of a struct: those that are ports
	Test       bool     `json:",omitempty"`
}

// Port is a place where the environment may do something.
type Port struct {
	On     string // the static operand that it belongs to; empty for those of a type
	Of     string `json:",omitempty"` // the name of the type whose method it is
	Name   string // the way to it from there: ".Set", ".Out"; empty: itself
	Kind   Kind   // Call, Send, Cancel, Receive or Callback
	Label  string // for people: "Set"
	Type   string // for the comparison of two interfaces
	Args   []Arg  // of a call or a send; of a callback: what it is answered with
	Closes bool   // the environment may close the channel

	In, Out []string // types of a function's parameters and results; of a channel: its element's
	Rest    bool     `json:",omitempty"` // the last parameter is variadic
}

// Arg is a place for a value of the environment's.
type Arg struct {
	Place  string // its name in the source
	Type   string
	Values []string // data, for people
	Source []string // the same as expressions of Go
	Drawn  bool     `json:",omitempty"`
	Fresh  bool     `json:",omitempty"` // a new name of the environment's
	Named  string   `json:",omitempty"` // the type of names that may be passed; empty: none
	// the type of a new name in source: of a channel, without its name, which Converts is
	Makes, Converts string `json:",omitempty"`
	Opens           *Port  `json:",omitempty"` // what the environment may do with its new name
	// by value: the new names in it
	Inside [][]Made `json:",omitempty"`
}

// Made is a new name of the environment's in a value, such as the channel for a reply.
type Made struct {
	Path  string // the way to it: ".Reply"
	Type  string // as Makes
	Opens *Port  `json:",omitempty"`
}

// Hole stands for the new name at a path, in the source of a value.
func Hole(path string) string { return "\x00" + path + "\x00" }

// Protocol is what the harness's comment says of the clients.
type Protocol struct {
	N          int             // the bound on operations; 0: not said
	Sequential bool            // one call after the other
	One        map[string]bool // those on one handle of this type, likewise
	Last       map[string]bool // operations that begin when all else has ended
	Once       map[string]bool
	Closes     map[string]bool // channels that the environment may close
}

// Op is one operation of a script.
type Op struct {
	On     string   // an operand of the harness, a Ref of an output, or "^OP.ARG"
	Of     string   `json:",omitempty"` // as of Port
	By     int      `json:",omitempty"` // under Pairs, of a send: the sender, from 1
	Name   string   // of the port, from there
	Kind   Kind     // Call, Send, Close, Cancel
	Label  string   // for people
	Args   []string // per argument: the index of a value, "new", or what On may be
	Places []string // per argument: its name in the source
}

// Script says which operations the environment performs.
type Script struct {
	Ops     []Op
	Answers []Answers
	K       int // receives of a channel, and calls of a callback, that count
	// channels at the boundary are bags: sends have no order and need no receiver
	Bags  bool
	Pairs bool `json:",omitempty"` // and yet the messages of one sender stay in order

	lines map[int]int // for people: the line of a path on which an operation, from 1, begins
}

// Answers are what one callback is answered with, call by call.
type Answers struct {
	Port string
	Args [][]string
}

// From is the output that a reference is to, if it is to one.
func From(ref string) []Outcome {
	before, _, is := cutLast(ref, "/")
	port, seq, ok := cutLast(before, "#")
	n, err := strconv.Atoi(seq)
	if !is || !ok || err != nil {
		return nil
	}
	return []Outcome{{Port: port, Seq: n}}
}

// Refers is 1 + the last output of a port that the script refers to; 0: it refers to none.
func (s *Script) Refers(port string) (n int) {
	for _, op := range s.Ops {
		for _, ref := range append([]string{op.On}, op.Args...) {
			for _, o := range From(ref) {
				if o.Port == port {
					n = max(n, o.Seq+1)
				}
			}
		}
	}
	return n
}

// AnswersOf returns the answers of a callback.
func (s *Script) AnswersOf(port string) [][]string {
	for _, a := range s.Answers {
		if a.Port == port {
			return a.Args
		}
	}
	return nil
}

// Answering returns the scripts in which one more call of the callback is answered.
func (s *Script) Answering(port string, with [][]string) (list []*Script) {
	for _, args := range with {
		t := *s
		t.Answers = slices.Clone(s.Answers)
		i := slices.IndexFunc(t.Answers, func(a Answers) bool { return a.Port == port })
		if i < 0 {
			i = len(t.Answers)
			t.Answers = append(t.Answers, Answers{Port: port})
		}
		t.Answers[i].Args = append(slices.Clip(slices.Clone(t.Answers[i].Args)), args)
		list = append(list, &t)
	}
	return list
}

// Scripts are the scripts of one number of operations.
type Scripts struct {
	of   *Interface
	seen map[[sha256.Size]byte]bool // their keys
	List []*Script
}

// NewScripts returns no scripts of an interface.
func NewScripts(of *Interface) *Scripts {
	return &Scripts{of: of, seen: map[[sha256.Size]byte]bool{}}
}

// Extend adds the scripts that have one operation more than s, on the harness's operands and on
// handles, which executions of s have brought.
func (l *Scripts) Extend(s *Script, handles []Handle) {
	for _, p := range l.of.Ports {
		l.extendOn(s, p.On, p, handles)
	}
	for _, h := range handles {
		for _, p := range l.of.Types[h.Type] {
			l.extendOn(s, h.Ref, p, handles)
		}
	}
	for i, op := range s.Ops {
		for j, arg := range l.argsOf(op, handles) {
			for _, m := range arg.made(op.Args[j]) {
				if m.Opens != nil {
					l.extendOn(s, own(i, j)+m.Path, *m.Opens, handles)
				}
			}
		}
	}
}

// own is the reference to a name that the environment has made for an argument.
func own(op, arg int) string { return fmt.Sprintf("^%d.%d", op+1, arg) }

// made lists the new names in what an argument is.
func (a *Arg) made(way string) []Made {
	if way == "new" {
		return []Made{{Type: a.Makes, Opens: a.Opens}}
	}
	if k, err := strconv.Atoi(way); err == nil && k < len(a.Inside) {
		return a.Inside[k]
	}
	return nil
}

// argsOf finds the arguments of an operation.
func (l *Scripts) argsOf(op Op, handles []Handle) []Arg {
	if p := l.port(op, handles); p != nil {
		return p.Args
	}
	return nil
}

func (l *Scripts) port(op Op, handles []Handle) *Port {
	for i, p := range l.of.Ports {
		if p.On == op.On && p.Name == op.Name {
			return &l.of.Ports[i]
		}
	}
	for _, h := range handles {
		for i, p := range l.of.Types[h.Type] {
			if h.Ref == op.On && p.Name == op.Name {
				return &l.of.Types[h.Type][i]
			}
		}
	}
	return nil
}

func (l *Scripts) extendOn(s *Script, on string, p Port, handles []Handle) {
	if p.Closes && !slices.ContainsFunc(s.Ops, func(o Op) bool {
		return o.On == on && o.Name == p.Name && o.Kind == Close
	}) {
		l.add(s, Op{On: on, Name: p.Name, Kind: Close, Label: p.Label})
	}
	if p.Kind != Call && p.Kind != Send && p.Kind != Cancel {
		return
	}
	for _, args := range l.choices(s, p.Args, handles) {
		op := Op{On: on, Of: p.Of, Name: p.Name, Kind: p.Kind, Label: p.Label, Args: args,
			Places: places(p.Args)}
		if !s.Pairs || p.Kind != Send {
			l.add(s, op)
			continue
		}
		for op.By = 1; op.By <= s.senders(op)+1; op.By++ {
			l.add(s, op)
		}
	}
}

// senders counts the client's processes that send where op does.
func (s *Script) senders(op Op) (n int) {
	for _, o := range s.Ops {
		if o.On == op.On && o.Name == op.Name {
			n = max(n, o.By)
		}
	}
	return n
}

// choices are the ways to fill the arguments of an operation in, in a script with these handles.
func (l *Scripts) choices(s *Script, args []Arg, handles []Handle) [][]string {
	list := [][]string{nil}
	for _, a := range args {
		var ways []string
		for i := range a.Values {
			ways = append(ways, fmt.Sprint(i))
		}
		if a.Fresh {
			ways = append(ways, "new")
		}
		if a.Named != "" {
			ways = append(ways, l.known(s, a.Named, handles)...)
		}
		var longer [][]string
		for _, head := range list {
			for _, way := range ways {
				longer = append(longer, append(slices.Clip(slices.Clone(head)), way))
			}
		}
		list = longer
	}
	return list
}

// AnswersTo are the ways to answer a callback.
func (l *Scripts) AnswersTo(p Port) [][]string { return l.choices(&Script{}, p.Args, nil) }

// known lists the names of a type that a client may pass on: those that it was given, and its own.
func (l *Scripts) known(s *Script, typ string, handles []Handle) (refs []string) {
	for _, p := range l.of.Ports {
		if p.Type == typ && p.Name == "" {
			refs = append(refs, p.On)
		}
	}
	for _, h := range handles {
		if h.Type == typ {
			refs = append(refs, h.Ref)
		}
	}
	for i, op := range s.Ops {
		for j, a := range l.argsOf(op, handles) {
			if a.Fresh && a.Named == typ && op.Args[j] == "new" {
				refs = append(refs, own(i, j))
			}
		}
	}
	return refs
}

// add adds s with one operation more, unless it is a script with the same operations in another
// order.
func (l *Scripts) add(s *Script, op Op) {
	p := l.of.Protocol
	if p.Once[op.Label] && slices.ContainsFunc(s.Ops, func(o Op) bool {
		return o.Label == op.Label && o.On == op.On
	}) {
		return
	}
	closed := func(o Op) bool { return o.Kind == Close && o.On == op.On && o.Name == op.Name }
	if op.Kind == Send && slices.ContainsFunc(s.Ops, closed) {
		return
	}
	t := *s
	t.Ops = append(slices.Clip(slices.Clone(s.Ops)), op)
	if key := sha256.Sum256([]byte(t.key(p))); !l.seen[key] {
		l.seen[key] = true
		l.List = append(l.List, &t)
	}
}

// key is the same for scripts with the same operations: calls in any order, sends of one channel in
// theirs.
func (s *Script) key(p Protocol) string {
	texts, sent, last := make([]string, len(s.Ops)), map[string]int{}, map[string]string{}
	for i, op := range s.Ops {
		text := fmt.Sprintf("%s%s %s(%s)", s.resolve(op.On, texts), op.Name, op.Kind,
			s.resolve(strings.Join(op.Args, ","), texts))
		if on := op.On + op.Name; !s.Bags && (op.Kind == Send || op.Kind == Close) || p.Sequential {
			sent[on]++
			text = fmt.Sprintf("%d:%s", sent[on], text)
		}
		if on := fmt.Sprintf("%s%s@%d", op.On, op.Name, op.By); op.By > 0 {
			text = last[on] + ">" + text
		}
		if p.One[op.Of] {
			sent[op.On]++
			text = fmt.Sprintf("%d,%s", sent[op.On], text)
		}
		if p.Sequential {
			text = fmt.Sprintf("%d;%s", i, text)
		}
		same := 0
		for _, t := range texts[:i] {
			if strings.TrimRight(t, "'") == text {
				same++
			}
		}
		texts[i] = text + strings.Repeat("'", same)
		last[fmt.Sprintf("%s%s@%d", op.On, op.Name, op.By)] = texts[i]
	}
	slices.Sort(texts)
	return strings.Join(texts, "\n")
}

// resolve puts the operation's text in the place of its number, in references.
func (s *Script) resolve(ref string, texts []string) string {
	for i := len(s.Ops) - 1; i >= 0; i-- {
		ref = strings.ReplaceAll(ref, fmt.Sprintf("r%d#", i+1), "["+texts[i]+"]#")
		ref = strings.ReplaceAll(ref, fmt.Sprintf("^%d.", i+1), "["+texts[i]+"]^")
	}
	return ref
}

func places(args []Arg) (list []string) {
	for _, a := range args {
		list = append(list, a.Place)
	}
	return list
}

// made finds a new name of the client's: "^OP.ARG", or "^CALLBACK.CALL.RESULT" of one in an answer,
// and behind that the way to it in a value.
func (of *Interface) made(s *Script, ref string) (m Made, ok bool) {
	for i, op := range s.Ops {
		for j, way := range op.Args {
			if path, is := strings.CutPrefix(ref, own(i, j)); is {
				if p := of.portIn(s, op); p != nil && j < len(p.Args) {
					if m, ok = p.Args[j].at(way, path); ok {
						return m, true
					}
				}
			}
		}
	}
	for _, a := range s.Answers {
		if !strings.HasPrefix(ref, "^"+a.Port+".") {
			continue
		}
		p := of.callback(s, a.Port)
		for seq, ways := range a.Args {
			for j, way := range ways {
				path, is := strings.CutPrefix(ref, fmt.Sprintf("^%s.%d.%d", a.Port, seq, j))
				if is && p != nil && j < len(p.Args) {
					if m, ok = p.Args[j].at(way, path); ok {
						return m, true
					}
				}
			}
		}
	}
	return m, false
}

// at is the new name at a path in what an argument is.
func (a *Arg) at(way, path string) (m Made, ok bool) {
	list := a.made(way)
	i := slices.IndexFunc(list, func(m Made) bool { return m.Path == path })
	if i < 0 {
		return m, false
	}
	return list[i], true
}

// typeNames lists the types of handles, in order.
func (of *Interface) typeNames() []string { return slices.Sorted(maps.Keys(of.Types)) }

// callback returns the callback of a name: one of the harness, or a function that a client has
// given.
func (of *Interface) callback(s *Script, name string) *Port {
	for i := range of.Ports {
		if p := &of.Ports[i]; p.Kind == Callback && p.On+p.Name == name {
			return p
		}
	}
	if m, ok := of.made(s, name); ok && m.Opens != nil && m.Opens.Kind == Callback {
		return m.Opens
	}
	return nil
}
