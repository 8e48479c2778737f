package main

import (
	_ "embed"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/rehearse-go/rehearse/explore/strategy"
)

//go:embed doc.go
var docSource string

// helpText is the part of doc.go about one command or topic, or the part before them all.
func helpText(name string) string {
	_, text, _ := strings.Cut(docSource, "/*\n")
	text, _, _ = strings.Cut(text, "*/")
	sections := strings.Split(text, "\n# ")
	if name == "" {
		return sections[0]
	}
	if name == "strategies" {
		return strategyHelp()
	}
	for _, section := range sections[1:] {
		title, body, _ := strings.Cut(section, "\n")
		if strings.TrimPrefix(title, "rehearse ") == name {
			return strings.TrimSpace(body) + "\n"
		}
	}
	return ""
}

// strategyHelp lists all strategies, and what they take.
func strategyHelp() string {
	var b strings.Builder
	b.WriteString(
		"The values of -strategy, and the flags and the values of -model that go with each.\n\n")
	for i := range strategy.Table {
		r := &strategy.Table[i]
		fmt.Fprintf(&b, "\t%-11s  %s\n", r.Name, r.Help)
		takes := ""
		for _, flag := range r.Takes {
			takes += "-" + flag + " "
		}
		fmt.Fprintf(&b, "\t%-11s      %s-model %s\n", "", takes, strings.Join(r.Models, "|"))
	}
	b.WriteString("\nrehearse help exploring, and rehearse help models, say more.\n")
	return b.String()
}

func runHelp(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(stdout, helpText(""))
		return exitClean
	}
	text := helpText(args[0])
	if text == "" {
		return complain(stderr, fmt.Errorf("no help about %q; run 'rehearse help'", args[0]))
	}
	fmt.Fprint(stdout, text)
	return exitClean
}

// version is that of the command.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

func runVersion(_ []string, stdout, _ io.Writer) int {
	fmt.Fprintf(stdout, "rehearse %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS,
		runtime.GOARCH)
	return exitClean
}
