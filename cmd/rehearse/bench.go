package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/internal/bench"
)

// benching is what the arguments of rehearse bench say.
type benching struct {
	bench.Config
	strategies, models   string
	orders, tasks        string
	list, json, markdown bool
	csv                  string // directory; empty: none
	command              string // as the user has written it
}

// runBench measures strategies on the subjects whose counts are known.
func runBench(args []string, stdout, stderr io.Writer) int {
	b, err := parseBench(args, stderr)
	switch {
	case err != nil:
		return exitError
	case b.json && b.markdown:
		return complain(stderr, errors.New("-json and -markdown are two ways to print: choose one"))
	case b.list:
		return listSubjects(stdout, stderr)
	}
	files := &bench.CSV{Dir: b.csv}
	table := b.table(stdout)
	if b.csv != "" {
		table = bench.Tables{table, files}
	}
	met, err := bench.Run(&b.Config, table)
	code := exitClean
	if err := cmp.Or(err, files.Err); err != nil {
		code = complain(stderr, err)
	}
	if !met && code != exitError {
		return exitFinding
	}
	return code
}

func parseBench(args []string, stderr io.Writer) (*benching, error) {
	b := &benching{command: strings.Join(append([]string{"rehearse bench"}, args...), " ")}
	rest, err := parse(b.flags(), args, stderr)
	if err == nil && len(rest) > 0 {
		complain(stderr, fmt.Errorf(
			"bench: %q is not a flag; subjects are chosen with -subject; run 'rehearse help bench'",
			rest[0]))
		err = errUsage
	}
	b.Strategies, b.Models = elements(b.strategies), elements(b.models)
	b.Orders, b.Tasks = elements(b.orders), elements(b.tasks)
	return b, err
}

func (b *benching) flags() *flag.FlagSet {
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	fs.StringVar(&b.Subject, "subject", "", "")
	fs.StringVar(&b.strategies, "strategy", "", "")
	fs.StringVar(&b.models, "model", "", "")
	fs.StringVar(&b.orders, "order", "", "")
	fs.StringVar(&b.tasks, "tasks", "", "")
	fs.StringVar(&b.Independence, "independence", "", "")
	fs.BoolVar(&b.Papers, "papers", false, "")
	fs.BoolVar(&b.Long, "long", false, "")
	fs.IntVar(&b.MaxExecutions, "max-executions", 0, "")
	fs.DurationVar(&b.Timeout, "timeout", 10*time.Second, "")
	fs.BoolVar(&b.list, "list", false, "")
	fs.BoolVar(&b.json, "json", false, "")
	fs.BoolVar(&b.markdown, "markdown", false, "")
	fs.StringVar(&b.csv, "csv", "", "")
	return fs
}

func (b *benching) table(stdout io.Writer) bench.Table {
	switch {
	case b.json:
		return &bench.JSON{Out: stdout}
	case b.markdown:
		return &bench.Markdown{Out: stdout, Command: b.command}
	}
	return &bench.Text{Out: stdout}
}

// elements are those of a comma list, nil for none.
func elements(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

func listSubjects(stdout, stderr io.Writer) int {
	subjects, err := bench.Subjects()
	if err != nil {
		return complain(stderr, err)
	}
	for _, s := range subjects {
		long := ""
		if s.Long {
			long = "long"
		}
		fmt.Fprintf(stdout, "%-18s  %8d  %-4s  %s\n", s.Name, *s.Traces, long, s.Note)
	}
	return exitClean
}
