package std

import "path/filepath"

// Library is what is rewritten, like a user's package, of one package of the standard library.
type Library struct {
	Path  string            // import path
	Files map[string][]byte // the sources to rewrite, by absolute path
	// package hook depends on the package, which can therefore call package under only
	Under bool
}

// Libraries returns what is to be rewritten of the library in goroot.
func Libraries(goroot string) ([]Library, error) {
	files, err := Context(goroot)
	if err != nil {
		return nil, err
	}
	list := []Library{{Path: "context", Files: files}}
	for _, part := range []struct {
		path, marker string
		under        bool
	}{
		{"io", "func Pipe(", true},
		{"net", "func Pipe() (Conn, Conn)", false},
		{"os/signal", "func NotifyContext(", false},
	} {
		p, err := load(goroot, part.path, part.marker)
		if err != nil {
			return nil, err
		}
		list = append(list, Library{part.path, p.sources(), part.under})
	}
	return list, nil
}

// sources returns the files of p as they are.
func (p *pkg) sources() map[string][]byte {
	all := map[string][]byte{}
	for _, f := range p.files {
		all[filepath.Clean(f.name)] = f.src
	}
	return all
}
