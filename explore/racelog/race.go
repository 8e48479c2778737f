//go:build race

package racelog

// Enabled: the binary was built with -race.
const Enabled = true
