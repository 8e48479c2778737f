package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore/divide"
	"github.com/rehearse-go/rehearse/explore/items"
	"github.com/rehearse-go/rehearse/explore/journal"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/runtime/gate"
)

// A search by items writes its state down (package journal) at each checkpoint, and when it is
// interrupted. With -resume another run goes on with that state, and so does the second turn of a
// test in one run. A search in one piece cannot write its state down.
const (
	checkpoint = 10 * time.Second
	tooShort   = time.Second // of a search that nobody will miss, unless the user has named a file
)

// saving is the journal of a search.
type saving struct {
	e     *exploration
	path  string
	file  *journal.Writer
	next  time.Time
	began time.Time
	lost  error // why nothing is written; nil: it is
}

// savedSearch is what a search goes on with.
type savedSearch struct {
	*divide.State
	keeper *items.Keeper
}

// newSaving returns the journal of e's search; nil: there is none.
func (e *exploration) newSaving(o *options.Options) *saving {
	path := e.suite.journalOf(e.test)
	if path == "" {
		return nil
	}
	now := time.Now()
	key := e.suite.keyOf(o, e.test)
	v := &saving{e: e, path: path, began: now, next: now.Add(checkpoint)}
	v.file = journal.NewWriter(path, key)
	return v
}

// journalOf is the file of the journal of a test; empty: there is none.
func (j *journals) journalOf(t gate.Test) string {
	switch {
	case j.checkpoint != "":
		return j.checkpoint
	case j.opts.Journals == "":
		return ""
	}
	name := journal.Hash(strings.NewReader(j.pkg.Path + " " + t.Name))
	return filepath.Join(j.opts.Journals, name+".journal")
}

// keyOf says for which runs a journal of a test holds.
func (j *journals) keyOf(o *options.Options, t gate.Test) journal.Key {
	if j.binary == "" {
		if file, err := os.Open(start.Path); err == nil {
			j.binary = journal.Hash(file)
			file.Close()
		}
	}
	flags := append(o.Deciding(), os.Args[1:]...)
	return journal.Key{
		Binary: j.binary, Options: strings.Join(flags, " "), Go: runtime.Version(),
		Package: j.pkg.Path, Test: t.Name,
	}
}

// checkJournals reports why the tests cannot be gone on with, if the user wants that.
func (j *journals) checkJournals(tests []gate.Test) error {
	o := j.opts
	if o.Checkpoint != "" && (len(tests) > 1 || o.Several) {
		return errors.New("-checkpoint names the file of one test: " +
			"select one, by its package and -run '^TestX$'")
	}
	if !o.Resume {
		return nil
	}
	for _, t := range tests {
		if _, err := j.readJournal(o, t); err != nil {
			return err
		}
	}
	return nil
}

// readJournal reads the journal of a test; nil if there is none.
func (j *journals) readJournal(o *options.Options, t gate.Test) (*savedSearch, error) {
	path := j.journalOf(t)
	if path == "" {
		return nil, nil
	}
	state, keeper, key, err := divide.Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && o.Checkpoint != "" && o.Resume:
		return nil, fmt.Errorf("-resume: there is no file %s: "+
			"leave -resume out, and it will be written", path)
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil && key == (journal.Key{}):
		return nil, fmt.Errorf("-resume: %s: %w", path, err)
	}
	// a journal of another version may look damaged
	if differs := j.keyOf(o, t).Differs(key); differs != "" {
		return nil, fmt.Errorf("-resume: the journal of %s is from a run that differs in %s; "+
			"leave -resume out to begin again", t.Name, differs)
	}
	if err != nil {
		return nil, fmt.Errorf("-resume: %s: %w", path, err)
	}
	return &savedSearch{state, keeper}, nil
}

// resumed returns what e's search goes on with; nil: it begins.
func (e *exploration) resumed(o *options.Options) *savedSearch {
	if !o.Resume && !slices.Contains(e.suite.journaled, e.test.Name) {
		return nil
	}
	saved, err := e.suite.readJournal(o, e.test)
	if err != nil && o.Resume {
		e.note("begun again: %v", err)
	}
	if err != nil {
		return nil
	}
	return saved
}

// note says once why nothing is written any more.
func (v *saving) note(err error) error {
	if v.lost = err; err != nil {
		v.e.note("what the search has come to cannot be kept: %v", err)
	}
	return err
}

// resumeLine is the command that goes on with the search for a test.
func (j *journals) resumeLine(t gate.Test) string {
	o := *j.opts
	o.Run, o.Skip, o.Resume, o.MaxExecutions = "^"+t.Name+"$", "", false, 0
	return o.Line([]string{"rehearse", "test", "-resume"}, j.pkg.Path)
}
