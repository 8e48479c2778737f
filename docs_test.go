package rehearse_test

import (
	"flag"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rehearse-go/rehearse/explore/options"
)

// document is a file in Markdown.
type document struct {
	name  string // below the root
	text  string
	lines []docLine
}

// docLine is a line, and whether it is code: in a fenced block, or indented.
type docLine struct {
	number      int
	text        string
	code, table bool
}

// documents are README.md and those in docs.
func documents(t *testing.T) (list []document) {
	t.Helper()
	names, err := filepath.Glob("docs/*.md")
	if err != nil || len(names) < 10 {
		t.Fatalf("%d documents: %v", len(names), err)
	}
	for _, name := range append(names, "README.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		d := document{name: filepath.ToSlash(name), text: string(text)}
		fenced := false
		for i, line := range strings.Split(d.text, "\n") {
			l := strings.TrimSpace(line)
			fence := strings.HasPrefix(l, "```")
			fenced = fenced != fence
			code := fenced || fence || strings.HasPrefix(line, "    ")
			d.lines = append(d.lines,
				docLine{i + 1, line, code, !code && strings.HasPrefix(l, "|")})
		}
		list = append(list, d)
	}
	return list
}

// generated reports whether a command writes d: what it names may be of other programs.
func (d *document) generated() bool {
	return strings.Contains(d.text, "do not edit") ||
		strings.Contains(d.text, "This file is written by")
}

// TestDocForm: each document says in its first paragraph for whom it is and which question it
// answers, in lines that fit.
func TestDocForm(t *testing.T) {
	for _, d := range documents(t) {
		fenced := false
		for _, l := range d.lines {
			fenced = fenced != strings.HasPrefix(strings.TrimSpace(l.text), "```")
			if n := utf8.RuneCountInString(l.text); n > mostColumns && !fenced && !l.table {
				t.Errorf("%s:%d: %d columns, want at most %d", d.name, l.number, n, mostColumns)
			}
		}
		if d.name == "README.md" {
			continue
		}
		parts := strings.SplitN(d.text, "\n\n", 3)
		if len(parts) < 3 || !strings.HasPrefix(parts[1], "For ") ||
			!strings.Contains(parts[1], "?") {
			t.Errorf(
				"%s: its first paragraph does not say for whom it is, and which question it answers",
				d.name)
		}
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	notSlug = regexp.MustCompile(`[^a-z0-9 _-]`)
)

// TestDocLinks finds links that lead nowhere.
func TestDocLinks(t *testing.T) {
	docs := documents(t)
	for _, d := range docs {
		for _, l := range d.lines {
			if l.code {
				continue
			}
			for _, m := range link.FindAllStringSubmatch(l.text, -1) {
				file, anchor, _ := strings.Cut(m[1], "#")
				if strings.Contains(file, "://") {
					continue
				}
				target := d.name
				if file != "" {
					target = path.Join(path.Dir(d.name), file)
				}
				if _, err := os.Stat(filepath.FromSlash(target)); err != nil {
					t.Errorf("%s:%d: %s is not there", d.name, l.number, m[1])
				}
				i := slices.IndexFunc(docs, func(o document) bool { return o.name == target })
				if anchor != "" && (i < 0 || !slices.Contains(docs[i].anchors(), anchor)) {
					t.Errorf("%s:%d: %s has no heading #%s", d.name, l.number, target, anchor)
				}
			}
		}
	}
}

// anchors are the names that GitHub gives to the headings.
func (d *document) anchors() (list []string) {
	for _, l := range d.lines {
		if title := strings.TrimLeft(l.text, "#"); !l.code && title != l.text {
			slug := notSlug.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
			list = append(list, strings.ReplaceAll(slug, " ", "-"))
		}
	}
	return list
}

// examples are names that documents make up, or that are of a user's package.
var examples = regexp.MustCompile(
	`fairdraw|nilchan|hostname\.txtar|^\./cmd/x$|/testdata/rehearse/|^testdata/(rehearse|fuzz)`)

// inTree finds what looks like a file or directory of this repository.
var inTree = regexp.MustCompile(
	`(?:^|[\s(\x60"'])((?:\./)?(?:analysis|rewrite|runtime|explore|cmd|testdata|docs)/[\w./*-]*)`)

// TestDocPaths finds names of files and directories that are not there.
func TestDocPaths(t *testing.T) {
	for _, d := range documents(t) {
		for _, l := range d.lines {
			for _, m := range inTree.FindAllStringSubmatch(l.text, -1) {
				name := strings.TrimRight(m[1], "./,:")
				// of the package that a table is about
				foreign := d.generated() && strings.HasPrefix(name, "testdata/")
				if !foreign && !examples.MatchString(name) && !isThere(name) {
					t.Errorf("%s:%d: %s is not there", d.name, l.number, name)
				}
			}
		}
	}
}

// isThere finds a file, a directory, or a declaration of a package ("internal/exec.TestEffects"),
// also of the standard library.
func isThere(name string) bool {
	name = strings.TrimPrefix(name, "./")
	pkg, _, _ := strings.Cut(name, ".")
	library := filepath.Join(runtime.GOROOT(), "src")
	here, _ := filepath.Glob(name)
	there, _ := filepath.Glob(filepath.Join(library, name))
	return len(here)+len(there) > 0 || isDir(pkg) || isDir(filepath.Join(library, pkg))
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

var (
	testName = regexp.MustCompile(`\bTest[A-Z]\w*`)
	method   = regexp.MustCompile("`\\(\\*(?:[a-z]+\\.)?(\\w+)\\)\\.(\\w+)`")
	fileName = regexp.MustCompile("`(\\w+\\.go)`")
	function = regexp.MustCompile("`(?:\\w+\\.)?([a-z]\\w*|[A-Z]\\w+)`")
)

// noFunctions are other words that ARCHITECTURE.md writes as code: of Go, of rewritten text, and
// packages.
var noFunctions = strings.Fields("Send select io rehearse chans syncs clock files tests")

// TestDocCode finds tests that hand-written documents name and nobody has, and in ARCHITECTURE.md
// functions and files.
func TestDocCode(t *testing.T) {
	source, files := allSource(t)
	for _, d := range documents(t) {
		if d.generated() {
			continue
		}
		for _, l := range d.lines {
			for _, name := range testName.FindAllString(l.text, -1) {
				if !l.table && !strings.Contains(source, name) {
					t.Errorf("%s:%d: there is no %s", d.name, l.number, name)
				}
			}
			if d.name != "docs/ARCHITECTURE.md" {
				continue
			}
			for _, m := range method.FindAllStringSubmatch(l.text, -1) {
				if !regexp.MustCompile(`\nfunc \(\w+ \*` + m[1] + `(\[\w+\])?\) ` + m[2] +
					`\(`).MatchString(source) {
					t.Errorf("%s:%d: there is no %s", d.name, l.number, m[0])
				}
			}
			for _, m := range function.FindAllStringSubmatch(l.text, -1) {
				declared := strings.Contains(source, "func "+m[1]+"(") ||
					strings.Contains(source, ") "+m[1]+"(")
				if !declared && m[1] != "go" && !slices.Contains(noFunctions, m[1]) {
					t.Errorf("%s:%d: there is no function %s", d.name, l.number, m[0])
				}
			}
			for _, m := range fileName.FindAllStringSubmatch(l.text, -1) {
				if !files[m[1]] {
					t.Errorf("%s:%d: there is no file %s", d.name, l.number, m[1])
				}
			}
		}
	}
}

// allSource is the text of all Go files and scripts, and the base names of the Go files.
func allSource(t *testing.T) (string, map[string]bool) {
	t.Helper()
	var all strings.Builder
	files := map[string]bool{}
	err := filepath.WalkDir(".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") && !strings.HasSuffix(name,
			".txtar") {
			return err
		}
		files[filepath.Base(name)] = true
		text, err := os.ReadFile(name)
		all.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String(), files
}

var (
	command  = regexp.MustCompile("(?:^    |\x60)((?:rehearse|go test) [^\x60]*)")
	option   = regexp.MustCompile(`(?:^|\s)-([a-z][a-z-]*)`)
	declared = regexp.MustCompile(
		`(?:\bfs|\bflag|\bflags)\.\w+\((?:&[\w.]+, |\w+, )?"([a-z][a-z-]*)"|\bName:\s*"([a-z]+)"`)
)

// goFlags are those of the go command and of plain tests that the documents use.
var goFlags = strings.Fields(
	"args bench run v json count timeout tags race p C h o short list vettool fixtool dot explain flags")

// TestDocFlags finds flags that nothing takes.
func TestDocFlags(t *testing.T) {
	source, _ := allSource(t)
	known := map[string]bool{}
	for _, name := range goFlags {
		known[name] = true
	}
	for _, m := range declared.FindAllStringSubmatch(source, -1) {
		known[m[1]+m[2]] = true
	}
	set := flag.NewFlagSet("", flag.ContinueOnError)
	options.Default().Register(set)
	set.VisitAll(func(f *flag.Flag) { known[f.Name] = true })
	for _, d := range documents(t) {
		for _, l := range d.lines {
			for _, c := range command.FindAllStringSubmatch(l.text, -1) {
				for _, m := range option.FindAllStringSubmatch(c[1], -1) {
					if !known[m[1]] {
						t.Errorf("%s:%d: nothing takes -%s: %s", d.name, l.number, m[1], c[1])
					}
				}
			}
		}
	}
}
