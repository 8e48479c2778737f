package ci

// meaning says what a kind of finding is.
type meaning struct{ title, what string }

const help = "The code flow has the order that fails; its essential steps decide. rehearse help findings says what to do."

// meanings of the kinds of findings, by kind.
var meanings = map[string]meaning{
	"deadlock": {"Deadlock", "In this order all goroutines wait for ever."},
	"leak": {"Goroutine leak",
		"In this order the test ends, and a goroutine waits for ever."},
	"panic": {"Panic", "In this order a goroutine panics."},
	"fail":  {"Failing order", "In this order the test reports an error."},
	"race":  {"Data race", "Nothing orders two accesses to a variable, one of which writes."},
	"livelock": {"Livelock",
		"This execution goes on for ever although every goroutine gets its turns."},
	"nondeterminism": {"Nondeterminism",
		"The same order gives different executions: something outside of it decides."},
	"suspect": {"Suspect",
		"This order needed a clock that was moved, or a finalizer may end the leak."},
	"orphan":      {"Orphan message", "Nobody receives a message."},
	"dead-letter": {"Dead letter", "A message was sent to an actor that has ended."},
}
