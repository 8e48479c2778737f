package exec

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/internal/cache"
)

// compile begins to make the binary of every target that has something to explore.
func (b *builder) compile() (*Making, error) {
	overlay, err := b.cache.Overlay(b.replace)
	if err != nil {
		return nil, err
	}
	m := &Making{over: make(chan struct{})}
	b.tools.Until, m.stop = context.WithCancel(context.Background())
	for _, t := range b.loaded.Targets {
		m.list = append(m.list, newMaking(t.Path))
	}
	go func(list []*making) {
		m.failed = b.compileAll(overlay, list)
		close(m.over)
	}(slices.Clone(m.list))
	return m, nil
}

// compileAll makes the binaries, -p at the same time, and remembers the request when all is well.
// The go command uses several processors by itself, so that two at a time keep a small machine
// busy.
func (b *builder) compileAll(overlay string, list []*making) error {
	var wg sync.WaitGroup
	slots := make(chan struct{}, b.options.Builds())
	for i, one := range list {
		slots <- struct{}{}
		wg.Go(func() {
			p, err := b.compileTarget(overlay, b.loaded.Targets[i])
			one.set(p, cmp.Or(err, b.checkFacts()))
			<-slots
		})
	}
	wg.Wait()
	var packages []Package
	for _, one := range list {
		if one.err != nil {
			return nil // who waits for it is told
		}
		packages = append(packages, one.result)
	}
	return b.remember(packages)
}

// compileTarget makes the binary of one target, unless the cache has one made of the same.
func (b *builder) compileTarget(overlay string, t *load.Target) (Package, error) {
	p := Package{Path: t.Path, Dir: t.Package.Dir, Nothing: b.nothing(t), Cover: b.coverOf(t)}
	for _, h := range b.harnesses[t.Path] {
		p.Harnesses, p.Files = append(p.Harnesses, h.name), append(p.Files, h.file)
	}
	if p.Nothing != "" {
		return p, nil
	}
	p.Binary = b.cache.Binary(b.binaryKey(t))
	if b.cache.Has(p.Binary) {
		return p, nil
	}
	return p, cache.Make(p.Binary, func(tmp string) error {
		args := []string{"test", "-c", "-vet=off", "-overlay=" + overlay, "-o", tmp}
		args = append(args, b.flags...)
		args = append(args, b.unoptimised(t)...)
		args = append(args, b.forCompiler()...)
		args = append(args, b.stripped(args)...)
		if _, err := b.tools.Run(append(args, b.arguments(t)...)...); err != nil {
			return b.compileError(t, err)
		}
		return nil
	})
}

// forCompiler are the compiler's flags for what is linked in, when packages are loaded and when a
// binary is made: loading compiles what the binary is linked from. Debuggers read nothing of this
// tool but the function at which they stop: the compiler needs a fifth less time for the rest. With
// -race, only the program is watched, and not this tool.
func (w *workspace) forCompiler() []string {
	plain := ""
	if w.options.Race {
		plain = "-race=false"
	}
	return []string{ // the last pattern that matches counts
		"-gcflags=" + rehearse.Linked + "/...=-dwarf=false " + plain,
		"-gcflags=" + stopPath + "=" + plain,
	}
}

// unoptimised are the flags that leave the program's variables and calls as a debugger shows them.
func (b *builder) unoptimised(t *load.Target) (flags []string) {
	if !b.options.ForDebugger() {
		return nil
	}
	for _, p := range sourcePackages(t) {
		pattern := "command-line-arguments"
		if p.Module != nil {
			pattern = p.Module.Path + "/..."
		}
		if flag := "-gcflags=" + pattern + "=-N -l"; !slices.Contains(flags, flag) {
			flags = append(flags, flag)
		}
	}
	return flags
}

// stripped are the flags that leave out of a binary what only debuggers read, as go test does: the
// linker needs half the time then. There are none where somebody wants something of the linker, or
// a binary for a debugger.
func (b *builder) stripped(args []string) []string {
	others := func(f string) bool {
		return strings.HasPrefix(f, "-ldflags") ||
			strings.HasPrefix(f, "-gcflags") && strings.Contains(f, "-N")
	}
	if b.options.ForDebugger() || slices.ContainsFunc(args, others) ||
		slices.ContainsFunc(b.tools.Flags(), others) {
		return nil
	}
	return []string{"-ldflags=-s -w"}
}

// arguments are what names the target to go test.
func (b *builder) arguments(t *load.Target) []string {
	if isFiles(b.patterns) {
		// go wants all files to have the same prefix, letter by letter
		dir, _ := filepath.Split(b.patterns[0])
		return append(slices.Clone(b.patterns), dir+testFileName)
	}
	return []string{t.Path}
}

// compileError explains why rewritten code does not compile. The user's own code does: it has been
// type-checked.
func (b *builder) compileError(t *load.Target, err error) error {
	lines := strings.Split(err.Error(), "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool {
		return strings.HasPrefix(line, "#") || line == ""
	})
	if len(lines) == 0 {
		return fmt.Errorf("building %s: %w", t.Path, err)
	}
	return fmt.Errorf(
		"building the rewritten %s: %s; this is a defect of rehearse if go test -c builds it",
		t.Path,
		lines[0])
}

// binaryKey names a target's binary by all that it is made from. Module files that are absent are
// left out: a replay is built in the directory of the package, and finds the binary of a test that
// was built somewhere above.
func (b *builder) binaryKey(t *load.Target) string {
	set := inputSet{}
	b.moduleInputs(&set)
	for _, p := range sourcePackages(t) {
		if !b.constant(p.Dir) {
			set.addPackage(p, b.added)
		}
	}
	text := fmt.Appendf(nil, "%s\x00%s\x00%q\x00%q\x00%s\x00", identity(), b.tools.GOVERSION,
		b.arguments(t), append(b.unoptimised(t), b.flags...), b.policyText())
	absent := input{Kind: fileInput}.sum()
	for _, in := range set.list {
		if sum := b.sums[in.Path]; sum != absent {
			text = fmt.Appendln(text, in.Path, sum)
		}
	}
	return cache.Digest(append(text, b.replace[testFile(t)]...))
}
