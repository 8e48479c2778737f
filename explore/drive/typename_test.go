package drive

import (
	"reflect"
	"slices"
	"testing"
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
	before := arguments
	defer func() { registered, arguments = registered[:len(registered)-1], before }()
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
	if want := "func(drive.level) (drive.box[drive.level])"; put.Type != want {
		t.Errorf("%s, want %s", put.Type, want)
	}
	if want := []string{"box[level]"}; !slices.Equal(put.Out, want) {
		t.Errorf("results are %q, want %q", put.Out, want)
	}
	if want := []string{"level(7)"}; !slices.Equal(put.Args[0].Source, want) {
		t.Errorf("values are %q, want %q", put.Args[0].Source, want)
	}
	if put.Of != "box" || got.Imports["drive"] != path {
		t.Errorf("of %s, imports %v", put.Of, got.Imports)
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
