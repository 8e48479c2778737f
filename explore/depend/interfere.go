package depend

import "github.com/rehearse-go/rehearse/runtime/trace"

// A search asks for interference to find races. Event a was done in a state where op, the declared
// operation of another process, could have been done, too, directly or after steps that are
// independent of a. So each answer below may use the fact that a was possible in that state: if an
// Unlock was possible, no Lock was; if default was taken, the buffer was empty. In this way pairs
// drop out that are dependent but never enabled together (Unlock and Lock, a receive and the send
// for which it makes room).

// hit says whether an effect interferes with an operation on the same object.
type hit uint8

const (
	maybe     hit = iota // nothing is known: yes
	no                   //
	yes                  //
	ifDefault            // if op is a select with default
	ifMeeting            // if op can be a's partner: not both have a default branch
)

// Kinds of the tables of this file that trace does not tell apart: a WgAdd of less than zero, and
// the blind sorts of an AtomicUpdate.
const (
	wgDone = trace.NumKinds + iota
	updates
	blindAdd = updates - 1 + trace.Kind(trace.BlindAdd)
	blindAnd = updates - 1 + trace.Kind(trace.BlindAnd)
	blindOr  = updates - 1 + trace.Kind(trace.BlindOr)
	keyLoad  = blindOr + 1 // of a key that has a number
	keyPut   = blindOr + 2 // likewise
	wake     = blindOr + 3 // of a process that sleeps
	numKinds = blindOr + 4
)

func kindOf(op *trace.Op) trace.Kind {
	switch {
	case op.Kind == trace.WgAdd && op.Delta() < 0:
		return wgDone
	case op.IsBlind():
		return updates - 1 + trace.Kind(op.Blind())
	case op.IsSleeper():
		return wake
	case op.Kind == trace.AtomicUpdate && op.Key() > 0:
		return keyPut
	case op.Kind == trace.AtomicLoad && op.Key() > 0:
		return keyLoad
	}
	return op.Kind
}

// answers for one effect; operations that are not named get the answer maybe.
type answers map[trace.Kind]hit

// hits is the table of interference on buffered channels and on all objects that are no channels.
var hits = map[effect]answers{
	sent: {trace.Send: yes, trace.Recv: ifDefault, trace.Close: yes, trace.Len: yes},
	received: {trace.Recv: yes, trace.Send: ifDefault, trace.Close: no, trace.Len: yes,
		trace.Now: no, trace.TimerStart: no},
	drained:  {trace.Recv: no, trace.Send: no, trace.Close: yes, trace.Len: no},
	bounced:  {trace.Recv: no, trace.Send: no, trace.Close: yes, trace.Len: no},
	reclosed: {trace.Recv: no, trace.Send: no, trace.Close: no, trace.Len: no},
	closed:   {trace.Recv: ifDefault, trace.Send: yes, trace.Close: yes, trace.Len: no},
	counted: {trace.Recv: yes, trace.Send: yes, trace.Close: no, trace.Len: no, trace.Now: no,
		trace.TimerStart: no},
	missedRecv: {trace.Recv: no, trace.Send: yes, trace.Close: yes, trace.Len: no, trace.Now: no,
		trace.TimerStart: no},
	missedSend: {trace.Recv: yes, trace.Send: no, trace.Close: yes, trace.Len: no},

	posted: {trace.Send: no, trace.Recv: ifDefault, trace.Close: yes, trace.Len: yes},
	// a message that is sent before it might be taken instead
	picked: {trace.Send: yes, trace.Recv: yes, trace.Close: no, trace.Len: yes},

	tasked: {trace.Send: yes, trace.Recv: no, trace.Close: yes},
	laid:   {trace.Send: yes, trace.Recv: ifDefault, trace.Close: yes, trace.Len: yes},

	readIn:     {trace.RLock: no, trace.RTryLock: no, trace.RUnlock: no, trace.WWait: no},
	lockFailed: {trace.Lock: no, trace.TryLock: no},
	readFailed: {trace.WLock: no, trace.RLock: no, trace.RTryLock: no, trace.WTryLock: no,
		trace.RUnlock: no},
	writeFailed: {trace.WTryLock: no},
	read:        {trace.RLock: no, trace.RTryLock: no, trace.RUnlock: no, trace.WWait: no},
	added:       {trace.WgAdd: no, wgDone: no},
	done:        {trace.WgAdd: no, wgDone: no, trace.WgWait: no},
	raised:      {trace.WgAdd: no},
	lowered:     {wgDone: no, trace.WgWait: no},
	waited:      {trace.WgWait: no},
	later:       {trace.Once: no},
	ended:       {trace.Join: no, trace.End: no},
	joined:      {trace.Join: no},
	peeked:      {trace.AtomicLoad: no, keyLoad: no},
	keyPeeked:   {trace.AtomicLoad: no, keyLoad: no},
	summed:      {blindAdd: no},
	masked:      {blindAnd: no},
	united:      {blindOr: no},
	enlisted:    {trace.CondWait: no},
	notified:    {trace.CondWait: no},
	awoken: {trace.CondWait: no, trace.CondEnter: no, trace.CondSignal: no,
		trace.CondBroadcast: no},
	missedPool: {trace.PoolGet: no},
	born:       {trace.Birth: no, trace.Death: no},
	died:       {trace.Birth: no, trace.Death: no},
	tallied:    {trace.Count: no},

	looked: {trace.Now: no, trace.TimerStart: no, trace.TimerStop: no, trace.TimerReset: no,
		trace.Recv: no, trace.Len: no},
	armed: {trace.Now: no, trace.TimerStart: no, trace.TimerStop: no, trace.TimerReset: no,
		trace.Recv: no, trace.Len: no},
	rearmed: {trace.Now: no, trace.TimerStart: no},
}

// releases are operations that enable others, which were not possible before: these pairs are no
// races.
var releases = map[trace.Kind]answers{
	trace.Unlock:   {trace.Lock: no},
	trace.WUnlock:  {trace.WLock: no, trace.RLock: no},
	trace.WWait:    {trace.WLock: no, trace.RLock: no},
	trace.OnceDone: {trace.Once: no},
}

// unbuffered is the table for unbuffered channels, on which any two processes that want to
// communicate can be partners.
var unbuffered = map[effect]answers{
	met:        {trace.Send: yes, trace.Recv: yes, trace.Close: yes, trace.Len: no},
	drained:    {trace.Send: no, trace.Recv: no, trace.Close: yes, trace.Len: no},
	bounced:    {trace.Send: no, trace.Recv: no, trace.Close: yes, trace.Len: no},
	reclosed:   {trace.Send: no, trace.Recv: no, trace.Close: no, trace.Len: no},
	closed:     {trace.Send: yes, trace.Recv: yes, trace.Close: yes, trace.Len: no},
	counted:    {trace.Send: no, trace.Recv: no, trace.Close: no, trace.Len: no},
	missedRecv: {trace.Send: ifMeeting, trace.Recv: no, trace.Close: yes, trace.Len: no},
	missedSend: {trace.Send: no, trace.Recv: ifMeeting, trace.Close: yes, trace.Len: no},
}

// hitTable is a map from above, indexed.
type hitTable [numEffects][numKinds]hit

func tabulate(m map[effect]answers) (t hitTable) {
	for e, as := range m {
		for k, h := range as {
			t[e][k] = h
		}
	}
	for k := range t[yielded] {
		t[yielded][k], t[slept][k] = no, no
	}
	for e := range t {
		t[e][wake] = no // where it moves the clock, it comes after all that was possible
	}
	return t
}

var (
	bufferedHits = tabulate(hits)
	timedHits    = func(t hitTable) hitTable {
		t[missedRecv][trace.Recv] = yes // from another timer's channel: that one may be full
		return t
	}(bufferedHits)
	unbufferedHits = tabulate(unbuffered)
	releaseHits    = func() (t [trace.NumKinds][numKinds]hit) {
		for a, as := range releases {
			for k, h := range as {
				t[a][k] = h
			}
		}
		return t
	}()
)

// Interferes reports whether op, done before a, might have changed what a did, or what the
// processes of a were able to do. op is a declared operation of a process that took no part in a.
func Interferes(a *trace.Event, op *trace.Op) bool {
	if op.Kind == trace.Fault {
		// if an execution may have one fault, the first of two leaves no room for the other: see
		// hidden.Faults
		return op.N > 1 && a.Kind == trace.Fault && Touches(a, op.Obj)
	}
	if op.Kind != trace.Select {
		if n := a.Did(); n != 0 && a.Obj == op.Obj &&
			(endOf[a.Kind] == trace.None || trace.Commute(n, op.Sectioned())) {
			return false // nothing comes before the end of a section but its beginning
		}
		if n := op.Says(); n != 0 && a.Obj == op.Obj && trace.Commute(n, a.Op.Says()) {
			return false
		}
		return op.Obj >= 0 && interferesOn(a, op.Obj, op.Cap, kindOf(op), false)
	}
	for _, c := range op.Cases {
		if c.Obj >= 0 && interferesOn(a, c.Obj, c.Cap, c.Kind, op.Default) {
			return true
		}
	}
	return false
}

// Declared returns the operation of e, to be given to Interferes, if e is its outcome. An operation
// that drove a WaitGroup's counter below zero interferes with all events that touched the counter.
func Declared(e *trace.Event) trace.Op {
	if effectOf(e) == overdone {
		return trace.Op{Obj: e.Obj}
	}
	op := e.Op
	if n := e.Did(); n != 0 {
		op.N = n
	}
	return op
}

// interferesOn is Interferes for one communication, or other operation, of kind k on object obj.
func interferesOn(a *trace.Event, obj, capacity int32, k trace.Kind, hasDefault bool) bool {
	if a.Obj == obj && k.OfStream() {
		return !aloof(a, k, capacity)
	}
	if a.Obj == obj && !(sided[k] && aside(a, capacity, k)) && hitBy(a, capacity, k, hasDefault) {
		return true
	}
	if a.Op.Kind == trace.Select && caseInterferes(a, &a.Op, a.Case, obj, k, hasDefault) {
		return true
	}
	return a.PartnerOp.Kind == trace.Select && caseInterferes(a, &a.PartnerOp, a.PartnerCase, obj,
		k,
		hasDefault)
}

// sided has the kinds that aside looks at.
var sided = [numKinds]bool{keyLoad: true, keyPut: true, trace.TimerStop: true,
	trace.TimerReset: true, trace.AtomicStore: true}

// aside reports whether a commutes with an operation of kind k because of the operation's key, or
// because of the number of its value.
func aside(a *trace.Event, key int32, k trace.Kind) bool {
	switch k {
	case keyLoad, keyPut:
		return apart(effectOf(a), keyChanged, a.Op.Key(), key)
	case trace.TimerStop, trace.TimerReset:
		return apart(effectOf(a), rearmed, a.Op.Key(), key)
	case trace.AtomicStore:
		return key > 0 && apart(effectOf(a), stored, a.Op.Key(), key)
	}
	return false
}

// hitBy looks up the effect of a on its own object.
func hitBy(a *trace.Event, capacity int32, k trace.Kind, hasDefault bool) bool {
	h := releaseHits[a.Kind][k]
	if h == maybe {
		t := &bufferedHits
		switch {
		case capacity == trace.Timers:
			t = &timedHits
		case capacity == 0 && isComm(a.Kind):
			t = &unbufferedHits
		}
		h = t[effectOf(a)][k]
	}
	return h.holds(false, hasDefault)
}

func isComm(k trace.Kind) bool {
	return k == trace.Send || k == trace.Recv || k == trace.Close || k == trace.Len
}

// isTimed reports whether k is an operation on the clock, of which the channels of timers are a
// part.
func isTimed(k trace.Kind) bool {
	switch k {
	case trace.Now, trace.TimerStart, trace.TimerStop, trace.TimerReset, trace.Fire, trace.Settle:
		return true
	}
	return false
}

func (h hit) holds(aDefault, opDefault bool) bool {
	switch h {
	case no:
		return false
	case ifDefault:
		return opDefault
	case ifMeeting:
		return !aDefault || !opDefault
	}
	return true
}

// caseInterferes looks at the cases of one participant's select that were not taken, or that a
// default missed.
func caseInterferes(a *trace.Event, sel *trace.Op, taken, obj int32, k trace.Kind,
	hasDefault bool) bool {
	for i, c := range sel.Cases {
		if c.Obj == obj && int32(i) != taken &&
			untaken(a, c, k).holds(sel.Default, hasDefault) {
			return true
		}
	}
	return false
}

func untaken(a *trace.Event, c trace.Case, k trace.Kind) hit {
	switch {
	case c.Cap == 0 && (k == trace.Send || k == trace.Recv):
		if k == c.Kind {
			return no // they compete for a partner, whose own operation interferes
		}
		return ifMeeting
	case c.Cap == 0 && k == trace.Len:
		return no
	case a.Kind == trace.Default && c.Cap == trace.Timers:
		return timedHits[missed(c)][k]
	case a.Kind == trace.Default:
		return bufferedHits[missed(c)][k]
	}
	if k == trace.Now || k == trace.TimerStart {
		return no // it touches no channel that others know
	}
	return yes // it may make the case ready, or no longer ready
}

// Touches reports whether e had, or might have had, an effect on obj by what it did.
func Touches(e *trace.Event, obj int32) bool {
	if e.Kind != trace.Default {
		return e.Obj == obj && obj >= 0
	}
	for _, c := range e.Op.Cases {
		if c.Obj == obj && obj >= 0 {
			return true
		}
	}
	return false
}
