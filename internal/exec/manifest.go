package exec

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rehearse-go/rehearse/internal/cache"
)

// manifest is what a finished request was made from, and what it made. As long as all inputs are
// what they were, the request need not be worked on again, and no go command needs to run.
type manifest struct {
	Inputs   []input
	Packages []Package
}

// input is something on disk that a build depends on, with a fingerprint of it.
type input struct {
	Kind inputKind
	Path string
	// names of files in a directory that the request replaces, each behind a slash
	Without string `json:",omitempty"`
	Sum     string
}

// inputKind says which part of a path's content is the input.
type inputKind string

const (
	fileInput inputKind = "file" // the bytes, or the absence, of one file
	dirInput  inputKind = "dir"  // the names and the bytes of one directory's source files
	// the names of the Go files and modules below a directory: what ./... expands to
	treeInput inputKind = "tree"
	// the bytes of all files that a go:embed pattern, made absolute, matches
	globInput inputKind = "glob"
)

// sourceExts are the extensions of the files that the go command may compile; see go help packages.
var sourceExts = []string{".go", ".c", ".cc", ".cpp", ".cxx", ".m", ".h", ".hh", ".hpp", ".hxx",
	".f", ".F", ".for",
	".f90", ".s", ".S", ".sx", ".swig", ".swigcxx", ".syso"}

// sum is the input's fingerprint now. A file that cannot be read has a fingerprint, too.
func (in input) sum() string {
	h := sha256.New()
	switch in.Kind {
	case fileInput:
		sumFile(h, in.Path)
	case dirInput:
		sumDir(h, in.Path, in.Without)
	case treeInput:
		sumTree(h, in.Path)
	case globInput:
		sumGlob(h, in.Path)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func sumFile(w io.Writer, path string) {
	f, err := os.Open(path)
	if err != nil {
		fmt.Fprintln(w, "absent")
		return
	}
	defer f.Close()
	io.Copy(w, f) // a read error leaves the sum of a shorter file, which is another one
}

// sumDir looks at the files that go may compile only: a directory that appears, such as the one
// that schedules are saved in, changes nothing. Nor does a file that the request replaces.
func sumDir(w io.Writer, dir, without string) {
	for _, file := range sourceFiles(dir) {
		if strings.Contains(without+"/", "/"+filepath.Base(file)+"/") {
			continue
		}
		fmt.Fprintf(w, "\x00%s\x00", file)
		sumFile(w, file)
	}
}

// sourceFiles lists the files of a directory that a build depends on, by name.
func sourceFiles(dir string) []string {
	var list []string
	entries, _ := os.ReadDir(dir) // a directory that cannot be read has no files
	for _, entry := range entries {
		if slices.Contains(sourceExts, filepath.Ext(entry.Name())) || entry.Name() == "go.mod" {
			list = append(list, filepath.Join(dir, entry.Name()))
		}
	}
	return list
}

func sumTree(w io.Writer, root string) {
	filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		name := ""
		if err == nil {
			name = entry.Name()
		}
		switch {
		case err != nil:
			fmt.Fprintln(w, "unreadable", path)
		case entry.IsDir() && path != root && skippedByPatterns(name):
			return fs.SkipDir
		case filepath.Ext(name) == ".go", name == "go.mod":
			fmt.Fprintln(w, path)
		}
		return nil
	})
}

func sumGlob(w io.Writer, pattern string) {
	matches, _ := filepath.Glob(pattern) // a bad pattern does not compile
	for _, root := range matches {
		filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			fmt.Fprintf(w, "\x00%s\x00", path)
			if err == nil && entry.Type().IsRegular() {
				sumFile(w, path)
			}
			return nil
		})
	}
}

// skippedByPatterns reports whether go's "..." leaves a directory out.
func skippedByPatterns(name string) bool {
	return name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") ||
		strings.HasPrefix(name, "_")
}

// fresh reports whether every input is what it was and every binary is still in the cache.
func (m *manifest) fresh(c cache.Dir) bool {
	for _, p := range m.Packages {
		if p.Binary != "" && !c.Has(p.Binary) {
			return false
		}
	}
	sums := sums(m.Inputs)
	for i, in := range m.Inputs {
		if sums[i] != in.Sum {
			return false
		}
	}
	return true
}

// seal computes the inputs' fingerprints.
func seal(inputs []input) {
	for i, sum := range sums(inputs) {
		inputs[i].Sum = sum
	}
}

// sums computes fingerprints, a few at a time: reading many small files is mostly waiting.
func sums(inputs []input) []string {
	list := make([]string, len(inputs))
	var wg sync.WaitGroup
	slots := make(chan struct{}, 8)
	for i, in := range inputs {
		slots <- struct{}{}
		wg.Go(func() {
			list[i] = in.sum()
			<-slots
		})
	}
	wg.Wait()
	return list
}

// loadManifest reads the manifest of a request; nil when there is none that can be used.
func loadManifest(c cache.Dir, key string) *manifest {
	content, err := os.ReadFile(manifestOf(c, key))
	if err != nil {
		return nil
	}
	m := new(manifest)
	if json.Unmarshal(content, m) != nil || !m.fresh(c) {
		return nil
	}
	c.Has(manifestOf(c, key))
	return m
}

// storeManifest writes the manifest of a request.
func storeManifest(c cache.Dir, key string, m *manifest) error {
	content, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return cache.Write(manifestOf(c, key), content)
}

func manifestOf(c cache.Dir, key string) string {
	return filepath.Join(c.Path, "manifest", key+".json")
}
