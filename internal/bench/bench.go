// Package bench measures strategies on programs whose number of executions is known: the subjects
// of the papers that rehearse implements, and reference programs of later ones.
//
// Vocabulary: a subject is one test of one program of testdata, with its size: nsenders(5). Its
// known count is the number of inequivalent executions under a delivery model; the program's
// documentation derives it. A variant is a strategy with the flags that go with its name, an order
// and a task selection, under a delivery model. A refinement is what -independence adds to a
// variant. A run is one variant on one subject. A figure is a number that a paper prints about a
// subject and a variant. A target is a number of executions that a refinement is to need at most.
//
// Guarantees: subjects are explored like a user's tests. The controlled binary is built once for
// each package and model, and once more if states are compared; each run is a process of its own. A
// run that was cut off is never called complete, and meets no count. The known counts come from
// testdata/golden.json alone, which the tests of the command check, too.
//
// LIMITS: where golden.json has no count for a model, nothing is compared. Random strategies see a
// part of the executions, so the only check is that they see no more than there are. Seconds are
// those of one run, on a machine that may be busy, with the minimisation of findings; peak memory
// is known on Linux only. The papers mostly do not print the programs that they count, and count
// with mailboxes without an order.
package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/rehearse-go/rehearse/internal/exec"
)

// Run measures what is planned and shows each result when it is there. It reports whether all that
// is known was met. Not to be met is no error. A run without a result is one, after all others have
// been made; an interrupt is exec.ErrInterrupted.
func Run(c *Config, out Table) (met bool, err error) {
	jobs, err := c.plan()
	if err != nil {
		return false, err
	}
	// An interrupt is looked at after each run, so that the temporary directory goes in any case.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	module, err := build(ctx, jobs)
	if err != nil {
		return errors.Is(err, exec.ErrInterrupted), err
	}
	defer os.RemoveAll(module.dir)
	return measure(ctx, module, jobs, out)
}

func measure(ctx context.Context, m *module, jobs []job, out Table) (met bool, err error) {
	out.Begin()
	defer out.End()
	met = true
	var failed []error
	for _, j := range jobs {
		if ctx.Err() != nil {
			return met, exec.ErrInterrupted
		}
		p := m.packages[place{j.subject.Dir, j.variant.binary()}]
		r, err := run(p, j.subject, j.variant)
		if err == nil {
			err = r.estimate(p, j.subject, j.variant)
		}
		switch {
		case ctx.Err() != nil:
			return met, exec.ErrInterrupted
		case err != nil:
			failed = append(failed, err)
			continue
		}
		out.Row(r)
		met = met && r.Met != no
	}
	if len(failed) > 0 {
		return false, fmt.Errorf("%d of %d runs have no result; the first: %w", len(failed),
			len(jobs),
			failed[0])
	}
	return met, nil
}

// build writes the subjects' module and builds the packages that are measured, all at once for each
// model.
func build(ctx context.Context, jobs []job) (*module, error) {
	dir, err := os.MkdirTemp("", "rehearse-bench-")
	if err != nil {
		return nil, err
	}
	m := &module{dir: dir, packages: map[place]exec.Package{}}
	if err := until(ctx, func() error { return m.fill(jobs) }); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return m, nil
}

// until does work, and gives it up when ctx ends. The error of work is of no interest then: go
// commands are interrupted, too.
func until(ctx context.Context, work func() error) error {
	done := make(chan error, 1)
	go func() { done <- work() }()
	select {
	case <-ctx.Done():
		return exec.ErrInterrupted
	case err := <-done:
		if err != nil && ctx.Err() != nil {
			return exec.ErrInterrupted
		}
		return err
	}
}

func (m *module) fill(jobs []job) error {
	if err := write(m.dir); err != nil {
		return err
	}
	built := map[binary]bool{}
	for _, j := range jobs {
		b := j.variant.binary()
		if built[b] {
			continue
		}
		built[b] = true
		packages, err := exec.Build(m.dir, &j.variant.options, patterns(jobs, b))
		if err != nil {
			return err
		}
		for _, p := range packages {
			m.packages[place{base(p.Path), b}] = p
		}
	}
	return nil
}
