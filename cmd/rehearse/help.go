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

// The help: commands are in doc.go, after what is said of all, and topics are in topics.go.
var (
	//go:embed doc.go
	commandHelp string
	//go:embed topics.go
	topicHelp string
)

// helpText is the part of the help about one command or topic, or the part before them all.
func helpText(name string) string {
	sections := append(sectionsOf(commandHelp), sectionsOf(topicHelp)...)
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

// sectionsOf divides the package comment of a file by its headings.
func sectionsOf(source string) []string {
	_, text, _ := strings.Cut(source, "/*\n")
	text, _, _ = strings.Cut(text, "*/")
	return strings.Split(text, "\n# ")
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
