package facts

import "testing"

// TestWordsAreShort: what another condition implies is left out, and what all models agree in is
// said once.
func TestWordsAreShort(t *testing.T) {
	id := Atom{Differ, Operand{Path: ".id"}, Operand{Path: ".id"}}
	v := Atom{Equal, Operand{Path: ".v"}, Operand{Path: ".v"}}
	w := Atom{Equal, Operand{Path: ".w"}, Operand{Path: ".w"}}
	under := []Model{GoModel, PairsModel}
	for _, tt := range []struct {
		conflicts []Conflict
		want      string
	}{
		{nil, "independent"},
		{[]Conflict{{Unless: []Atom{id, v}}, {Unless: []Atom{id}}}, "commute when m1.id != m2.id"},
		{[]Conflict{{Unless: []Atom{id}}, {Unless: []Atom{v, id}}}, "commute when m1.id != m2.id"},
		{[]Conflict{{Unless: []Atom{id, v}}, {Unless: []Atom{v, id}}},
			"commute when (m1.id != m2.id or m1.v == m2.v)"},
		{[]Conflict{{Unless: []Atom{id, v}}, {Unless: []Atom{id, w}}, {Unless: []Atom{v}}},
			"commute when (m1.id != m2.id or m1.w == m2.w) and m1.v == m2.v"},
		{[]Conflict{{What: "total"}}, "dependent (total)"},
		{[]Conflict{{What: "sends", Models: under}},
			"-model go, pairs: dependent (sends); -model actor: independent"},
		{[]Conflict{{What: "sends", Models: under[:1]}},
			"-model go: dependent (sends); -model pairs, actor: independent"},
	} {
		if got := (Pair{Conflicts: tt.conflicts}).words(); got != tt.want {
			t.Errorf("%v:\n\t%s\nwant\t%s", tt.conflicts, got, tt.want)
		}
	}
}
