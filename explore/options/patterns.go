package options

import (
	"regexp"
	"slices"
	"strings"
)

// Patterns are go package patterns, as comma lists of a flag that may be given several times.
type Patterns []string

// String implements flag.Value.
func (p Patterns) String() string { return strings.Join(p, ",") }

// Set implements flag.Value. It adds to the patterns that were given before.
func (p *Patterns) Set(list string) error {
	for pattern := range strings.SplitSeq(list, ",") {
		if pattern = strings.TrimSpace(pattern); pattern != "" && !slices.Contains(*p, pattern) {
			*p = append(slices.Clip(*p), pattern)
		}
	}
	return nil
}

// Match returns the first pattern that matches an import path. As for the go command, "..." stands
// for any text, and x/... matches x, too.
func (p Patterns) Match(path string) (pattern string, ok bool) {
	for _, pattern := range p {
		if expression(pattern).MatchString(path) {
			return pattern, true
		}
	}
	return "", false
}

func expression(pattern string) *regexp.Regexp {
	text := regexp.QuoteMeta(pattern)
	if start, ok := strings.CutSuffix(text, `/\.\.\.`); ok {
		text = start + `(/\.\.\.)?`
	}
	return regexp.MustCompile("^" + strings.ReplaceAll(text, `\.\.\.`, ".*") + "$")
}
