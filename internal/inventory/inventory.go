// Package inventory puts into a record the facts of the analyses about the actors of its packages:
// the static half of the page's map.
//
// Vocabulary: an actor belongs to a package of the record if the package has its code, or has
// started it in an execution that was recorded.
//
// LIMITS: of a package, at most 40 actors are kept, and of an actor 300 pairs of handlers. An
// analysis that takes longer than the caller allows is given up.
package inventory

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/analysis/independence"
	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/explore/record"
	"github.com/rehearse-go/rehearse/internal/cache"
)

const (
	mostActors = 40
	mostPairs  = 300
)

// Find says what is known of the actors of each package, as far as the analysis ends in time.
func Find(c load.Config, packages []*record.Package, patience time.Duration) []record.Facts {
	if len(packages) == 0 {
		return nil
	}
	for _, p := range packages {
		c.Patterns = append(c.Patterns, p.Dir)
	}
	type answer struct {
		program facts.Program
		err     error
	}
	answers := make(chan answer, 1)
	go func() {
		program, err := analysed(c, packages)
		answers <- answer{program, err}
	}()
	var found answer
	select {
	case found = <-answers:
	case <-time.After(patience):
		found.err = fmt.Errorf(
			"the analysis takes longer than %v; rehearse actors prints what it finds",
			patience)
	}
	var out []record.Facts
	for _, p := range packages {
		f := record.Facts{Action: "facts", Package: p.Package}
		if found.err != nil {
			f.Reason, _, _ = strings.Cut(found.err.Error(), "\n")
		} else {
			f.Actors = (&view{found.program, p}).actors()
		}
		out = append(out, f)
	}
	return out
}

// analysed is what the analyses know of the packages. It is kept for the next run of the same
// binaries, as an analysis may take longer than a search.
func analysed(c load.Config, packages []*record.Package) (program facts.Program, err error) {
	file := kept(packages)
	if text, err := os.ReadFile(file); err == nil && json.Unmarshal(text, &program) == nil {
		return program, nil
	}
	r, err := load.Load(c)
	if err != nil {
		return program, err
	}
	program = independence.With(r, independence.Options{Pointers: true, Brief: true})
	if program.Dir, err = filepath.Abs(c.Dir); err != nil { // positions are relative to it
		return program, err
	}
	if text, err := json.Marshal(program); err == nil && file != "" {
		_ = cache.Write(file, text) // without it, the next run analyses again
	}
	return program, nil
}

// kept is the file for the facts about the packages; "" if one has a binary that is not from the
// cache. Only a name in the cache stands for all that a binary is made from.
func kept(packages []*record.Package) string {
	c, err := cache.Open()
	if err != nil {
		return ""
	}
	var binaries []string
	for _, p := range packages {
		if filepath.Dir(p.Binary) != filepath.Dir(c.Binary("")) {
			return ""
		}
		binaries = append(binaries, p.Dir, filepath.Base(p.Binary))
	}
	file := c.Inventory(binaries)
	c.Has(file) // it is in use
	return file
}

// view is a program as one package of a record sees it.
type view struct {
	facts.Program
	of *record.Package
}

func (v *view) actors() (list []record.Actor) {
	launched := v.launches()
	for i := range v.Actors {
		a := &v.Actors[i]
		own := a.Package == v.of.Package || a.Package == v.of.Package+"_test"
		for _, l := range a.Launches {
			own = own || launched[v.key(l.Pos)]
		}
		if own && len(list) < mostActors {
			list = append(list, v.actor(a, &v.Behaviours[i]))
		}
	}
	return list
}

// launches are the places where the executions of the record have started goroutines.
func (v *view) launches() map[string]bool {
	places := map[string]bool{}
	note := func(t *record.Trace) {
		if t == nil {
			return
		}
		for _, p := range t.Procs {
			if p.Site >= 0 {
				s := t.Sites[p.Site]
				places[fmt.Sprintf("%s:%d", s.File, s.Line)] = true
			}
		}
	}
	for _, t := range v.of.Tests {
		for _, f := range t.Found {
			note(f.Failing)
		}
		for _, x := range t.Examples {
			note(x)
		}
	}
	return places
}

func (v *view) key(p facts.Pos) string {
	s := v.site(p)
	return fmt.Sprintf("%s:%d", s.File, s.Line)
}

// site is a position as the record has them: below the package's directory by that.
func (v *view) site(p facts.Pos) record.Site {
	file := p.File
	if !filepath.IsAbs(file) {
		file = filepath.Join(v.Dir, file)
	}
	place := fmt.Sprintf("%s:%d", file, p.Line)
	for _, dir := range []string{v.of.Dir, v.of.Root} {
		if rest, ok := strings.CutPrefix(place, dir+string(filepath.Separator)); ok && dir != "" {
			place = rest
			break
		}
	}
	return record.Site{Place: filepath.ToSlash(place), File: file, Line: p.Line}
}

func (v *view) actor(a *facts.Actor, b *facts.Behaviour) record.Actor {
	out := record.Actor{Name: a.Name, Package: a.Package, Site: v.site(a.Pos), Family: a.Family}
	for i := range a.Mailboxes {
		out.Mailboxes = append(out.Mailboxes, v.mailbox(&a.Mailboxes[i], a, b))
	}
	for _, h := range a.Handlers {
		out.Handlers = append(out.Handlers, record.Handler{Name: h.Name(), Site: v.site(h.Pos)})
	}
	for _, p := range b.Pairs {
		if len(out.Pairs) < mostPairs {
			out.Pairs = append(out.Pairs, v.pair(p))
		}
	}
	return out
}

func (v *view) mailbox(m *facts.Mailbox, a *facts.Actor, b *facts.Behaviour) record.Mailbox {
	out := record.Mailbox{Name: m.Name, Kind: string(m.Kind), Elem: m.Elem, Capacity: m.Capacity}
	for _, p := range m.Makes {
		out.Makes = append(out.Makes, v.site(p))
	}
	for i, h := range a.Handlers {
		if h.Mailbox != m.Name {
			continue
		}
		at := b.Tasks[i].Receive
		if b.Tasks[i].Select.IsValid() {
			at = b.Tasks[i].Select
		}
		out.Receives = append(out.Receives, v.site(at))
	}
	for _, s := range m.Senders {
		out.Senders = append(out.Senders,
			record.Sender{Site: v.site(s.Pos), In: s.In, Kinds: s.Kinds,
				Close: s.Close})
	}
	return out
}

func (v *view) pair(p facts.Pair) record.Pair {
	out := record.Pair{First: p.First, Second: p.Second, Why: facts.Words(p, facts.GoModel),
		Commuting: p.Commuting}
	switch p.Verdict(facts.GoModel) {
	case facts.Independent:
		out.Verdict = record.Commute
	case facts.Conditional:
		out.Verdict = record.When
	default:
		out.Verdict = record.Dependent
	}
	for _, c := range p.Under(facts.GoModel) {
		if c.Kind == facts.Anything {
			out.Verdict = record.Unknown
		}
		out.Conflicts = append(out.Conflicts, v.conflict(c))
	}
	return out
}

func (v *view) conflict(c facts.Conflict) record.Conflict {
	out := record.Conflict{Kind: string(c.Kind), What: c.What, First: v.site(c.First),
		Second: v.site(c.Second)}
	var unless []string
	for _, a := range c.Unless {
		unless = append(unless, a.String())
	}
	out.Unless = strings.Join(unless, " or ")
	return out
}
