package std

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestFields looks at what methods of the library tell of: fields, chains of fields, numbers, in
// loops, and behind a statement that may wait.
func TestFields(t *testing.T) {
	files := overlayOf(t)
	for _, want := range []struct{ file, text string }{
		{"container/list/list.go",
			"; if gate.Here() { gate.Field(gate.At(&l.len), true) }; l.len++"},
		{"container/list/list.go",
			"gate.Field(gate.At(&e.prev.next), true) }; e.prev.next = e\n"},
		{"hash/adler32/adler32.go", "; if gate.Here() { gate.Field(gate.At(d), true) }; *d = 1"},
		{"compress/gzip/gunzip.go", "n, z.err = z.decompressor.Read(p); " +
			"if gate.Here() { gate.Field(gate.At(&z.err), true) }; \n"},
		{"math/big/int.go", "gate.Field(gate.At(&x.neg), false)"},
	} {
		name := filepath.Join(runtime.GOROOT(), "src", want.file)
		if !strings.Contains(string(files[name]), want.text) {
			t.Errorf("%s has no %q", want.file, want.text)
		}
	}
	for file, text := range map[string]string{
		"encoding/json/decode.go": "gate.At(&d.",   // of variables of functions
		"math/rand/rand.go":       "gate.At(&r.s,", // has its own synchronisation
	} {
		if strings.Contains(string(files[filepath.Join(runtime.GOROOT(), "src", file)]), text) {
			t.Errorf("%s has %q", file, text)
		}
	}
}
