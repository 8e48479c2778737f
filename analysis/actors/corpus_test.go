package actors

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/explore/facts"
	"github.com/rehearse-go/rehearse/internal/lab/modules"
)

var (
	fetch = flag.Bool("fetch", false,
		"fetch the development corpus and compare its actors with corpus.txt")
	update = flag.Bool("update", false, "write docs/ACTORS.md")
)

// TestCorpus compares what is found in the packages of corpus.txt with what reading them has found.
// A finding that is not in corpus.txt is an error, too.
//
//	go test ./analysis/actors -run Corpus -fetch -update
func TestCorpus(t *testing.T) {
	if !*fetch {
		t.Skip("it fetches modules; -fetch asks for it")
	}
	subjects := readCorpus(t)
	for _, s := range subjects {
		t.Run(s.name(), func(t *testing.T) {
			s.compare(s.look(t))
			for _, r := range s.readings {
				if o := r.outcome(); strings.HasPrefix(o, "**") && o != known {
					t.Errorf("%s: by reading %s: %s; %s", r.at, r.verdict, r.why, o)
				}
			}
		})
	}
	if *update {
		must(t, os.WriteFile("../../docs/ACTORS.md", document(subjects), 0o666))
	}
}

// study is a package of the corpus.
type study struct {
	module, version, pkg string // no module for a program of the explorations' testdata
	readings             []*reading
}

// reading is what one goroutine or receive loop is.
type reading struct {
	at, verdict, why string // verdict "actor", "not" or "missed"; "" for what nobody has read
	actor            string // what the analysis says: the actor's name,
	reason           string // or why it is none; neither if it is not mentioned
}

// known marks an actor that the analysis is known not to find.
const known = "**missed**, as is known"

// outcome says whether the analysis is right.
func (r *reading) outcome() string {
	switch {
	case r.verdict == "":
		return "**not read**"
	case r.verdict == "actor" && r.actor != "":
		return "found"
	case r.verdict == "actor":
		return "**missed**"
	case r.verdict == "missed" && r.actor == "":
		return known
	case r.verdict == "missed":
		return "**found**, against the reading"
	case r.actor != "":
		return "**wrong**"
	}
	return "no actor"
}

func (s *study) name() string {
	if s.module == "" {
		return s.pkg[len("./"):]
	}
	return strings.TrimSuffix(s.module+s.pkg[len("."):], "/") + " " + s.version
}

func readCorpus(t *testing.T) []*study {
	f, err := os.Open("corpus.txt")
	must(t, err)
	defer f.Close()
	var out []*study
	for in := bufio.NewScanner(f); in.Scan(); {
		line := in.Text()
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || strings.HasPrefix(line, "#"):
		case words[0] == "package" && len(words) == 2:
			out = append(out, &study{pkg: "./" + words[1]})
		case words[0] == "package":
			out = append(out, &study{module: words[1], version: words[2], pkg: words[3]})
		default:
			s := out[len(out)-1]
			s.readings = append(s.readings,
				&reading{at: words[0], verdict: words[1], why: strings.Join(words[2:], " ")})
		}
	}
	return out
}

// look returns the inventory of s, with positions relative to its package.
func (s *study) look(t *testing.T) facts.Inventory {
	dir := s.fetch(t)
	// A program without a module is started by its tests.
	l, err := load.Load(load.Config{Dir: dir, Env: modules.Environment(), Patterns: []string{s.pkg},
		Tests: s.module == ""})
	must(t, err)
	return Find(l)
}

// compare notes what v says of each reading, and adds what it says besides.
func (s *study) compare(v facts.Inventory) {
	for _, a := range v.Actors {
		if r := s.reading(a.Loop); r != nil {
			r.actor = a.Name
		}
	}
	for _, x := range v.Rejected {
		if r := s.reading(x.Pos); r != nil {
			r.reason = x.Reason
		}
	}
	slices.SortStableFunc(s.readings,
		func(a, b *reading) int { return cmp.Compare(number(a.at), number(b.at)) })
}

// number makes positions sort by line within a file.
func number(at string) string {
	file, line, _ := strings.Cut(at, ":")
	return fmt.Sprintf("%s:%6s", file, line)
}

// reading returns the reading of the position, a new one if there is none; nil if it is not in the
// package.
func (s *study) reading(pos facts.Pos) *reading {
	at, ok := strings.CutPrefix(pos.String(), strings.TrimPrefix(s.pkg+"/", "./"))
	if s.pkg == "." {
		at, ok = pos.String(), true
	}
	if !ok || strings.Contains(at, "/") {
		return nil
	}
	for _, r := range s.readings {
		if r.at == at {
			return r
		}
	}
	r := &reading{at: at}
	s.readings = append(s.readings, r)
	return r
}

// document writes docs/ACTORS.md.
func document(subjects []*study) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `# The actors of real packages

For a user of `+"`rehearse actors`"+`: which goroutines of real packages are actors, and does the analysis
find them?

Made by `+"`go test ./analysis/actors -run Corpus -fetch -update`"+` with %s; do not edit. Every
goroutine and receive loop of these packages, tests left out, was read and judged: that is
analysis/actors/corpus.txt. Here it stands beside what the analysis says. The packages without a
version are testdata of this repository with the shape of a well-known program that is no module;
there the tests start the actors.

An actor is **found** or **missed**. A goroutine that is no actor is either not called one, or
**wrong**. The analysis takes a goroutine that it does not mention for no actor.

| package | actors by reading | found | missed | no actors by reading | wrong |
|---|--:|--:|--:|--:|--:|
`, runtime.Version())
	var sum [5]int
	for _, s := range subjects {
		n := s.count()
		fmt.Fprintf(&b, "| %s | %s |\n", s.name(), row(n))
		for i := range n {
			sum[i] += n[i]
		}
	}
	fmt.Fprintf(&b, "| all | %s |\n", row(sum))
	for _, s := range subjects {
		fmt.Fprintf(&b,
			"\n## %s\n\n| position | outcome | the analysis says | by reading |\n|---|---|---|---|\n",
			s.name())
		for _, r := range s.readings {
			says := cmp.Or(r.reason, "–")
			if r.actor != "" {
				says = "actor " + r.actor
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", r.at, r.outcome(), says, r.why)
		}
	}
	return []byte(b.String())
}

// count returns five numbers: actors by reading, found, missed, no actors, wrong.
func (s *study) count() (n [5]int) {
	for _, r := range s.readings {
		add := func(i int, ok bool) {
			if ok {
				n[i]++
			}
		}
		is := r.verdict == "actor" || r.verdict == "missed"
		add(0, is)
		add(1, is && r.actor != "")
		add(2, is && r.actor == "")
		add(3, !is)
		add(4, !is && r.actor != "")
	}
	return n
}

func row(n [5]int) string {
	var cells []string
	for _, x := range n {
		cells = append(cells, fmt.Sprint(x))
	}
	return strings.Join(cells, " | ")
}

// fetch makes a directory with the subject's module in it.
func (s *study) fetch(t *testing.T) (dir string) {
	t.Helper()
	if s.module == "" {
		return modules.CopyDir(t, "../../internal/lab/corpus/testdata", "example.org/corpus")
	}
	return modules.Copy(t, s.module+"@"+s.version)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
