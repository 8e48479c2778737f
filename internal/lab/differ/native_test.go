package differ

import (
	"context"
	"fmt"
	"os"
	osexec "os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/internal/lab/goprog"
)

// outcome is what a run shows.
type outcome struct{ kind, log string }

func (o outcome) String() string {
	return o.kind + ":\n    " + strings.ReplaceAll(o.log, "\n", "\n    ")
}

// native is what a program did as plain Go.
type native struct {
	outcomes map[outcome]int
	panics   map[string]int // texts of panics and fatal errors
	unknown  int            // runs of which the outcome could not be told
}

// nativePatience is more than a process takes that runs a program many times.
const nativePatience = 30 * time.Second

// runNative runs p a number of times.
func runNative(t *testing.T, binary string, p *goprog.Program, runs int) *native {
	t.Helper()
	r := &native{outcomes: map[outcome]int{}, panics: map[string]int{}}
	for from := 0; from < runs; {
		ctx, cancel := context.WithTimeout(t.Context(), nativePatience)
		cmd := osexec.CommandContext(ctx, binary)
		cmd.Env = append(os.Environ(), fmt.Sprintf("DIFFER=%s %d %d %t %t", p.Name(), from, runs,
			p.Global(), p.Timed))
		var stderr strings.Builder // a crash ends the process: its text comes last
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		text := string(out) + "\n" + stderr.String()
		if ctx.Err() != nil {
			// Go itself may hang where one goroutine panics while another one ends the program
			text += "\x00unknown"
		}
		cancel()
		next := r.read(text, p)
		if next <= from {
			t.Fatalf("no run in\n%s\n%v\n%s\n%s", out, err, stderr.String(),
				p.Source(goprog.Perturbed))
		}
		from = next
	}
	return r
}

// read takes the runs of one process apart, and returns the number of the next run.
func (r *native) read(out string, p *goprog.Program) (next int) {
	for _, run := range strings.Split(out, "\n\x00run ")[1:] {
		head, rest, _ := strings.Cut(run, "\n")
		n, err := strconv.Atoi(head)
		if err != nil {
			return 0
		}
		next = n + 1
		r.add(rest, p)
	}
	return next
}

var (
	logLine   = regexp.MustCompile(`(?m)^ +\w+_test\.go:\d+: (.*)$`)
	panicLine = regexp.MustCompile(`(?m)^(?:panic|fatal error): (.*)$`)
	nested    = regexp.MustCompile(`(?m)^\t+panic: (.*)$`)
	wrapping  = regexp.MustCompile(` \[recovered(, repanicked)?\]$`)
)

// lastPanic is the text of the last one of the panics that a dying program lists: those before it
// were on their way.
func lastPanic(text string) string {
	head, _, _ := strings.Cut(text, "\n\n")
	last := panicLine.FindStringSubmatch(head)[1]
	for _, m := range nested.FindAllStringSubmatch(head, -1) {
		last = m[1]
	}
	return last
}

// add enters one run.
func (r *native) add(text string, p *goprog.Program) {
	var lines []string
	before, crash, crashed := text, "", false
	if at := panicLine.FindStringIndex(text); at != nil {
		crash, crashed = wrapping.ReplaceAllString(lastPanic(text[at[0]:]), ""), true
		crash = strings.Replace(crash, p.Name()+"/x", p.Name(), 1)
		before = text[:at[0]]
	}
	for _, m := range logLine.FindAllStringSubmatch(before, -1) {
		if !strings.HasPrefix(m[1], "testing: ") {
			lines = append(lines, m[1])
		}
	}
	o := outcome{"pass", strings.Join(lines, "\n")}
	switch {
	case strings.Contains(text, "\x00unknown"):
		r.unknown++
		return
	case strings.HasPrefix(crash, "deadlock: all goroutines in bubble"),
		strings.Contains(text, "\x00deadlock"):
		o.kind = "deadlock"
	case strings.HasPrefix(crash, "deadlock: main bubble goroutine has exited"):
		o.kind = "leak"
	case crashed:
		o.kind = "panic"
		r.panics[crash]++
	case strings.Contains(text, "\n--- FAIL: Test"+p.Name()+" "):
		o.kind = "fail"
	case strings.Contains(text, "\x00leak"):
		o.kind = "leak"
	case !strings.Contains(text, "\x00end"):
		o = outcome{"lost", text}
	}
	r.outcomes[o]++
}
