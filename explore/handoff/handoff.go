// Package handoff has the work that one test process leaves to the next one, which explores the
// other tests of the package.
//
// There are two reasons for a next one. Executions of a test differ, and dependencies that are not
// under control may be why: then another build has them under control. Or the process is spoilt: a
// goroutine was left behind in it that may disturb other tests. Then the same binary goes on in a
// new process.
package handoff

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/rehearse-go/rehearse/explore/report"
)

// Work is the part of a run that the next process has to do. Its totals count the tests that are
// done.
type Work struct {
	Fresh   bool     // the same binary goes on, in a new process
	Asked   bool     // some binary of the run has asked for another build
	Control []string // import paths of the dependencies to take, or taken, under control
	Begun   []string // tests of which the user has been told that they run
	Tests   []string // the others of the round
	Again   []Result // of tests that have come to their deadlines, and may begin anew
	Round   int      // of -count
	Total   report.Package
	Worst   int           // exit code so far
	Spent   time.Duration // of the budget, until At
	At      time.Time
}

// Result is the result of a test that is not reported yet.
type Result struct {
	Round int // of -count
	report.Test
}

// Read reads what an earlier binary has left in a file; nil if there is no file yet.
func Read(file string) (*Work, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	w := &Work{}
	if err == nil {
		err = json.Unmarshal(text, w)
	}
	return w, err
}

// Write leaves w in a file.
func (w *Work) Write(file string) error {
	text, err := json.Marshal(w)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o666)
}
