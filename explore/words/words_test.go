package words_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore/words"
)

// TestGist: of a report by testify, the first words are what went wrong.
func TestGist(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"\n\tError Trace:\t/d/f_test.go:23\n\t            \t\t\t\t/d/f_test.go:18\n" +
			"\tError:      \tNot equal: \n\t            \texpected: 1\n\t            \tactual  : 2\n" +
			"\tTest:       \tTestAssert\n\tMessages:   \tthe first\n\t            \tof two\n",
			"Not equal: expected: 1 actual : 2 (the first of two)"},
		{"\tError Trace:\tf_test.go:40\n\tError:      \ttoo late\n\tTest:       \tTestX",
			"too late"},
		{"Error Trace: of another kind\n", "Error Trace: of another kind"},
		{"got 1,\nwant 2: Error Trace:\n\tError:", "got 1, want 2: Error Trace: Error:"},
		{"", ""},
	} {
		if got := words.Gist(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestCutMiddle(t *testing.T) {
	for s, want := range map[string]string{"short": "short", "abcdefghijklmnop": "abcd...lmnop"} {
		if got := words.CutMiddle(s, 12); got != want {
			t.Errorf("CutMiddle(%q) = %q, want %q", s, got, want)
		}
	}
}
