package differ

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/exec"
	"github.com/rehearse-go/rehearse/internal/lab/goprog"
)

// explored is what an exploration saw.
type explored struct {
	flags      []string
	complete   bool
	bounded    bool // not all delays were tried
	reason     string
	executions int
	blocked    int
	traces     int
	outcomes   map[outcome]bool
	panics     map[string]bool
	findings   map[string]bool // their kinds and first lines
	races      []string        // data races, where they are looked for
	refused    bool            // the strategy is none for this program
	trouble    string          // why there is no exploration that counts
}

// result is what a controlled test binary writes.
type result struct {
	Action, Verdict, Reason string
	Complete                bool
	Executions, Traces      int
	Blocked                 int
	Fixed                   []struct{ What string }
	Outcomes                []struct{ Verdict, Kind, Log string }
	Findings                []struct{ Kind, Message string }
}

// explore explores p.
func explore(t *testing.T, binary string, p *goprog.Program, flags ...string) *explored {
	t.Helper()
	var stdout, stderr bytes.Buffer
	x := &explored{flags: flags, outcomes: map[outcome]bool{}, panics: map[string]bool{}}
	_, err := exec.Run(binary, append(flags, "-json", "-run=^Test"+p.Name()+"$"), &stdout, &stderr)
	for line := range bytes.Lines(stdout.Bytes()) {
		var r result
		switch err := json.Unmarshal(line, &r); {
		case err == nil && r.Action == "result":
			x.read(&r)
			return x
		case err == nil && r.Action == "outcomes":
			x.enter(&r)
		}
	}
	x.trouble = "no result: " + stdout.String() + stderr.String()
	if err != nil {
		x.trouble += err.Error()
	}
	return x
}

// enter enters the outcomes of one line.
func (x *explored) enter(r *result) {
	for _, o := range r.Outcomes {
		kind := o.Kind
		if kind == "" {
			kind = o.Verdict
		}
		x.outcomes[outcome{kind, said(o.Log)}] = true
	}
}

func (x *explored) read(r *result) {
	x.complete, x.reason, x.executions, x.blocked, x.traces = r.Complete, r.Reason, r.Executions,
		r.Blocked, r.Traces
	for _, f := range r.Fixed {
		x.bounded = x.bounded || strings.HasPrefix(f.What, "timers fire early by less than")
	}
	x.enter(r)
	x.findings = map[string]bool{}
	for _, f := range r.Findings {
		first, _, _ := strings.Cut(f.Message, "\n")
		x.findings[f.Kind+": "+first] = true
		switch f.Kind {
		case "panic":
			first, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(f.Message, "panic: "),
				"fatal error: "), "\n")
			x.panics[first] = true
		case "deadlock", "leak", "fail":
		case "race":
			x.races = append(x.races, f.Message)
		case "unsupported":
			x.refused = true
		default:
			x.trouble = f.Kind + ": " + f.Message
		}
	}
	if r.Verdict == "error" && x.trouble == "" && !x.refused {
		x.trouble = "verdict error: " + r.Reason
	}
}

// said is a log without the lines that only an exploration writes.
func said(log string) string {
	var lines []string
	for line := range strings.Lines(log) {
		if line = strings.TrimSuffix(line, "\n"); !strings.HasPrefix(line, "testing: ") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
