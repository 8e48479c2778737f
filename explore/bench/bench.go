// Package bench measures strategies on programs whose number of executions is known: the subjects of the papers that
// rehearse implements, and reference programs of later ones.
//
// Vocabulary: a subject is one test of one program of testdata, with its size: nsenders(5); its known count is the number
// of inequivalent executions under Go's own channels, which the program's documentation derives; a variant is a strategy
// with the flags that go with its name, under a delivery model; a run is one variant on one subject; a figure is what a
// paper prints about a subject of the same name.
//
// Guarantees: subjects are explored as a user's tests are: the controlled binary is built once for each package and model, and run
// as a process of its own for each run. A run that was cut off is never called complete, and meets no count. What is
// known comes from testdata/golden.json alone, which the tests of the command check, too.
//
// LIMITS: known counts are those of the model go; under another model nothing is compared. Random strategies see a part of
// the executions, so all that can be said is that they see no more than there are. Seconds are those of one run, with what
// else the machine does, and with the minimisation of what is found; peak memory is known on Linux only. Counts of the
// papers are of programs that they mostly do not print, and of mailboxes without an order.
package bench

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/rehearse-go/rehearse/explore/exec"
)

// Config says what is measured. The zero value: nothing is left out but long subjects, without budgets.
type Config struct {
	Subject       string        // regular expression over names of subjects
	Strategies    []string      // names of variants' strategies; nil: all that are built
	Models        []string      // delivery models; nil: go
	Long          bool          // long subjects, too
	MaxExecutions int           // of one run; 0: no bound, but for samples
	Timeout       time.Duration // of one run; 0: none
}

// Run measures every variant on every subject and shows each result when it is there. It reports whether all that is known
// was met. Not to be met is no error.
func Run(c *Config, out Table) (met bool, err error) {
	subjects, err := c.subjects()
	if err != nil {
		return false, err
	}
	variants, err := c.variants()
	if err != nil {
		return false, err
	}
	// An interrupt is looked at after each run, so that the temporary directory goes in any case.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	module, err := build(subjects, variants)
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(module.dir)
	return c.measure(ctx, module, subjects, variants, out)
}

func (c *Config) measure(ctx context.Context, m *module, subjects []Subject, variants []variant, out Table) (met bool, err error) {
	out.Begin()
	defer out.End()
	met = true
	for _, s := range subjects {
		for _, v := range variants {
			r, err := c.run(m.packages[place{s.Dir, v.model}], s, v)
			switch {
			case ctx.Err() != nil:
				return false, exec.ErrInterrupted
			case err != nil:
				return false, err
			}
			out.Row(r)
			met = met && r.Met != no
		}
	}
	return met, nil
}

// module is the temporary module that holds the subjects.
type module struct {
	dir      string
	packages map[place]exec.Package
}

// place is a program's directory below testdata, and the delivery model that its binary is for.
type place struct{ dir, model string }

// build writes the subjects' module and builds the packages that are measured, all at once for each model.
func build(subjects []Subject, variants []variant) (*module, error) {
	dir, err := os.MkdirTemp("", "rehearse-bench-")
	if err != nil {
		return nil, err
	}
	m := &module{dir: dir, packages: map[place]exec.Package{}}
	if err := m.fill(subjects, variants); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return m, nil
}

func (m *module) fill(subjects []Subject, variants []variant) error {
	if err := write(m.dir); err != nil {
		return err
	}
	built := map[string]bool{}
	for _, v := range variants {
		if built[v.model] {
			continue
		}
		built[v.model] = true
		packages, err := exec.Build(m.dir, &v.options, patterns(subjects))
		if err != nil {
			return err
		}
		for _, p := range packages {
			m.packages[place{base(p.Path), v.model}] = p
		}
	}
	return nil
}
