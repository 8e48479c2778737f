// Package isolate runs each execution in an operating system process of its own. So an execution
// leaves nothing to the next one: no variable, no goroutine, no state of a package that is not
// rewritten.
//
// Vocabulary: the parent is the process that explores; a child is one that runs a single execution.
// A child is the same binary with the same arguments. It goes through package initialisation and
// TestMain, and then, in the place of the exploration, asks the parent for every choice. An offer
// is the list of alternatives that the child sends before a choice.
//
// Guarantees: an Executor behaves like the explore.Executor within the process: a chooser sees the
// same states, and the execution is the same, event for event. If a child ends before its execution
// does, the execution Crashed, with the message of the Go runtime. If a child stays at a step, the
// execution is Stuck. When Execute returns the child is gone. A child ends when the parent does.
//
// LIMITS: the process that moved last is taken to have crashed a child; of two that moved together,
// the other may have. TestMain runs once more for each execution, beside the parent's run of it.
// Changes that outlive an operating system process, such as a change of a file that was there
// before, carry over from one execution to the next.
package isolate

import (
	"encoding/gob"
	"os"
	"strconv"
	"syscall"

	"github.com/rehearse-go/rehearse/runtime/model/files"
	"github.com/rehearse-go/rehearse/runtime/trace"
	"github.com/rehearse-go/rehearse/runtime/world"
)

// env tells a child that it is one; its value is the parent's process id. The child has two more
// files then.
const env = "REHEARSE_CHILD"

// The child's files.
const (
	choices = 3 // it reads the request, and then choices
	reports = 4 // it writes messages
)

// Request says what a child has to execute.
type Request struct {
	Test   string
	Sites  bool
	Config world.Config // but for its functions, which the child has itself
	Files  files.Saved
}

// message is what a child writes. One of its fields is set; if none is, the child has begun.
type message struct {
	Offer   *offer           // it waits for a choice
	Done    *trace.Event     // the choice has been made
	End     *trace.Execution // the whole execution
	Files   files.Saved      // beside End, like the next one
	Changed []string         // hook.ChangedFiles
}

// offer is a trace.State without the events, which the parent knows, with the news of the execution
// since the last offer.
type offer struct {
	Last   int32
	Alts   []trace.Alt
	Procs  []pending
	Now    int64 // and the next ones: see trace.State
	Next   int64
	Moves  int
	Alone  bool
	Forced int
	Since  int
	New    trace.Execution // Procs, Log, Objects and the Sites: the elements that are new
}

// pending is the declared operation of a process.
type pending struct {
	Live bool // it has one
	Op   trace.Op
}

// Start is how a child is started.
type Start struct {
	Path string
	Args []string // with the program's name
	Dir  string
	Env  []string
}

// Self is how this process was started. It must be called before the program can change anything.
func Self() Start {
	path, _ := os.Executable()
	const self = "/proc/self/exe" // right even when the file has been removed or replaced
	if _, err := os.Stat(self); err == nil {
		path = self
	}
	dir, _ := os.Getwd()
	return Start{path, append([]string(nil), os.Args...), dir, os.Environ()}
}

// IsChild reports whether this process is a child.
func IsChild() bool { return os.Getenv(env) != "" }

// Guard ends this process, a child, as soon as the parent is gone or wants that. It must be called
// once, early.
func Guard() *Link {
	os.Unsetenv(env)
	for _, fd := range []int{choices, reports} {
		syscall.CloseOnExec(fd)
	}
	in, out := os.NewFile(choices, "choices"), os.NewFile(reports, "reports")
	l := &Link{out: gob.NewEncoder(out), requests: make(chan Request, 1),
		answers: make(chan int, 1)}
	go l.listen(gob.NewDecoder(in))
	return l
}

// environment is that of a child.
func (s Start) environment() []string {
	return append(append([]string(nil), s.Env...), env+"="+strconv.Itoa(os.Getpid()))
}
