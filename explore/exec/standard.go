package exec

import (
	"time"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/rewrite/std"
)

// linkStandard puts into the overlay what is the same for every package: the linked-in sources, and the standard
// library's files with the entry hooks. The packages are then loaded under this overlay, so that the export data that
// loading compiles is what the test binary is linked from, and not a second standard library.
func (b *builder) linkStandard() error {
	b.began = time.Now()
	for _, s := range rehearse.Sources() {
		if err := b.add(b.linked(s.Path), s.Text); err != nil {
			return err
		}
	}
	hooked, err := std.Overlay(b.tools.GOROOT)
	if err != nil {
		return err
	}
	for place, content := range hooked {
		if err := b.add(place, content); err != nil {
			return err
		}
	}
	return b.rewriteLibrary()
}
