package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore/refine"
	"github.com/rehearse-go/rehearse/explore/words"
)

// Refinement reports comparisons of two versions of a package.
type Refinement struct {
	Out      io.Writer
	JSON     bool
	Old, New string // as the user has named them
	Package  string
}

// Result reports one harness. Names are those in OLD and in NEW.
func (r *Refinement) Result(names [2]string, c *refine.Result, client string, code int,
	took time.Duration) {
	if r.JSON {
		r.object(names, c, client, code, took)
		return
	}
	name := names[1]
	if names[0] != names[1] {
		name = names[0] + " -> " + names[1]
	}
	bounds := fmt.Sprintf("up to %s", operations(c.N))
	cost := fmt.Sprintf("%s, %d + %d executions, %s", words.Plural(c.Scripts, "script"),
		c.Executions[0], c.Executions[1], whole(c))
	if code == 0 && c.Relation == refine.Equivalent {
		fmt.Fprintf(r.Out, "ok    %s (%s)  equivalent %s, %s\n", name, seconds(took), bounds, cost)
	} else {
		fmt.Fprintf(r.Out, "%s %s (%s)  %s\n", heading(code), name, seconds(took),
			verdict(c, bounds, cost))
	}
	const most = 3
	for _, race := range c.Races[:min(len(c.Races), most)] {
		fmt.Fprintf(r.Out, "    race  %s\n", race)
	}
	if more := len(c.Races) - most; more > 0 {
		fmt.Fprintf(r.Out, "    race  and %d more\n", more)
	}
	if len(c.Races) == 0 {
		r.difference(c.New, "OLD", "NEW", c)
		r.difference(c.Old, "NEW", "OLD", c)
		fmt.Fprintf(r.Out, "    compared: %s, %s a channel; %sclients %s%s\n",
			compared(c, bounds), words.Plural(c.K, "receive"), alphabet(c), client,
			async(c, client))
	}
	for _, note := range c.Notes {
		fmt.Fprintf(r.Out, "    note  %s\n", note)
	}
}

func heading(code int) string {
	switch code {
	case 0:
		return "ok   "
	case 3:
		return "?    "
	}
	return "--- FAIL:"
}

// verdict says what a relation means to the user.
func verdict(c *refine.Result, bounds, cost string) string {
	meaning := map[refine.Relation]string{
		refine.Equivalent:   "equivalent " + bounds + ", as far as was looked",
		refine.OldMore:      "old-more " + bounds + ": NEW does less, every client is safe",
		refine.NewMore:      "new-more: NEW may do what OLD never does",
		refine.Incomparable: "incomparable: NEW may do what OLD never does, and OLD what NEW never does",
		refine.Unknown:      "unknown: no difference was found, and the comparison was not complete",
	}
	if len(c.Races) > 0 {
		return "a data race: a racy program does what it likes, so nothing is compared; " + cost
	}
	if c.Relation == refine.OldMore && !c.Complete {
		return "old-more: OLD may do what NEW never does, and whether NEW may do more is not known; " +
			cost
	}
	return meaning[c.Relation] + "; " + cost
}

// compared says which clients were compared. A comparison that was cut has compared a part of the
// clients.
func compared(c *refine.Result, bounds string) string {
	if c.Complete {
		return bounds
	}
	return fmt.Sprintf("in full up to %s, in part up to %d", operations(c.Whole), c.Begun)
}

func whole(c *refine.Result) string {
	if c.Complete {
		return "complete"
	}
	return "incomplete: " + cmp.Or(c.Reason, "cut")
}

// difference draws a path that one side has and the other has not.
func (r *Refinement) difference(d *refine.Difference, lacks, has string, c *refine.Result) {
	if d == nil {
		return
	}
	fmt.Fprintf(r.Out, "    a client that %s may surprise, %s:\n", has,
		operations(len(d.Script.Ops)))
	for i, step := range d.Path {
		line := fmt.Sprintf("      %2d  %-8s %s", i+1, step.Kind.Word(),
			step.Text(d.Script, c.Interface))
		if i == len(d.Path)-1 {
			line = fmt.Sprintf("%-50s <- never on %s%s", line, lacks, never(d))
		}
		fmt.Fprintln(r.Out, strings.TrimRight(line, " "))
	}
	if d.Observer != "" {
		fmt.Fprintf(r.Out,
			"        observer  %s   passes on %s (%s, %s), fails on %s (in execution %d)\n",
			d.Observer,
			lacks, words.Plural(d.Passes, "execution"), asFar(d), has, d.Fails)
	}
	if d.Other {
		fmt.Fprintf(r.Out,
			"        it looks for any value but %s: random numbers are others in each test\n",
			d.Never)
	}
	if d.Unproven != "" {
		fmt.Fprintf(r.Out, "        no observer: %s\n", d.Unproven)
	}
	if d.Schedule != "" {
		fmt.Fprintf(r.Out, "        replay    rehearse replay %s\n", d.Schedule)
	}
	if d.Kept != "" {
		fmt.Fprintf(r.Out, "        kept      %s\n", d.Kept)
	}
	if !d.Async && c.Complete {
		fmt.Fprintln(r.Out,
			"        only a client that waits for its own operations to return can tell")
	}
}

// asFar says what the passes of an observer mean.
func asFar(d *refine.Difference) string {
	if d.Endless {
		return "all, as far as the bound on steps goes"
	}
	return "complete"
}

func never(d *refine.Difference) string {
	if d.Never == "" {
		return ""
	}
	return ", which has " + d.Never + " there"
}

// alphabet lists the values that were compared.
func alphabet(c *refine.Result) string {
	var parts []string
	for _, a := range c.Interface.Alphabet() {
		part := a.Place + " in {" + strings.Join(a.Values, ", ") + "}"
		if a.Drawn {
			part += " (drawn)"
		}
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ") + "; "
}

func async(c *refine.Result, client string) string {
	switch {
	case client == "async":
		return ""
	case !c.Complete && c.Async == refine.OldMore:
		return "; for async clients OLD does more, and whether NEW does, too, is not known"
	case c.Async == c.Relation:
		return fmt.Sprintf("; for async clients %s, too", c.Async)
	}
	return fmt.Sprintf("; for async clients %s", c.Async)
}

func operations(n int) string { return words.Plural(n, "operation") }

// object writes the result as a line of JSON.
func (r *Refinement) object(names [2]string, c *refine.Result, client string, code int,
	took time.Duration) {
	o := map[string]any{
		"Action": "result", "Package": r.Package, "Old": r.Old, "New": r.New, "Test": names[1],
		"Verdict":  [...]string{"pass", "fail", "error", "pass"}[code],
		"Relation": c.Relation, "Complete": c.Complete, "Client": client, "N": c.N,
		"Whole": c.Whole, "K": c.K,
		"Alphabet": c.Interface.Alphabet(), "Scripts": c.Scripts,
		"Executions": c.Executions, "Pomsets": c.Pomsets, "Seconds": took.Seconds(),
		"Notes": append([]string{}, c.Notes...), "Races": append([]string{}, c.Races...),
	}
	if client == "go" {
		o["Async"] = c.Async
	}
	if !c.Complete {
		o["Reason"] = c.Reason
	}
	paths := []map[string]any{}
	for i, d := range []*refine.Difference{c.New, c.Old} {
		if d != nil {
			path := map[string]any{"Of": [...]string{"new", "old"}[i], "Path": steps(d, c),
				"Observer": d.Observer, "Schedule": d.Schedule, "Passes": d.Passes,
				"Fails": d.Fails}
			if d.Unproven != "" {
				path["Unproven"] = d.Unproven
			}
			paths = append(paths, path)
		}
	}
	o["Paths"] = paths
	json.NewEncoder(r.Out).Encode(o)
}

// steps is a path for programs.
func steps(d *refine.Difference, c *refine.Result) (list []refine.Step) {
	for _, step := range d.Path {
		step.Port, step.Value = step.Parts(d.Script, c.Interface)
		list = append(list, step)
	}
	return list
}

// Note says something of the pair of packages.
func (r *Refinement) Note(text string) {
	text = "note  " + text + "\n"
	if !r.JSON {
		io.WriteString(r.Out, text)
		return
	}
	json.NewEncoder(r.Out).Encode(map[string]any{"Action": "output",
		"Package": cmp.Or(r.Package, r.New), "Output": text})
}

// Failed tells programs that a harness has no result; no name: the pair of packages has none.
// People read it on standard error.
func (r *Refinement) Failed(name string, err error) {
	if !r.JSON {
		return
	}
	o := map[string]any{"Action": "package", "Package": cmp.Or(r.Package, r.New), "Old": r.Old,
		"New": r.New, "Verdict": Error, "Error": err.Error()}
	if name != "" {
		o["Action"], o["Test"] = "result", name
	}
	json.NewEncoder(r.Out).Encode(o)
}

// End reports the pair of packages.
func (r *Refinement) End(code int, took time.Duration) {
	if r.JSON {
		json.NewEncoder(r.Out).Encode(map[string]any{"Action": "package", "Package": r.Package,
			"Old": r.Old, "New": r.New,
			"Verdict": [...]string{"pass", "fail", "error", "pass"}[code],
			"Seconds": took.Seconds()})
		return
	}
	word := [...]string{"ok  ", "FAIL", "FAIL", "?   "}[code]
	fmt.Fprintf(r.Out, "%s  %s -> %s  %.1fs\n", word, r.Old, r.New, took.Seconds())
}
