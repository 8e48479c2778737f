package blocking

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Runs says which functions a finding is about, for those who want to run them. It is the category
// of the finding's diagnostic, as text.
type Runs struct {
	// Functions are full names; they are called at once. That of a function literal ends in
	// "@file:offset": where the literal begins, in bytes.
	Functions []string
	Started   bool // the second one runs on a goroutine that the object has started
	Again     bool // the first one is called twice, one call after the other
	Panics    bool // it ends in a panic, and not in a process that waits
	// Places are where processes wait for ever, or take the lock that is left locked: "file:line"
	// without a directory, in any package.
	Places []string
}

// The words of a category.
const (
	runsWord    = "runs"
	startedWord = "-started"
	againWord   = "-again"
	panicsWord  = "-panics"
	placeWord   = "at=" // begins a place
)

// String is r as a message of a check carries it.
func (r Runs) String() string {
	words := []string{runsWord}
	for _, name := range r.Functions {
		words = append(words, strings.ReplaceAll(name, " ", "%20"))
	}
	for word, is := range map[string]bool{startedWord: r.Started, againWord: r.Again,
		panicsWord: r.Panics} {
		if is {
			words = append(words, word)
		}
	}
	slices.Sort(words[1+len(r.Functions):])
	for _, at := range r.Places {
		words = append(words, placeWord+strings.ReplaceAll(at, " ", "%20"))
	}
	return strings.Join(words, " ")
}

// ParseRuns reads a category; it is not ok for one that is of something else.
func ParseRuns(category string) (r Runs, ok bool) {
	words := strings.Fields(category)
	if len(words) < 2 || words[0] != runsWord {
		return r, false
	}
	for _, word := range words[1:] {
		if at, ok := strings.CutPrefix(word, placeWord); ok {
			r.Places = append(r.Places, strings.ReplaceAll(at, "%20", " "))
			continue
		}
		switch word {
		case startedWord:
			r.Started = true
		case againWord:
			r.Again = true
		case panicsWord:
			r.Panics = true
		default:
			r.Functions = append(r.Functions, strings.ReplaceAll(word, "%20", " "))
		}
	}
	return r, len(r.Functions) > 0
}

// runs says what a finding of s is about; place writes a position.
func (s *scope) runs(w *witness, place *writer) Runs {
	name := func(fn *ssa.Function) string {
		if fn.Parent() == nil {
			return s.prog.FullName(fn)
		}
		return s.prog.FullName(fn) + "@" + place.offset(fn.Pos())
	}
	r := Runs{Functions: []string{name(s.root)}, Panics: w.fatal, Again: w.leaves()}
	if s.base.Then != nil {
		r.Functions[0] = name(s.base.Then)
	}
	if s.together != nil && len(s.base.Beside) > 0 {
		r.Functions = append(r.Functions, name(s.together))
		r.Started = s.owed
	}
	for _, x := range w.steps {
		for _, pos := range []token.Pos{x.pos, x.here()} {
			if x.stays && pos.IsValid() && !slices.Contains(r.Places, place.at(pos)) {
				r.Places = append(r.Places, place.at(pos))
			}
		}
	}
	return r
}
