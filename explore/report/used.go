package report

import (
	"slices"
	"strings"
)

// Used names what left orders out of the search, by the words of -independence, in their order in
// the help text.
func (r *Test) Used() (words []string) {
	for _, word := range []string{"symmetry", "sections", "observed", "equal", "commute",
		"disjoint",
		"context"} {
		used := word == "sections" && slices.ContainsFunc(r.Sections, func(s Sections) bool {
			return s.Count > 1 && len(s.Ordinary) == 0
		})
		if used || slices.ContainsFunc(r.Pruned, func(p Pruned) bool {
			return p.Count > 0 && p.word() == word
		}) {
			words = append(words, word)
		}
	}
	return words
}

// word is the word of -independence that p is due to.
func (p *Pruned) word() string {
	switch {
	case p.Unseen:
		return "observed"
	case p.Joint && strings.HasPrefix(p.Fact, "equal values"):
		return "equal"
	case strings.HasPrefix(p.Fact, "twins"):
		return "symmetry"
	case p.Fact == "disjoint" || p.Fact == "context":
		return p.Fact
	}
	return "commute"
}

// used says with -v what left orders out.
func (t *Text) used(r *Test) {
	if words := r.Used(); t.Verbose && len(words) > 0 {
		t.printf("    used   %s\n", strings.Join(words, ", "))
	}
}
