package depict

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/operands"
	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Places turns sites into places and reads source lines.
type Places struct {
	Dir  string // of the package under test: files below it lose this prefix
	Root string // if not empty, files below it lose this prefix, and no other: the module's root
	// of the user: other files become relative to it, when they are below, or the name gets shorter
	Cwd string
	// from where the user names schedules; empty: from Cwd
	From string

	Modules []string // directories of modules, whose files are named by module and version
	Width   int      // characters of a line that charts may have; 0: any number
	Secret  bool     // source lines, values, and names of files and addresses are not shown
	Inside  bool     // charts show what net/http and its like do by themselves

	Lines map[string][]string
}

// Of returns the place of a site: its file in short form, and the line, and the column if there is
// one.
func (p *Places) Of(site string) string {
	if site == "" {
		return ""
	}
	file, rest := splitSite(site)
	for _, dir := range p.bases() {
		if rel, err := filepath.Rel(dir, file); dir != "" && err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel) + rest
		}
	}
	if name, ok := p.inModules(file); ok {
		return name + rest
	}
	// as the go command has it
	if rel, err := filepath.Rel(p.Cwd, file); p.Cwd != "" && err == nil && len(rel) < len(file) {
		return filepath.ToSlash(rel) + rest
	}
	return file + rest
}

// copied is what the directory of a module's copy begins with: "golang.org/x/sync-v0.24.0".
var copied = words.Pattern(`^(.*?)-(v[0-9]+\.[0-9]+\.[0-9]+[^/]*)/`)

// inModules names a file of another module: "golang.org/x/sync@v0.24.0/errgroup/errgroup.go".
func (p *Places) inModules(file string) (name string, ok bool) {
	for _, dir := range p.Modules {
		rel, err := filepath.Rel(dir, file)
		if dir == "" || err != nil || !filepath.IsLocal(rel) {
			continue
		}
		rel = filepath.ToSlash(rel)
		if !strings.Contains(rel, "@") {
			rel = copied().ReplaceAllString(rel, "$1@$2/")
		}
		return unescaped(rel), true
	}
	return "", false
}

// unescaped is a path of the module cache, in which an exclamation mark makes the next letter a
// capital, as people write it.
func unescaped(path string) string {
	parts := strings.Split(path, "!")
	for i, part := range parts[1:] {
		if part != "" {
			parts[i+1] = strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return strings.Join(parts, "")
}

// bases are the directories that files may be named from.
func (p *Places) bases() []string {
	if p.Root != "" {
		return []string{p.Root}
	}
	return []string{p.Dir, p.Cwd}
}

// Line is Of without a column.
func (p *Places) Line(site string) string {
	place := p.Of(site)
	file, rest := splitSite(place)
	if i := strings.IndexByte(strings.TrimPrefix(rest, ":"), ':'); i >= 0 {
		rest = rest[:i+1]
	}
	return file + rest
}

// splitSite parts "file:line:col" before the line number.
func splitSite(site string) (file, rest string) {
	// a colon in a directory's name, or after a drive letter
	start := strings.LastIndexByte(site, '/') + 1
	if i := strings.IndexByte(site[start:], ':'); i >= 0 {
		return site[:start+i], site[start+i:]
	}
	return site, ""
}

// Source returns the line of source at a site, without indentation and trailing comment; empty if
// it cannot be read.
func (p *Places) Source(site string) string {
	file, rest := splitSite(site)
	n, lines := lineNumber(rest), p.file(file)
	if n < 1 || n > len(lines) || p.Secret {
		return ""
	}
	text, _, _ := strings.Cut(lines[n-1], " //")
	return strings.TrimSpace(text)
}

// underLock is the first statement behind the one at a site, which takes a lock; empty: it is not
// clear which that is.
func (p *Places) underLock(site string) string {
	file, rest := splitSite(site)
	n, lines := lineNumber(rest), p.file(file)
	if n < 1 || n > len(lines) || p.Secret {
		return ""
	}
	return operands.UnderLock(lines[n-1:])
}

// outside reports whether an object is a file or an address.
func outside(what string) bool {
	return strings.HasPrefix(what, "file ") || strings.HasPrefix(what, "address ")
}

// About is the description of an object, without the name of a file or an address if values are not
// shown.
func (p *Places) About(what string) string {
	if !p.Secret || !outside(what) {
		return what
	}
	kind, _, _ := strings.Cut(what, " ")
	if i := strings.LastIndex(what, " first used at "); i >= 0 {
		return kind + what[i:]
	}
	return kind
}

// caseOf returns the line of case number i, from 0, of the select statement at a site; empty if the
// code does not look like a select statement. A default is no case.
func (p *Places) caseOf(site string, i int) string {
	file, rest := splitSite(site)
	n, lines := lineNumber(rest), p.file(file)
	if n < 1 || n > len(lines) || p.Secret || i < 0 {
		return ""
	}
	first := lines[n-1]
	indent := first[:len(first)-len(strings.TrimLeft(first, "\t "))]
	if !strings.HasPrefix(first[len(indent):], "select") {
		return ""
	}
	for _, line := range lines[n:] {
		switch {
		case strings.HasPrefix(line, indent+"}"):
			return ""
		case !strings.HasPrefix(line, indent+"case "):
		case i == 0:
			text, _, _ := strings.Cut(line, ":\n")
			return strings.TrimSuffix(strings.TrimSpace(text), ":")
		default:
			i--
		}
	}
	return ""
}

// lineNumber is the first number of the part that splitSite has cut off.
func lineNumber(rest string) (n int) {
	for _, c := range strings.TrimPrefix(rest, ":") {
		if c < '0' || c > '9' {
			break
		}
		n = n*10 + int(c-'0')
	}
	return n
}

func (p *Places) file(name string) []string {
	if lines, ok := p.Lines[name]; ok {
		return lines
	}
	if p.Lines == nil {
		p.Lines = map[string][]string{}
	}
	p.Lines[name] = readLines(name)
	return p.Lines[name]
}

// readLines is best effort: a chart without source lines is still a chart.
func readLines(name string) []string {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	var lines []string
	for s := bufio.NewScanner(f); s.Scan(); {
		lines = append(lines, s.Text())
	}
	return lines
}

// Limits makes places of the sites in l.
func (p *Places) Limits(l *trace.Limits) {
	for _, list := range [][]trace.Limit{l.Fixed, l.Cut} {
		for i := range list {
			for j, site := range list[i].Places {
				list[i].Places[j] = p.Line(site)
			}
			list[i].Places = slices.Compact(list[i].Places)
		}
	}
}

// Site is the i-th of the sites; empty if there are fewer.
func Site(sites []string, i int) string {
	if i >= 0 && i < len(sites) {
		return sites[i]
	}
	return ""
}
