package conform

import (
	"strings"
	"testing"
)

// TestSARIF checks the checker.
func TestSARIF(t *testing.T) {
	for text, want := range map[string]string{
		`{"version":"2.1.0","runs":[]}`: "",
		`{"runs":[]}`:                   "has no version",
		`{"version":"2.0","runs":[]}`:   "want 2.1.0",
		`{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"more":1}]}`:                                   "may not",
		`{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":[{"message":{},"ruleIndex":1.5}]}]}`: "want int>=-1",
	} {
		got := strings.Join(SARIF([]byte(text)), "; ")
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
