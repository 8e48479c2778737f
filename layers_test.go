package rehearse_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
)

// layers lists the packages of this module from the bottom up. A package imports packages of
// earlier lines only. (The packages of one line do not know each other.) "linked" stands for all
// lines above it: these packages are below runtime and explore, and no others are.
var layers = [][]string{
	{"runtime/gate", "runtime/order", "runtime/show", "runtime/trace", "explore/facts",
		"explore/baseline", "explore/record", "explore/journal", "explore/process",
		"explore/turns", "explore/words", "runtime/rounds"},
	{"runtime/stream"},
	{"runtime/image", "runtime/sched", "runtime/under", "explore/depend", "explore/locks",
		"explore/diagram", "explore/operands", "explore/tree", "explore/handlers",
		"explore/refine"},
	{"explore/ends"},
	{"runtime/model/...", "runtime/stop", "explore/delay"},
	{"runtime/linear"},
	{"runtime/world"},
	{"runtime/notes", "runtime/states"},
	{"runtime/library"},
	{"runtime/hook"},
	{"runtime/executor"},
	{"explore"},
	{"explore/depict", "explore/pace"},
	{"explore/search", "explore/wakeup", "explore/audit", "explore/stable", "explore/report",
		"explore/isolate", "explore/racelog", "explore/schedules", "explore/study"},
	{"explore/reach"},
	{"explore/sample", "explore/exhaustive", "explore/revisit", "explore/deliveries",
		"explore/pop", "explore/symmetry", "explore/whole", "explore/stable/live",
		"explore/adapt"},
	{"explore/optimal", "explore/optimal/tasks", "explore/papers/..."},
	{"explore/items"},
	{"explore/auto", "explore/divide", "explore/drive", "explore/shards"},
	{"explore/strategy"},
	{"explore/options"},
	{"explore/watch", "explore/handoff", "explore/settings", "explore/advise",
		"explore/resume"},
	{"explore/session"},
	{"linked"}, // what is above is linked into users' tests; what is below is in the command only
	{"."},      // embeds the linked packages' sources
	{"analysis/copies", "analysis/identity", "analysis/kernel", "analysis/sarif",
		"internal/cache"},
	{"analysis/load", "analysis/shared", "analysis/skeleton/primitive"},
	{"analysis/actors"},
	{"analysis/effects", "analysis/pointsto", "analysis/fanin"},
	{"analysis/chains"},
	{"analysis/mailboxes"},
	{"analysis/independence", "analysis/receivers"},
	{"analysis/discipline", "analysis/ignore"},
	{"analysis/skeleton"},
	{"analysis/skeleton/heap"},
	{"analysis/skeleton/machine"},
	{"analysis/blocking"},
	{"analysis/discipline/..."}, // the checks of vet: none knows another
	{"analysis/suite"},
	{"analysis/vet"},
	{"rewrite/cover", "rewrite/edit", "rewrite/state", "rewrite/std"}, // no analysis knows them
	{"rewrite/unit", "rewrite/uncontrolled"},
	{"rewrite/accesses", "rewrite/frames", "rewrite/rounds"},
	{"rewrite"},
	{"internal/toolchain"},
	{"internal/exec", "internal/inventory", "internal/page", "internal/traces", "internal/ci"},
	{"internal/bench", "internal/confirm", "internal/refining", "internal/view"},
	{"cmd/rehearse"},
	{"internal/lab/micro"},
	{"internal/lab", "internal/lab/..."}, // only tests import these
}

// onlyImporters says who alone may import what.
var onlyImporters = map[string]string{
	"golang.org/x/tools/go/packages": "analysis/load",
}

// goPackage is what go list says.
type goPackage struct {
	ImportPath string
	Imports    []string
}

// TestLayers checks the import graph against layers.
func TestLayers(t *testing.T) {
	for _, p := range listModule(t) {
		name := inModule(p.ImportPath)
		if strings.HasPrefix(name, "testdata/") {
			continue
		}
		layer := layerOf(name)
		if layer < 0 {
			t.Errorf("%s has no layer", name)
			continue
		}
		for _, imported := range p.Imports {
			checkImport(t, name, layer, imported)
		}
	}
}

func checkImport(t *testing.T, name string, layer int, imported string) {
	t.Helper()
	if only, ok := onlyImporters[imported]; ok && name != only {
		t.Errorf("%s imports %s, which is for %s alone", name, imported, only)
	}
	below := inModule(imported)
	switch {
	case below == imported && layer < layerOf("linked") && !standard(imported):
		t.Errorf(
			"%s is linked into users' tests but imports %s, which is not in the standard library",
			name, imported)
	case below != imported && layerOf(below) >= layer:
		t.Errorf("%s imports %s, which is not in a layer below", name, below)
	}
}

// TestLinkedAreEmbedded checks that the embedded packages are those above "linked", so that the two
// lists agree.
func TestLinkedAreEmbedded(t *testing.T) {
	embedded := map[string]bool{}
	for _, s := range rehearse.Sources() {
		name := strings.TrimPrefix(s.Path[:strings.LastIndex(s.Path, "/")], rehearse.Linked+"/")
		embedded[name] = true
		if layer := layerOf(name); layer < 0 || layer > layerOf("linked") {
			t.Errorf("%s is embedded but not in a linked layer", name)
		}
	}
	for _, p := range listModule(t) {
		name := inModule(p.ImportPath)
		if layer := layerOf(name); layer >= 0 && layer < layerOf("linked") && !embedded[name] {
			t.Errorf("%s is in a linked layer but not embedded: move it below runtime or explore",
				name)
		}
	}
}

// layerOf is the index in layers of a package; -1 if it is not there.
func layerOf(name string) int {
	return slices.IndexFunc(layers, func(layer []string) bool {
		return slices.ContainsFunc(layer, func(pattern string) bool {
			prefix, wild := strings.CutSuffix(pattern, "...")
			return name == pattern || wild && strings.HasPrefix(name, prefix)
		})
	})
}

// inModule shortens the path of a package of this module; others stay as they are.
func inModule(path string) string {
	if path == rehearse.Module {
		return "."
	}
	return strings.TrimPrefix(path, rehearse.Module+"/")
}

// standard reports whether a path is one of the standard library's: its first element has no dot.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

func listModule(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var list []goPackage
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p goPackage
		switch err := dec.Decode(&p); {
		case errors.Is(err, io.EOF):
			return list
		case err != nil:
			t.Fatal(err)
		}
		list = append(list, p)
	}
}
