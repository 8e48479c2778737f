package diagram

import (
	"strings"
	"testing"
)

// TestSourceGivesWay: a source line has the room that the place and the note leave.
func TestSourceGivesWay(t *testing.T) {
	const width = 76
	d := &drawing{Style: Style{Width: width, Source: func(string) string { return "" }}}
	r := &Row{Code: strings.Repeat("x", 60)}
	for _, test := range []struct{ before, note, want int }{
		{30, 0, width - 30}, {70, 0, 0}, {64, 0, leastSource}, {30, 20, width - 50},
		{30, 41, 0},
	} {
		if got := d.source(r, test.before, test.note); len(got) != min(test.want, maxSource) {
			t.Errorf("before %d, note %d: %d characters, want %d", test.before, test.note, len(got),
				test.want)
		}
	}
}
