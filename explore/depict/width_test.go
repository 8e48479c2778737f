package depict

import (
	"strings"
	"testing"
)

// TestSourceGivesWay: a source line has the room that the place and the note leave.
func TestSourceGivesWay(t *testing.T) {
	c := &chart{names: &names{At: &Places{Width: 80}}}
	r := &row{code: strings.Repeat("x", 60)}
	for _, test := range []struct{ before, note, want int }{
		{30, 0, 80 - Outside - 30}, {70, 0, 0}, {64, 0, leastSource}, {30, 20, 80 - Outside - 50},
		{30, 41, 0},
	} {
		if got := c.source(r, test.before, test.note); len(got) != min(test.want, maxSource) {
			t.Errorf("before %d, note %d: %d characters, want %d", test.before, test.note, len(got),
				test.want)
		}
	}
}
