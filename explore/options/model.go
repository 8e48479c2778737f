package options

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// relaxed are the strategies that work under every delivery model: those whose reduction, or
// sampling, has been compared with exhaustive search under the models actor and pairs.
var relaxed = []string{"auto", "exhaustive", "dpor", "transdpor", "race", "optimal", "stateful", "random", "pct", "pos", "surw"}

// onlyRelaxed are those of them that do not work under Go's.
var onlyRelaxed = []string{"transdpor", "race"}

// checkRefined refuses facts where no strategy uses them. What a mailbox delivers first is decided
// at the receive only under the models actor and pairs; under Go's, two sends would have to
// commute, which whoever else sees the channel can tell.
func (o *Options) checkRefined() error {
	switch {
	case o.Independent("none") && o.Independence != "none":
		return fmt.Errorf("-independence %s: none excludes the others", o.Independence)
	case o.Independent("auto") && o.Independence != "auto":
		return fmt.Errorf("-independence %s: auto excludes the others", o.Independence)
	case o.WhySymmetry() && !o.Independent("symmetry"):
		return errors.New("-why symmetry explains what -independence symmetry does: add that")
	case o.WhySections() && !o.Independent("sections"):
		return errors.New("-why sections explains what -independence sections does: add that")
	case o.Independent("sections") && (o.Model != "go" || o.Independent("context")):
		return errors.New("-independence sections does not apply to -model actor or pairs, nor beside context, which compares states: leave one of the two out")
	case o.Independent("equal") && o.Model != "go":
		return fmt.Errorf("-independence equal does not apply to -model %s, where sends have no order: use -model go", o.Model)
	case o.Independent("equal") && o.Race:
		return errors.New("-race does not apply to -independence equal: it would miss races that only one order of equal messages shows; " +
			"leave -race out, and rehearse itself looks for data races")
	case o.Independent("symmetry") && o.Isolate:
		return errors.New("-isolate does not work with -independence symmetry: it is not known of processes elsewhere who is whose twin")
	case o.Independent("sections") && o.Isolate:
		return errors.New("-isolate does not work with -independence sections: what the sections of processes elsewhere do is not known")
	case o.Sums() && o.Race:
		return errors.New("-race does not apply to -independence commute: it would miss races that only one order of the messages shows; " +
			"leave -race out, and rehearse itself looks for data races")
	case o.Sums() && o.Independent("context"):
		return fmt.Errorf("-independence %s: under -model go, what commute leaves out cannot be told from the states that context compares: use one of the two", o.Independence)
	case !o.Refines() && !o.Independent("context"):
		return nil
	case o.Model == "go" && o.Independent("commute") && o.Searcher() != "optimal":
		return fmt.Errorf("-independence %s does not apply to -model go with -strategy %s, where a mailbox keeps the order of the sends: "+
			"use -model actor or pairs, or -independence commute with -strategy optimal", o.Independence, o.Strategy)
	case o.Model == "go" && o.Refines():
		return fmt.Errorf("-independence %s does not apply to -model go, where a mailbox keeps the order of the sends: use -model actor or pairs", o.Independence)
	case o.Independent("context") && (slices.ContainsFunc(onlyOptimal, o.Independent) || o.Independent("symmetry")):
		return fmt.Errorf("-independence %s: what %s, symmetry leave out cannot be told from the states that context compares: use one of the two", o.Independence, strings.Join(onlyOptimal, ", "))
	case o.Searcher() == "optimal" && o.Refines() && (o.Independent("observed") || o.Independent("symmetry")):
		return fmt.Errorf("-independence %s: with disjoint or commute, optimal leaves out orders of tasks only: use those, or the others", o.Independence)
	case o.Strategy == "dpor" && !o.Sleep: // auto is dpor with sleep sets there
		return fmt.Errorf("-independence %s needs sleep sets: use -strategy dpor -sleep", o.Independence)
	case o.Isolate && o.Refines():
		return fmt.Errorf("-independence %s does not work with -isolate: the messages are in another process", o.Independence)
	}
	return nil
}

// checkSelecting refuses the selection of actors and tasks by facts where it means nothing.
func (o *Options) checkSelecting() error {
	flag := "-order stable"
	if o.Tasks == "independent" {
		flag = "-tasks independent"
	} else if o.Order != "stable" {
		return nil
	}
	switch {
	case o.Strategy != "dpor" && o.Strategy != "transdpor":
		return fmt.Errorf("%s does not apply to -strategy %s: only to dpor, transdpor", flag, o.Strategy)
	case o.Model == "go":
		return fmt.Errorf("%s does not apply to -model go, where a mailbox keeps the order of the sends: use -model actor or pairs", flag)
	case o.Isolate:
		return fmt.Errorf("%s does not work with -isolate: the messages are in another process", flag)
	case o.Refines():
		return fmt.Errorf("%s and -independence %s are two ways to use the same facts: use one of them", flag, o.Independence)
	case o.Independent("context"):
		return fmt.Errorf("%s does not work with -independence context, which compares states in the general form of dpor only", flag)
	}
	return nil
}

// checkAudit refuses an audit of facts that nobody uses.
func (o *Options) checkAudit() error {
	if o.Audit > 0 && !o.Refines() && !o.Sums() && o.Tasks != "independent" {
		return errors.New("-audit needs facts to check: add -independence disjoint,commute or -tasks independent, with -model actor or pairs; " +
			"or -independence commute with -model go")
	}
	return nil
}

// checkModel refuses a strategy that is not known to be right under the delivery model.
func (o *Options) checkModel() error {
	if slices.Contains(onlyRelaxed, o.Strategy) && o.Model == "go" {
		return fmt.Errorf("-strategy %s does not know -model go, under which the order of messages is decided when they "+
			"are sent: add -model actor or -model pairs, or use -strategy dpor", o.Strategy)
	}
	if o.Model == "go" || slices.Contains(relaxed, o.Strategy) {
		return nil
	}
	return fmt.Errorf("-strategy %s does not know -model %s: use %s", o.Strategy, o.Model, strings.Join(relaxed, ", "))
}
