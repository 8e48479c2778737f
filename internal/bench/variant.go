package bench

import (
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/strategy"
)

// withSleep ends the names of strategies that are measured with sleep sets as well as without.
const withSleep = "+sleep"

// allTasks is the default of -tasks.
const allTasks = "all"

// samples is the default number of executions of a strategy without an end.
const samples = 1000

// isEndless reports whether a strategy has no end.
func isEndless(name string) bool {
	r := strategy.Find(name)
	return r != nil && r.Endless
}

// Strategies lists the names of the strategies that are measured.
func Strategies() (list []string) {
	for _, name := range strategy.Names(nil) {
		if name == "auto" { // it is one of the others
			continue
		}
		list = append(list, name)
		sleeps := func(model string) bool {
			return new(Config).variant(name+withSleep, "", allTasks, model).accepted()
		}
		if slices.ContainsFunc(strategy.Models, sleeps) {
			list = append(list, name+withSleep)
		}
	}
	return list
}

// variants lists what is measured on each subject: all combinations of what was asked for that the
// options accept. A valid word that goes with none of the others is left out, unless nothing else
// was asked for. A strategy that takes no order or tasks has one run.
func (c *Config) variants() ([]variant, error) {
	list, refused := accepted(c.product())
	for _, v := range c.product() {
		if !slices.ContainsFunc(list, func(w variant) bool {
			return w.strategy == v.strategy && w.model == v.model
		}) {
			list = add(list, []variant{c.variant(v.strategy, "", allTasks, v.model)})
		}
	}
	wrong := c.wrong()
	switch {
	case len(wrong) > 0:
		return nil, wrong[0].options.Check()
	case len(list) == 0:
		return nil, refused
	}
	return c.refined(list)
}

// accepted are those variants that the options accept, and why the first of the others is none.
func accepted(all []variant) (list []variant, refused error) {
	for _, v := range all {
		switch err := v.options.Check(); {
		case err == nil:
			list = append(list, v)
		case refused == nil:
			refused = err
		}
	}
	return list, refused
}

// stateful sets the flags that go with stateful search from words like plain, big and bfs. A word
// that is no value of any counts as a way to compare states, for which it will be refused.
func stateful(o *options.Options, words []string) {
	for _, word := range words {
		switch word {
		case "dfs", "bfs":
			o.Search = word
		case "big", "little":
			o.StepSize = word
		default:
			o.State = word
		}
	}
}

// wrong are variants with the words that were asked for and that are accepted beside no other
// words.
func (c *Config) wrong() []variant {
	strategies := Strategies()
	wide := *c
	wide.Strategies, wide.Models = slices.Concat(c.Strategies, strategies),
		slices.Concat(c.Models, strategy.Models)
	wide.Orders, wide.Tasks = append([]string{""}, c.Orders...),
		append([]string{allTasks}, c.Tasks...)
	right, _ := accepted(wide.product())
	var list []variant
	for _, v := range c.product() {
		same := func(of func(variant) string) bool {
			return slices.ContainsFunc(right, func(r variant) bool { return of(r) == of(v) })
		}
		if !same(strategyOf) || !same(orderOf) || !same(tasksOf) || !same(modelOf) {
			list = append(list, v)
		}
	}
	return list
}

func strategyOf(v variant) string { return v.strategy }
func orderOf(v variant) string    { return v.order }
func tasksOf(v variant) string    { return v.tasks }
func modelOf(v variant) string    { return v.model }

// product lists all combinations of what was asked for.
func (c *Config) product() []variant {
	strategies := c.Strategies
	if len(strategies) == 0 {
		strategies = Strategies()
	}
	var list []variant
	for _, model := range or(c.Models, "go") {
		for _, strategy := range strategies {
			for _, order := range or(c.Orders, "") {
				for _, tasks := range or(c.Tasks, allTasks) {
					list = append(list, c.variant(strategy, order, tasks, model))
				}
			}
		}
	}
	return list
}

// or is the list, or one of a single word if it is empty.
func or(list []string, word string) []string {
	if len(list) == 0 {
		return []string{word}
	}
	return list
}

func (c *Config) variant(strategy, order, tasks, model string) variant {
	o := options.Default()
	o.Independence = "none"
	o.Strategy, o.Order, o.Tasks, o.Model, o.JSON = strategy, order, tasks, model, true
	if name, ok := strings.CutSuffix(strategy, withSleep); ok {
		o.Strategy, o.Sleep = name, true
	}
	if name, words, ok := strings.Cut(strategy, "+"); ok && name == "stateful" {
		o.Strategy = name
		stateful(o, strings.Split(words, "+"))
	}
	o.MaxExecutions, o.Timeout = c.MaxExecutions, c.Timeout
	if c.MaxExecutions == 0 && isEndless(strategy) {
		o.MaxExecutions = samples
	}
	return variant{strategy, order, tasks, model, *o}
}

// accepted reports whether the options accept it.
func (v variant) accepted() bool { return v.options.Check() == nil }

func (v variant) is(w variant) bool {
	return v.strategy == w.strategy && v.order == w.order && v.tasks == w.tasks &&
		v.model == w.model && v.independence() == w.independence()
}

// add appends what is accepted and not there yet.
func add(list, more []variant) []variant {
	for _, v := range more {
		if v.accepted() && !slices.ContainsFunc(list, v.is) {
			list = append(list, v)
		}
	}
	return list
}

// refined adds to each variant the one with -independence, if somebody has asked for that, and
// leaves those out that do not take it.
func (c *Config) refined(list []variant) (both []variant, err error) {
	if c.Independence == "" {
		return list, nil
	}
	for _, v := range list {
		w := v.with(c.Independence)
		switch refused := w.options.Check(); {
		case refused == nil:
			both = append(both, v, w)
		case err == nil || v.options.Takes("independence"):
			err = refused
		}
	}
	if len(both) > 0 {
		err = nil
	}
	return both, err
}

// independence is the list of -independence, empty for none.
func (v variant) independence() string {
	if v.options.Independence == "none" {
		return ""
	}
	return v.options.Independence
}

// with returns v with -independence.
func (v variant) with(independence string) variant {
	v.options.Independence = independence
	return v
}

func (v *variant) binary() binary {
	return binary{v.model, v.options.Compares(), v.options.Facts()}
}
