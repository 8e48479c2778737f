package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/internal/exec"
	"github.com/rehearse-go/rehearse/rewrite/cover"
)

// coverage is what -cover and -coverprofile say.
type coverage struct {
	options *options.Options
	profile *os.File // nil: there is none
	dir     string   // has a directory for each package
	remove  func()   // removes dir
}

// newCoverage makes the profile's file, so that a file that cannot be written is an error now
// rather than after minutes.
func newCoverage(o *options.Options) (c *coverage, err error) {
	c = &coverage{options: o}
	if !o.Covers() || o.List != "" {
		return c, nil
	}
	if o.CoverProfile != "" {
		if c.profile, err = os.Create(o.CoverProfile); err != nil {
			return nil, fmt.Errorf("-coverprofile: %w", err)
		}
		fmt.Fprintln(c.profile, "mode: set")
	}
	c.dir, c.remove, err = process.TempDir("rehearse-cover-")
	return c, err
}

// begin makes the next binary write what it runs.
func (c *coverage) begin() error {
	if c.dir == "" {
		return nil
	}
	dir, err := os.MkdirTemp(c.dir, "")
	if err != nil {
		return err
	}
	return os.Setenv(cover.Variable, dir)
}

// end says what a package's tests have run.
func (c *coverage) end(p exec.Package, stdout io.Writer) error {
	if c.dir == "" || p.Binary == "" {
		return nil
	}
	dir := os.Getenv(cover.Variable)
	line := "coverage: [no statements]\n"
	if ran, all := cover.Share(p.Cover, dir); all > 0 {
		line = fmt.Sprintf("coverage: %.1f%% of statements\n", 100*float64(ran)/float64(all))
	}
	if of := c.options.CoverPkg; of != "" {
		line = strings.TrimSuffix(line, "\n") + " in " + strings.ReplaceAll(of, ",", ", ") + "\n"
	}
	if !c.options.JSON {
		io.WriteString(stdout, line)
	} else {
		json.NewEncoder(stdout).Encode(map[string]string{"Action": "output", "Package": p.Path,
			"Output": line})
	}
	if c.profile == nil {
		return nil
	}
	_, err := c.profile.Write(cover.Profile(p.Cover, dir))
	return err
}

// close removes what the binaries have written.
func (c *coverage) close() error {
	if c.dir == "" {
		return nil
	}
	os.Unsetenv(cover.Variable)
	c.remove()
	if c.profile == nil {
		return nil
	}
	return c.profile.Close()
}
