package drive

import (
	"reflect"
	"testing"

	"github.com/rehearse-go/rehearse/explore/refine"
)

// token is data with a method that shows what its fields hide.
type token struct {
	Name string
	n    int
}

func (t token) Number() int { return t.n }

// TestHidden: what the fields of a struct hide, clients may see by its methods. The struct is data
// and a name; types in interfaces are told apart.
func TestHidden(t *testing.T) {
	var small, named any = int8(1), token{"b", 2}
	r := reader{own: map[any]string{}, ids: map[any]int{}}
	v, names := r.read([]reflect.Value{reflect.ValueOf(token{"a", 1}),
		reflect.ValueOf(&small).Elem(), reflect.ValueOf(&named).Elem()})
	const want = `{Name: "a"}$, int8 1, drive.token {Name: "b"}$`
	if v.Text != want || len(names) != 2 || v.Shown() == v.Text ||
		v.Plain[0] != `{"Name":"a"}` || v.Plain[1] != "type int8 1" {
		t.Errorf("%q, %d names, plain %q; want %q", v.Text, len(names), v.Plain, want)
	}
	h := &Harness{Name: "RefineX", Func: func() (ask func() []token) { return nil },
		Results: []string{"ask"}}
	if got := h.Describe().Types["drive.token"]; len(got) != 1 || got[0].Label != "Number" {
		t.Errorf("clients use %v of a token", got)
	}
}

// TestOwn: an operation on a name that the environment has made itself is none on the component.
func TestOwn(t *testing.T) {
	b, x := make(chan int), make(chan int)
	r := &run{record: record{h: &Harness{Func: func(b chan<- int) (x chan<- int) { return x },
		Results: []string{"x"}}}}
	r.reader.own = map[any]string{identity(reflect.ValueOf(b)): "b",
		identity(reflect.ValueOf(x)): "x"}
	r.things = map[string]reflect.Value{"b": reflect.ValueOf(b), "b#0/0": reflect.ValueOf(b),
		"b#1/0": reflect.ValueOf(x)}
	for on, want := range map[string]bool{"b": true, "b#0/0": false, "b#1/0": true} {
		if _, ok := r.find(refine.Op{Kind: refine.Send, On: on}); ok != want {
			t.Errorf("%s: %t", on, ok)
		}
	}
}
