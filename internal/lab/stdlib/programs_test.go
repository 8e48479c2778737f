package stdlib

import (
	"maps"
	"os"
	osexec "os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// programs are those of GOROOT/test/chan.
type programs struct {
	root     string            // of the module that they are packages of
	text     map[string]string // by name
	rejected []string          // they test what the compiler must reject
}

// readPrograms makes a module of the programs.
func readPrograms(t *testing.T) *programs {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(goRoot(t, "test/chan"), "test", "chan", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	p := &programs{root: t.TempDir(), text: map[string]string{}}
	write(t, filepath.Join(p.root, "go.mod"), "module chan\n\ngo 1.26\n")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".go")
		how, _, _ := strings.Cut(string(text), "\n")
		switch strings.TrimPrefix(how, "// ") {
		case "errorcheck":
			p.rejected = append(p.rejected, name)
			continue
		case "runoutput": // thousands of selects, which take long to compile
			if !*whole && !*update {
				continue
			}
			text = p.output(t, name, string(text))
		}
		p.add(t, name, string(text))
	}
	return p
}

func (p *programs) add(t *testing.T, name, text string) {
	t.Helper()
	p.text[name] = text
	write(t, filepath.Join(p.root, name, "main.go"), text)
}

// output is what a program prints.
func (p *programs) output(t *testing.T, name, text string) []byte {
	t.Helper()
	write(t, filepath.Join(p.root, name, "main.go"), text)
	cmd := osexec.Command("go", "run", "./"+name)
	cmd.Dir = p.root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(name, err)
	}
	return out
}

// names are those of the programs that are run.
func (p *programs) names() []string { return slices.Sorted(maps.Keys(p.text)) }

// runNatively runs the programs as go does.
func (p *programs) runNatively(t *testing.T, subjects []*subject) {
	t.Helper()
	bin := t.TempDir()
	cmd := osexec.Command("go", "build", "-o", bin+string(filepath.Separator), "./...")
	cmd.Dir = p.root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, s := range subjects {
		s.native["main"] = "pass"
		if err := osexec.Command(filepath.Join(bin, path.Base(s.name)),
			flagsOf[path.Base(s.name)]...).Run(); err != nil {
			s.native["main"] = "fail"
		}
	}
}

// flagsOf are a program's own flags, which make it shorter.
var flagsOf = map[string][]string{"doubleselect": {"-n=100"}, "goroutines": {"100"}}

// racy are the programs that count something without a lock. That is a race, but not what they are
// about.
var racy = map[string]bool{"powser1": true, "powser2": true}

// flags are those with which a program is explored.
func flags(name string) []string {
	if racy[name] {
		return []string{"-races=false"}
	}
	return append([]string{"-args"}, flagsOf[name]...)
}
