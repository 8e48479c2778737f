package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/shards"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// runMerge reports on the part files of all shards of a run, as one run would have reported.
func runMerge(args []string, stdout, stderr io.Writer) int {
	o, files, _, err := parseOptions("merge", args, stderr)
	if err != nil {
		return exitError
	}
	if err := mergeable(o, files); err != nil {
		return complain(stderr, err)
	}
	m, err := shards.Merge(files)
	if err == nil {
		err = takeFlags(o, m)
	}
	if err != nil {
		return complain(stderr, err)
	}
	o.Merge = strings.Join(files, string(os.PathListSeparator))
	var forTests []string
	if len(m.Packages) > 0 {
		forTests = m.Packages[0].Args
	}
	return explorePackages(o, m.Patterns, forTests, true, stdout, stderr)
}

// mergeable checks arguments, and makes the names of files absolute.
func mergeable(o *options.Options, files []string) error {
	if given := slices.Concat(o.Deciding(), o.Picking(), o.Building()); len(given) > 0 {
		return fmt.Errorf("%s: the parts say what was explored; give it to rehearse test -shard",
			given[0])
	}
	if o.Shard != "" {
		return fmt.Errorf("-shard is a flag of rehearse test; rehearse merge takes all parts")
	}
	for i, f := range files {
		abs, err := filepath.Abs(f)
		if err != nil {
			return err
		}
		files[i] = abs
	}
	return nil
}

// takeFlags sets the flags with which the shards have explored.
func takeFlags(o *options.Options, m *shards.Merged) error {
	flags := m.Build
	if len(m.Packages) > 0 {
		flags = slices.Concat(flags, m.Packages[0].Flags)
	}
	fs := flag.NewFlagSet("merge", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	o.Register(fs)
	if err := fs.Parse(flags); err != nil {
		return fmt.Errorf("the parts are from another version of rehearse: %w", err)
	}
	return o.Check()
}

// beginPart begins the part file of a run that is a shard: it says which packages are to be in it.
func (t *testRun) beginPart(m *exec.Making) error {
	o := t.options
	if o.Shard == "" {
		return nil
	}
	shard, err := shards.Parse(o.Shard)
	if err != nil {
		return err
	}
	if o.Part, err = filepath.Abs(o.PartFile()); err != nil {
		return err
	}
	h := shards.Header{Shard: shard, Patterns: t.patterns, Build: o.Building()}
	for i := range m.Len() {
		p, err := t.wait(m, i)
		if err != nil {
			return err
		}
		if p.Broken {
			return fmt.Errorf("-shard: %s cannot be built", p.Path)
		}
		if p.Binary != "" {
			h.Packages = append(h.Packages, p.Path)
		}
	}
	return shards.Create(o.Part, h)
}

// counts are the variables with which systems tell a job its number among several equal ones, and
// the number of jobs. from is the number of the first one.
var counts = []struct {
	index, total string
	from         int
}{
	{"CI_NODE_INDEX", "CI_NODE_TOTAL", 1},                         // GitLab
	{"CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", 0},                 // CircleCI
	{"BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", 0}, // Buildkite
	{"TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", 0},                  // Bazel
	{"JOB_COMPLETION_INDEX", "REHEARSE_SHARDS", 0},                // Kubernetes, which has no total
}

// namedShard puts the shard that the environment names in the place of -shard auto.
func namedShard(args []string) ([]string, error) {
	ours, _ := options.SplitArgs(args)
	for i := range ours {
		name, value, is := strings.Cut(strings.TrimLeft(ours[i], "-"), "=")
		at := i
		if !is && name == "shard" && i+1 < len(ours) {
			at, value = i+1, ours[i+1]
		}
		if name != "shard" || value != "auto" || !strings.HasPrefix(ours[i], "-") {
			continue
		}
		shard, err := shardHere()
		if err != nil {
			return nil, err
		}
		args = slices.Clone(args)
		args[at] = shard
		if at == i {
			args[at] = "-shard=" + shard
		}
		break
	}
	return args, nil
}

// shardHere is the shard that the environment names.
func shardHere() (string, error) {
	var known []string
	for _, c := range counts {
		index, total := os.Getenv(c.index), os.Getenv(c.total)
		known = append(known, c.index+" and "+c.total)
		if index == "" || total == "" {
			continue
		}
		i, err := strconv.Atoi(index)
		if err != nil {
			return "", fmt.Errorf("-shard auto: %s=%q is no number", c.index, index)
		}
		return fmt.Sprintf("%d/%s", i+1-c.from, total), nil
	}
	return "", fmt.Errorf("-shard auto: set %s", strings.Join(known, ", or "))
}
