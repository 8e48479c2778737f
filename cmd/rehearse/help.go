package main

import (
	_ "embed"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
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
	for _, section := range sections[1:] {
		title, body, _ := strings.Cut(section, "\n")
		if strings.TrimPrefix(title, "rehearse ") == name {
			return strings.TrimSpace(body) + "\n"
		}
	}
	return ""
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
	fmt.Fprintf(stdout, "rehearse %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return exitClean
}
