package independence

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/analysis/load"
)

// TestBrief: a brief program leaves out the calls of goroutines that are no actors if there are
// many, counts them, and has those that are asked for. What actors do stays.
func TestBrief(t *testing.T) {
	for name, test := range map[string]struct {
		others  int // goroutines that are no actors
		o       Options
		callers int // of them
	}{
		"few":   {maxOthers, Options{Brief: true}, maxOthers},
		"many":  {maxOthers + 1, Options{Brief: true}, 0},
		"whole": {maxOthers + 1, Options{}, maxOthers + 1},
		"asked": {maxOthers + 1, Options{Brief: true,
			Asked: func(name string) bool { return strings.HasSuffix(name, ".f7") }}, 1},
	} {
		v := With(senders(t, test.others-1), test.o)
		callers := map[string]bool{}
		for _, c := range v.Calls {
			if c.From.Handler == "" {
				callers[c.From.Actor] = true
			}
		}
		if len(callers) != test.callers || len(v.Sources) != test.callers ||
			v.Silent != test.others-test.callers {
			t.Errorf("%s: %d callers, %d sources, %d silent", name, len(callers), len(v.Sources),
				v.Silent)
		}
		if len(v.Behaviours) != 1 || len(v.Behaviours[0].Pairs) != 1 ||
			len(v.Behaviours[0].Tasks[0].Accesses) != 1 {
			t.Errorf("%s: %+v", name, v.Behaviours)
		}
	}
}

// senders is a program with an actor that counts, and n goroutines that send to it, which main
// starts.
func senders(t *testing.T, n int) *load.Result {
	t.Helper()
	var b strings.Builder
	b.WriteString("package main\n\nvar ch = make(chan int)\n\n" +
		"var sum int\n\nfunc serve() {\n\tfor x := range ch {\n\t\tsum += x\n\t}\n}\n\n")
	b.WriteString("func main() {\n\tgo serve()\n")
	for i := range n {
		fmt.Fprintf(&b, "\tgo f%d()\n", i)
	}
	b.WriteString("}\n\n")
	for i := range n {
		fmt.Fprintf(&b, "func f%d() { ch <- %d }\n", i, i)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module many\n\ngo 1.26\n",
		"main.go": b.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	l, err := load.Load(load.Config{Dir: dir, Patterns: []string{"."}})
	if err != nil {
		t.Fatal(err)
	}
	return l
}
