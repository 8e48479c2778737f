package session

import (
	"os"
	"runtime"

	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/explore/report"
	"github.com/rehearse-go/rehearse/explore/tree"
)

// recorded makes the reporter write the record, too, if there is to be one.
func (s *suite) recorded(out report.Reporter) (report.Reporter, error) {
	if s.opts.Record == "" {
		return out, nil
	}
	file, err := os.OpenFile(s.opts.Record, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	return report.NewRecorder(out, file, &record.Header{
		Record: record.Version, Go: runtime.Version(), Package: s.pkg.Path, Dir: s.pkg.Dir,
		Root: s.pkg.Root, Cwd: s.places.Cwd, Values: !s.places.Secret,
	}), nil
}

// shape is what keeps the shape of the search for the record; nil if there is none.
func (e *exploration) shape() *tree.Tree {
	if !e.suite.opts.Records() {
		return nil
	}
	return &tree.Tree{}
}
