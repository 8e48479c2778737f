package bench

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"regexp"
	"slices"
	"sync"
)

// The targets: how many executions a refinement is to need. A target is a wish, and not knowledge:
// a run with more executions may still meet the known count.
//
//go:embed targets.csv
var targetsText []byte

// targets are all of them.
var targets = sync.OnceValue(func() []Target { return readTargets(targetsText) })

// readTargets reads a table that is a part of the program.
func readTargets(text []byte) (list []Target) {
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		panic("bench: targets.csv: " + err.Error())
	}
	for _, r := range rows[1:] {
		list = append(list, Target{r[0], r[1], r[2], r[3], count(r[4]), count(r[5]), r[6]})
	}
	return list
}

// String is "1", or "at most 720".
func (t *Target) String() string {
	if t.Least == t.Most {
		return fmt.Sprint(t.Most)
	}
	return fmt.Sprintf("at most %d", t.Most)
}

// target is that of a run; nil if there is none.
func (r *Row) target() *Target {
	i := slices.IndexFunc(targets(), func(t Target) bool {
		return t.Subject == r.Subject && t.Model == r.Model && t.Strategy == r.Strategy &&
			t.Independence == r.Independence
	})
	if i < 0 {
		return nil
	}
	return &targets()[i]
}

// attained is yes or no; empty if there is no target.
func (r *Row) attained() Met {
	switch n := r.Executions + r.Blocked; {
	case r.Target == nil:
		return open
	case r.Complete && r.Target.Least <= n && n <= r.Target.Most:
		return yes
	}
	return no
}

// targets are the runs for which there are targets, of long subjects, too: a refinement makes them
// short.
func (c *Config) targets() (list []job) {
	match := regexp.MustCompile(c.Subject) // it has been read before
	subjects, _ := Subjects()
	for _, t := range targets() {
		i := slices.IndexFunc(subjects, func(s Subject) bool {
			return s.Name == t.Subject && match.MatchString(s.Name)
		})
		if i >= 0 {
			list = append(list, job{subjects[i],
				c.variant(t.Strategy, "", allTasks, t.Model).with(t.Independence)})
		}
	}
	return list
}

// left is how many inequivalent executions a refinement leaves; nil if that is not known.
func (s *Subject) left(model, independence string) *int {
	switch {
	case model == "actor" && independence == "disjoint,commute":
		return s.Independent
	case model != "go":
		return nil
	}
	return map[string]*int{"equal": s.Equal, "symmetry": s.Symmetric, "commute": s.Commute,
		"observed": s.Observed}[independence]
}

// refinements compares what runs have needed with -independence and without. The first line is the
// head.
func refinements(rows []Row) [][]string {
	lines := [][]string{{"subject", "model", "strategy", "independence", "without", "executions",
		"cut off", "distinct outcomes", "target", "met", "what is left out"}}
	for _, r := range rows {
		if r.Independence == "" {
			continue
		}
		target, what := "", ""
		if r.Target != nil {
			target, what = r.Target.String(), r.Target.What
		}
		lines = append(lines, []string{r.Subject, r.Model, r.Strategy, r.Independence,
			without(rows, &r),
			bound(r.Executions, !r.Complete), fmt.Sprint(r.Blocked),
			bound(r.Distinct, !r.Complete || r.MoreDistinct), target, string(r.attained()), what})
	}
	return lines
}

// without is what the same variant needs without its refinement: the run of that, or what is known.
func without(rows []Row, r *Row) string {
	i := slices.IndexFunc(rows, func(p Row) bool {
		return p.Subject == r.Subject && p.Model == r.Model && p.Strategy == r.Strategy &&
			p.Order == r.Order && p.Tasks == r.Tasks && p.Independence == "" && p.Complete
	})
	if i >= 0 {
		return fmt.Sprint(rows[i].Executions)
	}
	subjects, _ := Subjects()
	i = slices.IndexFunc(subjects, func(s Subject) bool { return s.Name == r.Subject })
	return number(subjects[i].known(r.Model))
}

// number is empty for what is not known.
func number(n *int) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(*n)
}

func bound(n int, more bool) string {
	if more {
		return fmt.Sprintf(">%d", n)
	}
	return fmt.Sprint(n)
}
