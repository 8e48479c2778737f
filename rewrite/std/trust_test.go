package std

import "testing"

// TestTrustFor: the name to trust is no wider than what the function needs to run.
func TestTrustFor(t *testing.T) {
	for path, want := range map[string]string{
		"net":                "net",
		"net/http":           "net/http/...",
		"net/http/httputil":  "net/http/...",
		"net/http/pprof":     "net/http/pprof.Index",
		"database/sql":       "database/sql",
		"runtime/debug":      "runtime/debug.Index",
		"encoding/xml/extra": "encoding/xml/extra.Index",
	} {
		if got := trustFor(path, path+".Index"); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
