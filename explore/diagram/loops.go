package diagram

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore/words"
)

// Bounds of the loops that are folded.
const (
	longestLoop = 12 // rows of the body
	fewestTurns = 3
	fewestRows  = 8 // that are left out
)

// FoldLoops replaces rows that come again and again, as in a livelock, by one turn and the number
// of the others.
func FoldLoops(rows []Row) []Row {
	var folded []Row
	for i := 0; i < len(rows); {
		body, turns := loopAt(rows[i:])
		if turns == 0 {
			folded = append(folded, rows[i])
			i++
			continue
		}
		folded = append(folded, rows[i:i+body]...)
		folded = append(folded, Aside("... and so on: %s, %s more ...", words.Plural(body, "step"),
			words.Plural(turns-1, "time")))
		i += body * turns
	}
	return folded
}

// loopAt returns the shortest body that rows begin with often enough, and how often; 0 if there is
// none.
func loopAt(rows []Row) (body, turns int) {
	for body = 1; body <= longestLoop && body*fewestTurns <= len(rows); body++ {
		turns = 1
		for end := (turns + 1) * body; end <= len(rows) &&
			slices.Equal(rows[:body], rows[end-body:end]); end += body {
			turns++
		}
		if turns >= fewestTurns && (turns-1)*body >= fewestRows {
			return body, turns
		}
	}
	return 0, 0
}
