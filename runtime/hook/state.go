package hook

import (
	"unsafe"

	"github.com/rehearse-go/rehearse/runtime/image"
)

// state is what executions must not hand on to each other.
var state struct {
	kept  []any // pointers to package-level variables
	image *image.Image
}

// Keep registers package-level variables: every execution begins with the content that they have before the first.
func Keep(vars ...any) { state.kept = append(state.kept, vars...) }

// saveState remembers the variables, once: after the initialisation of all packages, and after what TestMain does
// before it runs the tests.
func saveState() {
	if state.image == nil {
		state.image = image.Save(state.kept, staticChans{})
	}
}

func restoreState() { state.image.Restore() }

// staticChans implements image.Channels with the present world, which changes from test to test.
type staticChans struct{}

func (staticChans) Closed(ch unsafe.Pointer) (closed, known bool) { return w.chans.Closed(ch) }

func (staticChans) Renew(old, new unsafe.Pointer, closed bool) { w.chans.Renew(old, new, closed) }
