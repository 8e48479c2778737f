package bench

import (
	"fmt"
	"slices"
)

// plan lists all runs. If nobody has chosen variants, the papers' are added, the models that make a
// difference, and the refinements for which there are targets.
func (c *Config) plan() ([]job, error) {
	subjects, err := c.subjects()
	if err != nil {
		return nil, err
	}
	variants, err := c.variants()
	if err != nil {
		return nil, err
	}
	if c.Papers {
		variants = nil
	}
	var jobs []job
	for _, s := range subjects {
		list := slices.Clone(variants)
		if c.Papers || !c.chosen() {
			list = add(list, c.printed(s))
		}
		if !c.Papers && !c.chosen() {
			list = add(list, c.relaxed(s))
		}
		for _, v := range list {
			jobs = append(jobs, job{s, v})
		}
	}
	if !c.Papers && !c.chosen() {
		jobs = append(jobs, c.targets()...)
	}
	if len(jobs) == 0 {
		return nil, fmt.Errorf(
			"-papers: no paper prints a number of -subject %q, with the strategies, orders, tasks and models that were asked for",
			c.Subject)
	}
	return jobs, nil
}

// chosen reports whether somebody has said what is to be measured.
func (c *Config) chosen() bool {
	return len(c.Strategies)+len(c.Models)+len(c.Orders)+len(c.Tasks) > 0 || c.Independence != ""
}

// printed are the variants of which a paper prints something about s, under the papers' delivery,
// of those that were asked for. In place of an order that is not accepted stands the strategy's
// own.
func (c *Config) printed(s Subject) []variant {
	var list []variant
	for _, f := range papers() {
		if f.Subject != s.Name || !c.wants(&f) {
			continue
		}
		v := c.variant(f.Strategy, f.Order, f.Tasks, "actor")
		if !v.accepted() {
			v = c.variant(f.Strategy, "", f.Tasks, "actor")
		}
		list = append(list, v)
	}
	return list
}

// wants reports whether the variant of a figure was asked for.
func (c *Config) wants(f *Figure) bool {
	among := func(list []string, word string) bool {
		return len(list) == 0 || slices.Contains(list, word)
	}
	return among(c.Strategies, f.Strategy) && among(c.Orders, f.Order) && among(c.Tasks, f.Tasks) &&
		among(c.Models, "actor")
}

// relaxed are variants under the models that make a difference to s: strategies that need not run
// anything twice.
func (c *Config) relaxed(s Subject) []variant {
	var list []variant
	for _, model := range []string{"actor", "pairs"} {
		if n := s.known(model); n == nil || *n == *s.Traces {
			continue
		}
		for _, strategy := range []string{"dpor" + withSleep, "optimal"} {
			list = append(list, c.variant(strategy, "", allTasks, model))
		}
	}
	return list
}
