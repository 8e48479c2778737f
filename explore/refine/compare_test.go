package refine

import "testing"

// fake is a side whose executions show the pomsets that it is given, for each script.
type fake struct {
	shows, far []Pomset // far: where more steps are looked at
	stepped    bool
}

// Ask implements Explorer.
func (f *fake) Ask(q Question) (Explored, error) {
	a := Explored{Complete: true, Executions: 1, Stepped: f.stepped}
	switch {
	case q.Script == nil:
		a.Interface = &Interface{Types: map[string][]Port{},
			Ports: []Port{{On: "out", Kind: Receive, Type: "chan<- string", Label: "out"}}}
	case q.Far:
		a.View.Pomsets = f.far
	default:
		a.View.Pomsets = f.shows
	}
	return a, nil
}

// shown is a pomset of outputs of one port.
func shown(values ...string) Pomset {
	var p Pomset
	for i, v := range values {
		p.Outputs = append(p.Outputs, out("out", i, v, 0))
	}
	return p
}

// compareFakes compares; tried answers for the observers that are run, in turn.
func compareFakes(t *testing.T, old, new *fake, tried ...Tried) *Result {
	t.Helper()
	c := &Comparison{Old: old, New: new, N: 1, Client: "async"}
	c.Try = func(*Difference, bool) (Tried, error) {
		if len(tried) == 0 {
			t.Fatal("one observer too many")
		}
		first := tried[0]
		tried = tried[1:]
		return first, nil
	}
	r, err := c.Run()
	if err != nil {
		t.Fatal(err)
	}
	if len(tried) > 0 {
		t.Errorf("%d observers were not run", len(tried))
	}
	return r
}

func wantRelation(t *testing.T, r *Result, want Relation, complete bool) {
	t.Helper()
	if r.Relation != want || r.Complete != complete {
		t.Errorf("%s, complete: %t (%s); want %s, %t", r.Relation, r.Complete, r.Reason, want,
			complete)
	}
}

// TestBehindTheBound: OLD never stops, and shows behind the bound on steps what NEW shows at once.
// That is no difference. A random pair of actors was called incomparable for it.
func TestBehindTheBound(t *testing.T) {
	xy := []Pomset{shown("x", "y")}
	old := &fake{shows: []Pomset{shown("x")}, far: xy, stepped: true}
	wantRelation(t, compareFakes(t, old, &fake{shows: xy, far: xy}), Equivalent, true)
}

// TestBehindEachBound: no number of steps is enough, and the observer of the path fails on OLD. So
// the path is OLD's, too, and the comparison goes on with the others.
func TestBehindEachBound(t *testing.T) {
	old := &fake{shows: []Pomset{shown("x")}, far: []Pomset{shown("x")}, stepped: true}
	new := &fake{far: []Pomset{shown("x", "y"), shown("z")}}
	new.shows = new.far
	wantRelation(t, compareFakes(t, old, new, Having, Having), Equivalent, true)
	r := compareFakes(t, old, new, Having, Lacking)
	wantRelation(t, r, NewMore, true)
	if n := len(r.New.Path); n != 2 {
		t.Errorf("a path of %d steps: z is OLD's, and x y is left", n)
	}
	wantRelation(t, compareFakes(t, old, new, LackingSoFar), NewMore, true)
	r = compareFakes(t, old, new, Unsure)
	if r.Complete || r.New != nil {
		t.Errorf("a difference is reported that nothing has confirmed: %+v", r)
	}
}

// TestReturnText: a path says which of two calls returns.
func TestReturnText(t *testing.T) {
	script := (&Script{Ops: []Op{get, get}}).number(Path{{Kind: Call, Op: 2}, {Kind: Call, Op: 1}})
	s := Step{Kind: Return, Op: 1, in: -1}
	if got := s.Text(script, &Interface{}); got != "Get of 2" {
		t.Errorf("%q", got)
	}
	alone := (&Script{Ops: []Op{get, get}}).number(Path{{Kind: Call, Op: 1}})
	if got := s.Text(alone, &Interface{}); got != "Get" {
		t.Errorf("%q", got)
	}
}

var get = Op{Kind: Call, Name: ".Get", Label: "Get"}

// TestAnswerText: a path says what a callback was answered with.
func TestAnswerText(t *testing.T) {
	script := &Script{Answers: []Answers{{Port: "f", Args: [][]string{{"1"}, {"0"}}}}}
	of := &Interface{Ports: []Port{{On: "f", Kind: Callback,
		Args: []Arg{{Values: []string{"nil", `error("e")`}}}}}}
	for seq, want := range []string{`f  error("e")`, "f  nil"} {
		s := Step{Kind: Answer, Value: "f", after: []Outcome{{"f", seq}}}
		if got := s.Text(script, of); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
