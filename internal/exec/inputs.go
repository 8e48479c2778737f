package exec

import (
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/internal/toolchain"
)

// inputs are the files and settings that a build depends on.
type inputs struct {
	*workspace
	sealed []input           // what all this depends on
	sums   map[string]string // the fingerprints in sealed, by path
}

// fingerprint looks at everything that the answer depends on, once for all binaries.
func (is *inputs) fingerprint() error {
	is.sealed = is.inputs()
	seal(is.sealed)
	is.sums = map[string]string{}
	for _, in := range is.sealed {
		is.sums[in.Path] += in.Sum
	}
	return nil
}

// remember stores what the request was made from, unless some of it has changed since the build
// began.
func (is *inputs) remember(packages []Package) error {
	if changedSince(is.began.Add(-10*time.Millisecond), is.sealed) {
		return nil
	}
	return storeManifest(is.cache, is.key(), &manifest{is.sealed, packages})
}

// changedSince reports whether a source has been written after a moment. The file system's clock
// may be some milliseconds late.
func changedSince(began time.Time, inputs []input) bool {
	for _, in := range inputs {
		for _, file := range append(sourceFiles(in.Path), in.Path) {
			info, err := os.Stat(file)
			if err == nil && !info.IsDir() && info.ModTime().After(began) {
				return true
			}
		}
	}
	return false
}

// inputs lists everything on disk that the answer depends on. The standard library is represented
// by its VERSION file, and a module of the module cache by its version in go.mod: neither changes
// under its name.
func (is *inputs) inputs() []input {
	set := inputSet{}
	set.add(fileInput, filepath.Join(is.tools.GOROOT, "VERSION"))
	is.moduleInputs(&set)
	for _, p := range is.loaded.Packages {
		if !is.constant(p.Dir) {
			set.addPackage(p, is.added)
		}
	}
	for _, pattern := range is.patterns {
		if root, ok := strings.CutSuffix(pattern, "..."); ok {
			set.add(treeInput, filepath.Join(is.dir, root))
		}
	}
	return set.list
}

// constant reports whether a directory's content never changes.
func (is *inputs) constant(dir string) bool {
	return is.tools.InModuleCache(dir) || toolchain.Within(dir, is.tools.GOROOT) ||
		toolchain.Within(dir, is.cache.Path)
}

// moduleInputs adds the files that say which modules are used, and the places where such files
// would count.
func (is *inputs) moduleInputs(set *inputSet) {
	set.add(fileInput, goEnvFile().Path)
	for dir := is.dir; ; dir = filepath.Dir(dir) {
		for _, name := range []string{"go.mod", "go.sum", "go.work", "go.work.sum",
			"vendor/modules.txt"} {
			set.add(fileInput, filepath.Join(dir, name))
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	for _, file := range []string{is.tools.GOMOD, is.tools.GOWORK} {
		if file != "" {
			set.add(fileInput, file)
			set.add(fileInput, strings.TrimSuffix(file, filepath.Ext(file))+filepath.Ext(file)+
				".sum")
		}
	}
}

// goEnvFile is where go env -w writes, or what GOENV names. There is none without a home directory.
func goEnvFile() input {
	if named := os.Getenv("GOENV"); named != "" {
		return input{Kind: fileInput, Path: named} // off: no file has that name
	}
	config, _ := os.UserConfigDir()
	return input{Kind: fileInput, Path: filepath.Join(config, "go", "env")}
}

// inputSet is an ordered set of inputs.
type inputSet struct {
	list []input
	seen map[input]bool
}

func (s *inputSet) add(kind inputKind, path string) { s.addInput(input{Kind: kind, Path: path}) }

func (s *inputSet) addInput(in input) {
	if s.seen == nil {
		s.seen = map[input]bool{}
	}
	if !s.seen[in] {
		s.seen[in] = true
		s.list = append(s.list, in)
	}
}

// addPackage adds the directory of a package, its module's go.mod, and what it embeds. The key of
// the request has the files that it adds.
func (s *inputSet) addPackage(p *load.Package, added map[string][]byte) {
	in := input{Kind: dirInput, Path: p.Dir}
	for _, file := range slices.Sorted(maps.Keys(added)) {
		if filepath.Dir(file) == p.Dir {
			in.Without += "/" + filepath.Base(file)
		}
	}
	s.addInput(in)
	if p.Module != nil && p.Module.GoMod != "" {
		s.add(fileInput, p.Module.GoMod)
	}
	for _, file := range p.Syntax {
		for _, pattern := range embedPatterns(file) {
			s.add(globInput, filepath.Join(p.Dir, pattern))
		}
	}
}

// embedPatterns lists the patterns of a file's go:embed comments.
func embedPatterns(file *ast.File) []string {
	var list []string
	for _, group := range file.Comments {
		for _, comment := range group.List {
			rest, ok := strings.CutPrefix(comment.Text, "//go:embed ")
			for ok && strings.TrimSpace(rest) != "" {
				var pattern string
				pattern, rest = firstPattern(strings.TrimSpace(rest))
				list = append(list, strings.TrimPrefix(pattern, "all:"))
			}
		}
	}
	return list
}

// firstPattern splits a go:embed list, whose elements may be quoted.
func firstPattern(s string) (pattern, rest string) {
	if quoted, err := strconv.QuotedPrefix(s); err == nil {
		pattern, _ = strconv.Unquote(quoted) // QuotedPrefix has checked it
		return pattern, s[len(quoted):]
	}
	pattern, rest, _ = strings.Cut(s, " ")
	return pattern, rest
}
