package exec

import (
	"path/filepath"
	"slices"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/internal/cover"
	"github.com/rehearse-go/rehearse/rewrite/unit"
)

// covered finds what -cover marks in the files of a target's package, tests aside; nil for other
// packages.
func (b *builder) covered(p *load.Package) (map[string]*unit.Cover, error) {
	if !b.options.Covers() || p.Std {
		return nil, nil
	}
	if !slices.ContainsFunc(b.loaded.Targets, func(t *load.Target) bool { return t.Package == p }) {
		return nil, nil
	}
	tool, err := cover.Tool(b.tools.Run)
	if err != nil {
		return nil, err
	}
	sources, err := b.readAll(p.Compiled)
	if err != nil {
		return nil, err
	}
	list := map[string]*unit.Cover{}
	for _, file := range p.Compiled {
		if isTestFile(file) || !slices.Contains(p.GoFiles, file) || b.added[file] != nil {
			continue // what cgo has written is none of the user's
		}
		blocks, insertions, err := cover.Find(tool, file, sources[file])
		if err != nil {
			return nil, err
		}
		if len(blocks) > 0 {
			name := p.Path + "/" + filepath.Base(file)
			list[file] = &unit.Cover{Name: name, Blocks: len(blocks), Insertions: insertions}
			b.marked[p.Path] = append(b.marked[p.Path], cover.File{Name: name, Blocks: blocks})
		}
	}
	return list, nil
}
