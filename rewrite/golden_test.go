package rewrite_test

import (
	"cmp"
	"flag"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/rehearse-go/rehearse/rewrite"
	"github.com/rehearse-go/rehearse/rewrite/state"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden rewrites the packages in testdata. An archive holds a package's files, then, as
// want/<file>, what becomes of those that change, and the errors if there are any. Lines of its
// comment set the input. "go: go1.21" is the language version. "state" keeps variables that may
// change, "maps" rewrites iterations over maps, "mailboxes" makes mailboxes of the makes with "//
// mailbox" at the end of the line. "shared" announces accesses to all variables, "live" follows
// activations of functions, "seal" tells of stores to sealed variables. "twins" tells of loops that
// start twins: want/spawns has their go statements.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"),
			func(t *testing.T) { golden(t, file) })
	}
}

func golden(t *testing.T, file string) {
	w := standard(t)
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	in, err := w.checkArchive(a)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(a.Comment), "\nmailboxes\n") {
		in.Mailbox = func(p token.Position) bool {
			return markedLine(in.Sources[p.Filename], p.Line)
		}
	}
	in.Live = strings.Contains(string(a.Comment), "\nlive\n")
	in.Twins = strings.Contains(string(a.Comment), "\ntwins\n")
	in.Seal = strings.Contains(string(a.Comment), "\nseal\n")
	in.Maps = strings.Contains(string(a.Comment), "\nmaps\n")
	if strings.Contains(string(a.Comment), "\nshared\n") {
		in.Shared = everything{}
		if in.Sections = strings.Contains(string(a.Comment), "\nsections\n"); in.Sections {
			in.Announced = func(*types.Package) bool { return false }
		}
	}
	if strings.Contains(string(a.Comment), "\nlibrary\n") {
		in.Library = func(path string) bool { return path != "bytes" }
	}
	if strings.Contains(string(a.Comment), "\nstate\n") {
		in.State = state.Changing([]state.Package{{Files: in.Files, Info: in.Info}})
	}
	got := rewriteArchive(a, in)
	if *update {
		if err := os.WriteFile(file, txtar.Format(got), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if want := string(txtar.Format(a)); string(txtar.Format(got)) != want {
		t.Errorf("%s: got\n%s\nwant\n%s", file, txtar.Format(got), want)
	}
	if result, err := w.rewritten(in); err == nil {
		sameLines(t, in, result)
	} else if !hasErrors(got) {
		t.Error(err)
	}
}

// markedLine reports whether a line ends in "// mailbox".
func markedLine(source []byte, line int) bool {
	return strings.HasSuffix(strings.Split(string(source), "\n")[line-1], "// mailbox")
}

func hasErrors(a *txtar.Archive) bool {
	for _, f := range a.Files {
		if f.Name == "errors" {
			return true
		}
	}
	return false
}

// checkArchive type-checks the input files of an archive.
func (w *world) checkArchive(a *txtar.Archive) (*unit.Input, error) {
	var names []string
	sources := make(map[string][]byte)
	for _, f := range inputs(a) {
		name := "/p/" + f.Name
		names = append(names, name)
		sources[name] = f.Data
	}
	_, version, _ := strings.Cut(string(a.Comment), "\ngo: ")
	return w.check("example.com/p", strings.TrimSpace(version), names, sources)
}

// inputs returns the files of the package.
func inputs(a *txtar.Archive) []txtar.File {
	var files []txtar.File
	for _, f := range a.Files {
		if !strings.HasPrefix(f.Name, "want/") && f.Name != "errors" {
			files = append(files, f)
		}
	}
	return files
}

// rewriteArchive returns the archive as it should be.
func rewriteArchive(a *txtar.Archive, in *unit.Input) *txtar.Archive {
	got := &txtar.Archive{Comment: a.Comment, Files: inputs(a)}
	out, err := rewrite.Package(in)
	for _, name := range out.Changed {
		got.Files = append(got.Files,
			txtar.File{Name: "want/" + filepath.Base(name), Data: out.Files[name]})
	}
	if len(out.Spawns) > 0 {
		got.Files = append(got.Files, txtar.File{Name: "want/spawns", Data: spawns(out.Spawns)})
	}
	if err != nil {
		got.Files = append(got.Files, txtar.File{Name: "errors", Data: []byte(err.Error() + "\n")})
	}
	return got
}

// spawns lists what loops start, and why that is no twins.
func spawns(list []rewrite.Spawn) (text []byte) {
	for _, s := range list {
		text = fmt.Appendf(text, "%d: %s\n", s.Pos.Line, cmp.Or(s.Why, "twins"))
	}
	return text
}
