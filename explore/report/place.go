package report

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
)

// Places turns sites into places and reads source lines.
type Places struct {
	Dir   string // of the package under test: files below it lose this prefix
	Root  string // if not empty, files below it lose this prefix, and no other: the module's root
	Cwd   string // of the user: other files become relative to it, when they are below, or the name gets shorter
	lines map[string][]string
}

// Of returns the place of a site: its file in short form, and the line, and the column if there is one.
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
	if rel, err := filepath.Rel(p.Cwd, file); p.Cwd != "" && err == nil && len(rel) < len(file) { // as the go command has it
		return filepath.ToSlash(rel) + rest
	}
	return file + rest
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
	start := strings.LastIndexByte(site, '/') + 1 // a colon in a directory's name, or after a drive letter
	if i := strings.IndexByte(site[start:], ':'); i >= 0 {
		return site[:start+i], site[start+i:]
	}
	return site, ""
}

// Source returns the line of source at a site, without indentation and trailing comment; empty if it cannot be read.
func (p *Places) Source(site string) string {
	file, rest := splitSite(site)
	n := 0
	for _, c := range strings.TrimPrefix(rest, ":") {
		if c < '0' || c > '9' {
			break
		}
		n = n*10 + int(c-'0')
	}
	lines := p.file(file)
	if n < 1 || n > len(lines) {
		return ""
	}
	text, _, _ := strings.Cut(lines[n-1], " //")
	return strings.TrimSpace(text)
}

func (p *Places) file(name string) []string {
	if lines, ok := p.lines[name]; ok {
		return lines
	}
	if p.lines == nil {
		p.lines = map[string][]string{}
	}
	p.lines[name] = readLines(name)
	return p.lines[name]
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
