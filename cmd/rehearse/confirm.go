package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/analysis/blocking"
	"github.com/rehearse-go/rehearse/analysis/vet"
	"github.com/rehearse-go/rehearse/internal/confirm"
)

// confirming is what rehearse vet -confirm is to do.
type confirming struct {
	on, only bool // confirm the findings; print no others than those that are confirmed
	write    bool // leave the drivers and schedules in the packages
}

// confirmTime is for the exploration of one driver.
const confirmTime = 5 * time.Second

// Set implements flag.Value.
func (c *confirming) Set(text string) error {
	switch text {
	case "true", "only":
		c.on, c.only = true, text == "only"
	case "false":
		c.on = false
	default:
		return fmt.Errorf("it is -confirm or -confirm=only")
	}
	return nil
}

// String implements flag.Value.
func (c *confirming) String() string { return "" }

// IsBoolFlag makes -confirm stand for -confirm=true.
func (c *confirming) IsBoolFlag() bool { return true }

// confirm runs the functions of the findings, and notes below each what came of it. An error is
// what kept some from being run.
func (v *vetting) confirm(r *vet.Report) error {
	if !v.confirming.on {
		return nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	s := &confirm.Session{Dir: dir, Timeout: confirmTime, Keep: v.write}
	drivers, err := confirmAll(r, s)
	if v.write { // also the drivers from before an error
		err = cmp.Or(err, writeAll(drivers))
	}
	if err != nil {
		return err
	}
	if v.only {
		r.Findings = slices.DeleteFunc(r.Findings,
			func(f *vet.Finding) bool {
				return f.Ran == nil || f.Ran.Verdict != string(confirm.Confirmed)
			})
	}
	return nil
}

// confirmAll returns the drivers that have confirmed a finding, by file: of each file the first.
// With an error, these are the drivers until then.
func confirmAll(r *vet.Report, s *confirm.Session) (map[string][]byte, error) {
	drivers := map[string][]byte{}
	for _, f := range r.Findings {
		runs, ok := f.Runs()
		if !ok {
			continue
		}
		out, err := s.Confirm(asked(f, runs))
		if err != nil {
			return drivers, err
		}
		f.Notes = told(out)
		f.Ran = &vet.Ran{Verdict: string(out.Verdict), Why: out.Why, Executions: out.Executions,
			How: out.Sentence, Chart: out.Chart, Schedule: out.Schedule}
		if out.Verdict == confirm.Confirmed && drivers[out.File] == nil {
			drivers[out.File] = out.Driver
		}
	}
	return drivers, nil
}

// writeAll writes the drivers. It comes after all findings have been run: a driver on disk is a
// source of the package, and the binaries of later findings would be built with it.
func writeAll(drivers map[string][]byte) error {
	for _, file := range slices.Sorted(maps.Keys(drivers)) {
		if err := os.WriteFile(file, drivers[file], 0o666); err != nil {
			return err
		}
	}
	return nil
}

// asked is a finding as package confirm wants it.
func asked(f *vet.Finding, runs blocking.Runs) confirm.Finding {
	out := confirm.Finding{Package: f.Package, Functions: runs.Functions, Started: runs.Started,
		Again: runs.Again, Panics: runs.Panics, Text: f.Message, Places: runs.Places}
	for _, p := range f.Related {
		out.Text += "; " + p.Message
	}
	if runs.Panics || len(out.Places) == 0 {
		out.Places = append(out.Places, fmt.Sprintf("%s:%d", f.At.File, f.At.Line))
	}
	return out
}

// told says what came of a driver.
func told(out *confirm.Outcome) []string {
	if out.Verdict != confirm.Confirmed {
		text := fmt.Sprintf("%s: %s", out.Verdict, out.Why)
		if out.Verdict == confirm.NotReproduced {
			text += fmt.Sprintf("; %d executions", out.Executions)
		}
		return []string{text}
	}
	return append([]string{"confirmed: " + out.Sentence}, out.Chart...)
}
