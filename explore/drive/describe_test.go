package drive

import (
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/refine"
)

// node is a type that has itself inside.
type node struct {
	Text string
	Next *node
	All  []node
}

type list struct{}

func (*list) Put(n *node) {}

// TestRecursiveType: a value of a type that has itself inside ends there.
func TestRecursiveType(t *testing.T) {
	h := &Harness{Name: "RefineList", Func: func() *list { return &list{} }, Results: []string{""}}
	got := h.Describe()
	want := []string{`&{Text: "a", Next: nil, All: []}`, `&{Text: "b", Next: nil, All: []}`}
	if values := got.Ports[0].Args[0].Values; !slices.Equal(values, want) || len(got.Errors) > 0 {
		t.Errorf("%q, errors %v; want %q", values, got.Errors, want)
	}
}

type (
	request struct {
		Key   string
		Reply chan<- int
		Done  func() request
	}
	server struct{}
)

func (server) Do(list []*request) {}

// TestInside: a nil channel or function in data is a new one of the environment's.
func TestInside(t *testing.T) {
	h := &Harness{Name: "RefineX", Func: func() server { return server{} }, Results: []string{""}}
	got := h.Describe().Ports[0].Args[0]
	want := []string{"[]", `[&{Key: "a", Reply: a new channel, Done: a new function}]`,
		`[&{Key: "b", Reply: a new channel, Done: a new function}]`}
	if !slices.Equal(got.Values, want) || len(got.Inside[0]) != 0 || len(got.Inside[1]) != 2 ||
		got.Inside[1][0].Path != ".0.Reply" || got.Inside[1][1].Opens.Kind != refine.Callback ||
		!strings.Contains(got.Source[1], refine.Hole(".0.Reply")) {
		t.Errorf("%q, %q, %v; want %q", got.Values, got.Source, got.Inside, want)
	}
}

// TestDrawnParts: a struct is drawn if a field of its is.
func TestDrawnParts(t *testing.T) {
	defer Set(Settings{})
	Set(Settings{Draw: refine.Draw{Corpus: []refine.Letter{{Kind: "string", Text: "hello"}}}})
	h := &Harness{Name: "RefineList", Func: func(c <-chan int) *list { return &list{} },
		Params: []string{"c"}, Results: []string{""}}
	ports := h.Describe().Ports
	if put := ports[1].Args[0]; !put.Drawn || len(put.Values) != 1 {
		t.Errorf("drawn: %t, %q", put.Drawn, put.Values)
	}
	if ports[0].Args[0].Drawn {
		t.Error("integers are drawn from a corpus of strings")
	}
}

// TestNothingToUse: a component that clients cannot use at all would be equivalent to any other.
func TestNothingToUse(t *testing.T) {
	for _, c := range []struct {
		f    any
		want string
	}{
		{func() {}, "RefineX has no channel, function or exported method that a client could use"},
		{func() *node { return nil },
			"RefineX has no channel, function or exported method that a client could use"},
		{func() map[string]int { return nil }, "result1 has type map[string]int, and a harness " +
			"returns channels, functions, interfaces, structs and pointers only"},
		{func() (*list, error) { return nil, nil }, ""},
		{func(chan<- int) {}, ""},
	} {
		h := &Harness{Name: "RefineX", Func: c.f, Params: []string{"out"},
			Results: []string{"", ""}, Places: map[string]string{"": "x_test.go:2"}}
		got := h.Describe().Errors
		if c.want == "" && len(got) > 0 || c.want != "" &&
			!slices.Equal(got, []string{"x_test.go:2: " + c.want}) {
			t.Errorf("%T: %q, want %q", c.f, got, c.want)
		}
	}
}
