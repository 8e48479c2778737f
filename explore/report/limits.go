package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// maxReasons bounds the cuts that the verdict line has; JSON, and -v, have all.
const maxReasons = 3

// Why says in words what was cut, beginning with the one called first.
func Why(first string, cuts []trace.Limit) string {
	var front, back []string
	for _, c := range cuts {
		if c.What == first {
			front = append(front, inWords(c))
		} else {
			back = append(back, inWords(c))
		}
	}
	all := append(front, back...)
	if n := len(all); n > maxReasons {
		all = append(all[:maxReasons:maxReasons], fmt.Sprintf("and %d more", n-maxReasons))
	}
	return strings.Join(all, "; ")
}

// inWords is "a.go:12 and 2 more: the spin bound", without places that the text has itself.
func inWords(l trace.Limit) string {
	switch n := len(l.Places); {
	case n == 0 || strings.Contains(l.What, l.Places[0]):
		return l.What
	case n == 1:
		return fmt.Sprintf("%s: %s", l.Places[0], l.What)
	default:
		return fmt.Sprintf("%s and %d more: %s", l.Places[0], n-1, l.What)
	}
}

// UpTo is " up to net/http"; empty if there is no border.
func UpTo(packages []string) string {
	if len(packages) == 0 {
		return ""
	}
	var list []string
	for _, p := range packages { // sorted
		if n := len(list); n == 0 || !strings.HasPrefix(p, list[n-1]+"/") {
			list = append(list, p)
		}
	}
	return " up to " + strings.Join(list, ", ")
}

// fixed is " (fixed: map order, random numbers)"; empty if nothing was.
func fixed(list []trace.Limit) string {
	if len(list) == 0 {
		return ""
	}
	var words []string
	for _, l := range list {
		words = append(words, l.What)
	}
	return " (fixed: " + strings.Join(words, ", ") + ")"
}

// sorted puts limits of several tests in an order that does not depend on which test ended first.
func sorted(list []trace.Limit) []trace.Limit {
	return slices.SortedStableFunc(slices.Values(list), func(a, b trace.Limit) int {
		return strings.Compare(a.What, b.What)
	})
}

// limits prints where something was fixed or cut: with -v, or if the verdict line has not all.
func (t *Text) limits(l *trace.Limits) {
	for _, f := range l.Fixed {
		if t.Verbose {
			t.limit("fixed", f)
		}
	}
	for _, c := range l.Cut {
		if t.Verbose || len(l.Cut) > maxReasons {
			t.limit("cut  ", c)
		}
	}
}

// limit prints a limit with its places, but for one at which its text ends.
func (t *Text) limit(word string, l trace.Limit) {
	var places []string
	for _, p := range l.Places {
		if !strings.HasSuffix(l.What, "("+p+")") {
			places = append(places, p)
		}
	}
	t.printf("    %s\n", strings.TrimRight(word+"  "+l.What+"   "+strings.Join(places, ", "), " "))
}

// Uncovered ends a sentence on what a search covers: ", or what is fixed: map order".
func Uncovered(verb string, list []trace.Limit) string {
	if len(list) == 0 {
		return ""
	}
	var texts []string
	for _, l := range list {
		texts = append(texts, l.What)
	}
	return ", or what is " + verb + ": " + strings.Join(texts, "; ")
}
