package trace

// A section is what a process does between a Lock of a mutex and its Unlock, if there is nothing in between that others could see
// but accesses to variables: then it is one step. Two sections of one mutex have an order only if what they do to some variable
// does not commute. Which variables of a section others contend for, a search learns from the executions (see
// runtime/model/sections) and tells the operations before they are done:
//
// What Op.N says of an operation of a Mutex or RWMutex is 0, which is an ordinary one, or Section and, for each contended variable,
// by a number below Contended, whether the section looks at it (Looks) and whether it updates it (Updates). Looks commute
// with looks; updates, which are all of one class such as additions, with updates; what writes does both, and commutes with
// neither.
const (
	Section   int32 = 1 << 30
	Contended       = 15
)

// Looks is the bit that says that a section looks at contended variable i.
func Looks(i int) int32 { return 1 << i }

// Updates is the bit that says that a section updates contended variable i.
func Updates(i int) int32 { return 1 << (Contended + i) }

// Commute reports whether two sections of one mutex have no order, by what Op.N says of them.
func Commute(a, b int32) bool {
	const looks = 1<<Contended - 1
	return a&b&Section != 0 && a&looks&(b>>Contended)|b&looks&(a>>Contended) == 0
}

// Sectioned returns what Op.N says of an operation of a Mutex or RWMutex, 0 of any other operation.
func (op *Op) Sectioned() int32 {
	switch op.Kind {
	case Lock, Unlock, WLock, WUnlock, RLock, RUnlock:
		return op.N
	}
	return 0
}
