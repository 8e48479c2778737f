package main

import "io"

// command runs one subcommand and returns the exit code.
type command func(args []string, stdout, stderr io.Writer) int

// commands are the subcommands by name. The map is filled in init, because help itself is one of
// them.
var commands map[string]command

func init() {
	commands = map[string]command{
		"test":      runTest,
		"build":     runBuild,
		"replay":    runReplay,
		"actors":    runActors,
		"vet":       runVet,
		"help":      runHelp,
		"merge":     runMerge,
		"refine":    runRefine,
		"view":      runView,
		"cache":     runCache,
		"bench":     runBench,
		"-h":        runHelp,
		"-help":     runHelp,
		"--help":    runHelp,
		"version":   runVersion,
		"-version":  runVersion,
		"--version": runVersion,
	}
}
