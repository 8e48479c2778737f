package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// runBuild writes the controlled test binary of one package.
func runBuild(args []string, _, stderr io.Writer) int {
	o := options.Default()
	fs := flag.NewFlagSet("build", flag.ContinueOnError)
	o.Register(fs)
	output := fs.String("o", "", "")
	patterns, err := parse(fs, args, stderr)
	if err != nil {
		return exitError
	}
	if err := build(o, patterns, *output, stderr); err != nil {
		return complain(stderr, err)
	}
	return exitClean
}

func build(o *options.Options, patterns []string, output string, stderr io.Writer) error {
	running := *o
	d := options.Default()
	// says which channels are mailboxes, too
	running.Model = d.Model
	// say whether there are facts, too
	running.Independence, running.Tasks, running.Order = d.Independence, d.Tasks, d.Order
	// says that states can be compared, too
	running.Audit = d.Audit
	switch flags := running.Encode(); {
	case output == "":
		return errors.New("build: say where the binary goes with -o FILE")
	case len(flags) > 0:
		return fmt.Errorf("build: %s is for running; give it to %s", flags[0], output)
	}
	packages, err := building(stderr, compiling(".", o, patterns), func() ([]exec.Package, error) {
		return exec.Build(".", o, patterns)
	})
	switch {
	case err != nil:
		return err
	case len(packages) != 1:
		return fmt.Errorf("build: the patterns name %d packages; name one", len(packages))
	case packages[0].Binary == "":
		return fmt.Errorf("build: %s has no tests and is no program: there is nothing to explore",
			packages[0].Path)
	}
	return install(packages[0].Binary, output)
}

// install copies a binary out of the cache. A copy and not a link: the cache is trimmed by time of
// use.
func install(binary, output string) error {
	src, err := os.Open(binary)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(output, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o777)
	if err != nil {
		return err
	}
	if _, err := io.Copy(dst, src); err != nil {
		dst.Close()
		return err
	}
	return dst.Close()
}
