package drive

import (
	"math/rand"
	randv2 "math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore/refine"
)

// level has a text that two of its values share.
type level int

func (level) String() string { return "some" }

type box[T any] struct{ Value T }

func (*box[T]) Put(text T) box[T] { return box[T]{text} }

// TestTypeArguments: type arguments are named by their packages' names, as other types are, and the
// parameters of a generic type's methods have names.
func TestTypeArguments(t *testing.T) {
	const path = "github.com/rehearse-go/rehearse/explore/drive"
	before, packages := arguments, own
	defer func() { registered, arguments, own = registered[:len(registered)-1], before, packages }()
	h := &Harness{Name: "RefineBox", Package: "drive", Results: []string{""},
		Func:     func() *box[level] { return nil },
		Values:   func() (text []level) { return []level{7} },
		Packages: map[string]string{path: "drive"},
		Names:    map[string][]string{path + ".box.Put": {"text"}}, ValueNames: []string{"text"}}
	Register(h)
	got := h.Describe()
	if len(got.Errors) > 0 {
		t.Fatal(got.Errors)
	}
	put := got.Ports[0]
	if want := "func(level) (box[level])"; put.Type != want {
		t.Errorf("%s, want %s", put.Type, want)
	}
	if want := []string{"box[level]"}; !slices.Equal(put.Out, want) {
		t.Errorf("results are %q, want %q", put.Out, want)
	}
	if want := []string{"level(7)"}; !slices.Equal(put.Args[0].Source, want) {
		t.Errorf("values are %q, want %q", put.Args[0].Source, want)
	}
	if put.Of != "box" || len(got.Imports) > 0 {
		t.Errorf("of %s, imports %v", put.Of, got.Imports)
	}
}

// TestWithout: a package's name may be the end of another one's.
func TestWithout(t *testing.T) {
	for text, want := range map[string]string{"*me.T": "*T", "map[me.K]some.V": "map[K]some.V",
		"chan me.T[me.K]": "chan T[K]", "func(o_me.T, ähme.T) me.U": "func(o_me.T, ähme.T) U"} {
		if got := without(text, "me."); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestSource: types of two packages of one name have names of their own, as have those of packages
// that observers import.
func TestSource(t *testing.T) {
	before, packages := arguments, own
	defer func() { registered, arguments, own = registered[:len(registered)-1], before, packages }()
	h := &Harness{Package: "drive", Func: TestSource,
		Packages: map[string]string{"github.com/rehearse-go/rehearse/explore/drive": "drive"}}
	Register(h)
	d := &describer{h: h, of: &refine.Interface{Imports: map[string]string{"time": "other/time"}}}
	for _, c := range []struct {
		value any
		want  string
	}{
		{(*rand.Rand)(nil), "*rand.Rand"},
		{(*randv2.Rand)(nil), "*rand2.Rand"},
		{func(...*randv2.PCG) (*rand.Zipf, error) { return nil, nil },
			"func(...*rand2.PCG) (*rand.Zipf, error)"},
		{map[level][]*box[level]{}, "map[level][]*box[level]"},
		{make(chan (<-chan int)), "chan (<-chan int)"},
		{make(chan<- [2]time.Time), "chan<- [2]time2.Time"},
		{struct{ L level }{}, "struct { L level }"},
	} {
		if got := d.source(reflect.TypeOf(c.value)); got != c.want {
			t.Errorf("%T is %s, want %s", c.value, got, c.want)
		}
	}
	if got := d.of.Imports; got["rand2"] != "math/rand/v2" || got["time2"] != "time" {
		t.Errorf("imports %v", got)
	}
	h.Package = "me" // the end of another name
	if got := d.source(reflect.TypeFor[struct{ T time.Time }]()); got != "struct { T time.Time }" {
		t.Error(got)
	}
}

// TestBasic: values are told apart whatever text their type has for them.
func TestBasic(t *testing.T) {
	for v, want := range map[any]string{level(3): "3", uint8(4): "4", 2.5: "2.5", true: "true",
		float32(0.1): "0.1", 1 + 2i: "1+2i", "a": `"a"`} {
		if got := basic(reflect.ValueOf(v)); got != want {
			t.Errorf("%T: %s, want %s", v, got, want)
		}
	}
}
