package wakeup_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore/wakeup"
)

// The tree alone: an event is a letter, which is in no sequence twice, and a relation says which
// letters depend on each other.
type relation map[[2]byte]bool

func (r relation) dependent(a, b byte) bool {
	return a == b || r[[2]byte{a, b}] || r[[2]byte{b, a}]
}

// word is a sequence of letters, on its way into a tree.
type word struct {
	relation
	left string
}

// Initial implements wakeup.Sequence.
func (v *word) Initial(e byte) bool {
	at := strings.IndexByte(v.left, e)
	before := v.left
	if at >= 0 {
		before = v.left[:at]
	}
	if strings.ContainsFunc(before, func(f rune) bool { return v.dependent(byte(f), e) }) {
		return false
	}
	v.left = strings.Replace(v.left, string(e), "", 1)
	return true
}

// Empty implements wakeup.Sequence.
func (v *word) Empty() bool { return v.left == "" }

// Covers implements wakeup.Sequence: by leaves.
func (*word) Covers(n *wakeup.Node[byte]) bool { return len(n.Below) == 0 }

// Chain implements wakeup.Sequence.
func (v *word) Chain(t *wakeup.Tree[byte]) {
	for i := range len(v.left) {
		t = &t.Add(v.left[i]).Below
	}
}

// branches lists those of a tree.
func branches(t wakeup.Tree[byte]) (list []string) {
	for _, n := range t {
		below := branches(n.Below)
		if len(below) == 0 {
			below = []string{""}
		}
		for _, b := range below {
			list = append(list, string(n.Event)+b)
		}
	}
	return list
}

// begins reports whether u and v have a common continuation that begins with each of them, but for
// the order of independent letters.
func (r relation) begins(u, v string) bool {
	w := &word{relation: r, left: v}
	for i := range len(u) {
		if !w.Initial(u[i]) {
			return false
		}
	}
	return true
}

// TestInsert attacks what a wakeup tree is, with random words over random relations: each word that
// was put in has a branch that it may begin with; a branch comes of no other word; and no event is
// a weak initial of a branch that begins with a later one.
func TestInsert(t *testing.T) {
	const letters = "abcdef"
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		r := relation{}
		for i := range letters {
			for j := range i {
				r[[2]byte{letters[i], letters[j]}] = rng.IntN(3) == 0
			}
		}
		var tree wakeup.Tree[byte]
		var words []string
		for range 1 + rng.IntN(8) {
			w := []byte(letters)
			rng.Shuffle(len(w), func(i, j int) { w[i], w[j] = w[j], w[i] })
			words = append(words, string(w[:1+rng.IntN(len(w))]))
			wakeup.Insert(&tree, &word{relation: r, left: words[len(words)-1]})
		}
		list := branches(tree)
		for _, v := range words {
			if !slices.ContainsFunc(list, func(u string) bool { return r.begins(u, v) }) {
				t.Fatalf("%d: no branch of %q for %q", seed, list, v)
			}
		}
		for _, u := range list {
			if !slices.ContainsFunc(words, func(v string) bool { return r.begins(v, u) }) {
				t.Fatalf("%d: branch %q is of none of %q", seed, u, words)
			}
		}
		if why := r.disordered(tree); why != "" {
			t.Fatalf("%d: %q: %s", seed, list, why)
		}
	}
}

// disordered returns an event of t that is a weak initial of a later branch; empty if there is
// none.
func (r relation) disordered(t wakeup.Tree[byte]) string {
	for i, n := range t {
		for _, u := range branches(t[i+1:]) {
			if (&word{relation: r, left: u}).Initial(n.Event) {
				return fmt.Sprintf("%c is a weak initial of %s", n.Event, u)
			}
		}
		if why := r.disordered(n.Below); why != "" {
			return why
		}
	}
	return ""
}

// TestNext: branches leave a tree in their order.
func TestNext(t *testing.T) {
	var tree wakeup.Tree[byte]
	for i := range "abc" {
		wakeup.Insert(&tree,
			&word{relation: relation{{'a', 'b'}: true, {'a', 'c'}: true, {'b', 'c'}: true},
				left: "abc"[i:]})
	}
	var got []byte
	for len(tree) > 0 {
		n := tree.Next()
		got = append(got, n.Event)
		if below := n.Take(); len(n.Below) > 0 ||
			len(below) != map[byte]int{'a': 1, 'b': 1, 'c': 0}[n.Event] {
			t.Errorf("%c: %d branches below", n.Event, len(below))
		}
	}
	if string(got) != "abc" {
		t.Errorf("%s, want abc", got)
	}
}
