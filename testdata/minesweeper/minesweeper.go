// Package minesweeper is the subject minesweeper of S. Tasharofi et al., "TransDPOR" (FMOODS/FORTE 2012), which has a
// deadlock: the fields of the game are actors, and all of a row are opened. A field that is opened asks its neighbours, the
// left one and then the right one, whether they have a mine, and shows how many have. It waits for each answer, and does
// not answer itself in the meantime: two neighbours that are opened may wait for each other. The paper does not print its source;
// this is a program of the same kind, and smaller.
//
// # Counts
//
// A field takes the order to be opened (o) and a question of each neighbour. The deadlocks leave messages behind.
//
// Two fields: either asks before it is asked, or after. Both before: the deadlock. Both after: impossible, for then nobody
// asks. 3 inequivalent executions, under each model.
//
// Three fields, under -model actor; those outside have one question, those inside two, l and r:
//
//   - o l r, the middle one is opened first. It asks the left one. If that was opened before the question: a deadlock (1). If
//     not, it asks the right one. If that was opened before: a deadlock (1). If not, l and r come in either order (2).
//   - l o: the left one has been opened. If the right one has been, too: a deadlock (1), for r comes too late; if not: l o r (1).
//   - r o: likewise, a deadlock (1), and r o l (1).
//   - both come before o: 2.
//
// 10, of which 4 are deadlocks; as many under -model pairs, for nobody has two messages in one mailbox. Under -model go the order
// of two questions that nobody takes counts, too. In the first two deadlocks l and r are left behind, in either order: 12.
package minesweeper

// question asks a field whether it has a mine.
type question struct{ mine chan<- bool }

// opened is the order to open a field.
type opened struct{ shown chan<- int } // how many neighbours have a mine

// field is the state of an actor.
type field struct {
	mine       bool
	neighbours []chan any
}

// run handles messages until there are no more.
func (f *field) run(inbox <-chan any) {
	for msg := range inbox {
		switch m := msg.(type) {
		case question:
			m.mine <- f.mine
		case opened:
			m.shown <- f.count()
		}
	}
}

// count asks the neighbours.
func (f *field) count() int {
	n := 0
	answer := make(chan bool, 1)
	for _, neighbour := range f.neighbours {
		neighbour <- question{answer}
		if <-answer {
			n++
		}
	}
	return n
}

// Play opens the fields of a row, and returns what they show. It may never return.
func Play(mines ...bool) []int {
	row := make([]chan any, len(mines))
	for i := range row {
		row[i] = make(chan any, 3) //rehearse:mailbox
	}
	for i, mine := range mines {
		f := &field{mine: mine, neighbours: row[max(i-1, 0):i:i]}
		f.neighbours = append(f.neighbours, row[i+1:min(i+2, len(row))]...)
		go f.run(row[i])
	}
	shown := make([]chan int, len(row))
	for i := range row {
		shown[i] = make(chan int, 1)
		go open(row[i], shown[i])
	}
	var board []int
	for i := range row {
		board = append(board, <-shown[i])
	}
	for i := range row {
		close(row[i])
	}
	return board
}

// open opens a field.
func open(field chan<- any, shown chan<- int) { field <- opened{shown} }
