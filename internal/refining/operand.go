package refining

import (
	"errors"
	"fmt"
	"go/build"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/rehearse-go/rehearse/internal/cache"
)

// located is an operand of rehearse refine, on disk.
type located struct {
	dir, pattern string
	harness      string // empty: all that both sides have
	users        bool   // it is a package of the user's: findings are saved there
}

// operand is PACKAGE, PACKAGE@REV, or one of them with :HARNESS.
type operand struct{ text, path, revision, harness string }

func parseOperand(text string) (operand, error) {
	o := operand{text: text, path: text}
	if i := strings.LastIndex(o.path, ":"); i >= 0 {
		o.path, o.harness = o.path[:i], o.path[i+1:]
		if !token.IsIdentifier(o.harness) {
			return o, fmt.Errorf("%s: %q names no function; PACKAGE:HARNESS, as ./q:RefineCache",
				text,
				o.harness)
		}
	}
	if i := strings.LastIndex(o.path, "@"); i >= 0 {
		o.path, o.revision = o.path[:i], o.path[i+1:]
		if o.revision == "" {
			return o, fmt.Errorf("%s: no revision after @; PACKAGE@REV, as ./q@HEAD", text)
		}
	}
	if o.path == "" {
		o.path = "."
	}
	return o, nil
}

// pairs finds what is compared.
func (r *Request) pairs(operands []string) (list []pair, err error) {
	if r.Old == "" {
		p := pair{names: [2]string{operands[0], operands[1]}}
		for i, text := range operands {
			if p.sides[i], err = locate(text); err != nil {
				return nil, err
			}
		}
		if r.Write && !p.sides[1].users {
			return nil, fmt.Errorf("%s: -write makes files in NEW, which is no directory of yours",
				operands[1])
		}
		return []pair{p}, nil
	}
	if len(operands) == 0 {
		operands = []string{"."}
	}
	var lacking error
	for _, text := range operands {
		o, err := parseOperand(text)
		if err != nil {
			return nil, err
		}
		if o.revision != "" {
			return nil, fmt.Errorf("%s: -old names the revision already", text)
		}
		dirs, err := packagesWithTests(o.path)
		if err != nil {
			return nil, err
		}
		for _, dir := range dirs {
			p := pair{names: [2]string{dir + "@" + r.Old, dir}}
			absent := errAbsent{}
			for i, name := range p.names {
				if p.sides[i], err = locate(name); errors.As(err, &absent) && len(dirs) > 1 {
					break
				} else if err != nil {
					return nil, err
				}
				p.sides[i].harness = o.harness
			}
			if absent.text == "" {
				list = append(list, p)
				continue
			}
			r.absent, lacking = append(r.absent, dir), err
		}
	}
	if len(list) == 0 {
		return nil, lacking
	}
	return list, nil
}

// errAbsent is that a revision has no such directory.
type errAbsent struct{ text string }

// Error implements error.
func (e errAbsent) Error() string { return e.text }

// packagesWithTests lists the directories of a pattern that have test files, as the user would name
// them.
func packagesWithTests(pattern string) (dirs []string, err error) {
	if !strings.Contains(pattern, "...") {
		return []string{pattern}, nil
	}
	out, err := runIn(".", "go", "list", "-e", "-f",
		`{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}}{{end}}`,
		pattern)
	if err != nil {
		return nil, err
	}
	here, err := filepath.Abs(".")
	if err != nil {
		return nil, err
	}
	for dir := range strings.FieldsSeq(out) {
		rel, err := filepath.Rel(here, dir)
		if err != nil {
			return nil, err
		}
		if files, _ := filepath.Glob(filepath.Join(dir, "*_test.go")); hasHarness(files) {
			dirs = append(dirs, "./"+filepath.ToSlash(rel))
		}
	}
	if len(dirs) == 0 {
		return nil, fmt.Errorf(
			"%s: no package has a harness: a function Refine... in a _test.go file",
			pattern)
	}
	return dirs, nil
}

// hasHarness looks for a harness without parsing. It may find too much: the build then finds no
// harness.
func hasHarness(files []string) bool {
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil &&
			strings.Contains(string(text), "\nfunc Refine") {
			return true
		}
	}
	return false
}

// locate finds an operand on disk.
func locate(text string) (located, error) {
	o, err := parseOperand(text)
	if err != nil {
		return located{}, err
	}
	if o.revision == "" {
		if info, err := os.Stat(o.path); err == nil && info.IsDir() { // maybe in another module
			return located{o.path, ".", o.harness, true}, nil
		}
		if dir := inMain(o.path); dir != "" {
			return located{dir, ".", o.harness, true}, nil
		}
		return located{".", o.path, o.harness, false}, nil
	}
	c, err := cache.Open()
	if err != nil {
		return located{}, err
	}
	get := download
	if info, err := os.Stat(o.path); err == nil && info.IsDir() || build.IsLocalImport(o.path) ||
		filepath.IsAbs(o.path) {
		get = checkOut
	}
	dir, err := get(c, o)
	return located{dir, ".", o.harness, false}, err
}

// inMain is the directory of a package of the user's module; empty if there is none.
func inMain(pattern string) string {
	if _, err := os.Stat(pattern); err == nil { // a file
		return ""
	}
	const format = `{{if .Module}}{{if .Module.Main}}{{.Dir}}{{end}}{{end}}`
	out, err := runIn(".", "go", "list", "-f", format, pattern)
	if err != nil || strings.Contains(out, "\n") {
		return ""
	}
	return out
}

// checkOut puts a revision of a directory's git repository into the cache, and returns the
// directory there.
func checkOut(c cache.Dir, o operand) (dir string, err error) {
	here, gone := existing(o.path)
	top, err := runIn(here, "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return "", fmt.Errorf("%s: not in a git repository: %w", o.text, err)
	}
	prefix, err := runIn(here, "git", "rev-parse", "--show-prefix")
	if err != nil {
		return "", err
	}
	prefix = path.Join(prefix, filepath.ToSlash(gone))
	commit, err := runIn(here, "git", "rev-parse", "--verify", "--quiet", o.revision+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("%s: git knows no revision %s", o.text, o.revision)
	}
	to := filepath.Join(c.Path, "revision", cache.Digest([]byte(top+"\x00"+commit)))
	if err := c.Unpack(to, func(tmp string) error {
		archive := filepath.Join(tmp, ".archive.tar")
		if _, err := runIn(top, "git", "archive", "-o", archive, commit); err != nil {
			return err
		}
		_, err := runIn(tmp, "tar", "-xf", archive)
		return errors.Join(err, os.Remove(archive))
	}); err != nil {
		return "", fmt.Errorf("%s: %w", o.text, err)
	}
	dir = filepath.Join(to, filepath.FromSlash(prefix))
	if _, err := os.Stat(dir); err != nil {
		return "", errAbsent{fmt.Sprintf("%s: revision %s has no directory %s", o.text, o.revision,
			prefix)}
	}
	return dir, nil
}

// existing is the nearest directory above that exists, and the way from there: a revision may have
// a directory that the working tree has no longer.
func existing(dir string) (here, gone string) {
	here, err := filepath.Abs(dir)
	if err != nil {
		return dir, ""
	}
	for {
		if info, err := os.Stat(here); err == nil && info.IsDir() || filepath.Dir(here) == here {
			return here, gone
		}
		here, gone = filepath.Dir(here), filepath.Join(filepath.Base(here), gone)
	}
}

// runIn runs a command and returns what it prints, without the last newline. An error is one line.
func runIn(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		line, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n")
		err = errors.New(line)
	}
	return strings.TrimSuffix(string(out), "\n"), err
}
