package options

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/strategy"
)

// setPaper sets the options with which a row of a paper's table is measured: a strategy and flags
// for it, "transdpor,order=eca,sleep". A list is written with plus signs. If the model is left
// open, it is Go's, or else the first model of the strategy.
func (o *Options) setPaper(text string) error {
	name, rest, more := strings.Cut(text, ",")
	r := strategy.Find(name)
	if r == nil {
		return fmt.Errorf("there is no strategy %q; one of %s", name, words(strategy.Names(nil)))
	}
	o.Strategy = name
	if !slices.Contains(r.Models, o.Model) {
		o.Model = r.Models[0]
	}
	if !more {
		return nil
	}
	takes := append(slices.Clone(r.Takes), "model")
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	registerExploration(fs, o)
	for setting := range strings.SplitSeq(rest, ",") {
		flag, value, given := strings.Cut(setting, "=")
		if !slices.Contains(takes, flag) {
			return fmt.Errorf("%s takes %s, not %q", name, strings.Join(takes, ", "), flag)
		}
		if !given {
			value = "true"
		}
		if err := fs.Set(flag, strings.ReplaceAll(value, "+", ",")); err != nil {
			return fmt.Errorf("%s: %v", setting, err)
		}
	}
	return nil
}
