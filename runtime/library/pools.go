package library

import (
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// The pool of idle connections of an http.Transport decides which connection a request gets. Few
// programs can tell connections apart. So each process has a pool of its own, and processes that
// have the Transport in common meet at the server only. If several processes use one Transport in
// an execution in which the program may tell which connection a request has got, the search begins
// again, with common pools: see gate.Tells.
//
// Lemma W6. Let no process of an execution with common pools be able to tell which connection a
// request gets. Then there is an execution with pools of their own in which all processes of the
// program do the same in the same order, and the other way round.
//
//   - A request on a connection of its own waits for no other request. On a connection that another
//     process has used, it waits only for the handler of an earlier request that has been answered.
//     Such a handler has returned, unless the header told the length of the answer: see
//     rehearseHeader of package net/http.
//   - A request that finds an idle connection might have been made while that was in use. Then it
//     dials, too. So accesses that only the common pool orders are a race in another order.
//   - A request that fails may be sent again only if its connection has been used before. A request
//     that fails tells.

// common is the key of these pools. If its class is strict, processes have them in common.
const common = "pools"

// dials is the key of what processes do to get a connection. If its class is strict, too, a Dial is
// a choice: see package sched, border.go.
const dials = "dials"

// shared says, of the execution under way, that several processes have used one Transport, that
// they have connections in common, and that the program may tell. It may if it has started a timer,
// which may fire while a server waits for a request on a new connection.
var shared struct{ several, common, told, timed, waited bool }

// If a test has the linker set pool, pools are always common. Tests compare such searches with
// others.
var pool string

func init() {
	gate.Pool = owner
	gate.Several = func() {
		shared.several = true
		disclose()
	}
	gate.Outside = func() bool {
		p := world.W.Current()
		return p != nil && p.Op.Side == trace.Outer
	}
	gate.Waits = func(ends bool) {
		shared.waited, shared.timed = true, shared.timed || ends
		disclose()
	}
	gate.InCommon = func() {
		shared.common = true
		disclose()
		gate.Common = fileClasses.of.Strict(dials)
	}
	gate.Tells = func() {
		shared.told = true
		disclose()
	}
}

// NamesPeers says that some code in the binary mentions from where requests come, in a way that is
// not noticed when it does so.
var NamesPeers bool

// owner returns the path of the process that has the pools of the caller, "" if they are common.
// They are so if the program counts goroutines, or wants to see the steps of the library.
func owner() string {
	p := world.W.Current()
	if p == nil || world.W.Dying() || pool != "" || world.Counting || NamesPeers ||
		world.W.Fine != "" || world.W.Faults.Kinds != 0 || fileClasses.of.Strict(common) {
		return ""
	}
	return p.Path()
}

// disclose begins the search again if the pools should have been common, or Dials choices.
func disclose() {
	late := shared.timed && shared.waited
	if shared.several && (shared.told || late) {
		fileClasses.of.Distrust(common)
	}
	if late && (shared.several || shared.common) {
		fileClasses.of.Distrust(dials)
	}
}
