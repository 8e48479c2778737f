package bench

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestVariants(t *testing.T) {
	tests := []struct {
		config Config
		want   string // "strategy/model/executions" of each, or the beginning of the error
	}{
		{Config{Strategies: []string{"dpor", "dpor+sleep"}}, "dpor/go/0 dpor+sleep/go/0"},
		{Config{Strategies: []string{"random"}}, "random/go/1000"},
		{Config{Strategies: []string{"random", "dpor"}, MaxExecutions: 5}, "random/go/5 dpor/go/5"},
		{Config{Strategies: []string{"transdpor", "dpor"}}, "dpor/go/0"},
		{Config{Strategies: []string{"transdpor"}}, "-strategy transdpor does not know -model go"},
		{Config{Strategies: []string{"nonsense"}}, `-strategy "nonsense": unknown`},
		{Config{Strategies: []string{"dpor", "race"}}, "dpor/go/0"},
		{Config{Strategies: []string{"race"}, Models: []string{"actor"}}, "race/actor/0"},
		{Config{Strategies: []string{"stateful", "stateful+plain+big"}, Models: []string{"actor"}},
			"stateful/actor/0 stateful+plain+big/actor/0"},
		{Config{Strategies: []string{"stateful+nonsense"}}, `-state "nonsense": unknown`},
		{Config{Models: []string{"nonsense"}}, `-model "nonsense": unknown`},
		{Config{Strategies: []string{"dpor"}, Orders: []string{"nonsense"}},
			`-order "nonsense": unknown`},
		{Config{Strategies: []string{"dpor", "random"}, Models: []string{"actor"}},
			"dpor/actor/0 random/actor/1000"},
		{Config{Strategies: []string{"dpor", "pct"}, Models: []string{"actor"}},
			"dpor/actor/0 pct/actor/1000"},
		{Config{Strategies: []string{"random+sleep", "dpor"}},
			"-sleep does not apply to -strategy random"},
		{Config{Strategies: []string{"dpor", "dpor+sleep", "optimal"}, Models: []string{"actor"},
			Independence: "disjoint"},
			"dpor+sleep/actor/0 dpor+sleep+disjoint/actor/0 optimal/actor/0 optimal+disjoint/actor/0"},
		{Config{Independence: "symmetry"}, "optimal/go/0 optimal+symmetry/go/0"},
		{Config{Independence: "disjoint"}, "-independence disjoint does not apply to -model go"},
		{Config{Strategies: []string{"exhaustive"}, Independence: "equal"},
			"-independence does not apply to -strategy exhaustive"},
		{Config{MaxExecutions: -1}, "-max-executions -1: must not be negative"},
	}
	for _, c := range tests {
		if got := variantsText(&c.config); !strings.HasPrefix(got, c.want) {
			t.Errorf("%+v: %s, want %s", c.config, got, c.want)
		}
	}
	if got := variantsText(&Config{}); !strings.Contains(got, "optimal/go/0") ||
		!strings.Contains(got, "dpor+sleep/go/0") {
		t.Errorf("by itself: %s", got)
	}
}

// TestTargets: each is of a run that can be made, and that is planned by itself.
func TestTargets(t *testing.T) {
	planned := new(Config).targets()
	if len(targets()) == 0 || len(planned) != len(targets()) {
		t.Fatalf("%d targets, %d runs", len(targets()), len(planned))
	}
	for i, j := range planned {
		if g := targets()[i]; j.subject.Name != g.Subject || g.Least < 1 || g.Most < g.Least ||
			g.What == "" || g.Independence == "" {
			t.Errorf("%s: %+v", j.subject.Name, g)
		}
		if err := j.variant.options.Check(); err != nil {
			t.Errorf("%+v: %v", targets()[i], err)
		}
	}
}

func variantsText(c *Config) string {
	list, err := c.variants()
	if err != nil {
		return err.Error()
	}
	var all []string
	for _, v := range list {
		name := strings.TrimSuffix(v.strategy+"/"+v.order, "/")
		if v.independence() != "" {
			name += "+" + v.independence()
		}
		all = append(all, strings.Join([]string{name, v.model,
			strconv.Itoa(v.options.MaxExecutions)},
			"/"))
	}
	return strings.Join(all, " ")
}

// TestPlan: what is run by itself, and what papers print.
func TestPlan(t *testing.T) {
	for _, c := range []struct {
		config  Config
		want    []string // some of the runs: "strategy order tasks model"
		without string
	}{
		{Config{Subject: `^psort\(4,1\)$`},
			[]string{"dpor+sleep  all go", "optimal  all go", "dpor+sleep  all actor",
				"dpor  all actor"},
			""},
		{Config{Subject: `^psort\(4,1\)$`, Strategies: []string{"dpor+sleep"}},
			[]string{"dpor+sleep  all go"}, "actor"},
		{Config{Subject: `^nsenders\(3\)$`}, []string{"optimal  all go"}, "actor"},
		{Config{Subject: `^mail|^fib\(3|^fib\(4`, Papers: true}, []string{"dpor  all actor"}, "go"},
	} {
		jobs, err := c.config.plan()
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, j := range jobs {
			v := j.variant
			run := strings.Join([]string{v.strategy, v.order, v.tasks, v.model}, " ")
			list = append(list, run)
			if v.model == c.without {
				t.Errorf("%+v: has %s", c.config, run)
			}
		}
		for _, want := range c.want {
			if !slices.ContainsFunc(list, func(run string) bool { return similar(run, want) }) {
				t.Errorf("%+v: %q, want %s", c.config, list, want)
			}
		}
	}
}

// TestPlanPapers: what is said beside -papers leaves out what papers print, and adds nothing.
func TestPlanPapers(t *testing.T) {
	c := Config{Subject: `^qsort\(6\)$`, Papers: true, Strategies: []string{"transdpor", "optimal"},
		Orders: []string{"stable"}}
	jobs, err := c.plan()
	if err != nil || len(jobs) != 2 || jobs[0].variant.tasks != "all" ||
		jobs[1].variant.tasks != "independent" {
		t.Errorf("%d runs, want one with all tasks and one with independent ones: %v", len(jobs),
			err)
	}
	c.Strategies = []string{"optimal"}
	if _, err := c.plan(); err == nil ||
		!strings.HasPrefix(err.Error(), "-papers: no paper prints") {
		t.Errorf("got %v, want an error", err)
	}
}

// similar compares runs but for an order that is not asked for: orders of the papers come as soon
// as they are built.
func similar(run, want string) bool {
	a, b := strings.Split(run, " "), strings.Split(want, " ")
	return a[0] == b[0] && a[2] == b[2] && a[3] == b[3]
}

func TestChosen(t *testing.T) {
	for _, c := range []struct {
		config Config
		want   string // what the error contains; empty: none
	}{
		{Config{Subject: `^nsenders\(3\)$`}, ""},
		{Config{Subject: `^nsenders\(8\)$`}, "add -long"},
		{Config{Subject: `^nsenders\(8\)$`, Long: true}, ""},
		{Config{Subject: "nonsense"}, "matches no subject"},
		{Config{Subject: "("}, "-subject: "},
	} {
		list, err := c.config.subjects()
		switch {
		case c.want == "" && (err != nil || len(list) != 1):
			t.Errorf("%+v: %v, %v", c.config, list, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%+v: %v, want %s", c.config, err, c.want)
		}
	}
}
