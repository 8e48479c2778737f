package session

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"runtime"

	"github.com/rehearse-go/rehearse/explore/depict"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/explore/report"
)

// printed returns the standard output, which is copied to a file if the command wants to keep it.
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
	p := &depict.Places{Dir: pkg.Dir, Cwd: cwd, From: from, Modules: pkg.Modules,
		Width:  process.TerminalWidth(os.Stdout),
		Secret: !o.ShowsValues(), Inside: o.Verbose}
	if o.JSON {
		p.Root = pkg.Root
	}
	return p
}

func (o *outputs) reporter() report.Reporter {
	text := report.NewText(&report.Printer{Out: o.stdout, Verbose: o.opts.Verbose,
		Colours: o.places.Width > 0 && process.WantsColours(), Places: o.places, Meter: o.meter})
	text.WhyTwins, text.WhySections = o.opts.WhySymmetry(), o.opts.WhySections()
	text.Allowed = o.opts.AllowUnsupported
	o.listen(text)
	if o.opts.JSON {
		j := report.NewJSON(o.stdout, o.pkg.Path, text)
		j.Of = o.opts.Of
		return j
	}
	return text
}

// recorded makes the reporter write the record, too, if there is to be one, and tell the carrier,
// if there is one.
func (o *outputs) recorded(out report.Reporter) (report.Reporter, error) {
	h := record.Header{Record: record.Version, Go: runtime.Version(), Package: o.pkg.Path,
		Dir: o.pkg.Dir, Root: o.pkg.Root, Cwd: o.places.Cwd, Values: !o.places.Secret}
	if carrier != nil {
		out = report.Teller{Recorder: report.NewRecorder(out, carrier, &h)}
	}
	if o.opts.Record == "" {
		return out, nil
	}
	file, err := os.OpenFile(o.opts.Record, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	h.Binary, _ = os.Executable()
	return report.NewRecorder(out, file, &h), nil
}

// listen reads what was told before, and lets text leave it out.
func (o *outputs) listen(text *report.Text) {
	if data, err := os.ReadFile(o.opts.Said()); err == nil {
		_ = json.Unmarshal(data, &o.said) // what cannot be read is told again
	}
	o.notes = text.Said(o.said.Notes)
}

// tell leaves what was told to the binaries that follow.
func (o *outputs) tell() error {
	if o.opts.Said() == "" || o.notes == nil {
		return nil
	}
	o.said.Notes = o.notes()
	data, err := json.Marshal(o.said)
	if err != nil {
		return err
	}
	return os.WriteFile(o.opts.Said(), data, 0o666)
}

// decline prints an error for which nothing is explored, and leaves totals that say so.
func (l *ledger) decline(err error) int {
	l.total.Refused = true
	return l.complain(errors.Join(err, l.addTotals()))
}

// addTotals writes the run's totals to the file from which the command sums up the packages.
func (l *ledger) addTotals() error {
	file := l.opts.Totals()
	if file == "" {
		return nil
	}
	text, err := json.Marshal(&l.total)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o666)
}
