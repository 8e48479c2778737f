package leaks

import (
	"bytes"
	"encoding/json"
	"fmt"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/exec"
)

// result is what the exploration of a kernel says, as far as it is compared.
type result struct {
	Action, Verdict, Reason string
	Complete                bool
	Executions              int
	Seconds                 float64
	Findings                []finding
}

// finding is one thing that is wrong.
type finding struct {
	Kind, Message, Pos, Schedule string
	Processes                    []struct{ Name, State, Wait, Pos string }
}

// explore runs the kernel's test under the given flags.
func (k *kernel) explore(t *testing.T, flags ...string) result {
	t.Helper()
	out := k.run(t, append(flags, "-json", "-run=^Test"+k.name+"$")...)
	for line := range bytes.Lines(out) {
		var r result
		if err := json.Unmarshal(line, &r); err == nil && r.Action == "result" {
			return r
		}
	}
	t.Fatalf("no result\n%s", out)
	return result{}
}

// replays runs a schedule n times and reports whether each time was the same.
func (k *kernel) replays(t *testing.T, schedule string, n int) bool {
	t.Helper()
	out := k.run(t, "-replay="+filepath.Join(k.dir, schedule), fmt.Sprintf("-count=%d", n))
	return bytes.Contains(out, fmt.Appendf(nil, "replayed %d of %d", n, n))
}

func (k *kernel) run(t *testing.T, flags ...string) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if _, err := exec.Run(k.binary, flags, &stdout, &stderr); err != nil {
		t.Fatalf("%v\n%s%s", err, stdout.String(), stderr.String())
	}
	return append(stdout.Bytes(), stderr.Bytes()...)
}

// leaks lists the blocked processes of a finding as Go's test lists leaked goroutines.
func (k *kernel) leaks(f finding) []string {
	var list []string
	for _, p := range f.Processes {
		if p.State == "blocked" {
			list = append(list, k.leak(p.Name, p.Pos, "(...) ["+p.Wait+"]"))
		}
	}
	return list
}

// leak names the function that a process runs as the compiler does: of several possible names the
// one that is expected.
func (k *kernel) leak(process, pos, rest string) string {
	name, _, _ := strings.Cut(process, "#")
	if name == "AfterFunc" {
		name += "@" + pos[strings.LastIndexByte(pos, ':')+1:]
	}
	for _, compiled := range k.naming[name] {
		if k.want.matches(compiled + rest) {
			return compiled + rest
		}
	}
	return append(k.naming[name], name)[0] + rest
}

func goCommand(args ...string) (string, error) {
	out, err := osexec.Command("go", args...).Output()
	return string(out), err
}
