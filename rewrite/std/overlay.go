// Package std says how the standard library is treated in a controlled test binary.
//
// It has three parts. Overlay generates the files that replace the standard library's own in the
// binary. Functions ask the gate at their entry: those of sync and time, channel operations of
// reflect, os.Exit, and the sources of random numbers of math/rand, hash/maphash and crypto.
// Package testing can make a detached *testing.T, with which testing/synctest makes bubbles.
// Package runtime tells the goroutine's id, and shows stacks without the frames that control the
// program. Libraries lists the packages of the library that are rewritten like a user's. Treat is
// the table of what each exported function of the library means for an exploration.
//
// Vocabulary. A hook is a statement inserted at the entry of a function. An added file is one that
// the package does not have in the Go distribution. A function is controlled when an exploration
// decides its effects, harmless when it has none that depend on a schedule, and refused otherwise.
//
// Guarantees. Everything is generated from the sources of the GOROOT that the binary is built with.
// No line moves: hooks share the line of the function's opening brace, imports that of the package
// clause. A source that is not of the expected shape is an error that names it; nothing is left
// unhooked in silence.
//
// Limits. The hooks fit the sources of Go 1.24 and later; package toolchain refuses Go before 1.26.
// Locks that the library itself takes (log.Logger, the environment) are modelled like the user's:
// they order operations that others can see. Locks of caches that are known to be taken in the
// first execution only are left out (caches.go). Treat knows functions, not values: it cannot tell
// a timer from a channel that a timer feeds.
package std

import (
	"embed"
	"fmt"
	"path/filepath"
)

//go:embed _added
var added embed.FS

// Overlay returns the files that differ from those in goroot, by absolute path.
func Overlay(goroot string) (map[string][]byte, error) {
	out := make(map[string][]byte)
	for _, generate := range []func(string, map[string][]byte) error{hookSync, hookOS, hookNet,
		hookTables, hookTime, hookRand, hookMaphash, hookReflect, hookAccesses, hookCaches,
		hookTesting, hookSynctest, hookCallers, hookGuards, hookInputs, hookFields} {
		if err := generate(goroot, out); err != nil {
			return nil, fmt.Errorf("%s (%s): %w", goroot, version(goroot), err)
		}
	}
	for _, f := range []struct{ dir, name string }{
		{"sync", "sync/rehearse.go"},
		{"time", "time/rehearse.go"},
		{"os", "os/rehearse.go"},
		{"os", "os/pipe.go"},
		{"os", "os/temp.go"},
		{"log", "log/rehearse.go"},
		{"log/slog", "slog/rehearse.go"},
		{"mime", "mime/rehearse.go"},
		{"net", "net/rehearse.go"},
		{"net", "net/rehearseaddresses.go"},
		{"net", "net/rehearsedatagrams.go"},
		{"net", "net/rehearseraw.go"},
		{"net/http", "http/rehearse.go"},
		{"net/http", "http/rehearsepools.go"},
		{"expvar", "expvar/rehearse.go"},
		{"flag", "flag/rehearse.go"},
		{"runtime/metrics", "metrics/rehearse.go"},
		{"image", "image/rehearse.go"},
		{"encoding/gob", "gob/rehearse.go"},
		{"database/sql", "sql/rehearse.go"},
		{"context", "context/rehearse.go"},
		{"math/rand", "rand/rehearse.go"},
		{"math/rand/v2", "rand2/rehearse.go"},
		{"crypto/internal/sysrand", "sysrand/rehearse.go"},
		{"hash/maphash", "maphash/rehearse.go"},
		{"testing", "testing/rehearse.go"},
		{"testing", "testing/rehearsekinds.go"},
		{"testing", "testing/rehearselog.go"},
		{"internal/testlog", "testlog/rehearse.go"},
		{"reflect", "reflect/rehearse.go"},
		{"runtime", "runtime/rehearse.go"},
		{"runtime", "runtime/rehearse_race.go"},
		{gateDir, "gate/goid.go"},
		{gateDir, "gate/race_on.go"},
	} {
		content, err := added.ReadFile("_added/" + f.name)
		if err != nil {
			panic("std: file not embedded: " + f.name)
		}
		out[filepath.Join(goroot, "src", f.dir, filepath.Base(f.name))] = content
	}
	for _, path := range border {
		name := filepath.Join(goroot, "src", filepath.FromSlash(path), "rehearseborder.go")
		out[name] = fmt.Appendf(nil, borderFile, filepath.Base(path))
	}
	return out, nil
}

// borderFile is added to each package of the border.
const borderFile = `// The overlay adds this to packages that are explored in whole steps.
package %s

import "rehearse/runtime/gate"

func init() { gate.Border = true }
`
