package maytest

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var mutate = flag.Bool("mutants", false, "run each pitfall's test with the product broken")

// edit is a change of a file of the product.
type edit struct{ file, was, is string }

// mutants break the product as the paper taken literally would. The test of each pitfall must fail
// then. Pitfall 11 has none: its test compares both ways to model a request.
var mutants = []struct {
	pkg, test string
	edits     []edit
}{
	{"explore/refine", "TestPitfall1Complement", []edit{{"explore/refine/included.go",
		"t.live = w.follow(t.live, m, o, sent)", "t.live = append(t.live, m)"}}},
	{"explore/refine", "TestPitfall2OtherNames", []edit{{"explore/refine/included.go",
		"return i == 0 || p.Outputs[i-1].Port != p.Outputs[i].Port || shown>>(i-1)&1 == 1",
		"return i == 0 || shown>>(i-1)&1 == 1"}}},
	{"explore/refine", "TestPitfall2UnknownNames", []edit{{"explore/refine/script.go",
		"ways = append(ways, l.known(s, a.Named, handles)...)", ""}}},
	{"explore/refine", "TestPitfall3OneInterface", []edit{{"explore/refine/script.go",
		"for _, p := range l.of.Types[h.Type] {\n\t\t\tl.extendOn",
		"for _, p := range l.of.Types[\"\"] {\n\t\t\tl.extendOn"}}},
	{"explore/refine", "TestPitfall4OneChannel", []edit{{"explore/refine/included.go",
		"fixed := !w.those.Bags || w.refers(o)", "fixed := w.refers(o)"}}},
	{"explore/drive", "TestClaim/merge", []edit{
		{"explore/depend/table.go", "{sent, sent, \"a channel keeps the order of sends\"},", ""},
		{"explore/depend/table.go", "var free = []rule{", "var free = []rule{{sent, sent, \"\"},"}}},
	{"internal/lab/maytest", "TestPitfall5Link", []edit{{"explore/refine/pomset.go",
		"if o.Kind != Sent {\n\t\t\t\to.Needs", "if true {\n\t\t\t\to.Needs"}}},
	{"internal/lab/maytest", "TestPitfall6Reaction", []edit{{"explore/refine/pomset.go",
		"if slices.ContainsFunc(v.Pomsets, func(q Pomset) bool { return v.covers(q, p) }) {",
		"if len(v.Pomsets) > 0 {"}}},
	{"internal/lab/maytest", "TestPitfall7Endless", []edit{{"explore/drive/collect.go",
		"x.End == trace.Uncontrolled || x.Never {",
		"x.End == trace.Uncontrolled || x.Never || x.End == trace.Steps {"}}},
	{"explore/refine", "TestPitfall7Prefix", []edit{{"explore/refine/pomset.go",
		"v.Pomsets = slices.DeleteFunc(v.Pomsets, func(q Pomset) bool { return v.covers(p, q) })",
		""}}},
	{"explore/refine", "TestPitfall8Beyond", []edit{{"explore/refine/included.go",
		"if in.Seq < 0 {\n\t\t\treturn 0, false", "if in.Seq < 0 {\n\t\t\tcontinue"}}},
	{"explore/refine", "TestLazyInputs", []edit{{"explore/refine/included.go",
		"if needs>>i&1 == 0 || sent>>i&1 == 1 {", "if sent>>i&1 == 1 {"}}},
	{"explore/refine", "TestPitfall8TwoCoverOne", []edit{{"explore/refine/included.go",
		"if len(s.live) == 0 && w.all&^s.sent == 0 {", "if s.from != nil && len(s.from.live) < 3 {"}}},
	{"explore/refine", "TestPitfall9AsyncForgets", []edit{{"explore/refine/pomset.go",
		"o.Needs &^= receives\n", "\n"}}},
	{"explore/refine", "TestPitfall10Alpha", []edit{{"explore/refine/pomset.go",
		"if pair[0] == n || pair[1] == m {", "if pair[0] == n {"}}},
}

// TestMutants breaks the product in turn, and expects the test of the pitfall to fail. Without
// -mutants it only looks whether each line that is to be broken is there.
func TestMutants(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mutants {
		t.Run(m.test, func(t *testing.T) {
			overlay := overlayOf(t, root, m.edits)
			if !*mutate {
				return
			}
			cmd := exec.Command("go", "test", "-overlay", overlay, "./"+m.pkg, "-run",
				"^"+strings.ReplaceAll(m.test, "/", "$/^")+"$", "-v")
			cmd.Dir = root
			out, err := cmd.CombinedOutput()
			if err == nil || !bytes.Contains(out, []byte("--- FAIL: "+m.test)) {
				t.Errorf("the test does not fail: %v\n%s", err, out)
			}
		})
	}
}

// overlayOf makes the edits, and returns the file that makes go test use them.
func overlayOf(t *testing.T, root string, edits []edit) string {
	t.Helper()
	dir, replace := t.TempDir(), map[string]string{}
	for _, e := range edits {
		from := filepath.Join(root, e.file)
		if replace[from] == "" {
			replace[from] = from
		}
		text, err := os.ReadFile(replace[from])
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(text, []byte(e.was)); n != 1 {
			t.Fatalf("%s has %d times what is to be broken: %s", e.file, n, e.was)
		}
		text = bytes.Replace(text, []byte(e.was), []byte(e.is), 1)
		replace[from] = filepath.Join(dir, filepath.Base(e.file))
		if err := os.WriteFile(replace[from], text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, list, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}
