package sections

import "testing"

// TestConflict: what does not commute, by what is done to one place.
func TestConflict(t *testing.T) {
	one := func(how How) access { return access{how: how} }
	at := func(key any, how How) access { return access{key: key, keyed: true, how: how} }
	for _, c := range []struct {
		name string
		a, b access
		want bool
	}{
		{"two look", one(Looks), one(Looks), false},
		{"one looks, one writes", one(Looks), one(Writes), true},
		{"one looks, one adds", one(Looks), one(Adds), true},
		{"two write", one(Writes), one(Writes), true},
		{"two add", one(Adds), one(Adds), false},
		{"one adds, one sets bits", one(Adds), one(Ors), true},
		{"two set bits", one(Ors), one(Ors), false},
		{"one key is set twice", at("a", Writes), at("a", Writes), true},
		{"two keys are set", at("a", Writes), at("b", Writes), false},
		{"a number and a string", at(1, Writes), at("1", Writes), false},
		{"something is added to one key twice", at("a", Adds), at("a", Adds), false},
		{"a key is set, all are looked at", at("a", Writes), one(Looks), true},
		{"something is added to a key, all are looked at", at("a", Adds), one(Looks), true},
		{"a key is looked at, all are", at("a", Looks), one(Looks), false},
		{"a key is looked at, all are taken out", at("a", Looks), one(Writes), true},
	} {
		if conflict(&c.a, &c.b) != c.want || conflict(&c.b, &c.a) != c.want {
			t.Errorf("%s: want %t", c.name, c.want)
		}
	}
}
