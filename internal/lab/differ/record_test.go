package differ

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rehearse-go/rehearse/internal/lab/goprog"
)

// record is what is kept of a comparison: a line of the file of records.
type record struct {
	Seed     uint64
	Runs     int // native ones that were asked for
	Most     int // executions of an exploration that were allowed
	Timed    bool
	Complete bool // explored completely, by dpor with sleep sets
	Outcomes int  // that were explored, if completely

	Plain      bool // explored completely by dpor without sleep sets, too
	Exhaustive bool // and exhaustively
	Executions int  // of all explorations
	Native     int  // outcomes of native runs
	Counted    int  // native runs of known outcome
	Unknown    int  // the others
	Wrong      string
}

// records are those of all programs that have been compared, in this run of the tests and, with a
// file, in earlier ones.
type records struct {
	mu     sync.Mutex
	file   string // may be empty
	bySeed map[uint64]*record
}

// openRecords reads a file of records, if it is there. The records of other numbers of runs or
// executions do not count, nor do those of what was wrong.
func openRecords(t *testing.T, file string) *records {
	t.Helper()
	all := &records{file: file, bySeed: map[uint64]*record{}}
	if file == "" {
		return all
	}
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if r.Runs == *runs && r.Most == *most && r.Wrong == "" {
			all.bySeed[r.Seed] = &r
		}
	}
	return all
}

// missing makes the programs that have no record yet.
func (all *records) missing(first uint64, n int) (list []*goprog.Program) {
	for seed := first; seed < first+uint64(n); seed++ {
		if all.bySeed[seed] == nil {
			list = append(list, goprog.New(seed))
		}
	}
	return list
}

// add enters a comparison.
func (all *records) add(t *testing.T, c *comparison) {
	t.Helper()
	r := c.record()
	line, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	all.bySeed[r.Seed] = r
	if all.file == "" {
		return
	}
	f, err := os.OpenFile(all.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(append(line, '\n')); err != nil {
		t.Fatal(err)
	}
}

func (c *comparison) record() *record {
	r := &record{Seed: c.p.Seed, Runs: *runs, Most: *most, Timed: c.p.Timed, Wrong: c.wrong}
	for _, x := range slices.Concat(c.explored...) {
		r.Executions += x.executions
	}
	by := c.explored[0]
	r.Complete, r.Plain, r.Exhaustive = by[0].complete, by[1].complete, by[2].complete
	if r.Complete {
		r.Outcomes = len(by[0].outcomes)
	}
	if c.native != nil {
		r.Native, r.Unknown = len(c.native.outcomes), c.native.unknown
		for _, n := range c.native.outcomes {
			r.Counted += n
		}
	}
	return r
}

// tally counts what was compared.
type tally struct {
	programs, timed, complete, plain, exhaustive, outcomes, executions, native, runs, unknown,
	wrong int
}

// sum adds the records of n programs up.
func (all *records) sum(first uint64, n int) (s tally) {
	for seed := first; seed < first+uint64(n); seed++ {
		if r := all.bySeed[seed]; r != nil {
			s.add(r)
		}
	}
	return s
}

func (s *tally) add(r *record) {
	s.programs++
	s.executions += r.Executions
	s.outcomes += r.Outcomes
	s.native += r.Native
	s.runs += r.Counted
	s.unknown += r.Unknown
	for counter, is := range map[*int]bool{
		&s.timed: r.Timed, &s.complete: r.Complete, &s.plain: r.Plain, &s.exhaustive: r.Exhaustive,
		&s.wrong: r.Wrong != "",
	} {
		if is {
			*counter++
		}
	}
}

func (s tally) String() string {
	return fmt.Sprintf(
		"%d programs, %d of them with timers: %d explored completely, %d without sleep sets, %d exhaustively; "+
			"%d executions, %d outcomes explored completely; %d outcomes in %d native runs, %d more runs of unknown outcome; %d wrong",
		s.programs, s.timed, s.complete, s.plain, s.exhaustive, s.executions, s.outcomes, s.native,
		s.runs, s.unknown, s.wrong)
}

func (c *comparison) String() string {
	var b strings.Builder
	for _, x := range slices.Concat(c.explored...) {
		fmt.Fprintf(&b, "%v: %d executions, %d traces, %d outcomes, complete %t %s\n",
			x.flags, x.executions, x.traces, len(x.outcomes), x.complete, x.reason)
	}
	if c.native != nil {
		fmt.Fprintf(&b, "native: %d outcomes", len(c.native.outcomes))
	}
	return b.String()
}
