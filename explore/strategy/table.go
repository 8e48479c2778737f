package strategy

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/exhaustive"
	"github.com/rehearse-go/rehearse/explore/papers/race"
	"github.com/rehearse-go/rehearse/explore/papers/stateful"
	"github.com/rehearse-go/rehearse/explore/sample"
	"github.com/rehearse-go/rehearse/explore/whole"
)

// Row is all that is known of a strategy before it begins.
type Row struct {
	Name  string
	Help  string   // one line
	Takes []string // the flags of Flags that mean something to it
	// the words of -independence that only some strategies know, and this one knows
	Words []string
	// the delivery models for which its reduction, or sampling, has been compared with exhaustive
	// search
	Models []string
	Why    string // why it is not for the other models, where people would not guess that
	// it has no end
	Endless bool
	// it searches early firings of timers with -clock delay. Each of the others ignores timers, has
	// no end, or has steps whose order is not the clock's.
	Timed bool
	// accesses that are in data races become steps of its own
	Accesses bool
	// the treatment of whole steps; 0: it takes them as they are
	Whole Whole

	make func(Plan) explore.Strategy
}

// Whole says what becomes of a strategy where there are whole steps: see package whole.
type Whole uint8

const (
	// its place is taken by whole
	gives Whole = 1 + iota
	refuses
)

// Flags are the flags that mean something to some strategies only.
var Flags = []string{"sleep", "order", "tasks", "independence", "search", "step", "state"}

// Models are the delivery models.
var Models = []string{"go", "actor", "pairs"}

var (
	anyModel = Models
	onlyGo   = []string{"go"}
	relaxed  = []string{"actor", "pairs"}
)

const sendsDecide = "under which the order of messages is decided when they are sent: " +
	"add -model actor or -model pairs, or use -strategy dpor"

// Table has all strategies, in the order in which people see them.
var Table = []Row{
	{
		Name:  "auto",
		Help:  "optimal, or dpor where that takes too much work, and samples when it takes long",
		Takes: []string{"independence"}, Words: []string{"observed", "equal", "symmetry"},
		Models: anyModel, Timed: true, Accesses: true,
		Whole: gives,
		make:  newAuto,
	},
	{
		Name: "exhaustive", Help: "every order, equivalent ones, too",
		Models: anyModel, Timed: true, Accesses: true,
		make: func(p Plan) explore.Strategy { return spun(exhaustive.New(), p) },
	},
	{
		Name: "dpor", Help: "dynamic partial-order reduction by backtrack sets",
		Takes:  []string{"sleep", "order", "tasks", "independence"},
		Models: anyModel, Timed: true, Accesses: true,
		Whole: gives,
		make:  newDPOR,
	},
	{
		Name:   "whole",
		Help:   "dpor over whole steps of net/http and its like, what auto is where they are used",
		Models: anyModel, Timed: true, Accesses: true,
		make: func(p Plan) explore.Strategy { return spun(whole.New(), p) },
	},
	{
		Name:   "transdpor",
		Help:   "dpor for programs in which only the order of messages to actors matters",
		Takes:  []string{"sleep", "order", "tasks"},
		Models: relaxed, Why: sendsDecide,
		Whole: refuses,
		make:  func(p Plan) explore.Strategy { return p.actors(true) },
	},
	{
		Name: "race", Help: "the variants of each message race, without a tree",
		Takes:  []string{"order"},
		Models: relaxed, Why: sendsDecide,
		Whole: refuses,
		make:  func(p Plan) explore.Strategy { return spun(race.New(p.order()), p) },
	},
	{
		Name: "stateful", Help: "each state once, as far as states can be compared",
		Takes:  []string{"search", "step", "state"},
		Models: anyModel,
		Whole:  refuses,
		make: func(p Plan) explore.Strategy {
			p.Stateful.Spins = p.Spins
			return stateful.New(p.Stateful)
		},
	},
	{
		Name: "optimal", Help: "one execution for each trace, by wakeup trees",
		Takes: []string{"order", "independence"}, Words: []string{"observed", "equal", "symmetry"},
		Models: anyModel, Timed: true, Accesses: true,
		Whole: gives,
		make:  newOptimal,
	},
	{
		Name: "pop", Help: "one execution for each trace, in memory that does not grow",
		Models: onlyGo, Accesses: true,
		Whole: refuses,
		make:  func(p Plan) explore.Strategy { return newPOP(p) },
	},
	{
		Name: "random", Help: "orders at random, each step alike",
		Models: anyModel, Endless: true,
		make: simply(sample.NewRandom),
	},
	{
		Name:   "pct",
		Help:   "orders by random priorities, for bugs that need few orders of two steps",
		Models: anyModel, Endless: true,
		make: seeded(func(seed uint64, before int) sample.Walker {
			return sample.NewPCT(seed).After(before)
		}),
	},
	{
		Name: "pos", Help: "orders by random priorities that are drawn anew after a race",
		Models: anyModel, Endless: true,
		make: simply(sample.NewPOS),
	},
	{
		Name: "surw", Help: "orders of some events at random, each alike",
		Models: anyModel, Endless: true,
		make: simply(sample.NewSURW),
	},
}
