package drive

import (
	"reflect"
	"testing"
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
