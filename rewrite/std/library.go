package std

import "path/filepath"

// Library is what is rewritten, like a user's package, of one package of the standard library.
type Library struct {
	Path  string            // import path
	Files map[string][]byte // the sources to rewrite, by absolute path
	// package hook depends on the package, which can therefore call package under only
	Under bool
	// all files of the package are rewritten, those with hooks as Files has them, and explored in
	// whole steps
	Border bool
}

// Libraries returns what is to be rewritten of the library in goroot. hooked is what Overlay has
// returned.
func Libraries(goroot string, hooked map[string][]byte) ([]Library, error) {
	files, err := Context(goroot)
	if err != nil {
		return nil, err
	}
	list := []Library{{Path: "context", Files: files}}
	for _, part := range []struct {
		path, marker string
		under        bool
		hooks        []hook
	}{
		{"io", "func Pipe(", true, []hook{{recv: "PipeReader", name: "Read", code: fills}}},
		{"net", "func Pipe() (Conn, Conn)", false, nil},
		{"net/textproto", "func (s *sequencer) Start(", false, nil},
		{"os/signal", "func NotifyContext(", false, nil},
	} {
		p, err := load(goroot, part.path, part.marker)
		if err != nil {
			return nil, err
		}
		if err := p.apply(part.hooks); err != nil {
			return nil, err
		}
		list = append(list, Library{Path: part.path, Files: p.sources(), Under: part.under})
	}
	for _, path := range border {
		dir := filepath.Join(goroot, "src", filepath.FromSlash(path))
		files := map[string][]byte{}
		for name, text := range hooked {
			if filepath.Dir(name) == dir {
				files[name] = text
			}
		}
		list = append(list, Library{Path: path, Files: files, Border: true})
	}
	return list, nil
}

// sources returns the files of p.
func (p *pkg) sources() map[string][]byte {
	all := map[string][]byte{}
	for _, f := range p.files {
		all[filepath.Clean(f.name)] = f.edited()
	}
	return all
}
