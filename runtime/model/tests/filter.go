package tests

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/gate"
)

// Filter picks tests and subtests by their names, as -run and -skip of go test do. The zero Filter
// picks all.
type Filter struct {
	run, skip [][]*regexp.Regexp // alternatives, of which each has an element a level
	known     map[string]bool    // what Picks has answered
	patterns  [2]string          // -run and -skip
}

// NewFilter reads the patterns of -run and -skip.
func NewFilter(run, skip string) (f *Filter, err error) {
	f = &Filter{known: map[string]bool{}, patterns: [2]string{run, skip}}
	if f.run, err = alternatives(run); err != nil {
		return nil, fmt.Errorf("-run: %v", err)
	}
	if f.skip, err = alternatives(skip); err != nil {
		return nil, fmt.Errorf("-skip: %v", err)
	}
	return f, nil
}

// MarshalBinary writes the patterns, for processes that run single executions.
func (f *Filter) MarshalBinary() ([]byte, error) {
	return []byte(strings.Join(f.patterns[:], "\x00")), nil
}

// UnmarshalBinary reads them.
func (f *Filter) UnmarshalBinary(text []byte) error {
	run, skip, _ := strings.Cut(string(text), "\x00")
	g, err := NewFilter(run, skip)
	if err == nil {
		*f = *g
	}
	return err
}

func alternatives(pattern string) (list [][]*regexp.Regexp, err error) {
	if pattern == "" {
		return nil, nil
	}
	for _, alternative := range split(pattern, '|') {
		var elements []*regexp.Regexp
		for _, text := range split(alternative, '/') {
			e, err := regexp.Compile(strings.ReplaceAll(text, " ", "_"))
			if err != nil {
				return nil, err
			}
			elements = append(elements, e)
		}
		list = append(list, elements)
	}
	return list, nil
}

// split divides a pattern at a character that stands outside of brackets.
func split(pattern string, at byte) (parts []string) {
	class, group, from := 0, 0, 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == '[':
			class++
		case c == ']':
			class = max(class-1, 0) // of "[]a]", the first one is a character
		case class > 0:
		case c == '(':
			group++
		case c == ')':
			group--
		case c == at && group == 0:
			parts = append(parts, pattern[from:i])
			from = i + 1
		}
	}
	return append(parts, pattern[from:])
}

// Picks reports whether the test with a name, such as TestA/sub, is to run. A test is also to run
// if a subtest of it may be.
func (f *Filter) Picks(name string) bool {
	if f == nil || f.run == nil && f.skip == nil {
		return true
	}
	picked, is := f.known[name]
	if !is {
		defer gate.Back(gate.Aside()) // package regexp has locks
		levels := strings.Split(name, "/")
		some, _ := matches(f.run, levels)
		_, skipped := matches(f.skip, levels)
		picked = (f.run == nil || some) && !skipped
		f.known[name] = picked
	}
	return picked
}

// matches reports whether some alternative matches the levels of a name, as far as there are any
// of both; whole: and has no more elements than those.
func matches(alternatives [][]*regexp.Regexp, levels []string) (some, whole bool) {
	for _, elements := range alternatives {
		is := true
		for i := 0; is && i < min(len(elements), len(levels)); i++ {
			is = elements[i].MatchString(levels[i])
		}
		some, whole = some || is, whole || is && len(elements) <= len(levels)
	}
	return some, whole
}
