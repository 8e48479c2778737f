// Package facts has the results of the static analyses of a program as plain data. The exploration
// sees nothing else of the analyses.
//
// Vocabulary (semantics of rehearse):
//
//   - actor: a goroutine that loops over messages from its mailboxes.
//   - mailbox: a channel that the actor receives from in its loop.
//   - handler: the static class of a task, the processing of one message: mailbox, select case,
//     message kind.
//
// Guarantees: values hold no pointers into the analyses and survive a round trip through JSON;
// slices are ordered by the source.
//
// LIMITS: the package says nothing about how sure a fact is. The analyses leave out what they
// cannot decide, or mark it with "unknown"; see the doc of the package that finds the fact.
package facts

import (
	"fmt"
	"strconv"
	"strings"
)

// Pos is a source position. Its text form is "file:line:col".
type Pos struct {
	File string
	Line int
	Col  int
}

// IsValid reports whether p is known.
func (p Pos) IsValid() bool { return p.Line > 0 }

// String returns "file:line", the form for people, or "-" if p is unknown.
func (p Pos) String() string {
	if !p.IsValid() {
		return "-"
	}
	return p.File + ":" + strconv.Itoa(p.Line)
}

// Positions lists at most some positions.
func Positions(list []Pos) string {
	const most = 8
	var texts []string
	for _, p := range list[:min(most, len(list))] {
		texts = append(texts, p.String())
	}
	if len(list) > most {
		texts = append(texts, "...")
	}
	return strings.Join(texts, ", ")
}

// MarshalText returns "file:line:col", or nothing if p is unknown.
func (p Pos) MarshalText() ([]byte, error) {
	if !p.IsValid() {
		return nil, nil
	}
	return fmt.Appendf(nil, "%s:%d:%d", p.File, p.Line, p.Col), nil
}

// UnmarshalText is the inverse of MarshalText.
func (p *Pos) UnmarshalText(text []byte) error {
	*p = Pos{}
	if len(text) == 0 {
		return nil
	}
	rest, col, ok1 := cutLast(string(text))
	file, line, ok2 := cutLast(rest)
	if !ok1 || !ok2 {
		return fmt.Errorf("position %q is not file:line:col", text)
	}
	*p = Pos{file, line, col}
	return nil
}

// cutLast splits "rest:n".
func cutLast(s string) (rest string, n int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return "", 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err == nil
}

// Inventory is everything about a program's goroutines.
type Inventory struct {
	Actors     []Actor
	Rejected   []Rejected  `json:",omitempty"`
	Frameworks []Framework `json:",omitempty"` // of rehearse actors only
}

// Framework is a loop that takes messages, and hands each to a method of an interface, or to a
// function, that others provide.
type Framework struct {
	Package   string // that declares the interface, or has the loop
	Interface string // "Receiver"; of functions their type, "func(*actor.Context)"
	Loop      string // the function that the go statement starts: "Inbox.process"
	Pos       Pos    // of Loop
	Calls     []Pos  // where messages are handed over
	Receivers []Receiver
}

// Receiver is a type, or a function, that a framework hands messages to.
type Receiver struct {
	Name    string // "*Hub", "main.func1"
	Package string
	Pos     Pos // of the type's declaration
	Methods []Method
}

// Method is a method that the loop can reach; of a function, the function itself.
type Method struct {
	Name  string
	Pos   Pos
	Kinds []string `json:",omitempty"` // the types of messages that it tells apart
}

// Actor is a goroutine with a receive loop and at least one data mailbox that only it receives
// from.
type Actor struct {
	Name      string   // of the loop's function, unique in its package: "Server.loop", "New.func1"
	Package   string   // import path
	Root      string   // the function that the go statement starts: "(*Server).loop", "New.func1"
	Pos       Pos      // of the root function
	Loop      Pos      // of the first receive loop; in another function if the root calls it
	Shape     Shape    // of the first receive loop
	Family    bool     // started in a loop: many processes, each with mailboxes of its own
	Launches  []Launch // where it is started
	Mailboxes []Mailbox
	Handlers  []Handler
	State     []State `json:",omitempty"`
}

// ID returns the actor's name with its package: "example.org/chat.Hub.run".
func (a *Actor) ID() string { return a.Package + "." + a.Name }

// Shape is the syntactic form of a receive loop.
type Shape string

const (
	Range   Shape = "range"   // for m := range ch
	Receive Shape = "receive" // for { m := <-ch }
	CommaOK Shape = "commaok" // for { m, ok := <-ch }
	Select  Shape = "select"  // for { select { ... } }
)

// Launch is a place where an actor is started.
type Launch struct {
	Pos   Pos
	In    string // the function around it
	Loop  bool   `json:",omitempty"` // started in a loop
	Calls []Pos  `json:",omitempty"` // where In is called: a constructor makes an actor at each
	Via   string `json:",omitempty"` // what starts it if not a go statement: "sync.WaitGroup.Go"
}

// Mailbox is a channel that an actor receives from in its loop.
type Mailbox struct {
	// "Server.requests" for a field, "ch" for a variable, "context.Context.Done()" for a call
	Name     string
	Kind     Role
	Elem     string   // type of the messages
	Capacity string   // "0", "16", or "unknown"
	Makes    []Pos    // where it is made, if known
	Nilable  bool     `json:",omitempty"` // may be nil, which disables its select case
	Pos      Pos      // of the first receive
	Senders  []Sender `json:",omitempty"`
}

// Sender is a place that sends to a mailbox or closes it.
type Sender struct {
	Pos Pos
	In  string // the function around it
	// Handler.Kind of the messages that it may send; none if they are unknown, or there is only one
	// kind
	Kinds []string `json:",omitempty"`
	Close bool     `json:",omitempty"` // closes the mailbox
	From  []From   // who runs it
}

// From is who sends.
type From struct {
	// Actor.ID; "" is the environment: code outside of all actors
	Actor string `json:",omitempty"`
	// Handler.Name; "" is what the actor runs before it first receives, and after the end
	Handler string `json:",omitempty"`
	Spawned bool   `json:",omitempty"` // a goroutine that the handler starts
}

// Role says what a mailbox carries.
type Role string

const (
	Data    Role = "data"    // messages
	Control Role = "control" // the order to stop: quit channels, Context.Done
	Timer   Role = "timer"   // ticks
	Reply   Role = "reply"   // answers to the actor's own requests
	Token   Role = "token"   // a lock or a semaphore: what is taken is given back
)

// Handler is the static class of the tasks that messages of one kind cause.
type Handler struct {
	Mailbox string // Mailbox.Name
	Case    Shape  // how the message is received
	By      KindOf `json:",omitempty"` // what Kind is
	// "*Join", "opAdd", "default"; "" if the mailbox has one kind of message
	Kind string `json:",omitempty"`
	Part string `json:",omitempty"` // of the message that Kind is of: ".op"; "" for the whole
	// Kind in full: "*example.org/p.Join", "Int 3"; "" if a message does not tell that it is of
	// this kind
	Key     string  `json:",omitempty"`
	Reply   string  `json:",omitempty"` // where the answer goes: "req.resp"
	Effects Effects `json:",omitzero"`
	Pos     Pos     // of the case in the select or switch, else of the receive
}

// KindOf says how a handler tells kinds of messages apart.
type KindOf string

const (
	ByType     KindOf = "type"     // case of a type switch
	ByConstant KindOf = "constant" // case of a switch over the message or one of its fields
	// the message is a function; each function literal sent is a kind of its own
	ByFunction KindOf = "function"
)

// Effects are what a handler visibly does in its own body; calls are not followed.
type Effects struct {
	Sends  []string `json:",omitempty"` // channels, as written
	Spawns int      `json:",omitempty"` // go statements
	Stops  bool     `json:",omitempty"` // always leaves the loop
}

// State is one variable that an actor's functions use.
type State struct {
	Name   string // "Server.total", "total"
	Where  Where
	Access string // "r", "w" or "rw"
	Pos    Pos    // of its declaration
}

// Where says where a variable lives.
type Where string

const (
	Field    Where = "field"    // of the receiver's struct
	Local    Where = "local"    // of the loop's function
	Captured Where = "captured" // of a function around the loop's function
	Global   Where = "global"   // of the package
)

// Rejected is a goroutine or a receive loop that is not an actor.
type Rejected struct {
	Name   string
	Pos    Pos // of the loop, or of the go statement if there is no loop
	Reason string
}
