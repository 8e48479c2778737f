package explore

import (
	"strings"
	"testing"
)

func TestFirstDifferenceIsShort(t *testing.T) {
	same := strings.Repeat("a", 1<<20)
	got := firstDifference([]string{same + "x" + same}, []string{same + "y" + same})
	if len(got) > 400 || !strings.Contains(got, "x") || !strings.Contains(got, "y") {
		t.Errorf("%d bytes: %.400s", len(got), got)
	}
}
