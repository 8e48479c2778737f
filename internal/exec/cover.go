package exec

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/rewrite/cover"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// measured is a package that -cover measures.
type measured struct {
	path  string
	files []string // tests aside
}

// coverage marks what -cover measures.
type coverage struct {
	*workspace
	marked map[string][]cover.File // what -cover measures, by import path
	marks  map[string]*unit.Cover  // what it puts into files
}

// toMeasure returns the packages that -coverpkg matches, or else the targets' own.
func (c *coverage) toMeasure() (list []measured, err error) {
	if !c.options.Covers() {
		return nil, nil
	}
	if c.options.CoverPkg == "" {
		for _, t := range c.loaded.Targets {
			if p := t.Package; !p.Std {
				list = append(list, measured{p.Path, p.GoFiles})
			}
		}
		return list, nil
	}
	args := []string{"list", "-f",
		`{{if not .Standard}}{{.ImportPath}}{{"\t"}}{{.Dir}}{{range .GoFiles}}{{"\t"}}{{.}}{{end}}{{end}}`}
	out, err := c.tools.Run(append(append(args, c.flags...),
		strings.Split(c.options.CoverPkg, ",")...)...)
	if err != nil {
		return nil, fmt.Errorf("-coverpkg: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Split(strings.TrimSpace(line), "\t")
		if len(words) < 2 {
			continue
		}
		m := measured{path: words[0]}
		for _, name := range words[2:] {
			m.files = append(m.files, filepath.Join(words[1], name))
		}
		list = append(list, m)
	}
	return list, nil
}

// findBlocks finds the blocks of all packages that -cover measures, and the marks for the files
// that are rewritten.
func (c *coverage) findBlocks() error {
	list, err := c.toMeasure()
	if err != nil || len(list) == 0 {
		return err
	}
	tool, err := cover.Tool(c.tools.Run)
	if err != nil {
		return err
	}
	for _, m := range list {
		if err := c.findBlocksOf(tool, m); err != nil {
			return err
		}
	}
	return nil
}

func (c *coverage) findBlocksOf(tool string, m measured) error {
	sources, err := c.readAll(m.files)
	if err != nil {
		return err
	}
	for _, file := range m.files {
		if isTestFile(file) || c.added[file] != nil {
			continue
		}
		blocks, insertions, err := cover.Find(tool, file, sources[file])
		if err != nil {
			return err
		}
		if len(blocks) > 0 {
			name := m.path + "/" + filepath.Base(file)
			c.marks[file] = &unit.Cover{Name: name, Blocks: len(blocks), Insertions: insertions}
			c.marked[m.path] = append(c.marked[m.path], cover.File{Name: name, Blocks: blocks})
		}
	}
	return nil
}

// marksIn returns the marks of -cover for the files of p; files that cgo has written are not the
// user's.
func (c *coverage) marksIn(p *load.Package) map[string]*unit.Cover {
	list := map[string]*unit.Cover{}
	for _, file := range p.Compiled {
		if m := c.marks[file]; m != nil && slices.Contains(p.GoFiles, file) {
			list[file] = m
		}
	}
	return list
}

// coverOf is what -cover says of a target's tests: how much of its package, or of all packages in
// the test binary that -coverpkg matches, they run.
func (c *coverage) coverOf(t *load.Target) []cover.File {
	files := c.marked[t.Path]
	if c.options.CoverPkg == "" {
		return files
	}
	for _, p := range slices.Concat(t.Deps, t.ThirdParty) {
		if p.Path != t.Path {
			files = append(slices.Clip(files), c.marked[p.Path]...)
		}
	}
	slices.SortFunc(files, func(f, g cover.File) int { return strings.Compare(f.Name, g.Name) })
	return slices.CompactFunc(files, func(f, g cover.File) bool { return f.Name == g.Name })
}

// readAll reads files, as the request has them.
func (c *coverage) readAll(files []string) (map[string][]byte, error) {
	all := map[string][]byte{}
	for _, file := range files {
		if added, is := c.added[file]; is {
			all[file] = added
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		all[file] = content
	}
	return all, nil
}
