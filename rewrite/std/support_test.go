package std

import (
	"bytes"
	"flag"
	"fmt"
	"go/types"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/LIBRARY.md")

const (
	supportFile = "../../docs/SUPPORT.md"
	libraryFile = "../../docs/LIBRARY.md"
)

const libraryHead = `# The standard library, function by function

For a user whose test is refused: how does rehearse treat a function of the standard library?

Made by ` + "`go test ./rewrite/std -update`" + ` from the table in rewrite/std/table.go; do not edit. A name
stands in one row only. A row of a function or method overrides that of its package or type.
SUPPORT.md says what all this means for tests.

| | | names |
|---|---|---|
`

// TestLibraryIsDocumented keeps docs/LIBRARY.md equal to the table.
func TestLibraryIsDocumented(t *testing.T) {
	var want bytes.Buffer
	want.WriteString(libraryHead)
	for _, e := range table {
		fmt.Fprintf(&want, "| %s | %s | `%s` |\n", e.Treatment, e.explained(),
			strings.Join(strings.Fields(e.names), "`, `"))
	}
	if *update {
		if err := os.WriteFile(libraryFile, want.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(libraryFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Error(
			"docs/LIBRARY.md is not what the table says; go test ./rewrite/std -update writes it")
	}
}

// explained says what holds for the names of e.
func (e *entry) explained() string {
	if e.ByCall && e.Treatment == Guarded {
		return "its calls are rewritten: it " + e.Reason
	}
	return e.Reason
}

// TestSupportAgrees looks up what docs/SUPPORT.md says about names of the standard library. Without
// a package, a name is of the package or type of the one before it, or of that itself if a colon
// follows.
func TestSupportAgrees(t *testing.T) {
	text, err := os.ReadFile(supportFile)
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## The standard library\n")
	section, _, _ = strings.Cut(section, "\n## ")
	checked := 0
	for line := range strings.Lines(section) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || !isTreatment(strings.TrimSpace(cells[2])) {
			continue
		}
		for _, name := range named(cells[1]) {
			checked++
			if got := treatmentOf(t, name); got != strings.TrimSpace(cells[2]) {
				t.Errorf("SUPPORT.md says that %s is %s; the table says %s", name,
					strings.TrimSpace(cells[2]),
					got)
			}
		}
	}
	if checked < 80 {
		t.Errorf("only %d names found", checked)
	}
}

func isTreatment(text string) bool {
	return text == Harmless.String() || text == Controlled.String() || text == Refused.String()
}

var quoted = regexp.MustCompile("`([\\w/.]+)`(:?)")

// named lists the names in a cell with their packages: "time.Sleep", "testing.T.Run", "net/http".
func named(cell string) []string {
	_, packages := indexes()
	var names []string
	prefix := ""
	for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
		name := m[1]
		if !strings.Contains(name, ".") && name[0] >= 'A' && name[0] <= 'Z' {
			name = prefix + name
		}
		if _, ok := packages[name]; !ok && !strings.Contains(name, ".") {
			continue // a word of the language
		}
		names = append(names, name)
		if dot := strings.LastIndexByte(name, '.'); m[2] != "" {
			prefix = name + "."
		} else if dot >= 0 {
			prefix = name[:dot+1]
		}
	}
	return names
}

// treatmentOf is what the table makes of a package, type, function or method.
func treatmentOf(t *testing.T, name string) string {
	t.Helper()
	_, packages := indexes()
	if v, ok := packages[strings.TrimSuffix(name, "/...")]; ok {
		return v.Treatment.String()
	}
	slash := strings.LastIndexByte(name, '/') + 1
	parts := strings.Split(name[slash:], ".")
	path := name[:slash] + parts[0]
	switch len(parts) {
	case 2:
		if f, ok := object(t, name).(*types.Func); ok {
			return Treat(f).Treatment.String()
		}
		return find(path, name).Treatment.String()
	case 3:
		return Treat(lookup(t, "("+path+"."+parts[1]+")."+parts[2])).Treatment.String()
	}
	return "unknown"
}
