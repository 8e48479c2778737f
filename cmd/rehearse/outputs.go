package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/internal/ci"
	"github.com/rehearse-go/rehearse/internal/exec"
	"github.com/rehearse-go/rehearse/internal/inventory"
	"github.com/rehearse-go/rehearse/internal/page"
	"github.com/rehearse-go/rehearse/internal/traces"
)

// outputs are the files that a run leaves besides its report. All are made from one record, to
// which each binary appends its part.
type outputs struct {
	options *options.Options
	files   []rendering
	record  string // the record while it is being written; empty: there is nothing to write
}

// rendering is a file that is made from a record.
type rendering struct {
	flag, file string
	write      func(w io.Writer, r io.ReadSeeker) error
}

// newOutputs finds out what the options ask for, and makes the binaries write a record if that is
// anything. A file that cannot be written is an error now rather than after minutes.
func newOutputs(o *options.Options) (*outputs, error) {
	out := &outputs{options: o, files: wanted(o)}
	if len(out.files) == 0 && o.Artifacts == "" && !onGitHub() {
		return out, nil
	}
	if o.Trace != "" {
		if err := traces.Check(o.Trace); err != nil {
			return nil, err
		}
	}
	for _, f := range out.files {
		if info, err := os.Stat(filepath.Dir(f.file)); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("-%s %s: %s is not a directory; make it first", f.flag, f.file,
				filepath.Dir(f.file))
		}
		if info, err := os.Stat(f.file); err == nil && info.IsDir() {
			return nil, fmt.Errorf("-%s %s: it is a directory; name a file", f.flag, f.file)
		}
	}
	file, err := os.CreateTemp("", "rehearse-*.record")
	if err != nil {
		return nil, err
	}
	out.record, o.Record = file.Name(), file.Name()
	return out, file.Close()
}

// wanted lists the files that the options name.
func wanted(o *options.Options) (list []rendering) {
	for _, f := range []rendering{
		{"record", o.Record, copyRecord},
		{"html", o.HTML, fromPackages(writePage)},
		{"sarif", o.SARIF, fromPackages(ci.SARIF)},
		{"junit", o.JUnit, fromPackages(ci.JUnit)},
		{"trace", o.Trace, fromPackages(func(w io.Writer, packages []*record.Package) error {
			return traces.Write(w, o.Trace, packages)
		})},
	} {
		if f.file != "" {
			list = append(list, f)
		}
	}
	return list
}

// copyRecord writes the record itself.
func copyRecord(w io.Writer, r io.ReadSeeker) error {
	_, err := io.Copy(w, r)
	return err
}

// fromPackages is what is made from the packages of a record.
func fromPackages(write func(io.Writer, []*record.Package) error) func(io.Writer,
	io.ReadSeeker) error {
	return func(w io.Writer, r io.ReadSeeker) error {
		packages, err := record.Read(r)
		if err != nil {
			return err
		}
		return write(w, packages)
	}
}

// writePage writes a page for people.
func writePage(w io.Writer, packages []*record.Package) error {
	return page.Write(w, page.Data{Tool: version(), Packages: packages})
}

// onGitHub reports whether the command is a step of a workflow of GitHub Actions.
func onGitHub() bool { return os.Getenv("GITHUB_ACTIONS") == "true" }

// tellGitHub writes annotations, which GitHub reads from what is printed, and the step's summary.
func (out *outputs) tellGitHub(stderr io.Writer) error {
	file, err := os.Open(out.record)
	if err != nil {
		return err
	}
	defer file.Close()
	packages, err := record.Read(file)
	if err != nil {
		return err
	}
	cwd, _ := os.Getwd() // without it, files have absolute names
	ci.Annotations(stderr, packages, cmp.Or(os.Getenv("GITHUB_WORKSPACE"), cwd))
	name := os.Getenv("GITHUB_STEP_SUMMARY")
	if name == "" {
		return nil
	}
	summary, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	err = ci.Summary(summary, packages)
	if cerr := summary.Close(); err == nil {
		err = cerr
	}
	return err
}

func (out *outputs) close() {
	if out.record != "" {
		os.Remove(out.record)
	}
}

// write makes the files. Their content does not change the exit code; a file that cannot be written
// does.
func (out *outputs) write(packages []exec.Package, stderr io.Writer) (code int) {
	if out.record == "" {
		return process.Clean
	}
	if err := out.addBroken(packages); err != nil {
		return complain(stderr, err)
	}
	if err := out.addFacts(); err != nil {
		return complain(stderr, err)
	}
	for _, f := range out.files {
		if err := f.make(out.record); err != nil {
			code = complain(stderr, fmt.Errorf("-%s: %w", f.flag, err))
		}
	}
	if dir := out.options.Artifacts; dir != "" {
		if err := writeArtifacts(dir, out.record); err != nil {
			code = complain(stderr, err)
		}
	}
	if onGitHub() {
		if err := out.tellGitHub(stderr); err != nil {
			fmt.Fprintf(stderr, "rehearse: GitHub is not told: %v\n", err)
		}
	}
	return code
}

// addBroken notes the packages that do not compile and so have no binary.
func (out *outputs) addBroken(packages []exec.Package) error {
	file, err := os.OpenFile(out.record, os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer file.Close()
	e := json.NewEncoder(file)
	for _, p := range packages {
		if !p.Broken {
			continue
		}
		e.Encode(record.Header{Record: record.Version, Package: p.Path, Dir: p.Dir})
		e.Encode(map[string]string{"Action": "package", "Package": p.Path, "Verdict": "error",
			"Reason": cmp.Or(p.Nothing, "build failed")})
	}
	return nil
}

// patience is the time for which the analysis of actors may keep a page waiting.
const patience = 30 * time.Second

// addFacts adds the facts about actors, for the files that show them. Facts have constants of the
// program, so they are left out with the values.
func (out *outputs) addFacts() error {
	shown := slices.ContainsFunc(out.files, func(f rendering) bool {
		return f.flag == "record" || f.flag == "html"
	})
	if !shown && out.options.Artifacts == "" || !out.options.ShowsValues() {
		return nil
	}
	file, err := os.OpenFile(out.record, os.O_APPEND|os.O_RDWR, 0o666)
	if err != nil {
		return err
	}
	defer file.Close()
	packages, err := record.Read(file)
	if err != nil {
		return err
	}
	// files that are named are no package that could be found again
	packages = slices.DeleteFunc(packages, func(p *record.Package) bool {
		return len(p.Tests) == 0 || p.Package == "command-line-arguments"
	})
	c := load.Config{Tags: out.options.Tags, Tests: true}
	if out.options.Mod != "" {
		c.Flags = []string{"-mod=" + out.options.Mod}
	}
	e := json.NewEncoder(file)
	for _, f := range inventory.Find(c, packages, patience) {
		if err := e.Encode(f); err != nil {
			return err
		}
	}
	return nil
}

// make writes one file, which appears whole or not at all.
func (f *rendering) make(from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	// all of it, so that the file is there for a moment only before it is whole
	var text bytes.Buffer
	if err := f.write(&text, in); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(f.file), ".tmp-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // fails when all went well
	_, err = temp.Write(text.Bytes())
	if err == nil {
		err = temp.Chmod(0o644)
	}
	if cerr := temp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(temp.Name(), f.file)
	}
	return err
}
