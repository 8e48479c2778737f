// Package micro is a small language of processes that communicate, and an executor for it that
// needs no goroutines: the test bed of everything that decides about orders.
//
// A program is a text. Lines that begin with # are prose. "chan a 2" declares a channel of capacity
// 2, "bag a" and "pairs a" a mailbox under the delivery models actor and pairs; "mutex m", "rw r",
// "wg w", "once o", "atomic v", "flag v" (one of which equal stores commute), "map m" (a sync.Map
// with the keys 1 to 3) likewise; "group w" is a WaitGroup whose Adds and Dones are taken to be
// matched (see package depend), where a search keeps the order of those of "wg w". "tcp c", "unix
// c" and "pipe c" are connections, "address p" and "datagrams p" what is listened at. All other
// lines are processes, which all exist from the start: a name, a colon, and statements between
// semicolons:
//
//	a<-1   <-a   +<-a   close a   len a   select a<-1 | <-b | default
//	load v   store v 1   swap v 1   sum v 1 (adds, and observes nothing)   unite v 1 (sets bits, likewise)
//	get m 1   put m 1 7   offer m 1 7 (LoadOrStore)   all m (Range)   clear m
//	lock m   trylock m   unlock m   wlock r   wtrylock r   wunlock r   rlock r   rtrylock r   runlock r
//	read c 0 5   write c 1 3   shut c 0 0   dial p 0 0   accept p 1 1 (see streamWords)
//	add w 1   wait w   once o   yield   log text   fail   panic text   exit 1   go NAME
//	if 3 2       skip the next 2 statements unless the last value observed is 3
//	defer        what follows is done in any case, also after a panic of what comes before
//	recover      recovers a panic
//
// A process whose name begins with * does not exist until "go" spawns it, as often as it does.
// Statements of a process whose name begins with ~, and a statement that begins with ~, are inner:
// parts of a whole step (see package runtime/sched). Before one that begins with ~~, code of the
// program has run, so it is a choice. A read that begins with ~= is an idle server's. A process is
// both as *~NAME. "a<-$" sends the last value observed. A process observes the values that it
// receives, the cases it takes, lengths, whether a try succeeded, and whether "recover" recovered;
// a receive from a closed channel observes -1. A panic that is not recovered, and "exit", end the
// program in a step of their own (trace.Stop); an unlock of an unlocked mutex ends it at once.
// "+<-a" receives a value and adds it up. Of several such receives in a row, whatever the channels,
// the process observes the sum when it comes to another statement. The first process is the test
// function.
package micro

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// Program is a parsed program.
type Program struct {
	Objects []Object
	Procs   []Proc
}

// Object is a declared channel or synchronisation object.
type Object struct {
	Name, Type string // the type is the word that declares it
	Cap        int32
}

// Proc is the code of a process.
type Proc struct {
	Name    string
	Spawned bool // it does not exist from the start
	Inner   bool // all of its code is inner
	Code    []Stmt
}

// Stmt is a statement. Kind None stands for those that are not visible operations; Word says which.
type Stmt struct {
	Kind  trace.Kind
	Word  string
	Obj   int32 // index in Objects
	N     int   // value sent, delta, or the number in "if" and "exit"
	Key   int32 // of a map's entry
	Cap   int32 // of a stream: see stream.Op
	Value int   // of a map's entry
	Blind int32 // of an AtomicUpdate: see trace.BlindAdd
	// of a receive that adds up: those between which no "if" stands are one group; otherwise 0
	Group   int32
	Last    bool // the value sent is the last one observed
	Skip    int  // of "if"; of "go": the process
	Text    string
	Cases   []Stmt
	Default bool
	Side    trace.Side // Inner: a choice in any case
}

// Parse reads a program; it panics on errors, as tests are the only users.
func Parse(text string) *Program {
	p := &Program{}
	var bodies []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		name, body, isProc := strings.Cut(line, ":")
		switch {
		case line == "" || line[0] == '#':
		case isProc:
			q := Proc{}
			name, q.Spawned = strings.CutPrefix(name, "*")
			q.Name, q.Inner = strings.CutPrefix(name, "~")
			p.Procs = append(p.Procs, q)
			bodies = append(bodies, body)
		default:
			p.declare(strings.Fields(line))
		}
	}
	for i, body := range bodies {
		for s := range strings.SplitSeq(body, ";") {
			if s = strings.TrimSpace(s); s != "" {
				side := trace.Outer
				if p.Procs[i].Inner {
					side = trace.Inside
				}
				if after, inner := strings.CutPrefix(s, "~"); inner {
					s, side = after, trace.Inside
				}
				if after, back := strings.CutPrefix(s, "~"); back {
					s, side = after, trace.Inner
				} else if after, idle := strings.CutPrefix(s, "="); idle {
					s, side = after, trace.Idle
				}
				st := p.stmt(s)
				st.Side = side
				p.Procs[i].Code = append(p.Procs[i].Code, st)
			}
		}
		number(p.Procs[i].Code)
	}
	return p
}

// number numbers the groups of a process. An "if" may look at the sum, and is no visible operation.
func number(code []Stmt) {
	group := int32(1)
	for i := range code {
		if code[i].Word == "if" {
			group++
		} else if code[i].Group > 0 {
			code[i].Group = group
		}
	}
}

func (p *Program) declare(f []string) {
	o := Object{Name: f[1], Type: f[0]}
	switch {
	case o.Type == "bag":
		o.Cap = trace.Bag
	case o.Type == "pairs":
		o.Cap = trace.Pairs
	case o.Type == "wg":
		o.Cap = trace.InOrder
	case len(f) > 2:
		o.Cap = int32(integer(f[2]))
	}
	p.Objects = append(p.Objects, o)
}

var kinds = map[string]trace.Kind{
	"close": trace.Close, "len": trace.Len, "lock": trace.Lock, "trylock": trace.TryLock,
	"unlock": trace.Unlock,
	"wlock":  trace.WLock, "wtrylock": trace.WTryLock, "wunlock": trace.WUnlock,
	"rlock":    trace.RLock,
	"rtrylock": trace.RTryLock, "runlock": trace.RUnlock, "add": trace.WgAdd, "wait": trace.WgWait,
	"once": trace.Once,
	"load": trace.AtomicLoad, "store": trace.AtomicStore, "swap": trace.AtomicUpdate,
	"sum": trace.AtomicUpdate, "unite": trace.AtomicUpdate,
	"get": trace.AtomicLoad, "put": trace.AtomicUpdate, "offer": trace.AtomicUpdate,
	"all": trace.AtomicLoad, "clear": trace.AtomicUpdate,
}

func (p *Program) stmt(s string) Stmt {
	if ch, v, ok := strings.Cut(s, "<-"); ok && !strings.HasPrefix(s, "select") {
		return p.comm(strings.TrimSpace(ch), strings.TrimSpace(v))
	}
	f := strings.Fields(s)
	if _, ok := streamWords[f[0]]; ok {
		return p.streamStmt(f)
	}
	if k, ok := kinds[f[0]]; ok {
		st := Stmt{Kind: k, Obj: p.object(f[1])}
		if len(f) > 2 {
			st.N = integer(f[2])
		}
		if len(f) > 3 {
			st.Value = integer(f[3])
		}
		if f[0] == "get" || f[0] == "put" || f[0] == "offer" {
			st.Key = int32(st.N)
		}
		st.Word = f[0]
		st.Blind = map[string]int32{"sum": trace.BlindAdd, "unite": trace.BlindOr}[f[0]]
		return st
	}
	rest := strings.TrimSpace(strings.TrimPrefix(s, f[0]))
	switch f[0] {
	case "select":
		return p.choice(rest)
	case "yield":
		return Stmt{Kind: trace.Yield, Obj: -1}
	case "log", "fail":
		return Stmt{Kind: trace.Log, Word: f[0], Obj: -1, Text: rest}
	case "panic":
		return Stmt{Word: f[0], Text: rest}
	case "defer", "recover":
		return Stmt{Word: f[0]}
	case "exit":
		return Stmt{Word: f[0], N: integer(f[1])}
	case "go":
		return Stmt{Word: f[0], Skip: p.proc(rest)}
	case "if":
		return Stmt{Word: f[0], N: integer(f[1]), Skip: integer(f[2])}
	}
	panic("micro: no statement " + s)
}

func (p *Program) comm(ch, v string) Stmt {
	switch ch {
	case "":
		return Stmt{Kind: trace.Recv, Obj: p.object(v)}
	case "+":
		return Stmt{Kind: trace.Recv, Obj: p.object(v), Group: 1}
	}
	st := Stmt{Kind: trace.Send, Obj: p.object(ch)}
	if v == "$" {
		st.Last = true
	} else {
		st.N = integer(v)
	}
	return st
}

func (p *Program) choice(s string) Stmt {
	st := Stmt{Kind: trace.Select, Obj: -1}
	for c := range strings.SplitSeq(s, "|") {
		if c = strings.TrimSpace(c); c == "default" {
			st.Default = true
		} else {
			st.Cases = append(st.Cases, p.stmt(c))
		}
	}
	return st
}

// object finds a declared object; "nil" is the nil channel.
func (p *Program) object(name string) int32 {
	if name == "nil" {
		return -1
	}
	for i, o := range p.Objects {
		if o.Name == name {
			return int32(i)
		}
	}
	panic("micro: no object " + name)
}

func (p *Program) proc(name string) int {
	for i, q := range p.Procs {
		if q.Name == name {
			return i
		}
	}
	panic("micro: no process " + name)
}

func integer(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(fmt.Sprintf("micro: %q is not a number", s))
	}
	return n
}
