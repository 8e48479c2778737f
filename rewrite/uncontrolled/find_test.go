package uncontrolled

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/txtar"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/rewrite/std"
)

// refusedHere has functions of shapes that the archives need, as if they were refused. The archives
// whose names begin with "table" are judged by the real table.
var refusedHere = map[string]std.Kind{
	"time.Sleep": std.Schedule, "time.Now": std.Input, "time.Since": std.Input,
	"time.After":     std.Background,
	"time.AfterFunc": std.Background, "(*time.Timer).Stop": std.Background,
	"context.WithCancel":        std.Background,
	"(*testing.common).Context": std.Schedule,
	"(*os.Process).Kill":        std.Background, "(*os.Process).Release": std.Background,
	"(*os.Process).Wait": std.Background,
}

func refuseHere(t *testing.T) {
	treat = func(f *types.Func) std.Verdict {
		if kind, ok := refusedHere[f.FullName()]; ok {
			return std.Verdict{Treatment: std.Refused, Kind: kind,
				Reason: "is refused by this test"}
		}
		return std.Treat(f)
	}
	t.Cleanup(func() { treat = std.Treat })
}

// TestFind runs the archives of testdata. Each is a module; its comments say which tests come to
// which uses:
//
//	time.Sleep(1) // want time.Sleep: TestA TestB; go statement: TestC
//
// In the archives whose names begin with "possible", TestA? is a test that comes there possibly.
// "init" is the package initialiser. Modules below dep/ are third-party: not rewritten.
func TestFind(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			if !strings.HasPrefix(filepath.Base(name), "table") {
				refuseHere(t)
			}
			r := loadArchive(t, name)
			got, want := found(r, strings.HasPrefix(filepath.Base(name), "possible")), wanted(t, r)
			for line := range got {
				if !want[line] {
					t.Errorf("unexpected %s", line)
				}
			}
			for line := range want {
				if !got[line] {
					t.Errorf("missing %s", line)
				}
			}
		})
	}
}

func loadArchive(t testing.TB, name string) *load.Result {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, err := load.Load(load.Config{Dir: dir, Patterns: []string{"."}, Tests: true, Deps: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// rootsOf returns the tests, TestMain, main and the initialisers of r's only target.
func rootsOf(r *load.Result) []*ssa.Function {
	target := r.Targets[0]
	entries := target.Tests()
	if e, ok := target.TestMain(); ok {
		entries = append(entries, e)
	}
	if e, ok := target.Main(); ok {
		entries = append(entries, e)
	}
	var roots []*ssa.Function
	for _, e := range entries {
		roots = append(roots, e.SSA(r))
	}
	for _, p := range []*load.Package{target.Package, target.XTest} {
		if p != nil {
			roots = append(roots, r.SSAPackage(p).Func("init"))
		}
	}
	return roots
}

func nobody(string) bool { return false }

func notThirdParty(path string) bool { return !strings.HasPrefix(path, "example.com/dep") }

func found(r *load.Result, mark bool) map[string]bool {
	got := make(map[string]bool)
	for root, uses := range Find(r.SSA(), rootsOf(r), r.GOROOT+"/src", notThirdParty, nobody, nil) {
		for _, u := range uses {
			name := root.Name()
			if mark && u.Possible {
				name += "?"
			}
			got[line(u.Pos, u.Construct, name)] = true
		}
	}
	return got
}

func line(pos token.Position, construct, root string) string {
	return fmt.Sprintf("%s:%d: %s: %s", filepath.Base(pos.Filename), pos.Line, construct, root)
}

var wantComment = regexp.MustCompile(`^// want (.*)$`)

func wanted(t *testing.T, r *load.Result) map[string]bool {
	want := make(map[string]bool)
	for _, p := range r.Packages {
		for _, f := range p.Syntax {
			for _, c := range comments(f) {
				if m := wantComment.FindStringSubmatch(c.Text); m != nil {
					expect(t, want, r.Fset.Position(c.Pos()), m[1])
				}
			}
		}
	}
	return want
}

func comments(f *ast.File) []*ast.Comment {
	var list []*ast.Comment
	for _, group := range f.Comments {
		list = append(list, group.List...)
	}
	return list
}

func expect(t *testing.T, want map[string]bool, pos token.Position, text string) {
	for item := range strings.SplitSeq(text, ";") {
		construct, roots, ok := strings.Cut(strings.TrimSpace(item), ": ")
		if !ok {
			t.Fatalf("%s: %q is not of the form construct: roots", pos, item)
		}
		for root := range strings.FieldsSeq(roots) {
			want[line(pos, construct, root)] = true
		}
	}
}

// TestPathAndOrder looks at whole uses: how they read, and that two runs give the same.
func TestPathAndOrder(t *testing.T) {
	refuseHere(t)
	r := loadArchive(t, "testdata/values.txtar")
	var first []string
	for range 5 {
		var got []string
		uses := Find(r.SSA(), rootsOf(r), r.GOROOT+"/src", notThirdParty, nobody, nil)
		for _, root := range rootsOf(r) {
			for _, u := range uses[root] {
				got = append(got, fmt.Sprintf("%s %s %s <- %s", u.Construct, u.Kind, u.In,
					strings.Join(u.Path, " ")))
			}
		}
		if first != nil && !slices.Equal(first, got) {
			t.Fatalf("got %q, then %q", first, got)
		}
		first = got
	}
	for _, want := range []string{
		"time.Sleep schedule TestLocalValue <- TestLocalValue",
		"time.Now input init <- TestPackageValue stamp init",
		"time.Sleep schedule work <- TestGo TestGo$1 work",
	} {
		if !slices.Contains(first, want) {
			t.Errorf("no %q in\n%s", want, strings.Join(first, "\n"))
		}
	}
}

func BenchmarkFind(b *testing.B) {
	r := loadArchive(b, "testdata/values.txtar")
	prog, roots := r.SSA(), rootsOf(r)
	b.ResetTimer()
	for b.Loop() {
		Find(prog, roots, r.GOROOT+"/src", notThirdParty, nobody, nil)
	}
}
