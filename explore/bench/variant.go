package bench

import (
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/options"
)

// variant is a strategy under a model, ready to run.
type variant struct {
	strategy string // as people write it: "dpor+sleep"
	order    string // empty: the strategy's own
	model    string
	options  options.Options
}

// withSleep ends the names of strategies that are measured with sleep sets as well as without.
const withSleep = "+sleep"

// sleepers are the strategies that can have them.
var sleepers = []string{"dpor", "transdpor"}

// samplers are the strategies that have no end.
var samplers = []string{"random", "pct", "pos", "surw"}

// samples is how many executions a strategy without an end gets if nobody says how many.
const samples = 1000

// Strategies lists the names of the strategies that are built, and of those that are planned.
func Strategies() (built, planned []string) {
	built, planned = options.Strategies()
	built = slices.DeleteFunc(built, func(name string) bool { return name == "auto" }) // it is one of the others
	for _, name := range sleepers {
		if i := slices.Index(built, name); i >= 0 {
			built = slices.Insert(built, i+1, name+withSleep)
		}
	}
	return built, planned
}

// variants lists what is measured on each subject. A strategy that a model does not go with is left out, unless nothing
// else was asked for; one that takes no order has one run, whatever orders there are.
func (c *Config) variants() ([]variant, error) {
	strategies, models := c.Strategies, c.Models
	if len(strategies) == 0 {
		strategies, _ = Strategies()
	}
	if len(models) == 0 {
		models = []string{"go"}
	}
	var list []variant
	var refused error // the first pair that does not go together
	for _, model := range models {
		for _, strategy := range strategies {
			ordered, err := c.ordered(strategy, model)
			switch {
			case err == nil:
				list = append(list, ordered...)
			case !alone(c.variant(strategy, "", model)):
				return nil, err
			case refused == nil:
				refused = err
			}
		}
	}
	if len(list) == 0 {
		return nil, refused
	}
	return list, nil
}

// ordered lists the variants of one strategy and model: one for each order, if it takes one.
func (c *Config) ordered(strategy, model string) (list []variant, err error) {
	plain := c.variant(strategy, "", model)
	if err := plain.options.Check(); err != nil {
		return nil, err
	}
	if len(c.Orders) == 0 || !plain.options.Takes("order") {
		return []variant{plain}, nil
	}
	for _, order := range c.Orders {
		v := c.variant(strategy, order, model)
		if err := v.options.Check(); err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// alone reports whether the strategy and the model are each right by themselves, so that only the pair is not.
func alone(v variant) bool {
	s, a, m := v.options, v.options, v.options
	s.Model, a.Model, m.Strategy, m.Sleep = "go", "actor", "auto", false
	return (s.Check() == nil || a.Check() == nil) && m.Check() == nil
}

func (c *Config) variant(strategy, order, model string) variant {
	o := options.Default()
	o.Strategy, o.Order, o.Model, o.JSON = strategy, order, model, true
	if name, ok := strings.CutSuffix(strategy, withSleep); ok && slices.Contains(sleepers, name) {
		o.Strategy, o.Sleep = name, true
	}
	o.MaxExecutions, o.Timeout = c.MaxExecutions, c.Timeout
	if c.MaxExecutions == 0 && slices.Contains(samplers, strategy) {
		o.MaxExecutions = samples
	}
	return variant{strategy, order, model, *o}
}
