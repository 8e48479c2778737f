// Package resume finds the journals of the searches that a run goes on with.
//
// Vocabulary: a journal is a file with the state of one test's search (package journal). Its key
// names the runs for which it holds.
//
// LIMITS: only a search by items has a journal; one in a single piece begins again.
package resume

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/divide"
	"github.com/rehearse-go/rehearse/explore/items"
	"github.com/rehearse-go/rehearse/explore/journal"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/runtime/gate"
)

// Journals are those of one run, of the tests of one package.
type Journals struct {
	opts   *options.Options
	pkg    string // import path
	binary string // the test binary
	hash   string // of the binary, once somebody has asked
	file   string // that -checkpoint names, absolute; empty: it names none
	kept   []string
}

// Search is what a search goes on with.
type Search struct {
	*divide.State
	Keeper *items.Keeper
}

// New returns the journals of a run in the directory cwd.
func New(o *options.Options, pkg, binary, cwd string) *Journals {
	j := &Journals{opts: o, pkg: pkg, binary: binary, file: o.Checkpoint}
	if j.file != "" && !filepath.IsAbs(j.file) {
		j.file = filepath.Join(cwd, j.file)
	}
	return j
}

// Of is the file of the journal of a test; empty: there is none.
func (j *Journals) Of(test string) string {
	switch {
	case j.file != "":
		return j.file
	case j.opts.Journals == "":
		return ""
	}
	name := journal.Hash(strings.NewReader(j.pkg + " " + test))
	return filepath.Join(j.opts.Journals, name+".journal")
}

// Key says for which runs a journal of a test holds that is explored with the options o. Without a
// test it is the key of the runs for which the results of shards in the package hold.
func (j *Journals) Key(o *options.Options, test string) journal.Key {
	if j.hash == "" {
		if file, err := os.Open(j.binary); err == nil {
			j.hash = journal.Hash(file)
			file.Close()
		}
	}
	flags := append(o.Deciding(), os.Args[1:]...)
	return journal.Key{
		Binary: j.hash, Options: strings.Join(flags, " "), Go: runtime.Version(),
		Package: j.pkg, Test: test,
	}
}

// Check reports why the run cannot go on with the tests, if the user wants that.
func (j *Journals) Check(tests []gate.Test) error {
	if j.opts.Checkpoint != "" && (len(tests) > 1 || j.opts.Several) {
		return errors.New("-checkpoint names the file of one test: " +
			"select one, by its package and -run '^TestX$'")
	}
	if !j.opts.Resume {
		return nil
	}
	for _, t := range tests {
		if _, err := j.read(j.opts, t.Name); err != nil {
			return err
		}
	}
	return nil
}

// read reads the journal of a test; nil if there is none.
func (j *Journals) read(o *options.Options, test string) (*Search, error) {
	path := j.Of(test)
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
	if differs := j.Key(o, test).Differs(key); differs != "" {
		return nil, fmt.Errorf("-resume: the journal of %s is from a run that differs in %s; "+
			"leave -resume out to begin again", test, differs)
	}
	if err != nil {
		return nil, fmt.Errorf("-resume: %s: %w", path, err)
	}
	return &Search{state, keeper}, nil
}

// Begun returns what the search of a test goes on with; nil: it begins. The error says why a search
// begins although the user wants it to go on.
func (j *Journals) Begun(o *options.Options, test string) (*Search, error) {
	if !o.Resume && !slices.Contains(j.kept, test) {
		return nil, nil
	}
	saved, err := j.read(o, test)
	if !o.Resume {
		err = nil
	}
	return saved, err
}

// Keep notes that the search of a test is written down, and returns the command that goes on with
// it.
func (j *Journals) Keep(test string) string {
	j.kept = append(j.kept, test)
	o := *j.opts
	o.Run, o.Skip, o.Resume, o.MaxExecutions = "^"+test+"$", "", false, 0
	return o.Line([]string{"rehearse", "test", "-resume"}, j.pkg)
}
