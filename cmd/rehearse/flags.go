package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/process"
)

// errUsage says that the arguments were wrong and that the user has been told.
var errUsage = errors.New("usage")

// parse reads flags and arguments, in any order, as go test does, and changes into the directory of
// -C. It prints what is wrong as one line. The result is the arguments that are not flags.
func parse(fs *flag.FlagSet, args []string, stderr io.Writer) ([]string, error) {
	fs.SetOutput(io.Discard)
	if fs.Lookup("C") == nil {
		fs.String("C", "", "")
	}
	rest, err := parseMixed(fs, args)
	if dir := fs.Lookup("C").Value.String(); err == nil && dir != "" {
		err = changeTo(dir)
	}
	switch {
	case err == nil:
		return rest, nil
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stderr, helpText(fs.Name()))
	case fs.Name() == "test" && notHere(err) != "":
		complain(stderr, errors.New(notHere(err)))
	default:
		complain(stderr, fmt.Errorf("%w; run 'rehearse help %s'", err, fs.Name()))
	}
	return nil, errUsage
}

// changeTo changes into a directory. Commands that are printed name files as seen from here.
func changeTo(dir string) error {
	if from, err := os.Getwd(); err == nil {
		os.Setenv(process.From, from)
	}
	return os.Chdir(dir)
}

// notHere says why rehearse test lacks a flag of go test; empty for a flag without a listed reason.
func notHere(err error) string {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return ""
	}
	for _, f := range []struct{ names, why string }{
		{"bench benchtime benchmem", "it explores orders, and measures no time: use go test"},
		{"fuzz fuzztime fuzzminimizetime", "it runs fuzz targets with their seeds and " +
			"testdata/fuzz: use go test to find new inputs, and then rehearse test"},
		{"shuffle", "each test begins as if it were the first one, so their order does not matter"},
		{"cpu", "one processor is enough to show each order"},
		{"cpuprofile memprofile blockprofile mutexprofile blockprofilerate memprofilerate " +
			"mutexprofilefraction outputdir", "the profile would be that of the search: use go test"},
		{"c o", "rehearse build -o FILE writes the test binary"},
		{"vet", "it does not run go vet: leave the flag out"},
	} {
		if slices.Contains(strings.Fields(f.names), name) {
			return fmt.Sprintf("rehearse test has no -%s: %s", name, f.why)
		}
	}
	return ""
}

// parseMixed goes on after an argument that is not a flag.
func parseMixed(fs *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		if fs.NArg() == 0 {
			return rest, nil
		}
		rest = append(rest, fs.Arg(0))
		args = fs.Args()[1:]
	}
}
