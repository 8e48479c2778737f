package main

import (
	"github.com/rehearse-go/rehearse/analysis/load"
	"github.com/rehearse-go/rehearse/internal/exec"
)

// analysis is a request to look at packages without running them.
type analysis struct {
	json bool
	load load.Config
}

// packages loads them. An error is one line.
func (a *analysis) packages() (*load.Result, error) {
	r, err := load.Load(a.load)
	return r, exec.OneLine(a.load, err)
}
