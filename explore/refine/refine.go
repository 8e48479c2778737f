// Package refine decides whether one version of a component may do what another one never does: may
// testing, after P. Thati, R. Ziaei and G. Agha, A Theory of May Testing for Actors, FMOODS 2002.
//
// Vocabulary: the environment is everything outside of a component, its clients included. An input
// is what the environment does (a call begins), an output is what the component does (the call
// returns). A port is a place of one of these: a channel, one call, a callback. A name is a value
// whose identity alone counts. A script says which operations the environment performs, not when. A
// path is a sequence of inputs and outputs that a client may see. A pomset stands for many paths:
// the outputs of one execution, each with the inputs that it needs.
//
// notation of the paper        here
// interface [rho, chi]         Interface
// interaction path             Path
// Theorem 5, trace inclusion   Included
// Definition 10, observer      Observer
//
// Guarantees: this package is data and decisions; it runs nothing. Its results do not depend on a
// clock or on a map's order.
//
// LIMITS: at most 64 inputs of one script, and 64 outputs of one execution.
package refine

import (
	"fmt"
	"strconv"
	"strings"
)

// Kind is what a step of a path is; the values are those of the JSON output.
type Kind string

// The kinds of steps: inputs first.
const (
	Call     Kind = "call"
	Send     Kind = "send"
	Receive  Kind = "receive" // a client begins to receive
	Answer   Kind = "answer"  // of a callback
	Close    Kind = "close"
	Cancel   Kind = "cancel" // of a context
	Return   Kind = "return"
	Sent     Kind = "sent" // the send has ended
	Received Kind = "received"
	Closed   Kind = "closed"   // the receive has found the end of a channel
	Callback Kind = "callback" // the component calls the environment
	Panic    Kind = "panic"
	Waits    Kind = "waits" // the operation has not ended, and nothing else moves
)

// Name is a name within a value.
type Name struct {
	ID int // of the component's: the same in one execution for one identity
	// its origin, if it is the environment's, or an operand of the harness
	Own  string `json:",omitempty"`
	Type string `json:",omitempty"`
	Path string `json:",omitempty"` // where it is in the value: "0.Out"
	Copy bool   `json:",omitempty"` // a struct with methods, of which identity does not count
}

// Typed begins the plain text of a value in an interface: its type follows.
const Typed = "type "

// Value is what crosses the boundary. In its text, "$" stands for each of its names in turn.
type Value struct {
	Text  string
	Names []Name `json:",omitempty"`
	// of each of the values that cross together: its JSON, with its type in front of one in an
	// interface, or the text of an error; empty: its names count
	Plain []string `json:",omitempty"`
}

// Shown is the value for people: names are numbered, or have the text that they are from.
func (v Value) Shown() string {
	var b strings.Builder
	left := v.Names
	for _, c := range v.Text {
		if c != '$' || len(left) == 0 {
			b.WriteRune(c)
			continue
		}
		b.WriteString(left[0].String())
		left = left[1:]
	}
	return b.String()
}

// String is the name for people: its origin, or its number.
func (n Name) String() string {
	if n.Copy {
		return "" // the fields are shown
	}
	if n.Own != "" {
		return n.Own
	}
	return "new" + strconv.Itoa(n.ID)
}

// Outcome is the place of an output: the Seq-th, from 0, of a port.
type Outcome struct {
	Port string
	Seq  int
}

// String returns the outcome as references name it.
func (o Outcome) String() string { return fmt.Sprintf("%s#%d", o.Port, o.Seq) }

// Input is one step of the environment. Inputs of one port begin in the order of Seq.
type Input struct {
	Kind  Kind
	Port  string
	Seq   int
	Op    int       // the operation of the script, from 1; 0: a receive or an answer
	Label string    `json:",omitempty"` // for people: `Set("a")`
	After []Outcome `json:",omitempty"` // what a client has to see before
}

// Key names the input within its script.
func (i Input) Key() string { return fmt.Sprintf("%s?%d", i.Port, i.Seq) }

// Step is one step of a path, as people and programs read it.
type Step struct {
	Kind  Kind
	Port  string
	Op    int    // of a call or a send and its end: which of the script's, from 1
	Value string // for people
	Name  int    // the first name of the component's in it, from 1; 0: there is none

	in    int // the input
	after []Outcome
	out   Value
	seq   int
}

// Path is a sequence of steps that a client may see.
type Path []Step

// Relation is how what NEW does is related to what OLD does.
type Relation string

// The relations.
const (
	Equivalent   Relation = "equivalent"
	OldMore      Relation = "old-more"
	NewMore      Relation = "new-more"
	Incomparable Relation = "incomparable"
	Unknown      Relation = "unknown"
)

// related is the relation of two sides, each of which may have paths that the other lacks.
func related(newHasMore, oldHasMore bool) Relation {
	switch {
	case newHasMore && oldHasMore:
		return Incomparable
	case newHasMore:
		return NewMore
	case oldHasMore:
		return OldMore
	}
	return Equivalent
}
