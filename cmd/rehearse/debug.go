package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/process"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// stopHere is the function that a replay for a debugger calls behind each step from -at on.
const stopHere = "rehearse/runtime/stop.Here"

// toUserFrame is a script for delve: it goes on to the step, and selects the innermost frame that
// is the program's own. Frames of rehearse, and of hooks in the standard library, are above it.
const toUserFrame = `
def main():
    dlv_command("break ` + stopHere + `")
    dlv_command("continue")
    ours = ["rehearse/", "runtime.", "runtime/", "iter.", "sync.", "sync/", "internal/", "testing.", "testing/",
            "time.", "context.", "reflect.", "io.", "os.", "log.", "net.", "maps.", "math/rand"]
    frames = stacktrace(-1, 100, False, False).Locations
    for i in range(len(frames)):
        f = frames[i].Location.Function
        if f == None:
            continue
        own = True
        for prefix in ours:
            if f.Name_.startswith(prefix):
                own = False
        if own:
            dlv_command("frame %d" % i)
            return
    print("no frame of the program's own: stack shows them all")
`

// startDebugger starts delve with a binary that replays a schedule, if there are delve and a
// terminal; else it prints how.
func startDebugger(p exec.Package, o *options.Options, forTests []string, stdout,
	stderr io.Writer) int {
	if o.At == "" {
		o.At = options.Decide
	}
	o.Timeout, o.StepTimeout = 0, 0 // who debugs has time
	args := binaryArgs(o, forTests)
	if o.DAP {
		return printDAP(p, o.Replay, args, stdout, stderr)
	}
	script, err := writeScript(p)
	if err != nil {
		return complain(stderr, err)
	}
	command := append([]string{"dlv", "exec", p.Binary, "--init", script, "--wd", p.Dir, "--"},
		args...)
	cwd, _ := os.Getwd()
	home := process.Home + "=" + cwd // see exec.StartIn
	dlv, err := osexec.LookPath("dlv")
	if err == nil && isTerminal(os.Stdin) {
		return complain(stderr, fmt.Errorf("%s: %w", dlv,
			syscall.Exec(dlv, command, append(os.Environ(), home))))
	}
	if err != nil {
		fmt.Fprintln(stderr,
			"rehearse: there is no dlv in PATH; install it with: go install github.com/go-delve/delve/cmd/dlv@latest")
	}
	fmt.Fprintf(stdout, "%s\n", quoted(append([]string{"env", home}, command...)))
	return exitClean
}

// writeScript writes the script for delve beside the binary, with which it is trimmed, and the file
// that has delve read it.
func writeScript(p exec.Package) (string, error) {
	script, start := p.Binary+".star", p.Binary+".dlv"
	if err := os.WriteFile(script, []byte(toUserFrame), 0o666); err != nil {
		return "", err
	}
	return start, os.WriteFile(start, []byte("source "+script+"\n"), 0o666)
}

// printDAP prints a configuration for editors that speak the debug adapter protocol.
func printDAP(p exec.Package, file string, args []string, stdout, stderr io.Writer) int {
	cwd, _ := os.Getwd()
	e := json.NewEncoder(stdout)
	e.SetIndent("", "\t")
	e.SetEscapeHTML(false)
	err := e.Encode(map[string]any{
		"name": "rehearse replay " + filepath.Base(file), "type": "go", "request": "launch",
		"mode":    "exec",
		"program": p.Binary, "cwd": p.Dir, "args": args,
		"env": map[string]string{process.Home: cwd},
	})
	if err != nil {
		return complain(stderr, err)
	}
	fmt.Fprintf(stderr,
		"put this into the configurations of .vscode/launch.json, and set a function breakpoint at %s\n",
		stopHere)
	return exitClean
}

// quoted writes a command as a shell reads it.
func quoted(command []string) string {
	var words []string
	for _, w := range command {
		if strings.ContainsAny(w, " \t\n'\"\\$&|;<>()*?[]#~`!{}") || w == "" {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

// isTerminal reports whether a file is a terminal, as far as its mode tells.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err == nil && !os.SameFile(info, null)
}
