// Package racelog reads the reports of Go's race detector in a controlled test binary that was
// built with -race: the accesses of each execution that are in a data race, with their places.
//
// The detector writes to a file that it is told of before the program's first instruction. It
// forgets accesses that are many steps old; the result of an execution of that length says so.
package racelog

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"syscall"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// raceLogEnv hands the place of the race detector's log from the binary to itself.
const raceLogEnv = "REHEARSE_RACE_LOG"

// DirVariable names the directory for the detector's log, whose owner removes it: a program that
// ends itself cannot. If it is not set, that is the system's for temporary files.
const DirVariable = "REHEARSE_RACE_DIR"

// raceOptions let the detector report the same race in each execution that has it, and leave the
// exit code alone.
const raceOptions = "exitcode=0 halt_on_error=0 atexit_sleep_ms=0 suppress_equal_stacks=0 suppress_equal_addresses=0"

// Redirect starts the binary once more, in the same process, because the detector reads its options
// from the environment before the program's first instruction. It returns the file that the reports
// go to. If the restart fails, it returns nothing: races are counted then, but their reports stay
// on standard error.
func Redirect() string {
	if path := os.Getenv(raceLogEnv); path != "" {
		os.Unsetenv(raceLogEnv)
		return path
	}
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	log := filepath.Join(cmp.Or(os.Getenv(DirVariable), os.Getenv("TMPDIR"), "/tmp"), "rehearse-race")
	os.Setenv("GORACE", os.Getenv("GORACE")+" "+raceOptions+" log_path="+log)
	os.Setenv(raceLogEnv, fmt.Sprintf("%s.%d", log, os.Getpid()))
	syscall.Exec(self, os.Args, os.Environ())
	return ""
}

// Log reads the detector's reports.
type Log struct {
	path   string
	places *depict.Places
	offset int64
	next   int // number of the next report in the file
}

// New returns the log in a file, which Redirect has returned: empty if there is none.
func New(path string, places *depict.Places) *Log {
	return &Log{path: path, places: places}
}

// Around is an executor that adds the races of e's executions to them. driven says that the
// executions are of a component in the environment of package drive, whose own accesses are no
// races.
func (l *Log) Around(e explore.Executor, driven bool) explore.Executor {
	return races{e, l, driven}
}

// remembered is the number of steps in which Go's race detector forgets no access: it has a bounded
// history, and each step adds to it. Races with an access 50,000 steps before have been missed, and
// found after 20,000.
const remembered = 16384

// races is an executor that knows what the races of an execution are.
type races struct {
	explore.Executor
	log    *Log
	driven bool
}

// Execute implements explore.Executor.
func (e races) Execute(c trace.Chooser, sites bool) *trace.Execution {
	x := e.Executor.Execute(c, sites)
	if len(x.Races) > 0 {
		x.Races = e.log.fill(x.Races, e.driven)
		sort.SliceStable(x.Races, func(i, j int) bool { return x.Races[i].Text < x.Races[j].Text })
	}
	if len(x.Events) > remembered {
		x.Limits.AddCut("Go's race detector forgets what was accessed many steps ago")
	}
	return x
}

// Forget removes the log of a process that has ended, which does that itself if it can.
func (l *Log) Forget(pid int) {
	if base, _, ok := cutLast(l.path, "."); ok {
		os.Remove(fmt.Sprintf("%s.%d", base, pid))
	}
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// fill finds the texts of list, and if a component is driven, leaves out the races of its
// environment.
func (l *Log) fill(list []trace.Race, driven bool) (kept []trace.Race) {
	others := map[int]bool{}
	for _, text := range l.read() {
		if i := l.next - list[0].Number; i >= 0 && i < len(list) {
			list[i].Text, list[i].Stack = l.parse(text)
			others[list[i].Number] = driven && byEnvironment(text)
		}
		l.next++
	}
	return slices.DeleteFunc(list, func(r trace.Race) bool { return others[r.Number] })
}

// byEnvironment reports whether the environment of a component (package drive) has made one of the
// accesses of a report. The detector watches the standard library, whose maps, slices and
// reflection the environment uses. It does not watch packages of rehearse, which are mostly in no
// stack. An access that the program makes within a call of the environment is the program's. So is
// an access by a goroutine of the program that runs functions of the library only.
func byEnvironment(text string) bool {
	blocks := strings.Split(strings.TrimPrefix(text, "WARNING: DATA RACE\n"), "\n\n")
	return slices.ContainsFunc(blocks[:min(2, len(blocks))], func(block string) bool {
		head, _, _ := strings.Cut(block, "\n")
		calls := callsIn(block)
		for _, name := range calls {
			switch {
			case strings.HasPrefix(name, "rehearse/explore/"):
				return true
			case !libraries.MatchString(name):
				return false
			}
		}
		return len(calls) > 0 && !ofProgram(head, blocks)
	})
}

// callsIn lists the functions of a stack in a report.
func callsIn(block string) (names []string) {
	for line := range strings.Lines(block) {
		name, is := strings.CutPrefix(line, "  ")
		if is && !strings.HasPrefix(name, " ") && !strings.HasPrefix(name, "[") {
			names = append(names, name)
		}
	}
	return names
}

// goroutine is how the heading of an access, and the block that says where a goroutine was created,
// name it.
var goroutine = regexp.MustCompile(`[Gg]oroutine \d+`)

// ofProgram reports whether the goroutine of an access was created at a function other than
// rehearse's: package sched tells the detector that each process was created at the function that
// it runs.
func ofProgram(head string, blocks []string) bool {
	name := strings.ToLower(goroutine.FindString(head))
	for _, block := range blocks {
		at, _, _ := strings.Cut(block, "\n")
		if name == "" || !strings.Contains(at, "created at:") ||
			strings.ToLower(goroutine.FindString(at)) != name {
			continue
		}
		calls := callsIn(block)
		return len(calls) > 0 && !strings.HasPrefix(calls[0], "rehearse/")
	}
	return false
}

// libraries are the functions by which package drive reaches memory.
var libraries = regexp.MustCompile(`^(runtime|internal/[a-z/]+|reflect|slices|maps|cmp|sort|` +
	`strings|strconv|fmt|regexp|encoding/json)\.`)

// read returns the reports that are new in the file, and makes room for more.
func (l *Log) read() []string {
	f, err := os.Open(l.path)
	if err != nil {
		return nil
	}
	defer f.Close()
	f.Seek(l.offset, io.SeekStart)
	text, _ := io.ReadAll(f)
	l.offset += int64(len(text))
	os.Truncate(l.path, 0) // the detector goes on writing at its offset
	text = bytes.TrimLeft(text, "\x00")
	var list []string
	for part := range strings.SplitSeq(string(text), "==================\n") {
		if strings.HasPrefix(part, "WARNING: DATA RACE") {
			list = append(list, part)
		}
	}
	return list
}

// parse makes "data race: write at a.go:3 and read at b.go:7" of a report, and one stack of the two
// accesses'.
func (l *Log) parse(text string) (message string, stack []byte) {
	var accesses []string
	blocks := strings.Split(strings.TrimPrefix(text, "WARNING: DATA RACE\n"), "\n\n")
	for _, block := range blocks[:min(2, len(blocks))] {
		head, frames, _ := strings.Cut(block, "\n")
		what, _, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(head, "Previous ")), " at ")
		frames = goStack(frames)
		if calls := depict.UserCalls([]byte("goroutine\n"+frames), l.places); len(calls) > 0 {
			what += " at " + calls[0].Pos
		}
		accesses = append(accesses, what)
		stack = append(stack, frames+"\n"...)
	}
	sort.Strings(accesses)
	return "data race: " + strings.Join(accesses, " and "), append([]byte("goroutine\n"), stack...)
}

// goStack gives the detector's stack the form of runtime/debug.Stack.
func goStack(frames string) string {
	var b strings.Builder
	for line := range strings.Lines(frames) {
		if site, ok := strings.CutPrefix(line, "      "); ok {
			b.WriteString("\t" + site)
		} else {
			b.WriteString(strings.TrimPrefix(line, "  "))
		}
	}
	return b.String()
}
