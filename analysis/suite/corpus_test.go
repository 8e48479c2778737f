package suite

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/lab/modules"
)

var fetch = flag.String("fetch", "",
	"fetch the modules of corpus that match this `regexp`, run the checks on them, and print a table of the findings")

// corpus are the packages on which TestCorpus runs the checks. Each finding in them has been read:
// docs/VET.md lists them.
var corpus = []struct {
	module, version string // "" for the standard library
	patterns        string
}{
	{"", "", "std"},
	{"golang.org/x/sync", "v0.24.0", "./..."},
	{"golang.org/x/tools", "v0.52.0", "./..."},
	{"github.com/nats-io/nats-server/v2", "v2.15.2", "./..."},
	{"github.com/gorilla/websocket", "v1.5.3", "./..."},
	{"github.com/cskr/pubsub", "v1.0.2", "./..."},
	{"github.com/Arceliar/phony", "v0.0.0-20220903101357-530938a4b13d", "./..."},
	{"github.com/docker/go-events", "v0.1.0", "./..."},
	{"github.com/robfig/cron", "v1.2.0", "./..."},
	{"github.com/robfig/cron/v3", "v3.0.1", "./..."},
	{"go.etcd.io/raft/v3", "v3.7.0", "./..."},
	{"go.etcd.io/etcd/server/v3", "v3.7.3", "./..."},
	{"go.etcd.io/etcd/client/v3", "v3.7.3", "./..."},
	{"github.com/libp2p/go-libp2p-pubsub", "v0.2.0", "./..."},
	{"github.com/libp2p/go-libp2p-pubsub", "v0.2.1", "./..."},
	{"github.com/hashicorp/raft", "v1.7.2", "./..."},
	{"github.com/hashicorp/memberlist", "v0.3.1", "./..."},
	{"github.com/hashicorp/serf", "v0.9.6", "./..."},
	{"github.com/ethereum/go-ethereum", "v1.13.4", "./event/..."},
	{"github.com/ethereum/go-ethereum", "v1.13.5", "./..."},
	{"tailscale.com", "v1.90.6", "./util/eventbus/..."},
	{"tailscale.com", "v1.92.1",
		"./util/... ./types/... ./derp/... ./health/... ./logtail/... ./tstime/... ./disco/... ./net/... ./control/... ./tka/... " +
			"./wgengine/... ./log/... ./portlist/... ./drive/... ./appc/... ./prober/... ./doctor/... ./posture/... ./safesocket/... ./envknob/..."},
	{"github.com/prometheus/prometheus", "v0.35.0-rc1", "./storage/remote/..."},
	{"github.com/prometheus/prometheus", "v0.35.0", "./..."},
	{"github.com/thejerf/suture/v4", "v4.0.6", "./..."},
	{"github.com/olahol/melody", "v1.2.1", "./..."},
	{"github.com/gammazero/nexus/v3", "v3.2.2", "./..."},
	{"github.com/gammazero/workerpool", "v1.1.3", "./..."},
	{"github.com/syndtr/goleveldb", "v1.0.0", "./..."},
	{"github.com/nats-io/nats.go", "v1.53.1", "./..."},
	{"github.com/charmbracelet/bubbletea", "v1.3.4", "./..."},
	{"github.com/juju/pubsub/v2", "v2.0.0", "./..."},
	{"github.com/centrifugal/centrifuge", "v0.34.2", "./..."},
	{"github.com/IBM/sarama", "v1.45.0", "./..."},
	{"github.com/btcsuite/btcd", "v0.24.2", "./..."},
}

// TestCorpus prints the table of docs/VET.md. It takes many minutes: the modules and all that they
// need are compiled.
func TestCorpus(t *testing.T) {
	if *fetch == "" {
		t.Skip("without -fetch")
	}
	fmt.Println("| code | findings | by check |\n|---|--:|---|")
	for _, c := range corpus {
		name := strings.TrimSpace(c.module + " " + c.version + " " +
			strings.TrimPrefix(c.patterns, "./..."))
		if !regexp.MustCompile(*fetch).MatchString(name) {
			continue
		}
		found := findings(t, c.module, c.version, strings.Fields(c.patterns))
		fmt.Printf("| %s | %d | %s |\n", name, len(found), byCheck(found))
		for _, f := range found {
			t.Logf("%s: %s: %s: %s", name, f.check, f.Posn, f.Message)
		}
	}
}

// finding is one of a go vet -json.
type finding struct {
	check         string
	Posn, Message string
}

func byCheck(found []finding) string {
	count := map[string]int{}
	var names []string
	for _, f := range found {
		if count[f.check]++; count[f.check] == 1 {
			names = append(names, f.check)
		}
	}
	slices.Sort(names)
	for i, n := range names {
		names[i] = fmt.Sprintf("%s %d", n, count[n])
	}
	return strings.Join(names, ", ")
}

// findings runs go vet with this test binary as its tool. A finding in a package and in its test
// variant is one.
func findings(t *testing.T, module, version string, patterns []string) []finding {
	t.Helper()
	return findingsIn(t, module, moduleDir(t, module, version), patterns)
}

// findingsIn is findings in the directory of a module.
func findingsIn(t *testing.T, module, dir string, patterns []string) []finding {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", append([]string{"vet", "-json", "-vettool=" + self}, patterns...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "REHEARSE_TEST_VETTOOL=1", "GOWORK=off", "GOTOOLCHAIN=local")
	if module != "" {
		cmd.Env = append(cmd.Env, "GOFLAGS=-mod=mod")
	}
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	switch err := cmd.Run(); {
	case err == nil:
	case strings.Contains(complaints.String(), "panic: "), out.Len() == 0:
		t.Errorf("%s: %v\n%s", module, err, complaints.String())
	default: // packages that this Go does not compile
		t.Logf("%s: %v\n%s", module, err, complaints.String())
	}
	return decode(t, &out)
}

func decode(t *testing.T, r io.Reader) []finding {
	t.Helper()
	var all []finding
	for dec := json.NewDecoder(r); ; {
		var tree map[string]map[string]json.RawMessage
		if err := dec.Decode(&tree); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		for _, checks := range tree {
			for check, text := range checks {
				var found []finding
				if err := json.Unmarshal(text, &found); err != nil {
					t.Errorf("%s: %s", check, text) // the check's own error
				}
				for _, f := range found {
					all = append(all, finding{check, f.Posn, f.Message})
				}
			}
		}
	}
	slices.SortFunc(all, func(a,
		b finding) int {
		return strings.Compare(a.Posn+a.check+a.Message, b.Posn+b.check+b.Message)
	})
	return slices.Compact(all)
}

// moduleDir returns a writable copy of a module, or the directory of the standard library.
func moduleDir(t *testing.T, module, version string) string {
	t.Helper()
	if module == "" {
		out, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Join(strings.TrimSpace(string(out)), "src")
	}
	dir := modules.Copy(t, module+"@"+version)
	published(t, dir)
	if _, err := os.Stat(filepath.Join(dir, "go.sum")); err == nil {
		return dir
	}
	if out, err := goIn(dir, "mod", "tidy", "-e").CombinedOutput(); err != nil {
		t.Logf("%s: go mod tidy: %v\n%s", module, err, out)
	}
	return dir
}

// published takes the replacements by neighbouring directories out of a go.mod: the module cache
// has the published modules.
func published(t *testing.T, dir string) {
	t.Helper()
	text, err := goIn(dir, "mod", "edit", "-json").Output()
	var mod struct {
		Replace []struct{ Old, New struct{ Path string } }
	}
	if err = errors.Join(err, json.Unmarshal(text, &mod)); err != nil {
		t.Fatal(err)
	}
	for _, r := range mod.Replace {
		if strings.HasPrefix(r.New.Path, ".") {
			if out, err := goIn(dir, "mod", "edit",
				"-dropreplace="+r.Old.Path).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
	}
}

// goIn is a go command in dir.
func goIn(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOTOOLCHAIN=local")
	return cmd
}
