// Package rehearse holds the sources that are linked into the tests that `rehearse test` runs: the
// controlled runtime and the explorer. They travel inside the command, so that it needs neither a
// network nor its own module.
//
// Two directories hold them: what is below runtime and explore is linked into users' tests, and
// everything else belongs to the command.
//
// Vocabulary: a linked source is a Go file of this module, ready to be put under GOROOT/src by an
// overlay. Its import path, and every import in it, has lost the module path's first two elements:
// `rehearse/runtime/hook`. A path without a dot is one of the standard library's, so user code can
// import it with no change to its go.mod.
//
// LIMITS: linked packages import the standard library and each other only; embed_test.go keeps it
// so. Test files, and files below a testdata directory, are left out.
package rehearse

import (
	"bytes"
	"embed"
	"io/fs"
	"path"
	"strings"
)

// Module is the path of this module. Linked is what stands in its place in a linked source.
const (
	Module = "github.com/rehearse-go/rehearse"
	Linked = "rehearse"
)

//go:embed runtime explore
var linked embed.FS

// Source is one Go file to be linked into a test binary.
type Source struct {
	Path string // below GOROOT/src, with slashes: "rehearse/runtime/gate/gate.go"
	Text []byte
}

// Sources lists the linked sources, ordered by path.
func Sources() []Source {
	var list []Source
	err := fs.WalkDir(linked, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "testdata":
			return fs.SkipDir
		case !isSource(name):
			return nil
		}
		list = append(list, source(name))
		return nil
	})
	if err != nil {
		panic("rehearse: the embedded sources cannot be read: " + err.Error())
	}
	return list
}

func isSource(name string) bool {
	return path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go")
}

func source(name string) Source {
	text, err := linked.ReadFile(name)
	if err != nil {
		panic("rehearse: the embedded sources cannot be read: " + err.Error())
	}
	return Source{Path: path.Join(Linked, name), Text: relocate(text)}
}

// relocate gives a source its new import paths. A plain replacement is enough: the quoted prefix
// has no other use in a linked source, and where it had one (naming a package of this module) the
// new name would be the right one.
func relocate(text []byte) []byte {
	return bytes.ReplaceAll(text, []byte(`"`+Module+`/`), []byte(`"`+Linked+`/`))
}
