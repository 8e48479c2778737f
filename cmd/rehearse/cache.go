package main

import (
	"flag"
	"fmt"
	"io"

	"github.com/rehearse-go/rehearse/internal/cache"
)

// runCache shows what the command keeps between runs, or removes it.
func runCache(args []string, stdout, stderr io.Writer) int {
	rest, err := parse(flag.NewFlagSet("cache", flag.ContinueOnError), args, stderr)
	switch {
	case err != nil:
		return exitError
	case len(rest) == 0:
		err = cache.Print(stdout)
	case len(rest) == 1 && rest[0] == "clean":
		err = cache.Clean(stdout)
	default:
		err = fmt.Errorf(
			"cache %s: unknown; 'rehearse cache' shows it, 'rehearse cache clean' empties it",
			rest[0])
	}
	if err != nil {
		return complain(stderr, err)
	}
	return exitClean
}
