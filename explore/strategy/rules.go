package strategy

// Rule is a set of settings that do not go together.
//
// A setting is a flag with a value ("-model go"); a switch, or a number that is not zero ("-race");
// a word of -independence ("context"); or one of
//
//	searches NAME  the strategy that searches: auto is optimal for some words
//	facts          facts about actors leave out orders of tasks
//	sums           facts about values that are only added up leave out orders
//	compares       states are compared
//	several        -independence has several words
//
// Behind "!" a setting must not hold.
type Rule struct {
	When []string
	// the whole error. {model}, {strategy}, {state} and {independence} are values of flags.
	Why string
}

// Words are the values of -independence.
var Words = []string{
	"auto", "none", "disjoint", "commute", "observed", "equal", "context", "symmetry", "sections",
}

// Rules has all, the most helpful error of several first.
var Rules = append([]Rule{
	{[]string{"none", "several"}, "-independence {independence}: none excludes the others"},
	{[]string{"word auto", "several"}, "-independence {independence}: auto excludes the others"},
	{[]string{"-why symmetry", "!symmetry"},
		"-why symmetry explains what -independence symmetry does: add that"},
	{[]string{"-why sections", "!sections"},
		"-why sections explains what -independence sections does: add that"},
	{[]string{"sections", "!-model go"}, noSections},
	{[]string{"sections", "context"}, noSections},
	{[]string{"equal", "!-model go"}, "-independence equal does not apply to -model {model}, " +
		"where sends have no order: use -model go"},
	{[]string{"equal", "-race"},
		"-race does not apply to -independence equal: it would miss races " +
			"that only one order of equal messages shows; " + findsRaces},
	{[]string{"symmetry", "-isolate"}, "-isolate does not work with -independence symmetry: " +
		"it is not known of processes elsewhere who is whose twin"},
	{[]string{"sections", "-isolate"}, "-isolate does not work with -independence sections: " +
		"what the sections of processes elsewhere do is not known"},
	{[]string{"sums", "-race"},
		"-race does not apply to -independence commute: it would miss races " +
			"that only one order of the messages shows; " + findsRaces},
	{[]string{"sums", "context"},
		"-independence {independence}: under -model go, what commute leaves " +
			"out cannot be told from the states that context compares: use one of the two"},
	{[]string{"commute", "-model go", "!searches optimal"},
		"-independence {independence} does not " +
			"apply to -model go with -strategy {strategy}, " + keepsOrder +
			", or -independence commute with -strategy optimal"},
	{[]string{"facts", "-model go"},
		"-independence {independence} does not apply to -model go, " + keepsOrder},
	{[]string{"context", "observed"}, notCompared},
	{[]string{"context", "equal"}, notCompared},
	{[]string{"context", "symmetry"}, notCompared},
	{[]string{"facts", "searches optimal", "observed"}, onlyTasks},
	{[]string{"facts", "searches optimal", "symmetry"}, onlyTasks},
	// auto is dpor with sleep sets there
	{[]string{"facts", "-strategy dpor", "!-sleep"}, needsSleep},
	{[]string{"context", "-strategy dpor", "!-sleep"}, needsSleep},
	{[]string{"facts", "-isolate"}, "-independence {independence} does not work with -isolate: " +
		"the messages are in another process"},
}, append(append(selecting("-tasks independent"), selecting("-order stable")...), []Rule{
	// a switch of coroutines orders everything before it, as far as the race detector can see
	{[]string{"-race", "-backend coroutine"}, "-race does not work with -backend coroutine: " +
		"it would hide every race; leave -backend out"},
	// states are looked at by the process that explores, while nothing moves
	{[]string{"-audit", "-race"},
		"-race does not apply to -audit: to look at a state would be a race"},
	{[]string{"context", "-isolate"},
		"-isolate does not apply to -independence context: " + elsewhere},
	{[]string{"compares", "-isolate"}, "-isolate does not apply to -state {state}: " + elsewhere},
	{[]string{"context", "-race"},
		"-race does not apply to -independence context: to look at a state would be a race"},
	{[]string{"compares", "-race"},
		"-race does not apply to -state {state}: to look at a state would be a race"},
}...)...)

// Built has the rules for settings that ask for another binary: one that is "relaxed" (it makes
// channels mailboxes), or "comparing" (it tells of its variables).
var Built = []Rule{
	{[]string{"!-model go", "!relaxed"},
		"this binary was built with -model go: build it with -model {model}"},
	{[]string{"-audit", "!comparing"},
		"this binary was not built for -audit: build it with -audit"},
	{[]string{"context", "!comparing"},
		"this binary was not built for -independence context: build it with that"},
	{[]string{"compares", "!comparing"},
		"this binary was not built for -state {state}: build it with -strategy stateful"},
}

// Parts of errors.
const (
	noSections = "-independence sections does not apply to -model actor or pairs, nor beside context, " +
		"which compares states: leave one of the two out"
	findsRaces  = "leave -race out, and rehearse itself looks for data races"
	keepsOrder  = "where a mailbox keeps the order of the sends: use -model actor or pairs"
	notCompared = "-independence {independence}: what observed, equal, symmetry leave out cannot be " +
		"told from the states that context compares: use one of the two"
	onlyTasks = "-independence {independence}: with disjoint or commute, optimal leaves out orders of " +
		"tasks only: use those, or the others"
	needsSleep = "-independence {independence} needs sleep sets: use -strategy dpor -sleep"
	elsewhere  = "states of different processes cannot be compared"
)

// selecting has the rules of a flag by which facts select actors or tasks.
func selecting(flag string) []Rule {
	return []Rule{
		{[]string{flag, "!-strategy dpor", "!-strategy transdpor"},
			flag + " does not apply to -strategy {strategy}: only to dpor, transdpor"},
		{[]string{flag, "-model go"}, flag + " does not apply to -model go, " + keepsOrder},
		{[]string{flag, "-isolate"},
			flag + " does not work with -isolate: the messages are in another process"},
		{[]string{flag, "facts"},
			flag + " and -independence {independence} are two ways to use the " +
				"same facts: use one of them"},
		{[]string{flag, "context"},
			flag + " does not work with -independence context, which compares " +
				"states in the general form of dpor only"},
	}
}
