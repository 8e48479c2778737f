package options

import (
	"flag"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore/strategy"
)

func TestEncodeIsTheInverseOfParse(t *testing.T) {
	o := Default()
	o.Run, o.Verbose, o.Count, o.Timeout = "TestA|TestB c", true, 3, time.Minute
	o.Strategy, o.Seed, o.MaxExecutions, o.Backend = "random", 7, 10, "goroutine"
	o.P = 4
	o.Tags = "x" // build flags are not for the binary
	args := o.Encode()
	got, forTests, err := Parse(append(args, "-args", "-v"))
	if err != nil {
		t.Fatal(err)
	}
	want := *o
	want.Tags = ""
	if !reflect.DeepEqual(got, &want) || !reflect.DeepEqual(forTests, []string{"-v"}) {
		t.Errorf("Parse(%q) = %+v, %q\nwant %+v", args, got, forTests, &want)
	}
}

func TestEncodeOfDefaultIsEmpty(t *testing.T) {
	if args := Default().Encode(); len(args) != 0 {
		t.Errorf("got %q", args)
	}
}

// TestEveryFieldHasAFlag changes each field in turn: none may be left out of Register.
func TestEveryFieldHasAFlag(t *testing.T) {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Options]()) {
		if field.Name == "Watched" {
			continue // a test binary sets it itself, if a carrier listens
		}
		o := Default()
		switch f := reflect.ValueOf(o).Elem().FieldByIndex(field.Index); f.Kind() {
		case reflect.Struct: // its fields come after it
			continue
		case reflect.String:
			f.SetString("other")
		case reflect.Bool:
			f.SetBool(!f.Bool())
		case reflect.Slice:
			f.Set(reflect.ValueOf(Patterns{"other"}))
		case reflect.Uint64:
			f.SetUint(f.Uint() + 1)
		default:
			f.SetInt(f.Int() + 1)
		}
		before, after := allFlags(Default()), allFlags(o)
		if reflect.DeepEqual(before, after) {
			t.Errorf("no flag shows the value of field %s", field.Name)
		}
	}
}

func allFlags(o *Options) map[string]string {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	o.Register(fs)
	m := map[string]string{}
	fs.VisitAll(func(f *flag.Flag) { m[f.Name] = f.DefValue })
	return m
}

func TestErrors(t *testing.T) {
	tests := []struct{ args, want string }{
		{"-model elixir", `-model "elixir": unknown; one of go|actor|pairs`},
		{"-model=", `-model "": unknown; one of go|actor|pairs`},
		{"-strategy stateful -isolate",
			"-isolate does not apply to -state actor: states of different processes cannot be compared"},
		{"-strategy stateful -race -state plain",
			"-race does not apply to -state plain: to look at a state would be a race"},
		{"-strategy stateful -sleep",
			"-sleep does not apply to -strategy stateful: only to dpor, transdpor"},
		{"-model actor -strategy pop",
			"-strategy pop does not know -model actor: use auto, exhaustive, dpor, whole, transdpor, race, stateful, optimal, random, pct, pos, surw"},
		{"-strategy pop -order fifo",
			"-order does not apply to -strategy pop: only to dpor, transdpor, race, optimal"},
		{"-strategy random -sleep",
			"-sleep does not apply to -strategy random: only to dpor, transdpor"},
		{"-strategy pct -sleep", "-sleep does not apply to -strategy pct: only to dpor, transdpor"},
		{"-strategy transdpor",
			"-strategy transdpor does not know -model go, under which the order of messages is decided when they are sent"},
		{"-strategy race",
			"-strategy race does not know -model go, under which the order of messages is decided when they are sent"},
		{"-model pairs -strategy race -sleep",
			"-sleep does not apply to -strategy race: only to dpor, transdpor"},
		{"-order fifo",
			"-order does not apply to -strategy auto: only to dpor, transdpor, race, optimal"},
		{"-order stable -strategy dpor",
			"-order stable does not apply to -model go, where a mailbox keeps the order of the sends: use -model actor or pairs"},
		{"-order stable -strategy optimal",
			"-order stable does not apply to -strategy optimal: only to dpor, transdpor"},
		{"-tasks independent -strategy dpor -model actor -isolate",
			"-tasks independent does not work with -isolate: the messages are in another process"},
		{"-tasks independent -strategy dpor -sleep -model actor -independence disjoint",
			"-tasks independent and -independence disjoint are two ways to use the same facts: use one of them"},
		{"-order lifo -strategy dpor", `-order "lifo": unknown; one of fifo|eca|lca|stable`},
		{"-strategy surw -search bfs",
			"-search does not apply to -strategy surw: only to stateful"},
		{"-step big", "-step does not apply to -strategy auto: only to stateful"},
		{"-independence none,commute", "-independence none,commute: none excludes the others"},
		{"-independence disjoint", "-independence disjoint does not apply to -model go"},
		{"-independence disjoint,context",
			"-independence disjoint,context does not apply to -model go"},
		{"-independence commute,context",
			"-independence commute,context: under -model go, what commute leaves out cannot be told from the states that context compares"},
		{"-independence context -strategy dpor",
			"-independence context needs sleep sets: use -strategy dpor -sleep"},
		{"-independence context -model actor -strategy dpor",
			"-independence context needs sleep sets: use -strategy dpor -sleep"},
		{"-independence disjoint,observed -model actor -strategy optimal",
			"-independence disjoint,observed: with disjoint or commute, optimal leaves out orders of tasks only: use those, or the others"},
		{"-independence symmetry,commute -model actor -strategy optimal",
			"-independence symmetry,commute: with disjoint or commute, optimal leaves out orders of tasks only"},
		{"-independence disjoint -model actor -strategy optimal -isolate",
			"-independence disjoint does not work with -isolate"},
		{"-independence context -model actor -strategy transdpor -sleep",
			"-independence does not apply to -strategy transdpor"},
		{"-independence context -model actor -isolate",
			"-isolate does not apply to -independence context: states of different processes cannot be compared"},
		{"-independence context -model actor -race",
			"-race does not apply to -independence context: to look at a state would be a race"},
		{"-independence context -model actor -strategy dpor -sleep -order stable",
			"-order stable does not work with -independence context"},
		{"-independence disjoint -model actor -strategy dpor",
			"-independence disjoint needs sleep sets: use -strategy dpor -sleep"},
		{"-independence disjoint -model pairs -isolate",
			"-independence disjoint does not work with -isolate"},
		{"-strategy dpor -independence observed",
			"-independence observed does not apply to -strategy dpor: only to auto, optimal"},
		{"-strategy pop -independence equal", "-independence does not apply to -strategy pop"},
		{"-independence context,observed -model actor",
			"-independence context,observed: what observed, equal, symmetry leave out cannot be told from the states that context compares: use one of the two"},
		{"-independence context,equal",
			"-independence context,equal: what observed, equal, symmetry leave out"},
		{"-independence equal,disjoint",
			"-independence equal,disjoint does not apply to -model go"},
		{"-strategy optimal -model pairs -independence equal",
			"-independence equal does not apply to -model pairs, where sends have no order: use -model go"},
		{"-strategy optimal -race -independence equal",
			"-race does not apply to -independence equal"},
		{"-strategy optimal -race -independence commute",
			"-race does not apply to -independence commute"},
		{"-strategy optimal -independence disjoint,commute",
			"-independence disjoint,commute does not apply to -model go"},
		{"-strategy dpor -sleep -independence commute",
			"-independence commute does not apply to -model go with -strategy dpor"},
		{"-fine net/http/...,net/htt",
			"-fine net/htt: matches no package that is explored in whole steps; these are"},
		{"-audit -1 -model actor -independence commute",
			"-audit -1: must not be negative (0 means no audit)"},
		{"-audit 5 -model actor -independence commute -race",
			"-race does not apply to -audit: to look at a state would be a race"},
		{"-choices rand,cards", `-choices "cards": unknown; one of select|rand|maps`},
		{"-choices=", `-choices "": unknown; one of select|rand|maps`},
		{"-choices none", `-choices "none": unknown; one of select|rand|maps`},
		{"-state plain", "-state does not apply to -strategy auto: only to stateful"},
		{"-strategy stateful -state all", `-state "all": unknown; one of none|plain|actor`},
		{"-run (", "-run: error parsing regexp"},
		{"-p 0", "-p 0: must be at least 1"},
		{"-count 0", "-count 0: must be at least 1"},
		{"-timeout -1s", "-timeout -1s: must not be negative (0 means no limit)"},
		{"-max-steps 0", "-max-steps 0: must be at least 1"},
		{"-step-timeout -1s", "-step-timeout -1s: must not be negative (0 means no limit)"},
		{"-max-spins 0", "-max-spins 0: must be at least 1"},
		{"-max-executions -2", "-max-executions -2: must not be negative (0 means no limit)"},
		{"-junit x.xml",
			"-junit is a flag of rehearse test; this binary writes what it is made from with -record FILE"},
		{"-race -backend coroutine", "-race does not work with -backend coroutine"},
		{"-bench .", "flag provided but not defined: -bench"},
		{"-v TestX", `argument "TestX" is not a flag; arguments for the tests follow -args`},
	}
	for _, tt := range tests {
		_, _, err := Parse(strings.Fields(tt.args))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v\nwant %s", tt.args, err, tt.want)
		}
	}
}

func TestAccepted(t *testing.T) {
	for _, args := range []string{"", "-strategy random -seed 9", "-seed 9", "-race",
		"-race -backend goroutine", "-timeout 0", "-strategy dpor -sleep", "-choices maps,select",
		"-model actor", "-model pairs -strategy exhaustive", "-model actor -strategy random",
		"-model actor -strategy transdpor -sleep -order lca",
		"-model pairs -strategy race -order eca",
		"-strategy optimal -order eca",
		"-strategy stateful -search bfs -step big -state plain -model pairs",
		"-strategy stateful -state none -isolate", "-model actor -strategy optimal",
		"-model pairs -strategy surw", "-strategy optimal -independence observed",
		"-strategy optimal -independence equal",
		"-strategy optimal -independence observed,equal", "-independence commute,symmetry",
		"-independence equal", "-strategy optimal -independence equal,commute",
		"-strategy optimal -independence commute -isolate",
		"-model actor -strategy optimal -independence disjoint,commute",
		"-model pairs -strategy optimal -order eca -independence commute",
		"-independence context", "-strategy optimal -independence context",
		"-model actor -strategy optimal -independence context",
		"-model pairs -strategy optimal -order lca -independence disjoint,commute,context",
		"-model actor -independence context",
		"-model pairs -strategy dpor -sleep -order lca -independence disjoint,commute,context",
		"-audit 5 -model actor -independence commute", "-audit 5 -independence equal,commute",
		"-audit 5 -model pairs -strategy transdpor -tasks independent"} {
		if _, _, err := Parse(strings.Fields(args)); err != nil {
			t.Errorf("%s: %v", args, err)
		}
	}
}

// TestOrdering: stable actors come first by default where the order decides how much is run twice.
func TestOrdering(t *testing.T) {
	for args, want := range map[string]string{
		"-strategy dpor": "", "-model actor": "", "-model actor -strategy race": "",
		"-model actor -strategy optimal": "",
		"-model actor -strategy dpor":    "stable", "-model pairs -strategy transdpor": "stable",
		"-model actor -strategy transdpor -tasks independent": "stable",
		"-model actor -strategy dpor -sleep":                  "",
		"-model actor -strategy dpor -isolate":                "",
		"-model actor -strategy dpor -race":                   "",
		"-model actor -strategy dpor -order lca":              "lca",
	} {
		o, _, err := Parse(strings.Fields(args))
		if err != nil || o.Ordering() != want || o.Facts() != (want == "stable") {
			t.Errorf("%s: order %q, want %q; facts %v; %v", args, o.Ordering(), want, o.Facts(),
				err)
		}
	}
}

// TestPaper: one flag has a strategy with all that it takes.
func TestPaper(t *testing.T) {
	for paper, long := range map[string]string{
		"transdpor,order=eca,sleep":           "-strategy transdpor -order eca -sleep -model actor",
		"transdpor,model=pairs":               "-strategy transdpor -model pairs",
		"race":                                "-strategy race -model actor",
		"dpor":                                "-strategy dpor",
		"dpor,model=actor,tasks=independent":  "-strategy dpor -model actor -tasks independent",
		"optimal,independence=observed+equal": "-strategy optimal -independence observed,equal",
		"stateful,search=bfs,step=big":        "-strategy stateful -search bfs -step big",
	} {
		got, _, err := Parse([]string{"-paper", paper})
		if err != nil {
			t.Errorf("%s: %v", paper, err)
			continue
		}
		if want, _, err := Parse(strings.Fields(long)); err != nil ||
			!reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, not %v (%v)", paper, got.Encode(), want.Encode(), err)
		}
	}
	for paper, want := range map[string]string{
		"best":              `there is no strategy "best"; one of auto|exhaustive`,
		"race,sleep":        `race takes order, model, not "sleep"`,
		"pop,model=actor":   "-strategy pop does not know -model actor",
		"dpor,sleep=maybe":  "sleep=maybe: ",
		"dpor,order=middle": `-order "middle": unknown`,
	} {
		if _, _, err := Parse([]string{"-paper", paper}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", paper, err, want)
		}
	}
}

// TestModel: a strategy is refused under a model that it is not known to be right under.
func TestModel(t *testing.T) {
	o := Default()
	o.Model, o.Strategy = "pairs", "pop"
	if err := checkModel(o); err == nil ||
		!strings.HasPrefix(err.Error(),
			"-strategy pop does not know -model pairs: use auto, exhaustive, dpor, ") {
		t.Error(err)
	}
	o.Model = "go"
	if err := checkModel(o); err != nil {
		t.Error(err)
	}
}

// TestHidden: select is a choice whether it is named or not.
func TestHidden(t *testing.T) {
	for choices, want := range map[string]string{
		"select": "", "rand": "rand", "maps": "maps", "select,rand,maps": "rand,maps",
		"maps,rand": "rand,maps", "rand,rand": "rand",
	} {
		o, _, err := Parse([]string{"-choices", choices})
		if err != nil || o.Hidden() != want {
			t.Errorf("-choices %s: %q, %v", choices, o.Hidden(), err)
		}
	}
}

func TestUsageNamesEveryFlag(t *testing.T) {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	Default().Register(fs)
	var b strings.Builder
	fs.SetOutput(&b)
	fs.PrintDefaults()
	fs.SetOutput(io.Discard)
	fs.VisitAll(func(f *flag.Flag) {
		if f.Usage == "" || !strings.Contains(b.String(), "-"+f.Name) {
			t.Errorf("-%s has no usage", f.Name)
		}
	})
}

// TestRules: each rule is the first one that some options break, so none is idle.
func TestRules(t *testing.T) {
	var all []*Options
	for _, model := range strategy.Models {
		for _, name := range []string{"auto", "dpor", "optimal", "transdpor", "stateful"} {
			for _, words := range []string{
				"auto", "none", "disjoint", "commute", "observed", "equal", "context", "symmetry",
				"sections",
				"none,equal", "auto,equal", "sections,context", "context,observed", "context,equal",
				"context,symmetry", "commute,context", "disjoint,observed", "disjoint,symmetry",
			} {
				for bits := range 1 << 8 {
					o := Default()
					o.Model, o.Strategy, o.Independence = model, name, words
					set := func(bit int) bool { return bits&(1<<bit) != 0 }
					o.Race, o.Isolate, o.Sleep = set(0), set(1), set(2)
					if set(3) {
						o.Audit = 1
					}
					if set(4) {
						o.Tasks = "independent"
					}
					if set(5) {
						o.Order = "stable"
					}
					if set(6) {
						o.Backend = "coroutine"
					}
					if set(7) {
						o.Why = []string{"symmetry", "sections"}[bits%2]
					}
					all = append(all, o)
				}
			}
		}
	}
	for i := range strategy.Rules {
		if !slices.ContainsFunc(all, func(o *Options) bool {
			return o.Against(strategy.Rules[i:i+1], nil) != nil &&
				o.Against(strategy.Rules[:i], nil) == nil
		}) {
			t.Errorf("nothing breaks rule %d first: %v: %s", i, strategy.Rules[i].When,
				strategy.Rules[i].Why)
		}
	}
}
