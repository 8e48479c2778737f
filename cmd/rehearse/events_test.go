package main

import (
	"regexp"
	"strings"
	"testing"
)

// TestEvents: all that a binary prints with -json becomes events.
func TestEvents(t *testing.T) {
	var b strings.Builder
	e := &events{to: &b, of: "example.org/p"}
	for _, text := range []string{"set", "up\n", `{"Action":"run"}` + "\n", "no break",
		`{"Action":"pass"}` + "\n", `{"Action":"is no event`, "\n", "last"} {
		if n, err := e.Write([]byte(text)); n != len(text) || err != nil {
			t.Fatal(n, err)
		}
	}
	e.end()
	got := regexp.MustCompile(`"Time":"[^"]*",`).ReplaceAllString(b.String(), "")
	want := `{"Action":"output","Package":"example.org/p","Output":"setup\n"}
{"Action":"run"}
{"Action":"output","Package":"example.org/p","Output":"no break"}
{"Action":"pass"}
{"Action":"output","Package":"example.org/p","Output":"{\"Action\":\"is no event\n"}
{"Action":"output","Package":"example.org/p","Output":"last"}
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
