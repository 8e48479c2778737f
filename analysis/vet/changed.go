package vet

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// changes are the lines that differ from a git revision, by file; files are absolute, symbolic
// links resolved.
type changes map[string][]span

// span is a range of lines.
type span struct{ first, last int }

// whole is the span of a file that the revision does not have and git does not track.
var whole = span{1, 1 << 40}

// touch reports whether the line where r begins has changed.
func (c changes) touch(r Region) bool {
	return slices.ContainsFunc(c[resolved(r.File)],
		func(s span) bool { return s.first <= r.Line && r.Line <= s.last })
}

func resolved(file string) string {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		return real
	}
	return file
}

// changedSince asks git. Files that git does not know and does not ignore have changed, too. No
// revision is no changes.
func changedSince(rev string) (changes, error) {
	if rev == "" {
		return nil, nil
	}
	root, err := git("", "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, fmt.Errorf("-new-from-rev %s: %w", rev, err)
	}
	top := resolved(strings.TrimSpace(string(root)))
	commit, err := git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("-new-from-rev %s: there is no such revision in %s", rev, top)
	}
	diff, err := git(top, "-c", "core.quotePath=false", "diff", "-U0", "-M", "--no-color",
		"--no-ext-diff", "--no-textconv",
		"--no-relative", "--src-prefix=a/", "--dst-prefix=b/", strings.TrimSpace(string(commit)),
		"--", "*.go")
	if err != nil {
		return nil, fmt.Errorf("-new-from-rev %s: %w", rev, err)
	}
	untracked, err := git(top, "ls-files", "--others", "--exclude-standard", "-z", "--", "*.go")
	if err != nil {
		return nil, fmt.Errorf("-new-from-rev %s: %w", rev, err)
	}
	return collect(top, string(diff), string(untracked)), nil
}

func collect(top, diff, untracked string) changes {
	c := parseDiff(top, diff)
	for name := range strings.SplitSeq(untracked, "\x00") {
		if name != "" {
			c.add(top, name, whole)
		}
	}
	return c
}

func (c changes) add(top, name string, s span) {
	file := filepath.Join(top, filepath.FromSlash(name))
	c[file] = append(c[file], s)
}

// hunk is the head of a piece of git diff -U0: "@@ -12,0 +13,2 @@". Without a number of lines, it
// is one.
var hunk = regexp.MustCompile(`^@@ -[0-9]+(?:,([0-9]+))? \+([0-9]+)(?:,([0-9]+))? @@`)

// parseDiff reads which lines of the new files are in a diff.
func parseDiff(top, diff string) changes {
	c := changes{}
	name := ""
	skip := 0 // lines of text that follow: they may look like a file's name
	for line := range strings.Lines(diff) {
		line = strings.TrimSuffix(line, "\n")
		if skip > 0 && (strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-")) {
			skip--
			continue
		}
		if file, ok := strings.CutPrefix(line, "+++ "); ok {
			name = newName(file)
			continue
		}
		if m := hunk.FindStringSubmatch(line); m != nil {
			gone, first, n := number(m[1]), number(m[2]), number(m[3])
			if n > 0 && name != "" {
				c.add(top, name, span{first, first + n - 1})
			}
			skip = gone + n
		}
	}
	return c
}

// number is a number of lines; none is one.
func number(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return 1
}

// newName is the name in a line "+++ b/name"; empty if the file is gone. Git quotes names with
// special characters.
func newName(s string) string {
	s = strings.TrimSuffix(s, "\t")
	if q, err := strconv.Unquote(s); err == nil && strings.HasPrefix(s, `"`) {
		s = q
	}
	name, ok := strings.CutPrefix(s, "b/")
	if !ok {
		return ""
	}
	return name
}

func git(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, errors.New("there is no git command in PATH")
	}
	if err != nil {
		return nil, fmt.Errorf("git %s: %s", args[0],
			cmp.Or(strings.Join(strings.Fields(stderr.String()), " "), err.Error()))
	}
	return stdout.Bytes(), nil
}
