package maytest

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rehearse-go/rehearse/explore/refine"
)

var command = flag.String("command", "",
	"compare the groups by this `file`, the built command, and replay each schedule 100 times")

// TestCommand is TestGroups as a user runs it: the command compares each pair, swapped too, and
// each harness with itself, for both kinds of clients, and replays what it has found.
func TestCommand(t *testing.T) {
	if *command == "" {
		t.Skip("-command is not set")
	}
	u := &user{command: *command, seen: map[string]bool{}}
	for _, g := range groups {
		u.compare(t, g.old, g.new, g.n, g.go_, g.async)
		u.compare(t, g.new, g.old, g.n, swapped[g.go_], swapped[g.async])
		u.compare(t, g.old, g.old, g.n, refine.Equivalent, refine.Equivalent)
		u.compare(t, g.new, g.new, g.n, refine.Equivalent, refine.Equivalent)
	}
	t.Logf("%d comparisons, %d paths with an observer, %d without, %d schedules replayed",
		u.compared, u.observed, u.unproven, u.replayed)
}

// user runs the command.
type user struct {
	command                                string
	seen                                   map[string]bool
	compared, observed, unproven, replayed int
}

const directory = "../../../testdata/refine/groups"

// compare compares two harnesses, for both kinds of clients.
func (u *user) compare(t *testing.T, old, new string, n int, wants ...refine.Relation) {
	t.Helper()
	for i, client := range []string{"go", "async"} {
		args := []string{"refine", "-json", "-client", client, "-n", strconv.Itoa(n), "-C",
			directory, ".:Refine" + old, ".:Refine" + new}
		if key := args[3] + args[5] + args[8] + args[9]; u.seen[key] {
			continue
		} else {
			u.seen[key] = true
		}
		code, out := u.run(t, args...)
		var r struct {
			Relation, Async refine.Relation
			Complete        bool
			Paths           []struct {
				Observer, Schedule, Unproven string
				Passes, Fails                int
			}
		}
		if err := json.NewDecoder(bytes.NewReader(out)).Decode(&r); err != nil {
			t.Fatalf("%v: exit code %d, %v", args, code, err)
		}
		safe := wants[i] == refine.Equivalent || wants[i] == refine.OldMore
		if r.Relation != wants[i] || !r.Complete || (code == 0) != safe || code > 1 ||
			client == "go" && r.Async != wants[1] {
			t.Errorf("%v: exit code %d, %s; want %v", args, code, out, wants)
		}
		u.compared++
		for _, p := range r.Paths {
			switch {
			case p.Unproven != "":
				u.unproven++
			case safe:
			case p.Observer == "" || p.Schedule == "" || p.Passes == 0 || p.Fails == 0:
				t.Errorf("%v: a path without an observer: %s", args, out)
			default:
				u.observed++
				u.replay(t, p.Schedule)
			}
		}
		if err := os.RemoveAll(filepath.Join(directory, "testdata")); err != nil {
			t.Fatal(err)
		}
	}
}

// replay replays a schedule 100 times.
func (u *user) replay(t *testing.T, schedule string) {
	t.Helper()
	_, out := u.run(t, "replay", "-C", directory, "-count", "100", schedule)
	if !bytes.Contains(out, []byte("replayed 100 of 100\n")) {
		t.Errorf("%s: %s", schedule, out)
	}
	u.replayed++
}

func (u *user) run(t *testing.T, args ...string) (code int, out []byte) {
	t.Helper()
	cmd := exec.Command(u.command, args...)
	cmd.Stderr = os.Stderr
	out, _ = cmd.Output()
	return cmd.ProcessState.ExitCode(), out
}
