package bench

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/options"
)

// variant is a strategy under a model, ready to run.
type variant struct {
	strategy string // as people write it: "dpor+sleep"
	model    string
	options  options.Options
}

// withSleep is the name of a strategy that is measured without sleep sets, too, and is more than its plain form.
const withSleep = "dpor+sleep"

// samplers are the strategies that have no end.
var samplers = []string{"random", "pct", "pos", "surw"}

// samples is how many executions a strategy without an end gets if nobody says how many.
const samples = 1000

// Strategies lists the names of the strategies that are built, and of those that are planned.
func Strategies() (built, planned []string) {
	built, planned = options.Strategies()
	built = slices.DeleteFunc(built, func(name string) bool { return name == "auto" }) // it is one of the others
	if i := slices.Index(built, "dpor"); i >= 0 {
		built = slices.Insert(built, i+1, withSleep)
	}
	return built, planned
}

// variants lists what is measured on each subject. A strategy that a model does not go with is left out, unless nothing
// else was asked for.
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
			v := c.variant(strategy, model)
			err := v.options.Check()
			switch {
			case err == nil:
				list = append(list, v)
			case !alone(v):
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

// alone reports whether the strategy and the model are each right by themselves, so that only the pair is not.
func alone(v variant) bool {
	s, a, m := v.options, v.options, v.options
	s.Model, a.Model, m.Strategy, m.Sleep = "go", "actor", "auto", false
	return (s.Check() == nil || a.Check() == nil) && m.Check() == nil
}

func (c *Config) variant(strategy, model string) variant {
	o := options.Default()
	o.Strategy, o.Model, o.JSON = strategy, model, true
	if strategy == withSleep {
		o.Strategy, o.Sleep = "dpor", true
	}
	o.MaxExecutions, o.Timeout = c.MaxExecutions, c.Timeout
	if c.MaxExecutions == 0 && slices.Contains(samplers, strategy) {
		o.MaxExecutions = samples
	}
	return variant{strategy, model, *o}
}
