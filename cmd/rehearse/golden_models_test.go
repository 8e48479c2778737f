package main

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rehearse-go/rehearse/explore/options"
)

// TestModelsGolden explores the programs of testdata under the delivery models that golden.json
// knows a number for. The papers count deliveries only, and so do traces here: the sends of
// different processes to a mailbox commute, and which message is taken is all that makes a
// difference. The programs' docs derive the numbers. Small ones are also explored exhaustively.
func TestModelsGolden(t *testing.T) {
	groups := byDir(modelled(readGolden(t)))
	binaries := buildUnder(t, "actor", copyOfTestdata(t), groups) // a binary for both
	var compared, programs atomic.Int32
	t.Run("testdata", func(t *testing.T) {
		for _, tests := range groups {
			t.Run(tests[0].Dir, func(t *testing.T) {
				t.Parallel()
				programs.Add(1)
				for _, model := range []string{"actor", "pairs"} {
					compared.Add(checkModel(t, model, binaries[tests[0].Dir], tests))
				}
			})
		}
	})
	t.Logf("%d explorations were compared with exhaustive ones", compared.Load())
	if int(programs.Load()) == len(groups) && compared.Load() < 20 {
		t.Error("these are too few")
	}
}

// modelled returns the tests of which golden.json knows a number under other models.
func modelled(list []golden) []golden {
	return slices.DeleteFunc(list, func(g golden) bool { return g.Models == nil || g.Long })
}

// checkModel compares the tests of a program that do not take long, and returns how many have been
// explored exhaustively, too.
func checkModel(t *testing.T, model, binary string, tests []golden) (compared int32) {
	tests = slices.DeleteFunc(slices.Clone(tests), func(g golden) bool {
		return g.under(model) == nil || *g.under(model) > 2000
	})
	if len(tests) == 0 {
		return 0
	}
	run := "-run=" + only(tests)
	reduced := exploreAll(t, binary, run, "-model="+model, "-strategy=dpor", "-sleep", "-short",
		"-timeout=0")
	var optimal map[string]result // nil: it does not know the model
	o := options.Default()
	if o.Model, o.Strategy = model, "optimal"; o.Check() == nil {
		optimal = exploreAll(t, binary, run, "-model="+model, "-strategy=optimal", "-short",
			"-timeout=0")
	}
	for _, g := range tests {
		g.Traces, g.Outcomes = g.under(model), nil // outcomes are those of the model go
		var all result
		if *g.Traces < 10 {
			all = exploreAll(t, binary, "-model="+model, "-strategy=exhaustive",
				"-run=^"+g.Test+"$",
				"-max-executions=4000")[g.Test]
		}
		if all.Complete {
			compared++
		}
		t.Run(g.Test+", "+model, func(t *testing.T) {
			g.check(t, reduced[g.Test], all)
			if optimal != nil {
				g.check(t, optimal[g.Test], all)
				g.checkOptimal(t, optimal[g.Test])
			}
		})
	}
	return compared
}

// TestModelsPapers: the papers' numbers of paths with sleep sets, which depend on the program
// alone, are those of the programs under the papers' delivery; TestModelsGolden meets them.
func TestModelsPapers(t *testing.T) {
	want := map[string]int{ // paper's name: TransDPOR, Table 2
		"fib(4)": 16, "qsort(6)": 32, "pi(5)": 120, "psort(4,1)": 288, "chameneos(3,2)": 216,
		"regsim(6)":         720,
		"regsim-2-level(3)": 1296, "diningphil(5)": 31,
	}
	list := readGolden(t)
	for subject, n := range want {
		i := slices.IndexFunc(list, func(g golden) bool { return g.Subject == subject })
		if i < 0 || list[i].Long || *list[i].under("actor") != n {
			t.Errorf("%s: want %d under actor", subject, n)
		}
	}
}

// under is the number of inequivalent executions under a model, nil if it is not known.
func (g golden) under(model string) *int {
	if n, ok := g.Models[model]; ok {
		return &n
	}
	return nil
}

// only is a pattern for the names of these tests.
func only(tests []golden) string {
	var names []string
	for _, g := range tests {
		names = append(names, g.Test)
	}
	return "^(" + strings.Join(names, "|") + ")$"
}
