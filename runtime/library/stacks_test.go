package library

import "testing"

func TestSameArguments(t *testing.T) {
	for text, want := range map[string]string{
		"()":                                  "()",
		"(...)":                               "(...)",
		"(0x37, {0x3704a3c94c58, 0x2?}, ...)": "(0x37, {0x0, 0x0?}, ...)",
		"(0x516799?, 0xfffff)":                "(0x0?, 0xfffff)",
	} {
		if got := sameArguments(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestEnclosing(t *testing.T) {
	for literal, want := range map[string]string{
		"example.org/p.f.func1":        "example.org/p.f",
		"example.org/p.f.func1.2":      "example.org/p.f.func1",
		"example.org/p.(*T).run.func3": "example.org/p.(*T).run",
		"example.org/p.g[...].func1":   "example.org/p.g[...]",
		"example.org/p.init.0.func1":   "example.org/p.init.0",
		"example.org/p.(*T).run-fm":    "example.org/p.(*T).run-fm",
		"example.org/p.function":       "example.org/p.function",
	} {
		if got := enclosing(literal); got != want {
			t.Errorf("%s: %s, want %s", literal, got, want)
		}
	}
}
