package trace

// Case is one communication of a Select.
type Case struct {
	Kind Kind  // Send or Recv
	Obj  int32 // the channel; -1 for a nil channel
	Cap  int32 // the channel's capacity
}

// Op is a visible operation that a process has declared and not yet done. The meaning of N and Cap
// depends on Kind, so code for one kind reads them by the methods below. Only code that compares or
// hashes whole operations reads the fields.
type Op struct {
	Kind    Kind
	Default bool // of a Select: it has a default branch
	Side    Side // whose code does it
	Loops   bool // of a Recv: a loop ranges over the channel
	// the object it acts on; -1 for a nil channel, a Select, a hidden choice, or a Yield
	Obj   int32
	Cap   int32  // of a channel operation: the channel's capacity; else see Key and KeepsOrder
	N     int32  // see the methods
	Cases []Case // of a Select, in source order
}

// Side tells whose code does an operation.
type Side uint8

const (
	Outer  Side = iota // the program's
	Inner              // that of the library's border: see Execution.Inner
	Inside             // the border's, and it is a part of the whole step in which it was declared
	Idle               // Inside, of a server between two requests: the client's end is no news
)

// IsInside reports whether the operation is a part of the whole step in which it was declared.
func (s Side) IsInside() bool { return s == Inside || s == Idle }

// IsInner reports whether code of the library's border does op.
func (op *Op) IsInner() bool { return op.Side != Outer }

// Hits returns the object on which op acts in case i, if op is no Select. A fault that does not
// happen acts on none.
func (op *Op) Hits(i int32) int32 {
	if op.Kind == Fault && i == 0 {
		return -1
	}
	return op.Obj
}

// Delta returns how much a WgAdd adds to the counter.
func (op *Op) Delta() int32 { return op.N }

// InOrder is Cap of a WgAdd in a search that keeps the order of Add and Done: see depend.Groups.
const InOrder = 1

// KeepsOrder reports whether a WgAdd keeps its order with other ones.
func (op *Op) KeepsOrder() bool { return op.Cap == InOrder }

// Waiter is the number of the waiter of a CondWait.
func (op *Op) Waiter() int32 { return op.N }

// An AtomicUpdate whose result nobody uses, such as the statement n.Add(1), is blind. Updates of
// one of these sorts commute.
const (
	BlindAdd int32 = 1 + iota
	BlindAnd
	BlindOr
)

// Blind is the sort of an AtomicUpdate; 0 if its result is used, or if it does more.
func (op *Op) Blind() int32 { return op.N }

// IsBlind reports whether op is a blind AtomicUpdate.
func (op *Op) IsBlind() bool { return op.Kind == AtomicUpdate && op.N > 0 }

// NoKey is the Key of an operation that has none.
const NoKey int32 = 0

// Key is the number of the value that an AtomicStore stores, or of the key of a sync.Map on which
// its method acts. It is positive and the same in all executions. Equal keys have one number, and
// so may two different keys; two different values have two numbers. A method that acts on all keys
// has NoKey. The Key of a TimerStop or a TimerReset is the number of the timer.
func (op *Op) Key() int32 { return op.Cap }

// ValueKey is the number of a value that is stored.
func ValueKey(v uint64) int32 {
	if v < 1<<30 {
		return int32(v) + 1
	}
	return NoKey
}

// HashKey is the number of a key with a hash.
func HashKey(hash uint64) int32 { return int32((hash^hash>>32)&(1<<30-1)) + 1 }

// Sealed is N of an AtomicStore to a variable that nothing but atomic operations reads.
const Sealed = 1

// IsSealed reports whether op is such an AtomicStore.
func (op *Op) IsSealed() bool { return op.Kind == AtomicStore && op.N == Sealed }

// Plain is N of an AtomicLoad or AtomicStore that is none of the program's. Such a step comes
// before an access to a variable that was found in a data race, so that both orders are explored.
// All these steps are on one object, and order nothing else.
const Plain int32 = -1

// IsPlain reports whether op is such a step.
func (op *Op) IsPlain() bool {
	return op.N == Plain && (op.Kind == AtomicLoad || op.Kind == AtomicStore)
}

// Moves is N of an AtomicLoad by which its process makes progress that nobody else sees: it has
// read from a file.
const Moves int32 = 1

func (op *Op) moves() bool { return op.N == Moves }

// Sleeper is N of a Fire by which a process wakes up from time.Sleep, in executions in which no
// timer fires early. Awoke is Event.Seq of one that has moved no clock: its instant had come.
const (
	Sleeper int32 = 1
	Awoke   int32 = 1
)

// IsSleeper reports whether op is such a Fire.
func (op *Op) IsSleeper() bool { return op.Kind == Fire && op.N == Sleeper }

// Sleeping is the process whose Fire a TimerStop or TimerReset may call off.
func (op *Op) Sleeping() int32 { return op.N }

// N of a Now in executions that record sites says who reads the clock.
const (
	ReadWithin int32 = iota // the standard library, for the program, as context.WithTimeout does
	ReadHere                // the code at the site
)

// ReadHere reports whether the code at the site of a Now reads the clock.
func (op *Op) ReadHere() bool { return op.N == ReadHere }

// Place is the number of the place in the program of a Recv from a mailbox, or of a Select with a
// case that receives from one. In executions that do not record places it is not positive.
func (op *Op) Place() int32 { return op.N }

// The stages of a Log. None of these, and of those of an End, is the number of a place.
const (
	Reported int32 = -iota // the test fails or is skipped, or somebody looks at this
	Logged                 // a line of the log
	Printed                // output of an example
)

// The stages of an End.
const (
	Ended int32 = -iota // the test has ended
	// it waits for its parent's function, as its function has called Parallel
	Parked
	Released // its function has returned, and lets its parallel subtests go on
)

// Stage says what a Log reports, or how a subtest ends.
func (op *Op) Stage() int32 { return op.N }

// NoValue is the Value of a Send of an unknown value, and NoGroup the group of a Recv whose order
// with others may matter. Touched is N of a Recv whose process, after its last event, has touched
// variables that others may touch.
//
// Dropped is the group of all receives whose values nobody uses, in executions that have it.
const (
	NoValue int32 = 0
	NoGroup int32 = 0
	Touched int32 = -1
	Dropped int32 = 1 << 30
)

// Value is the number of the value of a Send into a channel that is no mailbox, in executions that
// record it. Two values of one execution that have a number are equal if the number is the same.
func (op *Op) Value() int32 { return op.N }

// Group is the number of the group of a Recv from a channel that is no mailbox, in executions that
// record it. After several receives of one group in a row, the effects of the process do not depend
// on the order of the values. touched is true for a Recv that has Touched.
func (op *Op) Group() (group int32, touched bool) {
	if op.N < 0 {
		return Touched - op.N, true
	}
	return op.N, false
}

// Symmetric is N of a Recv of a group, or of none.
func Symmetric(group int32, touched bool) int32 {
	if touched {
		return Touched - group
	}
	return group
}

// Awaits reports whether op waits, with no default branch, for a partner in a case of another
// process's select.
func (op *Op) Awaits(c Case) bool {
	if c.Cap != 0 || c.Obj < 0 || op.Default {
		return false
	}
	if op.Kind != Select {
		return meet(c, Case{op.Kind, op.Obj, op.Cap})
	}
	for _, d := range op.Cases {
		if meet(c, d) {
			return true
		}
	}
	return false
}

// meet reports whether c and d are the two sides of a rendezvous.
func meet(c, d Case) bool {
	return c.Obj == d.Obj && (c.Kind == Send && d.Kind == Recv || c.Kind == Recv && d.Kind == Send)
}

// Round says where a process does an idle step after some others.
type Round uint8

const (
	AnyRound   Round = iota // not known
	FirstRound              // it has done none of the steps since then in the same place
	StillRound              // in a loop that only looks, once more: see sched.Proc.Polls
	SeenRound               // likewise, but others may see which mutexes it locks
	TallyRound              // likewise, but the process may see later how often it has looked
)
