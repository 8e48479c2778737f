package session

import (
	"time"

	"github.com/rehearse-go/rehearse/explore/journal"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/resume"
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

// newSaving returns the journal of e's search; nil: there is none.
func (e *exploration) newSaving(o *options.Options) *saving {
	path := e.suite.journals.Of(e.test.Name)
	if path == "" {
		return nil
	}
	now := time.Now()
	key := e.suite.journals.Key(o, e.test.Name)
	v := &saving{e: e, path: path, began: now, next: now.Add(checkpoint)}
	v.file = journal.NewWriter(path, key)
	return v
}

// resumed returns what e's search goes on with; nil: it begins.
func (e *exploration) resumed(o *options.Options) *resume.Search {
	saved, err := e.suite.journals.Begun(o, e.test.Name)
	if err != nil {
		e.note("begun again: %v", err)
	}
	return saved
}

// note says once why nothing is written any more.
func (v *saving) note(err error) error {
	v.lost = err
	if err != nil {
		v.e.note("what the search has come to cannot be kept: %v", err)
	}
	return err
}
