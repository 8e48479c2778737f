// Package confirm runs findings of rehearse vet: it writes a test that calls the functions of a
// finding, and explores that test.
//
// Vocabulary: a driver is the test. A way is how the driver gets the objects that the functions
// belong to. It takes them from a constructor of the package, or puts them together from zero
// values, channels and stubs. A goroutine may close the channels that only signal. An unknown
// value, such as the error that a stub returns, is a draw: the exploration tries the possible
// answers. Of a generic function, a driver calls the instance with the first type arguments that
// fit: int, string and the like, or types of the package.
//
// Guarantees: a finding is confirmed only if an explored execution has a process that waits for
// ever, or panics, where the finding says so. Files that the exploration writes are removed.
//
// LIMITS: confirmed means that it happens for these arguments; the reader decides whether anybody
// passes them. Not reproduced means nothing: the driver has the wrong arguments, or the time ended.
package confirm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// Finding is what is to be confirmed.
type Finding struct {
	Package string // import path
	// Functions are run at once; all but the first may already run on goroutines that the others,
	// or a constructor, start.
	Functions []string
	Started   bool     // the second function runs on such a goroutine
	Again     bool     // the first one is called twice, one call after the other
	Panics    bool     // it ends in a panic, and not in a process that waits
	Places    []string // "file:line": where a process waits for ever, or panics
	Text      string   // names the fields and parameters that decide
}

// Verdict says whether a finding was confirmed.
type Verdict string

// The verdicts.
const (
	Confirmed     Verdict = "confirmed"
	NotReproduced Verdict = "not reproduced"
	NoDriver      Verdict = "no driver"
)

// Outcome is what an exploration has shown.
type Outcome struct {
	Verdict
	Why        string   // there is no driver, or what was explored
	Sentence   string   // how it comes to that
	Chart      []string // the execution
	Schedule   string   // the file that has it, if schedules are kept
	Executions int
	Driver     []byte // the test's file
	File       string // its place
}

// way is how a driver gets objects.
type way int

const (
	constructed way = iota
	literal
	signalled // literal, and channels that carry nothing are closed at some time
)

// Session confirms findings of the packages in a directory.
type Session struct {
	Dir     string
	Timeout time.Duration // of each exploration
	Keep    bool          // leave the schedules where they are

	loaded map[string]*load.Target
}

// Confirm runs one finding.
func (s *Session) Confirm(f Finding) (*Outcome, error) {
	target, err := s.load(f.Package)
	if err != nil {
		return nil, err
	}
	best := &Outcome{Verdict: NoDriver, Why: "no function of the finding can be called"}
	for _, by := range []way{constructed, literal, signalled} {
		text, err := driver(target.Package, f, by)
		var no *noDriver
		switch {
		case errors.As(err, &no):
			if best.Verdict == NoDriver && by == literal {
				best.Why = no.Error()
			}
			continue
		case err != nil:
			return nil, err
		}
		out, err := s.explore(target, f, text)
		if err != nil {
			return nil, err
		}
		if out.Verdict == Confirmed {
			return out, nil
		}
		if best.Verdict == NoDriver {
			best = out
		}
	}
	return best, nil
}

func (s *Session) load(path string) (*load.Target, error) {
	if t := s.loaded[path]; t != nil {
		return t, nil
	}
	r, err := load.Load(load.Config{Dir: s.Dir, Patterns: []string{path}})
	switch {
	case err != nil:
		return nil, err
	case len(r.Targets) != 1:
		return nil, fmt.Errorf("%s: %d packages", path, len(r.Targets))
	}
	if s.loaded == nil {
		s.loaded = map[string]*load.Target{}
	}
	s.loaded[path] = r.Targets[0]
	return r.Targets[0], nil
}

// explore builds a driver and explores it.
func (s *Session) explore(t *load.Target, f Finding, text []byte) (*Outcome, error) {
	out := &Outcome{Verdict: NotReproduced, Driver: text,
		File: filepath.Join(t.Package.Dir, "rehearse_confirm_test.go")}
	built, err := exec.BuildAdded(s.Dir, options.Default(), []string{f.Package},
		map[string][]byte{out.File: text})
	if err != nil {
		out.Verdict, out.Why = NoDriver, err.Error()
		return out, nil
	}
	if len(built) != 1 || built[0].Binary == "" {
		return nil, fmt.Errorf("%s has no test binary", f.Package)
	}
	var stdout bytes.Buffer
	_, err = built[0].Run([]string{"-json", "-run=^" + testName + "$",
		"-clock=explore", fmt.Sprint("-timeout=", s.Timeout)}, &stdout, io.Discard)
	if errors.Is(err, exec.ErrInterrupted) {
		return nil, err
	}
	for line := range bytes.Lines(stdout.Bytes()) {
		var r result
		if json.Unmarshal(line, &r) == nil && r.Action == "result" {
			r.fill(out, f)
			if !s.Keep {
				r.clean(t.Package.Dir)
				out.Schedule = ""
			}
		}
	}
	return out, nil
}

// result is what a controlled test binary prints of a test.
type result struct {
	Action, Verdict, Reason string
	Complete                bool
	Executions              int
	Findings, Slow          []found
}

// found is a finding of an exploration.
type found struct {
	Kind, Message, Sentence, Schedule, Pos string
	Chart                                  []string
	Processes                              []struct{ State, Pos string }
	Stack                                  []struct{ Pos string }
}

// fill says what the result means for a finding.
func (r *result) fill(out *Outcome, f Finding) {
	out.Executions = r.Executions
	for _, x := range append(r.Findings, r.Slow...) {
		if x.shows(f) {
			out.Verdict, out.Sentence, out.Chart = Confirmed, x.Sentence, x.Chart
			out.Schedule = x.Schedule
			return
		}
	}
	out.Why = "all orders were run"
	switch {
	case len(r.Findings) > 0 && r.Findings[0].Kind == "unsupported", r.Verdict == "error":
		out.Verdict, out.Why = NoDriver, "it does what is not controlled"
		if r.Reason != "" {
			out.Why += ": " + r.Reason
		}
	case len(r.Findings) > 0:
		first, _, _ := strings.Cut(r.Findings[0].Message, "\n")
		out.Why = "the driver ends in another way: " + first
	case !r.Complete:
		out.Why = "the time ended first"
	}
}

// shows reports whether an exploration's finding is f: a process waits, or panics, where f says.
func (x *found) shows(f Finding) bool {
	at := func(pos string) bool {
		return slices.ContainsFunc(f.Places, func(p string) bool { return line(p) == line(pos) })
	}
	if x.Kind == "panic" || f.Panics {
		return x.Kind == "panic" && f.Panics && mistaken(x.Message) &&
			(at(x.Pos) || slices.ContainsFunc(x.Stack, func(l struct{ Pos string }) bool {
				return at(l.Pos)
			}))
	}
	for _, p := range x.Processes {
		if p.State == "blocked" && at(p.Pos) {
			return true
		}
	}
	return false
}

// mistaken reports whether the message of a panic tells of a closed channel or of a lock that
// nobody holds: findings that panic are about these.
func mistaken(message string) bool {
	return strings.Contains(message, "closed channel") || strings.Contains(message, "of unlocked ")
}

// line is "file:line", without the directory and the column.
func line(pos string) string {
	pos = pos[strings.LastIndexByte(pos, '/')+1:]
	if parts := strings.Split(pos, ":"); len(parts) > 2 {
		return parts[0] + ":" + parts[1]
	}
	return pos
}

// clean removes the schedules of the driver, and the directories that are empty then.
func (r *result) clean(dir string) {
	for _, x := range append(r.Findings, r.Slow...) {
		if x.Schedule == "" {
			continue
		}
		for file := filepath.FromSlash(x.Schedule); file != "."; file = filepath.Dir(file) {
			if os.Remove(filepath.Join(dir, file)) != nil {
				break // it is not empty: others have files there
			}
		}
	}
}
