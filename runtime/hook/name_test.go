package hook

import "testing"

// TestProcessName: as the rewriter names go statements, see rewrite/goname.go.
func TestProcessName(t *testing.T) {
	for function, want := range map[string]string{
		"example.org/p.TestX.func2":    "TestX.func@7",
		"example.org/p.TestX.func2.1":  "TestX.func@7",
		"example.org/p.(*T).Run.func1": "(*T).Run.func@7",
		"example.org/p.(*T).Run-fm":    "(*T).Run",
		"example.org/p.Map[...].func3": "Map.func@7",
		"example.org/p.glob..func1":    "init.func@7",
		"p.run":                        "run",
		"example.org/p.funcs":          "funcs",
		"gopkg.in/yaml%2ev3.parse":     "parse",
	} {
		if got := processName(function, 7); got != want {
			t.Errorf("%s: %q, want %q", function, got, want)
		}
	}
}
