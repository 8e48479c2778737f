package states

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/internal/bench"
)

var (
	page = flag.String("page", "",
		"write the tables of the thesis beside ours, and those of larger subjects, to `file`, as Markdown")
	larger = flag.Bool("larger", false, "explore the larger subjects, too")
)

// figure is a row of a table of the thesis.
type figure struct{ states, messages int }

// subject is one of the thesis's subjects.
type subject struct {
	name             string    // of ours
	none, jpf, actor figure    // Table 7.1
	big              figure    // Table 7.2
	ours             [4]figure // of variants; zero: the search does not end in time
}

var subjects = []subject{
	{"fib(4)", figure{768, 767}, figure{80, 144}, figure{43, 75}, figure{41, 109},
		[4]figure{{}, {1256, 4198}, {378, 1193}, {360, 1284}}},
	{"leader(3)", figure{1467, 1466}, figure{255, 341}, figure{187, 237}, figure{132, 308},
		[4]figure{{19594, 12303}, {75, 133}, {69, 123}, {43, 179}}},
	{"server_real", figure{22522, 22521}, figure{6513, 7303}, figure{5456, 6267},
		figure{2872, 8715},
		[4]figure{{}, {2741, 2974}, {2741, 2974}, {1191, 4997}}},
	{"server_simple", figure{26, 25}, figure{23, 23}, figure{20, 21}, figure{11, 25},
		[4]figure{{75, 42}, {33, 31}, {33, 31}, {16, 34}}},
	{"shortpath(3)", figure{10000, 9999}, figure{534, 1160}, figure{230, 556}, figure{275, 639},
		[4]figure{{12859, 10886}, {80, 167}, {74, 151}, {55, 338}}},
	{"spinsort(4)", figure{5045, 5044}, figure{317, 508}, figure{269, 432}, figure{221, 552},
		[4]figure{{}, {119, 286}, {95, 212}, {79, 232}}},
}

// large are subjects of larger sizes than the thesis has, in all ways: Table 1 of the other paper
// has them, without comparison.
var large = []largeSubject{
	{"leader(4)", [6]figure{{}, {}, {445, 1010}, {371, 1288}, {412, 940}, {341, 1133}}},
	{"shortpath(4)", [6]figure{{}, {}, {2032, 8907}, {2004, 9643}, {1042, 4170}, {1014, 4807}}},
	{"shortpath(5)", [6]figure{}},
}

// largeSubject is one of them.
type largeSubject struct {
	name string
	ours [6]figure // of largeVariants; zero: the search does not end in time
}

// largeVariants are the ways to explore them, and largeBudget what each of these gets.
var largeVariants = []string{"stateful+none", "stateful+none+big", "stateful+plain",
	"stateful+plain+big", "stateful+actor", "stateful+actor+big"}

const largeBudget = 60 * time.Second

// budget is what each way gets for the page, and enough are the executions that it gets otherwise,
// however slow the machine is. Only without comparison is that not enough for some.
const (
	budget = 20 * time.Second
	enough = 4000
)

// variants are the columns of the tables.
var variants = []string{"stateful+none", "stateful+plain", "stateful+actor", "stateful+actor+big"}

// TestTables explores the thesis's subjects in the ways of its Tables 7.1 and 7.2. The comparisons
// must have the same order as there, and the counts must not change.
func TestTables(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and explores programs")
	}
	rows := measure(t, names(subjects), variants, budget)
	for _, s := range subjects {
		none, plain, actor, big := rows[s.name][0], rows[s.name][1], rows[s.name][2],
			rows[s.name][3]
		if actor.States > plain.States || plain.States > none.States ||
			actor.Messages > plain.Messages ||
			plain.Messages > none.Messages {
			t.Errorf("%s: none %v, plain %v, actor %v", s.name, none, plain, actor)
		}
		for i, r := range rows[s.name] {
			if !r.Complete && i > 0 {
				t.Errorf("%s, %s: %s", s.name, r.Strategy, r.Reason)
			}
			sameAsBefore(t, r, s.ours[i])
		}
		if big.States > actor.States || big.Messages < actor.Messages {
			t.Errorf("%s: little steps %v, big ones %v", s.name, actor, big)
		}
	}
	if *page == "" && !*larger {
		return
	}
	text := markdown(rows) + largeTable(t) + explanation
	t.Log(text)
	if *page != "" {
		if err := os.WriteFile(*page, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// sameAsBefore compares a run that has ended with what it was, if it has ever ended before.
func sameAsBefore(t *testing.T, r bench.Row, was figure) {
	t.Helper()
	if got := (figure{r.States, r.Messages}); r.Complete && was != (figure{}) && got != was {
		t.Errorf("%s, %s: %v, it was %v", r.Subject, r.Strategy, got, was)
	}
}

func names(list []subject) (names []string) {
	for _, s := range list {
		names = append(names, s.name)
	}
	return names
}

// largeTable explores the larger subjects.
func largeTable(t *testing.T) string {
	var names []string
	for _, s := range large {
		names = append(names, s.name)
	}
	rows := measure(t, names, largeVariants, largeBudget)
	var b strings.Builder
	b.WriteString(largeHeading)
	for _, s := range large {
		for i, r := range rows[s.name] {
			sameAsBefore(t, r, s.ours[i])
			more := ""
			if !r.Complete {
				more = "> "
			}
			state, size, _ := strings.Cut(strings.TrimPrefix(r.Strategy, "stateful+"), "+")
			fmt.Fprintf(&b, "| %s | %s | %s | %s%d | %[4]s%[6]d | %[4]s%[7]d |\n", s.name, state,
				cmp.Or(size, "little"), more, r.States, r.Messages, r.Executions)
		}
	}
	return b.String()
}

// measure returns the rows of each subject, in the order of variants.
func measure(t *testing.T, subjects, variants []string,
	budget time.Duration) map[string][]bench.Row {
	var out bytes.Buffer
	names := strings.NewReplacer("(", `\(`, ")", `\)`).Replace(strings.Join(subjects, "|"))
	c := &bench.Config{Subject: "^(" + names + ")$", Strategies: variants,
		Models:  []string{"actor"},
		Timeout: budget}
	if *page == "" && !*larger {
		c.Timeout, c.MaxExecutions = 0, enough
	}
	if _, err := bench.Run(c, &bench.JSON{Out: &out}); err != nil {
		t.Fatal(err)
	}
	rows := map[string][]bench.Row{}
	for line := range bytes.Lines(out.Bytes()) {
		var r bench.Row
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		if r.Verdict != "pass" {
			t.Errorf("%s, %s: %s, complete %v: %s", r.Subject, r.Strategy, r.Verdict, r.Complete,
				r.Reason)
		}
		rows[r.Subject] = append(rows[r.Subject], r)
	}
	for _, s := range subjects {
		if len(rows[s]) != len(variants) {
			t.Fatalf("%s: %d rows", s, len(rows[s]))
		}
	}
	return rows
}

// markdown writes the tables.
func markdown(rows map[string][]bench.Row) string {
	var b strings.Builder
	b.WriteString(heading)
	for _, s := range subjects {
		ours := rows[s.name]
		for i, theirs := range []figure{s.none, s.jpf, s.actor} {
			more := ""
			if !ours[i].Complete {
				more = "> "
			}
			fmt.Fprintf(&b, "| %s | %s | %s%d | %[3]s%[5]d | %[3]s%[6]d | %[7]d | %[8]d |\n",
				s.name, comparisons[i], more, ours[i].States, ours[i].Messages, ours[i].Executions,
				theirs.states, theirs.messages)
		}
	}
	b.WriteString(between)
	for _, s := range subjects {
		ours := rows[s.name]
		for i, theirs := range []figure{s.big, s.actor} {
			r := ours[3-i]
			fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d | %d |\n", s.name, sizes[i], r.States,
				r.Messages,
				r.Executions, theirs.states, theirs.messages)
		}
	}
	return b.String()
}

// The names that the tables use.
var (
	comparisons = [...]string{"none", "plain", "actor"}
	sizes       = [...]string{"big", "little"}
)

const heading = `# Stateful search

For a reader of Dotta's thesis: how many states does the search explore there, and how many here?

Made by ` + "`go test ./internal/lab/states -run Tables -page ../../../docs/STATEFUL.md`" + `.

The subjects of M. Dotta, "State Exploration of Scala Actor Programs" (MSc thesis, 2009), explored
by ` + "`-strategy stateful -model actor`" + `, depth first, beside the figures of the thesis. States are
distinct ones; messages are those that were received on the ways between them, each once for each
way; executions are those that came to their end. A ">" says that 20 seconds were not enough.

## How states are compared (Table 7.1, little steps)

| subject | -state | states | messages | executions | thesis: states | thesis: messages |
|---|---|---|---|---|---|---|
`

const between = `
## The size of steps (Table 7.2, -state actor)

| subject | -step | states | messages | executions | thesis: states | thesis: messages |
|---|---|---|---|---|---|---|
`

const largeHeading = `
## Larger subjects

Of the sizes of Table 1 of S. Tasharofi et al., "TransDPOR" (FMOODS/FORTE 2012), which explores them
without states (docs/BENCHMARKS.md). A ">" says that 60 seconds were not enough: the figures are
those until then.

| subject | -state | -step | states | messages | executions |
|---|---|---|---|---|---|
`

const explanation = `
## Why the figures differ, and agree in direction

- The thesis prints the source of its servers only. The other subjects are programs of the same
  kind, with other numbers of messages, and so of states.
- A synchronous call of the thesis is one message: its answer comes without a delivery. Here the
  answer is a message of its own, so that a call has one state and one message more.
- The main program of the thesis is no actor. Here it is the test: it receives the results, its log
  and its end are steps of their own, and the received results are a part of the state.
- ` + "`plain`" + ` is the thesis's comparison by the unchanged model checker. The model checker also sees the
  memory of the library. Here the models of channels have little irrelevant memory, so that plain is
  nearer to actor. With one client and one server (server_simple, server_real) there is nothing to
  rename and messages are hardly ever sent in another order, so that the two are equal. Actor
  comparison merges states of actors with the same task (fib, spinsort).
- Without comparison the number of states is the number of nodes of the tree of all choices, here
  and in the thesis.
- Big steps have fewer states to compare, and miss some that are equal: fewer states, more messages.
  In the thesis shortpath is an exception, with more states; here it is not.
- Of the larger subjects shortpath(5) has not ended in four minutes either, with -state actor: 8932
  states and 48192 messages then
  (` + "`rehearse test -strategy stateful -model actor -state actor -run ShortPath5 -timeout 4m ./testdata/shortpath`" + `).
- Memory and time are not compared: the thesis restores states in an interpreter of Java bytecode,
  rehearse runs each way from the beginning.`
