package trace

// Class is the class of the objects on which operations of a kind act, as people abbreviate it.
type Class string

// The classes of objects. Nameless objects, such as timers, have no name of their own.
const (
	Nameless  Class = ""
	Channel   Class = "ch"
	Mutex     Class = "mu"
	RWMutex   Class = "rw"
	WaitGroup Class = "wg"
	OnceGuard Class = "once"
	Subtest   Class = "test"
	Variable  Class = "var"
	Cond      Class = "cond"
	Pool      Class = "pool"
	Stream    Class = "net"
)

// Operation says what the operations of one kind have in common. A new kind of operation is a row
// here, a row in package depend's table of effects, and the model that does it.
type Operation struct {
	Name   string // in schedule files
	Word   string // for people; the object's name follows, if its class has one
	Class  Class  // of the object
	Waits  string // for people: what a process does whose operation is not enabled
	Failed string // for people: that Event.OK is false; empty if nobody needs to know
}

// Operation returns the row of k.
func (k Kind) Operation() *Operation { return &operations[k] }

// operations has a row for each kind.
var operations = [NumKinds]Operation{
	None:    {Name: "none"},
	Send:    {Name: "send", Word: "send", Class: Channel, Waits: "waits to send to"},
	Recv:    {Name: "recv", Word: "recv", Class: Channel, Waits: "waits to receive from"},
	Select:  {Name: "select", Waits: "waits in a select"},
	Default: {Name: "default", Word: "default"},
	Close:   {Name: "close", Word: "close", Class: Channel},
	Len:     {Name: "len", Word: "len", Class: Channel},

	Lock:    {Name: "lock", Word: "lock", Class: Mutex, Waits: "waits to lock"},
	TryLock: {Name: "trylock", Word: "trylock", Class: Mutex, Failed: "no"},
	Unlock:  {Name: "unlock", Word: "unlock", Class: Mutex},

	WLock:    {Name: "wlock", Word: "wants", Class: RWMutex, Waits: "waits to lock"},
	WWait:    {Name: "wwait", Word: "lock", Class: RWMutex, Waits: "waits to lock"},
	WTryLock: {Name: "wtrylock", Word: "trylock", Class: RWMutex, Failed: "no"},
	WUnlock:  {Name: "wunlock", Word: "unlock", Class: RWMutex},
	RLock:    {Name: "rlock", Word: "rlock", Class: RWMutex, Waits: "waits to read-lock"},
	RTryLock: {Name: "rtrylock", Word: "tryrlock", Class: RWMutex, Failed: "no"},
	RUnlock:  {Name: "runlock", Word: "runlock", Class: RWMutex},

	WgAdd:    {Name: "wgadd", Class: WaitGroup},
	WgWait:   {Name: "wgwait", Word: "wait", Class: WaitGroup, Waits: "waits for"},
	Once:     {Name: "once", Word: "do", Class: OnceGuard, Waits: "waits for", Failed: "was done"},
	OnceDone: {Name: "oncedone", Word: "done", Class: OnceGuard},

	Yield: {Name: "yield", Word: "yield"},
	Log:   {Name: "log", Word: "report", Class: Subtest},
	Join:  {Name: "join", Word: "join", Class: Subtest, Waits: "waits for"},
	End:   {Name: "end", Word: "end", Class: Subtest},

	Now:        {Name: "now", Word: "now"},
	TimerStart: {Name: "timer", Word: "start timer"},
	TimerStop:  {Name: "timerstop", Word: "stop timer"},
	TimerReset: {Name: "timerreset", Word: "reset timer"},
	Fire:       {Name: "fire", Word: "fire", Waits: "sleeps"},

	AtomicLoad:   {Name: "load", Word: "load", Class: Variable},
	AtomicStore:  {Name: "store", Word: "store", Class: Variable},
	AtomicUpdate: {Name: "update", Word: "update", Class: Variable, Failed: "no change"},

	CondEnter:     {Name: "condenter", Word: "enter", Class: Cond},
	CondWait:      {Name: "condwait", Word: "woken by", Class: Cond, Waits: "waits to be woken by"},
	CondSignal:    {Name: "signal", Word: "signal", Class: Cond},
	CondBroadcast: {Name: "broadcast", Word: "broadcast", Class: Cond},

	PoolGet: {Name: "poolget", Word: "get", Class: Pool, Failed: "empty"},
	PoolPut: {Name: "poolput", Word: "put", Class: Pool},

	Draw:  {Name: "draw"},
	Pick:  {Name: "pick"},
	Fault: {Name: "fault"},
	Birth: {Name: "birth", Word: "go"},
	Death: {Name: "death", Word: "ended"},
	Count: {Name: "count", Word: "count goroutines"},
	Settle: {Name: "settle", Word: "settled",
		Waits: "waits until all others of its bubble are durably blocked"},
	Stop: {Name: "stop", Word: "exit"},

	StreamRead:   {Name: "read", Word: "read", Class: Stream, Waits: "waits to read from"},
	StreamWrite:  {Name: "write", Word: "write", Class: Stream, Waits: "waits to write to"},
	StreamShut:   {Name: "shut", Word: "close", Class: Stream},
	StreamSet:    {Name: "deadline", Word: "deadline of", Class: Stream},
	StreamListen: {Name: "listen", Word: "listen at", Class: Stream},
	StreamDial:   {Name: "dial", Word: "dial", Class: Stream},
	StreamAccept: {Name: "accept", Word: "accept at", Class: Stream, Waits: "waits to accept at"},
}

// String returns the name that schedule files use.
func (k Kind) String() string { return operations[k].Name }

// KindOf is the inverse of Kind.String; ok is false for an unknown name.
func KindOf(name string) (k Kind, ok bool) {
	for i := range operations {
		if operations[i].Name == name {
			return Kind(i), true
		}
	}
	return None, false
}

// OfStream reports whether k is an operation of a connection or an address.
func (k Kind) OfStream() bool { return k >= StreamRead && k <= StreamAccept }

// Late reports whether operations of kind k wait until others have had their turn: a State lists
// them at the end.
func (k Kind) Late() bool { return k == Fire || k == Settle }
