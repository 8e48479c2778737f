package load

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"os"
	"slices"
	"sync"

	"golang.org/x/tools/go/gcexportdata"
)

// library reads packages from the compiler's export data, each once, and only those that source
// packages import.
type library struct {
	fset  *token.FileSet
	files map[string]string // import path -> export data
	mu    sync.Mutex        // one reading at a time: they share known
	known map[string]*types.Package
}

func newLibrary(fset *token.FileSet, l *listing) *library {
	return &library{fset: fset, files: l.export,
		known: map[string]*types.Package{"unsafe": types.Unsafe}}
}

// open reads the imports of packages before these are checked concurrently. The positions in a
// library package follow those of the library packages that were read before it, so the order must
// be fixed.
func (l *library) open(packages []*Package) {
	for _, p := range packages {
		for _, path := range slices.Sorted(maps.Values(p.export)) {
			_, _ = l.read(path) // whoever imports it reports the error
		}
	}
}

func (l *library) read(path string) (*types.Package, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.known[path]; p != nil && p.Complete() {
		return p, nil
	}
	if l.files[path] == "" {
		return nil, fmt.Errorf("no such package; `go list -deps` does not list it")
	}
	f, err := os.Open(l.files[path])
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, err
	}
	return gcexportdata.Read(data, l.fset, l.known, path)
}
