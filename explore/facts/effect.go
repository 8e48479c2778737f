package facts

import "strings"

// Task is what the tasks of one handler may do: everything that another task, or another process,
// can notice. Theorem 2 of E. Albert, P. Arenas, M. Gomez-Zamalloa, "Actor- and Task-Selection
// Strategies for Pruning Redundant State-Exploration in Testing" (FORTE 2014) calls the reads and
// writes R(t) and W(t).
type Task struct {
	Handler string // Handler.Name
	Pos     Pos    // Handler.Pos
	// of the operation that takes the message; a running program knows it by this
	Receive Pos
	// of the select statement that the receive is a case of: a running program knows it by this and
	// Case
	Select Pos `json:",omitzero"`
	// its number among the cases that communicate, from 0
	Case       int         `json:",omitempty"`
	Accesses   []Access    `json:",omitempty"`
	Sends      []Send      `json:",omitempty"`
	Operations []Operation `json:",omitempty"`
	Places     *Places     `json:",omitempty"` // for an audit only
	// of a loop that ends after a fixed number of messages: the task without the code after the
	// loop
	Round *Task `json:",omitempty"`
	// of a Round: the next receive is the one that it began with, in any case
	Same bool `json:",omitempty"`
	// of a Round: the exact number of messages that each of these tasks sends; nil: unknown
	Sent *int `json:",omitempty"`
}

// Followed returns what t does if another task of the loop follows, or has gone before: pairs are
// about that.
func (t *Task) Followed() *Task {
	if t.Round != nil {
		return t.Round
	}
	return t
}

// Access is a read or a write of memory that outlives the task.
type Access struct {
	Location Location
	Mode     Mode
	// of an update: "+", "*", "|", "&", "^"; of a write: "delete"
	By    string   `json:",omitempty"`
	Key   *Operand `json:",omitempty"` // of an entry of a map or an array; nil: any
	Value *Operand `json:",omitempty"` // what is written; nil: not known
	At    []Pos    // where; of very many places, those with the fewest conditions on the way
	// where another goroutine accesses the location, one of the two writing
	Shared Pos `json:",omitzero"`
}

// Mode is what an access does.
type Mode string

const (
	Reads  Mode = "read"
	Writes Mode = "write"
	// x = x op e, with no other use of the old value; updates by one operator commute
	Updates Mode = "update"
)

// Location is an abstract memory location: it stands for one variable, or for many of the same
// kind.
type Location struct {
	Name  string // "Server.total", "total", "Server.conns[]", "*int"
	Where Where
	Type  string
	// the places that make the objects that it is a part of; none: any object
	Objects []Pos `json:",omitempty"`
}

// More places where a variable lives.
const (
	Entry   Where = "entry"   // of a map
	Element Where = "element" // of an array or a slice
	Pointed Where = "pointed" // what a pointer points to
)

// Operand is a value that is known before the task runs: a constant, or a part of the message.
type Operand struct {
	Const string `json:",omitempty"` // as Go writes it
	// fields of the message: ".id"; "->" instead of the dot follows a pointer
	Path  string `json:",omitempty"`
	Whole bool   `json:",omitempty"` // the message itself
}

// String returns "7", "m.id" or "m".
func (o Operand) String() string {
	switch {
	case o.Const != "":
		return o.Const
	case o.Path != "":
		return "m" + o.Path
	}
	return "m"
}

// Send is a send of a message.
type Send struct {
	Channel string   // as Mailbox.Name: "Server.in", "m.reply"
	Carried *Operand `json:",omitempty"` // the channel, if it came in the message
	Elem    string   // type of the messages
	// dynamic type of the message, if it is sent as an interface
	Kind    string   `json:",omitempty"`
	To      []Target `json:",omitempty"` // handlers that may take it
	Spawned bool     `json:",omitempty"` // by a goroutine that the task starts
	Depth   int      `json:",omitempty"` // conditions on the way to it
	At      Pos
}

// Target is a handler of an actor, or a goroutine that is none.
type Target struct {
	Actor   string // package and Actor.Name; of other goroutines, the name of their root
	Handler string `json:",omitempty"` // Handler.Name; "" for a goroutine that is no actor
}

// String returns "p.Server.loop::Server.in::get".
func (t Target) String() string {
	if t.Handler == "" {
		return t.Actor
	}
	return t.Actor + "::" + t.Handler
}

// Operation is anything else that other processes, or the world, can notice.
type Operation struct {
	Kind OperationKind
	What string // the channel, the function
	At   []Pos  // where, as of an Access
}

// OperationKind says what an operation does.
type OperationKind string

const (
	Receives OperationKind = "receive" // within a task
	Closes   OperationKind = "close"
	Spawns   OperationKind = "spawn"
	// works on a lock, a WaitGroup, a Cond, an atomic variable, a context
	Blocks  OperationKind = "block"
	Outside OperationKind = "outside" // input and output, clock, random numbers, a test's log
	Unknown OperationKind = "unknown" // may do anything
	Stops   OperationKind = "stop"    // may end the actor's loop
	// of the loop's function, which runs it when the loop has ended
	Defers OperationKind = "defer"
)

// String returns "write Server.seen[m.id] = true".
func (a Access) String() string {
	var b strings.Builder
	b.WriteString(string(a.Mode) + " " + a.Location.Name)
	if a.Key != nil {
		b.WriteString("[" + a.Key.String() + "]")
	}
	switch {
	case a.Mode == Updates:
		b.WriteString(" by " + a.By)
	case a.By != "":
		b.WriteString(" by " + a.By)
	case a.Value != nil:
		b.WriteString(" = " + a.Value.String())
	}
	return b.String()
}

// String returns "send on Server.out".
func (s Send) String() string {
	text := "send on " + s.Channel
	if s.Kind != "" {
		text += " of " + s.Kind
	}
	if s.Spawned {
		text += ", by a goroutine it starts"
	}
	return text
}

// String returns "outside time.Now".
func (o Operation) String() string {
	if o.What == "" {
		return string(o.Kind)
	}
	return string(o.Kind) + " " + o.What
}
