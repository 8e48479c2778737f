package library

import "testing"

type point struct {
	x, y any
	on   bool
}

func TestKeyText(t *testing.T) {
	for want, key := range map[string]any{
		"1": 1, `"a b"`: "a b", "true": true, "2.5": 2.5, "(1+2i)": 1 + 2i, "nil": nil,
		"7":                        uint8(7),
		`{1 {"p" nil false} true}`: point{1, point{"p", nil, false}, true}, "{1 2}": [2]int{1, 2},
		"of type *library.point": &point{},
	} {
		if got := KeyText(key); got != want {
			t.Errorf("%#v: %s, want %s", key, got, want)
		}
	}
}
