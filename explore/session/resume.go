package session

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/divide"
	"github.com/rehearse-go/rehearse/explore/items"
	"github.com/rehearse-go/rehearse/explore/journal"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/runtime/gate"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// A search by items writes down what it has come to (package journal): each checkpoint, and when it
// is ended before its end. With -resume another run goes on with it, and so does the second turn of
// a test in one run. What a search in one piece has come to cannot be written down.
const (
	checkpoint = 10 * time.Second
	tooShort   = time.Second // of a search that nobody will miss, unless the user has named a file
)

// saving is the journal of a search.
type saving struct {
	e     *exploration
	path  string
	key   journal.Key
	file  *journal.Writer
	next  time.Time
	began time.Time
	lost  error // why nothing is written; nil: it is
}

// savedSearch is a state of a search.
type savedSearch struct {
	Keeper   items.Saved
	Parts    []explore.Part // that count
	Ran, Cut int
	Elapsed  time.Duration
}

// newSaving returns the journal of e's search; nil: there is none.
func (e *exploration) newSaving(o *options.Options) *saving {
	path := e.suite.journalOf(e.test)
	if path == "" {
		return nil
	}
	now := time.Now()
	key := e.suite.keyOf(o, e.test)
	v := &saving{e: e, path: path, key: key, began: now, next: now.Add(checkpoint)}
	v.file = journal.NewWriter(path, key)
	return v
}

// journals finds the journals of searches that a run goes on with.
type journals struct {
	*common
	binary string // hash of the test binary, once somebody has asked
	// the file of -checkpoint, absolute; empty: none is named
	checkpoint string
	// tests of this run whose searches have been written down
	journaled []string
}

// journalOf is the file of the journal of a test; empty: there is none.
func (j *journals) journalOf(t gate.Test) string {
	switch {
	case j.checkpoint != "":
		return j.checkpoint
	case j.opts.Journals == "":
		return ""
	}
	name := hexOf(strings.NewReader(j.pkg.Path + " " + t.Name))
	return filepath.Join(j.opts.Journals, name+".journal")
}

// hexOf is a hash of what r has.
func hexOf(r io.Reader) string {
	h := fnv.New128a()
	io.Copy(h, r)
	return fmt.Sprintf("%x", h.Sum(nil))
}

// keyOf says for which runs a journal of a test holds.
func (j *journals) keyOf(o *options.Options, t gate.Test) journal.Key {
	if j.binary == "" {
		if file, err := os.Open(start.Path); err == nil {
			j.binary = hexOf(file)
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
	saved := &savedSearch{}
	key, err := journal.Read(path, saved)
	switch {
	case errors.Is(err, fs.ErrNotExist) && o.Checkpoint != "" && o.Resume:
		return nil, fmt.Errorf("-resume: there is no file %s: "+
			"leave -resume out, and it will be written", path)
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("-resume: %s: %w", path, err)
	}
	if differs := j.keyOf(o, t).Differs(key); differs != "" {
		return nil, fmt.Errorf("-resume: the journal of %s is from a run that differs in %s; "+
			"leave -resume out to begin again", t.Name, differs)
	}
	if _, err := items.Restore(&saved.Keeper); err != nil {
		return nil, fmt.Errorf("-resume: %s: %w: remove it", path, err)
	}
	return saved, nil
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

// take writes down what the search has come to, if it is time.
func (v *saving) take(d *pieces, s *divide.Search, x *explore.Exploration) {
	if v != nil && v.lost == nil && time.Now().After(v.next) {
		v.write(d, s, x)
		v.next = time.Now().Add(checkpoint)
	}
}

func (v *saving) write(d *pieces, s *divide.Search, x *explore.Exploration) {
	keeper, pending := s.Saved()
	whole := wholePart(x)
	whole.Over = "" // what has ended this run says nothing of the next one
	parts := append([]explore.Part{whole}, pending...)
	state := savedSearch{keeper, parts, d.ran, d.cut, whole.Elapsed}
	for i := range pending {
		state.Ran, state.Cut = state.Ran+pending[i].Executions, state.Cut+pending[i].Blocked
	}
	if v.lost = v.file.Write(&state); v.lost != nil {
		v.e.note("what the search has come to cannot be kept: %v", v.lost)
	}
}

// wholePart is what x, which gathers parts, has counted by now.
func wholePart(x *explore.Exploration) explore.Part {
	p := x.Part()
	p.Elapsed = x.Elapsed()
	p.Cut = slices.DeleteFunc(slices.Clone(p.Cut),
		func(c trace.Limit) bool { return c.What == p.Over })
	return p
}

// end writes a last state if the search can be gone on with, and removes the journal if it is done.
func (v *saving) end(d *pieces, s *divide.Search, x *explore.Exploration, r *explore.Result) {
	if v == nil {
		return
	}
	over := x.Part().Over
	goesOn := over == explore.TimeIsUp || over == explore.Stopped || x.Full()
	switch named := v.e.suite.opts.Checkpoint != ""; {
	case d.whole != "" || !goesOn:
		os.Remove(v.path)
	case !named && time.Since(v.began) < tooShort, v.lost != nil:
	default:
		v.write(d, s, x)
		if v.lost == nil {
			v.e.suite.journaled = append(v.e.suite.journaled, v.e.test.Name)
			v.e.result.Resume = v.e.suite.resumeLine(v.e.test)
		}
	}
}

// resumeLine is the command that goes on with the search for a test.
func (j *journals) resumeLine(t gate.Test) string {
	o := *j.opts
	o.Run, o.Skip, o.Resume, o.MaxExecutions = "^"+t.Name+"$", "", false, 0
	words := []string{"rehearse", "test", "-resume"}
	for _, flag := range append(o.Told(), j.pkg.Path) {
		flag = strings.TrimSuffix(flag, "=true")
		if strings.ContainsAny(flag, " $^*?()|&;<>'\"\\[]{}!~#") {
			flag = "'" + strings.ReplaceAll(flag, "'", `'\''`) + "'"
		}
		words = append(words, flag)
	}
	return strings.Join(words, " ")
}
