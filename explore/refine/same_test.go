package refine

import (
	"strings"
	"testing"
)

// TestSame: two interfaces must agree in ports, types, values and comments. Each difference is
// reported with its place.
func TestSame(t *testing.T) {
	of := func(change func(*Interface)) *Interface {
		i := &Interface{Place: "new_test.go:3", Types: map[string][]Port{"*Room": nil},
			Results: []string{"c"},
			Ports: []Port{{On: "c", Name: ".Set", Label: "Set", Type: "func(int)",
				Args: []Arg{{Values: []string{"1", "2"}}}}}}
		change(i)
		return i
	}
	old := of(func(*Interface) {})
	for _, c := range []struct {
		want   string
		change func(*Interface)
	}{
		{"Set: removed in NEW", func(i *Interface) { i.Ports = nil }},
		{"Get: added in NEW", func(i *Interface) {
			i.Ports = append(i.Ports, Port{On: "c", Name: ".Get", Label: "Get"})
		}},
		{"changed from func(int) to func(uint)", func(i *Interface) { i.Ports[0].Type = "func(uint)" }},
		{"{1, 2} to OLD, and {1} to NEW", func(i *Interface) {
			i.Ports[0].Args[0].Values = []string{"1"}
		}},
		{"*Room: Leave: added", func(i *Interface) {
			i.Types["*Room"] = []Port{{Name: ".Leave", Label: "Leave"}}
		}},
		{`says "", and NEW says "sequential once=Set"`, func(i *Interface) {
			i.Protocol = Protocol{Sequential: true, Once: map[string]bool{"Set": true}}
		}},
		{"", func(i *Interface) { i.Protocol.N = 5 }},
		{"called c in OLD, and result1 in NEW", func(i *Interface) {
			i.Results = []string{"result1"}
		}},
	} {
		err := Same(old, of(c.change))
		switch {
		case c.want == "" && err != nil, c.want != "" && err == nil:
			t.Errorf("%v, want %q", err, c.want)
		case err != nil && (!strings.HasPrefix(err.Error(), "new_test.go:3: ") ||
			!strings.Contains(err.Error(), c.want)):
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestReadable: names are called by who has brought them.
func TestReadable(t *testing.T) {
	s := &Script{Ops: []Op{{Label: "Open"}, {Label: "Subscribe", Places: []string{"f"}}}}
	for ref, want := range map[string]string{"r1#0/0": "[Open of 1]", "r1#0/0.Out": "[Open of 1].Out",
		"r1#0/1": "[value 2 of Open of 1]", "st.Watch#0/1": "[value 2 of st.Watch]",
		"out#2/0": "[value 1 of output 3 of out]", "^2.0": "[f of 2]", "log": "log",
		"^2.0#0/0": "[value 1 of [f of 2]]"} {
		if got := s.readable(ref); got != want {
			t.Errorf("%s: %s, want %s", ref, got, want)
		}
	}
}
