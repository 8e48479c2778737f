package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
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
		err = os.Chdir(dir)
	}
	switch {
	case err == nil:
		return rest, nil
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stderr, helpText(fs.Name()))
	default:
		complain(stderr, fmt.Errorf("%w; run 'rehearse help %s'", err, fs.Name()))
	}
	return nil, errUsage
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
