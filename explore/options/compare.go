package options

import (
	"strings"

	"github.com/rehearse-go/rehearse/runtime/world"
)

// Comparison says how executions have states compared.
func (o *Options) Comparison() world.Comparison {
	switch {
	case !o.Compares():
		return world.Uncompared
	case o.Independent("context"):
		return world.ByNumber
	case o.State == "actor":
		return world.AsSets
	}
	return world.AsTheyAre
}

// Subtests returns a pattern of -run or -skip that has to do with subtests; empty: it has not.
func Subtests(pattern string) string {
	if strings.Contains(pattern, "/") {
		return pattern
	}
	return ""
}
