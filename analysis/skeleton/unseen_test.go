package skeleton

import (
	"go/build"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestScanning compares the table with package fmt: all exported functions that scan are there, and
// no function but these.
func TestScanning(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(build.Default.GOROOT, "src/fmt/scan.go"))
	if err != nil {
		t.Skip(err)
	}
	found := regexp.MustCompile(`(?m)^func ([A-Z]\w*)\(`).FindAllSubmatch(text, -1)
	if len(found) == 0 {
		t.Fatal("package fmt has no functions that scan")
	}
	scans := map[string]bool{}
	for _, m := range found {
		scans["fmt."+string(m[1])] = true
	}
	for name := range changing {
		if regexp.MustCompile(`^fmt\.`).MatchString(name) && !scans[name] {
			t.Errorf("%s does not scan", name)
		}
	}
	for name := range scans {
		if Prints(name) {
			t.Errorf("%s writes to its arguments", name)
		}
	}
	for _, name := range []string{"fmt.Println", "fmt.Fprintf", "errors.Is", "log.Printf",
		"encoding/json.Marshal"} {
		if !Prints(name) {
			t.Errorf("%s only reads", name)
		}
	}
}
