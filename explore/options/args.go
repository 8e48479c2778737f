package options

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Parse reads the arguments of a controlled test binary. Arguments after -args (or --) belong to
// the tests themselves.
func Parse(args []string) (o *Options, forTests []string, err error) {
	o = Default()
	fs := flag.NewFlagSet("rehearse", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // the error says it all, and it is printed once
	o.Register(fs)
	ours, forTests := SplitArgs(args)
	if err := fs.Parse(ours); err != nil {
		return nil, nil, err
	}
	if fs.NArg() > 0 {
		return nil, nil, fmt.Errorf(
			"argument %q is not a flag; arguments for the tests follow -args",
			fs.Arg(0))
	}
	for _, f := range o.pages() {
		if f.file != "" {
			return nil, nil, fmt.Errorf(
				"-%s is a flag of rehearse test; this binary writes what it is made from with -record FILE",
				f.name)
		}
	}
	return o, forTests, o.Check()
}

// page is a file that the command writes.
type page struct{ name, file string }

func (o *Options) pages() []page {
	return []page{{"html", o.HTML}, {"sarif", o.SARIF}, {"junit", o.JUnit}, {"trace", o.Trace},
		{"artifacts", o.Artifacts}}
}

// SplitArgs parts args at the first -args, which go test has, too.
func SplitArgs(args []string) (ours, forTests []string) {
	for i, a := range args {
		if a == "-args" || a == "--args" {
			return args[:i], args[i+1:]
		}
	}
	return args, nil
}

// Encode returns the run flags that differ from their defaults as arguments.
func (o *Options) Encode() []string { return given(o, registerRun) }

// Deciding returns those of Encode that decide the result of a search that is not ended early.
func (o *Options) Deciding() []string {
	return o.without("p", "run", "skip", "count", "timeout", "failfast", "v", "memory", "baseline",
		"write-baseline", "allow-incomplete", "allow-unsupported", "several", "handoff", "json",
		"json-of", "record", "values", "checkpoint", "journals", "resume", "max-executions", "why",
		"shard", "part", "merge")
}

// Picking returns those of Encode that pick the tests.
func (o *Options) Picking() []string {
	return slices.DeleteFunc(o.Encode(), func(arg string) bool {
		return !strings.HasPrefix(arg, "-run=") && !strings.HasPrefix(arg, "-skip=")
	})
}

// Building returns the build flags that differ from their defaults as arguments.
func (o *Options) Building() []string {
	return slices.DeleteFunc(given(o, registerBuild), func(arg string) bool {
		return strings.HasPrefix(arg, "-C=")
	})
}

// PartFile is the file for the result of a shard.
func (o *Options) PartFile() string {
	return cmp.Or(o.Part, "rehearse-"+strings.Replace(o.Shard, "/", "-of-", 1)+".part")
}

// Told returns those of Encode that users give.
func (o *Options) Told() []string {
	return o.without("several", "handoff", "json-of", "record", "journals")
}

// without returns the arguments of Encode, without some flags.
func (o *Options) without(names ...string) []string {
	return slices.DeleteFunc(o.Encode(), func(arg string) bool {
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		return slices.Contains(names, name)
	})
}

// given returns those of some flags that differ from their defaults as arguments.
func given(o *Options, register func(*flag.FlagSet, *Options)) (args []string) {
	var sets [2]flag.FlagSet
	kept := *o
	register(&sets[0], Default())
	register(&sets[1], &kept)
	sets[1].VisitAll(func(f *flag.Flag) {
		if value := f.Value.String(); value != sets[0].Lookup(f.Name).Value.String() {
			args = append(args, "-"+f.Name+"="+value)
		}
	})
	return args
}

// BuildFlags returns the build flags that the go command understands, as arguments for it.
func (o *Options) BuildFlags() []string {
	var args []string
	if o.Tags != "" {
		args = append(args, "-tags="+o.Tags)
	}
	if o.Race {
		args = append(args, "-race")
	}
	if o.Mod != "" {
		args = append(args, "-mod="+o.Mod)
	}
	if o.LDFlags != "" {
		args = append(args, "-ldflags="+o.LDFlags)
	}
	return args
}

// words lists the words that are not empty.
func words(list []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(list),
		func(w string) bool { return w == "" }),
		"|")
}
