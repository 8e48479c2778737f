package refine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Unlike is an error: clients cannot use both sides in the same way.
type Unlike string

// Error implements error.
func (u Unlike) Error() string { return string(u) }

// Same compares two interfaces: a client must be able to use both sides in the same way. An error
// is Unlike, and begins with the place of NEW's harness.
func Same(old, new *Interface) error {
	wrong := func(format string, args ...any) error {
		return Unlike(new.Place + ": " + fmt.Sprintf(format, args...))
	}
	if len(old.Results) == len(new.Results) {
		for i, name := range old.Results {
			if other := new.Results[i]; name != other {
				return wrong("a result of the harness is called %s in OLD, and %s in NEW: give both "+
					"one name", name, other)
			}
		}
	}
	if text := differing(old.Ports, new.Ports); text != "" {
		return wrong("the interfaces differ: %s", text)
	}
	for _, name := range slices.Sorted(maps.Keys(old.Types)) {
		if text := differing(old.Types[name], new.Types[name]); text != "" {
			return wrong("the interfaces differ: %s: %s", name, text)
		}
	}
	if o, n := old.Protocol.text(), new.Protocol.text(); o != n {
		return wrong("the comments of the harnesses differ: %s says %q, and NEW says %q", old.Place,
			o, n)
	}
	return nil
}

// differing says what two lists of ports have not in common.
func differing(old, new []Port) string {
	find := func(list []Port, p Port) *Port {
		for i := range list {
			if list[i].On == p.On && list[i].Name == p.Name {
				return &list[i]
			}
		}
		return nil
	}
	for _, p := range old {
		q := find(new, p)
		switch {
		case q == nil:
			return p.Label + ": removed in NEW"
		case q.Type != p.Type:
			return fmt.Sprintf("%s: changed from %s to %s", p.Label, p.Type, q.Type)
		}
		for i, a := range p.Args {
			if b := q.Args[i]; !slices.Equal(a.Values, b.Values) {
				return fmt.Sprintf("%s: clients send {%s} to OLD, and {%s} to NEW", p.Label,
					strings.Join(a.Values, ", "), strings.Join(b.Values, ", "))
			}
		}
	}
	for _, p := range new {
		if find(old, p) == nil {
			return p.Label + ": added in NEW"
		}
	}
	return ""
}

// text is the words of the comment, without the bound on operations.
func (p Protocol) text() string {
	var words []string
	if p.Sequential {
		words = append(words, "sequential")
	}
	for _, w := range []struct {
		key   string
		names map[string]bool
	}{{"sequential", p.One}, {"last", p.Last}, {"once", p.Once}, {"close", p.Closes}} {
		for _, name := range slices.Sorted(maps.Keys(w.names)) {
			words = append(words, w.key+"="+name)
		}
	}
	return strings.Join(words, " ")
}
