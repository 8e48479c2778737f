package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/exec"
)

// message is the line of a result that a test binary prints, as far as it is needed here.
type message struct {
	Action   string
	Findings []struct{ Kind string }
	Outcomes []struct{}
	Unlisted int // executions with outcomes that are not listed
	Row
}

// unsupported is the kind of finding by which a strategy says that it is none for a program.
const unsupported = "unsupported"

// kinds are those of the findings, and whether the strategy is one for the program.
func (m *message) kinds() (kinds []string, supported bool) {
	supported = true
	for _, f := range m.Findings {
		if f.Kind == unsupported {
			supported = false
		} else {
			kinds = append(kinds, f.Kind)
		}
	}
	return kinds, supported
}

// run explores one subject.
func run(p exec.Package, s Subject, v variant) (Row, error) {
	o := v.options
	o.Run = "^" + s.Test + "$"
	o.P = 1 // as strategies are compared by what one process does

	// schedules of an earlier run would run first
	if err := os.RemoveAll(filepath.Join(p.Dir, "testdata")); err != nil {
		return Row{}, err
	}
	var stdout, stderr bytes.Buffer
	if _, err := p.Run(o.Encode(), &stdout, &stderr); err != nil {
		return Row{}, fmt.Errorf("%s, %s: %w", s.Name, v.strategy, err)
	}
	r, err := read(stdout.Bytes(), stderr.String(), s, v)
	module := filepath.Dir(filepath.Dir(p.Dir)) // into which testdata has been copied
	r.Reason = strings.ReplaceAll(r.Reason, module+string(filepath.Separator), "")
	return r, err
}

// enough executions make 1 % of them worth an estimate.
const enough = 300

// estimate explores 1 % of what r, a complete run, has explored, for the estimate of the whole.
func (r *Row) estimate(p exec.Package, s Subject, v variant) error {
	if !r.Complete || r.Executions < enough {
		return nil
	}
	v.options.MaxExecutions = (r.Executions + r.Blocked + 99) / 100
	part, err := run(p, s, v)
	r.Early = part.Total / float64(r.Executions)
	return err
}

// read makes a row of what a test binary has printed. That a strategy is none for the subject is a
// result.
func read(stdout []byte, stderr string, s Subject, v variant) (Row, error) {
	result, process := decode(stdout)
	kinds, supported := result.kinds()
	if result.Action == "" || result.Verdict == "error" && (supported || result.Executions == 0) {
		return Row{}, fmt.Errorf("%s, %s: no result: %s", s.Name, v.strategy,
			firstLine(stderr, result.Reason))
	}
	r := result.Row
	r.Distinct, r.MoreDistinct = len(result.Outcomes), result.Unlisted > 0
	r.Subject, r.Strategy, r.Order, r.Tasks, r.Model = s.Name, v.strategy, v.order, v.tasks, v.model
	r.Memory, r.CPU = process.PeakMemory, process.CPUSeconds
	r.Independence = v.independence()
	r.Papers, r.Target, r.Refused = figures(&r), r.target(), !supported
	if r.Seconds > 0 {
		r.Rate = float64(r.Executions+r.Blocked) / r.Seconds
	}
	r.compare(s, kinds)
	return r, nil
}

// usage is what a process has used, from the line of its package.
type usage struct {
	Action     string
	PeakMemory int64
	CPUSeconds float64
}

// decode finds the line of the test's result, and the resources that the process has used. Lines of
// other kinds have fields of other types.
func decode(stdout []byte) (result message, process usage) {
	for line := range bytes.Lines(stdout) {
		var kind usage
		json.Unmarshal(line, &kind) // a line that is none of ours leaves it empty
		switch kind.Action {
		case "result":
			json.Unmarshal(line, &result) // a broken one leaves no result, which the caller sees
		case "package":
			process = kind
		}
	}
	return result, process
}

// compare compares the run with the known counts of the subject; found are the kinds of its
// findings.
func (r *Row) compare(s Subject, found []string) {
	all := s.known(r.Model)
	if all == nil {
		return
	}
	r.Known, r.Why = all, s.Note
	switch {
	case r.Tasks == "independent":
		r.Known = s.Independent
	case r.Independence != "":
		r.Known = s.left(r.Model, r.Independence)
	}
	if r.Complete && r.Known != nil {
		r.Ratio = float64(r.Executions+r.Blocked) / float64(*r.Known)
	}
	switch {
	case r.Traces > *all,
		slices.ContainsFunc(found, func(kind string) bool { return kind != s.Finding }):
		r.Met = no
	case strings.HasPrefix(r.Strategy, "stateful"):
		// one of the traces that meet in a state is run
		r.Met = open
	case !r.Complete || r.MoreTraces || r.Known == nil || r.Traces == 0: // states have no traces
		r.Met = open
	case s.Finding != "" && len(found) == 0, r.Strategy == "optimal" && r.Ratio != 1:
		r.Met = no
	case r.Traces == *r.Known:
		r.Met = yes
	case r.Tasks == "independent", r.Independence != "":
		// an analysis may find fewer tasks independent than there are
		r.Met = open
	default:
		r.Met = no
	}
}

// firstLine is the first line of the first text that has one.
func firstLine(texts ...string) string {
	for _, text := range texts {
		if line, _, _ := strings.Cut(strings.TrimSpace(text), "\n"); line != "" {
			return line
		}
	}
	return "nothing was printed"
}
