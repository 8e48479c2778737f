//go:build !race

package session

// raceEnabled: the binary was built with -race.
const raceEnabled = false
