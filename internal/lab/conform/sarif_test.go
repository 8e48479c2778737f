package conform

import (
	"fmt"
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

// TestJUnit checks the checker.
func TestJUnit(t *testing.T) {
	suite := `<testsuites><testsuite name="p" tests="1" failures="0" errors="0"%s>%s</testsuite></testsuites>`
	for _, c := range []struct{ attr, inside, want string }{
		{` time="1.250"`, `<testcase name="T"><skipped message="m">why</skipped></testcase>`, ""},
		{` time="1.2505"`, ``, "time is"},
		{` passed="1"`, ``, "may not have the attribute passed"},
		{``, `<testcase/>`, "has no attribute name"},
		{``, `<failure/>`, "may not have failure"},
		{``, `text`, "may not have text"},
		{``, `<testcase name="T">`, "syntax error"},
	} {
		text := fmt.Sprintf(suite, c.attr, c.inside)
		got := strings.Join(JUnit([]byte(text)), "; ")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", text, got, c.want)
		}
	}
	if got := JUnit([]byte(`<testsuite name="p"/>`)); len(got) == 0 {
		t.Error("the root may be a suite")
	}
}
