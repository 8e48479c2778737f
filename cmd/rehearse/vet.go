package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/analysis/suite"
	"github.com/rehearse-go/rehearse/analysis/vet"
)

// calledByVet reports whether the go command calls us as its vet tool: with -V=full, with -flags,
// or with the description of one package, a .cfg file, as the last argument.
func calledByVet(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	return args[0] == "-V=full" || args[0] == "-flags" ||
		strings.HasSuffix(last, ".cfg") && commands[args[0]] == nil
}

// vetting is a request to rehearse vet.
type vetting struct {
	vet.Config
	json      bool
	sarif     string // file
	context   int    // lines around a finding; negative: none, and not its own either
	fix, diff bool
	verbose   bool
	confirming
	explain bool
	named   string // the check to explain
}

// runVet runs the checks through go vet, with this command as the tool.
func runVet(args []string, stdout, stderr io.Writer) int {
	v, err := parseVet(args, stderr)
	if err != nil {
		return exitError
	}
	if err := v.check(); err != nil {
		return complain(stderr, err)
	}
	if v.Tool, err = os.Executable(); err != nil {
		return complain(stderr, err)
	}
	switch {
	case v.explain:
		return v.explainCheck(stdout, stderr)
	case v.fix:
		return v.apply(stdout, stderr)
	}
	return v.report(stdout, stderr)
}

func parseVet(args []string, stderr io.Writer) (*vetting, error) {
	v := &vetting{Config: vet.Config{Checks: suite.Checks()}}
	patterns, err := parse(v.flags(), args, stderr)
	c := load.Config{Patterns: patterns}
	for _, f := range v.Flags {
		if strings.HasPrefix(f, "-tags=") {
			c.Flags = append(c.Flags, f)
		}
	}
	v.Patterns = c.Expanded()
	return v, err
}

// flags are those of the command, and those of the checks.
func (v *vetting) flags() *flag.FlagSet {
	fs := flag.NewFlagSet("vet", flag.ContinueOnError)
	fs.BoolVar(&v.json, "json", false, "")
	fs.StringVar(&v.sarif, "sarif", "", "")
	fs.IntVar(&v.context, "c", -1, "")
	fs.BoolFunc("v", "", func(string) error {
		v.verbose, v.Flags = true, append(v.Flags, "-leak.count")
		return nil
	})
	fs.BoolVar(&v.fix, "fix", false, "")
	fs.BoolVar(&v.diff, "diff", false, "")
	fs.BoolVar(&v.Tests, "test", true, "")
	fs.Var(&v.confirming, "confirm", "")
	fs.BoolVar(&v.write, "write", false, "")
	fs.StringVar(&v.Since, "new-from-rev", "", "")
	fs.StringVar(&v.Baseline, "baseline", "", "")
	fs.BoolVar(&v.Write, "write-baseline", false, "")
	fs.Var(optional{&v.explain, &v.named}, "explain", "")
	fs.BoolFunc("possible", "", func(string) error {
		v.Flags = append(v.Flags, possible()...)
		return nil
	})
	fs.Func("tags", "", func(s string) error { v.Flags = append(v.Flags, "-tags="+s); return nil })
	v.addChecks(fs)
	return fs
}

// possible are the flags by which the checks that have it also report what is only possible.
func possible() (flags []string) {
	for _, a := range suite.Analyzers {
		if a.Flags.Lookup("possible") != nil {
			flags = append(flags, "-"+a.Name+".possible")
		}
	}
	return flags
}

// addChecks adds a flag for each check, and the checks' own flags. They are for the tool, by way of
// go vet.
func (v *vetting) addChecks(fs *flag.FlagSet) {
	for _, a := range v.Checks {
		fs.Var(passed{a.Name, true, &v.Flags}, a.Name, "")
		a.Flags.VisitAll(func(f *flag.Flag) {
			name := a.Name + "." + f.Name
			b, ok := f.Value.(interface{ IsBoolFlag() bool })
			fs.Var(passed{name, ok && b.IsBoolFlag(), &v.Flags}, name, "")
		})
	}
}

// check looks for flags that do not go together.
func (v *vetting) check() error {
	switch {
	case v.Write && v.Baseline == "":
		return errors.New("-write-baseline needs -baseline FILE, the file to write")
	case v.Write && (v.Since != "" || !v.Tests):
		return errors.New(
			"-write-baseline writes all findings: -new-from-rev and -test=false do not apply")
	case v.write && !v.on:
		return errors.New("-write leaves the tests of -confirm, and needs -confirm")
	case v.on && (v.fix || v.Write):
		return errors.New("-confirm runs findings: -fix and -write-baseline do not apply")
	case v.diff && !v.fix:
		return errors.New("-diff shows what -fix would do, and needs -fix")
	case v.fix && (v.json || v.sarif != "" || v.Since != "" || v.Baseline != "" || !v.Tests ||
		v.context >= 0):
		return errors.New(
			"-fix mends all findings: -json, -sarif, -c, -new-from-rev, -baseline and -test=false do not apply")
	}
	return nil
}

// explainCheck prints the doc of the check that is named, or else all names.
func (v *vetting) explainCheck(stdout, stderr io.Writer) int {
	name := v.named
	if name == "" && len(v.Patterns) > 0 {
		name = v.Patterns[0]
	}
	if name == "" {
		fmt.Fprint(stdout, vet.List(v.Checks))
		return exitClean
	}
	text, err := vet.Explain(v.Checks, name)
	if err != nil {
		return complain(stderr, err)
	}
	fmt.Fprint(stdout, text)
	return exitClean
}

// apply mends what can be mended.
func (v *vetting) apply(stdout, stderr io.Writer) int {
	differs, err := vet.Apply(v.Config, v.diff, stdout)
	switch {
	case err != nil:
		return complain(stderr, err)
	case differs:
		return exitFinding
	}
	return exitClean
}

// report prints the findings and, after them, the changes of the baseline.
func (v *vetting) report(stdout, stderr io.Writer) int {
	r, failure := vet.Run(v.Config)
	err := v.confirm(r)
	switch {
	case v.json:
		err = cmp.Or(err, r.PrintJSON(stdout))
	case !r.Written:
		err = cmp.Or(r.Print(stderr, v.context), err)
	}
	if v.sarif != "" {
		err = cmp.Or(err, v.writeSARIF(r, failure))
	}
	r.PrintKnown(stderr, v.Baseline)
	if n := r.Searched; v.verbose {
		fmt.Fprintf(stderr,
			"%d functions were run by themselves; %d were over the budget of work, and %d came to a bound\n",
			n.Functions, n.Over, n.Bounded)
	}
	if failure = cmp.Or(failure, err); failure != nil {
		return complain(stderr, failure)
	}
	if len(r.Findings) > 0 && !r.Written {
		return exitFinding
	}
	return exitClean
}

func (v *vetting) writeSARIF(r *vet.Report, failure error) error {
	var text bytes.Buffer
	if err := r.WriteSARIF(&text, failure); err != nil {
		return err
	}
	return os.WriteFile(v.sarif, text.Bytes(), 0o666)
}

// optional is a flag that may have a value, after an equals sign.
type optional struct {
	given *bool
	value *string
}

// String implements flag.Value.
func (o optional) String() string { return "" }

// IsBoolFlag tells package flag whether the flag may stand alone.
func (o optional) IsBoolFlag() bool { return true }

// Set implements flag.Value.
func (o optional) Set(s string) error {
	*o.given = true
	if s != "true" {
		*o.value = s
	}
	return nil
}

// passed is a flag that is passed on as it is.
type passed struct {
	name string
	bool bool
	to   *[]string
}

// String implements flag.Value.
func (p passed) String() string { return "" }

// IsBoolFlag tells package flag whether the flag may stand alone.
func (p passed) IsBoolFlag() bool { return p.bool }

// Set implements flag.Value.
func (p passed) Set(s string) error {
	*p.to = append(*p.to, "-"+p.name+"="+s)
	return nil
}
