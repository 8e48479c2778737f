package load

import (
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Kind classifies an Error.
type Kind int

const (
	Listing   Kind = iota // the go command failed
	NoPackage             // a pattern names no package
	Broken                // a package does not compile
)

// Error is a user's error: a pattern that names nothing or code that does not compile.
type Error struct {
	Kind     Kind
	Patterns []string // as given
	Packages []string // import paths of the packages that are missing or broken
	// "file:line:col: message" where there is a position, the first maxErrors of each package
	Errors []string
	First  []string // likewise, the first of each broken package
	More   int      // how many were left out
}

// Bounds of what is listed: errors of a package, and names of packages in a line.
const (
	maxErrors = 10
	maxNames  = 3
)

// commandLine is the import path of a package whose files were named, or that was not found.
const commandLine = "command-line-arguments"

// Error says what is wrong and what to do in the first line; the compiler's messages follow, one
// per line.
func (e *Error) Error() string {
	lines := []string{e.Headline()}
	lines = append(lines, e.Errors...)
	if e.More > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", e.More))
	}
	return strings.Join(lines, "\n\t")
}

// Headline is the first line of Error.
func (e *Error) Headline() string {
	switch e.Kind {
	case NoPackage:
		if pattern := e.inTestdata(); pattern != "" {
			dir, rest, _ := strings.Cut(pattern, "...")
			return fmt.Sprintf("no package %s: the go command leaves directories named testdata out "+
				"of ... patterns, unless it runs in one: -C %s ./...%s", pattern, dir, rest)
		}
		return fmt.Sprintf("no package %s: `go list %[1]s` must find it, inside a module",
			strings.Join(e.Packages, " "))
	case Broken:
		return e.broken()
	}
	return fmt.Sprintf("cannot list %s; `go list %[1]s` must work here",
		strings.Join(e.Patterns, " "))
}

// inTestdata is a pattern that begins in a directory whose name ... patterns leave out.
func (e *Error) inTestdata() string {
	if i := slices.IndexFunc(e.Packages, beginsInTestdata); i >= 0 {
		return e.Packages[i]
	}
	return ""
}

// broken is the first line about packages that do not compile. Files that were named themselves are
// a package with a name of its own.
func (e *Error) broken() string {
	names := strings.Join(e.Packages, " ")
	switch {
	case names == commandLine:
		return "the files do not compile; `go vet` must compile them first"
	case len(e.Packages) > maxNames:
		return fmt.Sprintf("%d packages do not compile; `go vet` must compile them first",
			len(e.Packages))
	case len(e.Packages) > 1:
		return fmt.Sprintf("%d packages do not compile; `go vet %s` must compile them first",
			len(e.Packages), names)
	}
	return fmt.Sprintf("%s does not compile; `go vet %[1]s` must compile it first", names)
}

// missing returns an error if a pattern names no package or a package without Go files.
func (l *listing) missing(c Config, r *Result) error {
	if len(r.Targets) == 0 {
		return &Error{Kind: NoPackage, Patterns: c.patterns(), Packages: c.patterns()}
	}
	e := &Error{Kind: NoPackage, Patterns: c.patterns()}
	for _, t := range r.Targets {
		if t.Package.missing() {
			name := t.Path
			if name == commandLine { // what the go command calls it if it does not get so far
				name = strings.Join(c.patterns(), " ")
			}
			e.Packages = append(e.Packages, name)
			e.add(t.Package.errors...)
		}
	}
	if len(e.Packages) == 0 {
		return nil
	}
	return e
}

// broken returns an error if a package does not compile.
func (r *Result) broken() error {
	e := &Error{Kind: Broken}
	for _, p := range r.Packages {
		if len(p.errors) == 0 || p.missing() {
			continue
		}
		path := p.Path
		if tested := strings.TrimSuffix(path, "_test"); tested == p.ForTest {
			path = tested
		}
		if !slices.Contains(e.Packages, path) {
			e.Packages = append(e.Packages, path)
			e.First = append(e.First, p.errors[0])
		}
		e.add(p.errors...)
	}
	if len(e.Packages) == 0 {
		return nil
	}
	slices.Sort(e.Packages)
	return e
}

// Intact returns the import paths of the targets that compile, with all that they import, when
// others do not.
func (r *Result) Intact() []string {
	var paths []string
	for _, t := range r.Targets {
		all := append(slices.Concat(t.Deps, t.ThirdParty), t.Package)
		if t.XTest != nil {
			all = append(all, t.XTest)
		}
		if !slices.ContainsFunc(all, func(p *Package) bool { return len(p.errors) > 0 }) {
			paths = append(paths, t.Path)
		}
	}
	return paths
}

// add adds the errors of a package.
func (e *Error) add(errs ...string) {
	added := 0
	for _, s := range errs {
		switch {
		case slices.Contains(e.Errors, s):
		case added == maxErrors:
			e.More++
		default:
			e.Errors = append(e.Errors, s)
			added++
		}
	}
}

// message writes one error of the type checker as the compiler does.
func (r *Result) message(e types.Error) string { return r.Position(e.Pos) + ": " + e.Msg }

// Position writes pos as "file:line:col". The file is relative to the directory of the Load, if
// below it, or if the name gets shorter, as the go command has it: another module of a workspace.
func (r *Result) Position(pos token.Pos) string { return r.Place(pos).String() }

// Place is Position in parts.
func (r *Result) Place(pos token.Pos) token.Position { return r.relative(r.Fset.Position(pos)) }

func (r *Result) relative(p token.Position) token.Position {
	if rest, inside := strings.CutPrefix(p.Filename, r.dir+string(filepath.Separator)); inside &&
		!strings.Contains(rest, "..") {
		p.Filename = rest
		return p
	}
	if rel, err := filepath.Rel(r.dir, p.Filename); err == nil &&
		(filepath.IsLocal(rel) || len(rel) < len(p.Filename)) {
		p.Filename = rel
	}
	return p
}

// listError writes an error of the go command in one line: of several messages, the first.
func listError(e packages.Error) string {
	lines := goErrors(e.Msg)
	continues := func(line string) bool { return !strings.HasPrefix(line, "go: ") }
	if n := len(lines); n > 1 && !slices.ContainsFunc(lines, continues) {
		lines = []string{lines[0], fmt.Sprintf("(and %d more)", n-1)}
	}
	msg := strings.Join(lines, " ")
	if e.Pos == "" || e.Pos == "-" {
		return msg
	}
	return e.Pos + ": " + msg
}

// goErrors splits what the go command printed into lines, without blank ones and without "#
// package" headers.
func goErrors(s string) []string {
	var out []string
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "# ") {
			out = append(out, line)
		}
	}
	return out
}

// located returns the errors of go list that name a file and are not the compiler's output: a
// missing import, say. An import cycle has no file.
func located(errs []string) []string {
	return slices.DeleteFunc(errs, func(s string) bool {
		return (!strings.Contains(s, ".go:") || strings.HasPrefix(s, "./")) &&
			!strings.Contains(s, "import cycle")
	})
}
