// Package suite is the list of vet checks, and the tool that go vet runs on each package.
//
// Vocabulary: golang.org/x/tools/go/analysis's. A unit is the input of one run of the tool: one
// package with its tests, or an external test package, or a dependency, of which only facts are
// wanted.
//
// Guarantees: comments that silence a check have been honoured in whatever a driver gets to see
// (package ignore).
//
// LIMITS: a check knows other packages by facts only: those of dependencies, never of importers.
package suite

import (
	"cmp"
	"debug/elf"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/rehearse-go/rehearse/analysis/blocking"
	"github.com/rehearse-go/rehearse/analysis/discipline/closetwice"
	"github.com/rehearse-go/rehearse/analysis/discipline/cycles"
	"github.com/rehearse-go/rehearse/analysis/discipline/deadlock"
	"github.com/rehearse-go/rehearse/analysis/discipline/freshness"
	"github.com/rehearse-go/rehearse/analysis/discipline/giveup"
	"github.com/rehearse-go/rehearse/analysis/discipline/isolation"
	"github.com/rehearse-go/rehearse/analysis/discipline/kinds"
	"github.com/rehearse-go/rehearse/analysis/discipline/leak"
	"github.com/rehearse-go/rehearse/analysis/discipline/lockpath"
	"github.com/rehearse-go/rehearse/analysis/discipline/noreply"
	"github.com/rehearse-go/rehearse/analysis/discipline/nostop"
	"github.com/rehearse-go/rehearse/analysis/discipline/ownership"
	"github.com/rehearse-go/rehearse/analysis/discipline/persistence"
	"github.com/rehearse-go/rehearse/analysis/discipline/selfsend"
	"github.com/rehearse-go/rehearse/analysis/discipline/sendclosed"
	"github.com/rehearse-go/rehearse/analysis/discipline/timeafter"
	"github.com/rehearse-go/rehearse/analysis/discipline/uniqueness"
	"github.com/rehearse-go/rehearse/analysis/ignore"
)

// Analyzers is every check.
var Analyzers = []*analysis.Analyzer{
	uniqueness.Analyzer,
	selfsend.Analyzer,
	noreply.Analyzer,
	ownership.Analyzer,
	sendclosed.Analyzer,
	persistence.Analyzer,
	isolation.Analyzer,
	freshness.Analyzer,
	kinds.Analyzer,
	timeafter.Analyzer,
	nostop.Analyzer,
	cycles.Analyzer,
	giveup.Analyzer,
	leak.Analyzer,
	deadlock.Analyzer,
	lockpath.Analyzer,
	closetwice.Analyzer,
}

// Checks is what a driver should run: every check with the comments honoured that silence it, and
// the check of those comments.
//
// Sendclosed leaves to closetwice the findings of both, since closetwice tells the steps. It leaves
// none if closetwice is among off, the names of checks that the driver does not run.
func Checks(off ...string) []*analysis.Analyzer {
	checks := slices.Clone(Analyzers)
	for i, a := range checks {
		if a == sendclosed.Analyzer && !slices.Contains(off, closetwice.Analyzer.Name) {
			checks[i] = blocking.Beside(a, closetwice.Analyzer)
		}
	}
	return ignore.Honour(checks)
}

// offBy lists the checks that arguments of a vet tool leave out: those with -NAME=false; or, if
// there is a -NAME, all others.
func offBy(args []string) (off []string) {
	on := map[string]bool{}
	for _, arg := range args {
		name, value, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		is, err := strconv.ParseBool(cmp.Or(value, "true"))
		if err == nil && strings.HasPrefix(arg, "-") {
			on[name] = is
		}
	}
	only := slices.ContainsFunc(Analyzers, func(a *analysis.Analyzer) bool { return on[a.Name] })
	for _, a := range Analyzers {
		if is, named := on[a.Name]; named && !is || only && !is {
			off = append(off, a.Name)
		}
	}
	return off
}

// RequestFlag is a flag of the vet tool that does nothing, but is part of the key under which the
// go command keeps results. For a dependency, only facts are wanted and no findings. The go command
// (1.26) keeps that result under the key that the package has when it is named itself: without the
// flag, it would have no findings any more.
const RequestFlag = "request"

// VetTool answers the go command, which calls us as go vet -vettool does: with -V=full, -flags, or
// a .cfg file among os.Args. It does not return.
func VetTool() {
	if os.Args[1] == "-V=full" {
		if id := buildID(); id != "" {
			fmt.Printf("%s version devel buildID=%s\n", os.Args[0], id)
			os.Exit(0)
		}
	}
	collectRarely()
	flag.String(RequestFlag, "", "which `packages` were asked for: results for others do not count")
	checks := Checks(offBy(os.Args[1:])...)
	if factsWanted(os.Args[len(os.Args)-1]) {
		checks = producers(checks)
	}
	unitchecker.Main(checks...)
}

// buildID returns the hash that the linker wrote into this executable, or "" where there is none to
// be found: package unitchecker then hashes the executable, which costs more than all else that a
// cached run adds to go vet's.
func buildID() string {
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	file, err := elf.Open(name)
	if err != nil {
		return ""
	}
	defer file.Close()
	section := file.Section(".note.go.buildid")
	if section == nil {
		return ""
	}
	const header = 16 // the sizes of name and text, the type, and "Go\x00\x00"
	note, err := section.Data()
	if err != nil || len(note) < header {
		return ""
	}
	size := int(file.ByteOrder.Uint32(note[4:]))
	if size > len(note)-header {
		return ""
	}
	return hashes(string(note[header : header+size]))
}

// hashes returns id if the go command made it: the hashes of what went into the executable and of
// what came out, with slashes between. Else it returns "": whoever builds with another ID, such as
// redacted, gives the same one to other executables.
func hashes(id string) string {
	const each = 20 // characters of a hash
	parts := strings.Split(id, "/")
	if len(parts) < 2 || slices.ContainsFunc(parts, func(s string) bool { return len(s) != each }) {
		return ""
	}
	return id
}

// factsWanted reports whether a .cfg file describes a dependency, of which only facts are wanted.
func factsWanted(cfg string) bool {
	text, err := os.ReadFile(cfg)
	if err != nil {
		return false
	}
	var unit unitchecker.Config
	return json.Unmarshal(text, &unit) == nil && unit.VetxOnly
}

// producers replaces each check without facts by one that does nothing but require the analyzers
// with facts. Package unitchecker would run a check when anything that it requires has facts; in a
// dependency its findings go nowhere. All checks keep their flags.
func producers(checks []*analysis.Analyzer) []*analysis.Analyzer {
	var out []*analysis.Analyzer
	for _, a := range checks {
		if len(a.FactTypes) == 0 {
			b := *a
			b.Requires = required(a)
			b.Run = func(*analysis.Pass) (any, error) { return nil, nil }
			a = &b
		}
		out = append(out, a)
	}
	return out
}

// required returns the analyzers with facts that a requires, directly or not.
func required(a *analysis.Analyzer) []*analysis.Analyzer {
	var out []*analysis.Analyzer
	for _, need := range a.Requires {
		if len(need.FactTypes) > 0 {
			out = append(out, need)
		}
		out = append(out, required(need)...)
	}
	slices.SortStableFunc(out,
		func(a, b *analysis.Analyzer) int { return strings.Compare(a.Name, b.Name) })
	return slices.Compact(out)
}
