package depict

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore/words"
)

// Bounds of the loops that are folded.
const (
	longestLoop = 12 // rows of the body
	fewestTurns = 3
	fewestRows  = 8 // that are left out
)

// foldLoops replaces rows that come again and again, as in a livelock, by one turn and the number
// of the others.
func foldLoops(rows []row) []row {
	var folded []row
	for i := 0; i < len(rows); {
		body, turns := loopAt(rows[i:])
		if turns == 0 {
			folded = append(folded, rows[i])
			i++
			continue
		}
		folded = append(folded, rows[i:i+body]...)
		folded = append(folded, row{from: -1, to: -1, obj: -1,
			text: fmt.Sprintf("... and so on: %s, %s more ...", words.Plural(body, "step"),
				words.Plural(turns-1, "time"))})
		i += body * turns
	}
	return folded
}

// loopAt returns the shortest body that rows begin with often enough, and how often; 0 if there is
// none.
func loopAt(rows []row) (body, turns int) {
	for body = 1; body <= longestLoop && body*fewestTurns <= len(rows); body++ {
		turns = 1
		for end := (turns + 1) * body; end <= len(rows) &&
			slices.EqualFunc(rows[:body], rows[end-body:end], looksAs); end += body {
			turns++
		}
		if turns >= fewestTurns && (turns-1)*body >= fewestRows {
			return body, turns
		}
	}
	return 0, 0
}

// looksAs reports whether two rows look the same.
func looksAs(a, b row) bool {
	a.event, b.event = 0, 0
	return a == b
}
