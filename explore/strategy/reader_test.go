package strategy_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore/exhaustive"
	border "github.com/rehearse-go/rehearse/explore/whole"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

// TestReaders attacks Lemma W3. Process Q takes the only segment and tells process P, which closes
// the side of the readers. The Close comes after that Read, and ends the Read in which R waits
// inside. Only a race of that reader shows that R may take the segment before Q does.
func TestReaders(t *testing.T) {
	for _, medium := range []string{"tcp", "unix"} {
		text := medium + " c\nchan a\nchan b 1\nQ: read c 1 1; a<-1\n" +
			"~R: b<-1; read c 1 1\nP: <-a; ~shut c 1 0\nW: write c 0 1"
		m := micro.New(micro.Parse(text))
		want := exploredBy(m, exhaustive.New(), 100000)
		got := exploredBy(m, border.New(), 100000)
		if !want.complete || !got.complete {
			t.Fatalf("incomplete: %q %q\n%s", want.partial, got.partial, text)
		}
		if why := outcomesFault(got.unnamed, want.unnamed); why != "" {
			t.Errorf("%s\n%s", why, text)
		}
	}
}
