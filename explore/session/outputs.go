package session

import (
	"encoding/json"
	"io"
	"os"
	"runtime"

	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/explore/report"
)

// printed is the standard output, of which there is a copy if the command wants to keep it.
func printed(o *options.Options) io.Writer {
	stdout := process.Keep(os.Stdout)
	if o.Printed() == "" {
		return stdout
	}
	file, err := os.OpenFile(o.Printed(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return stdout // without the file nothing is kept
	}
	return io.MultiWriter(stdout, file)
}

// placesOf says how places are written: for people as seen from where they are, for programs
// relative to the module's root.
func placesOf(pkg Package, o *options.Options, cwd string) *depict.Places {
	p := &depict.Places{Dir: pkg.Dir, Cwd: cwd, Modules: pkg.Modules,
		Width:  process.TerminalWidth(os.Stdout),
		Secret: !o.ShowsValues()}
	if o.JSON {
		p.Root = pkg.Root
	}
	return p
}

func (s *suite) reporter() report.Reporter {
	text := &report.Text{Out: s.stdout, Verbose: s.opts.Verbose, WhyTwins: s.opts.WhySymmetry(),
		WhySections: s.opts.WhySections(),
		Allowed:     s.opts.AllowUnsupported, Colours: s.places.Width > 0 && process.WantsColours(),
		Places: s.places,
		Meter:  s.meter}
	s.listen(text)
	if s.opts.JSON {
		j := report.NewJSON(s.stdout, s.pkg.Path, text)
		j.Of = s.opts.Of
		return j
	}
	return text
}

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

// said is what the binaries of one run have told, and none of them tells again.
type said struct {
	Notes []string // that were printed
	Stale bool     // why some saved schedule is not run
}

// listen reads what was told before, and lets text leave it out.
func (s *suite) listen(text *report.Text) {
	if data, err := os.ReadFile(s.opts.Said()); err == nil {
		_ = json.Unmarshal(data, &s.said) // what cannot be read is told again
	}
	s.notes = text.Said(s.said.Notes)
}

// tell leaves what was told to the binaries that follow.
func (s *suite) tell() error {
	if s.opts.Said() == "" || s.notes == nil {
		return nil
	}
	s.said.Notes = s.notes()
	data, err := json.Marshal(s.said)
	if err != nil {
		return err
	}
	return os.WriteFile(s.opts.Said(), data, 0o666)
}

// addTotals leaves what the run has come to where the command sums up the packages.
func (s *suite) addTotals() error {
	file := s.opts.Totals()
	if file == "" {
		return nil
	}
	text, err := json.Marshal(&s.total)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o666)
}
