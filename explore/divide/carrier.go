package divide

import (
	"encoding/gob"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// carrierEnv names the directory with the pipes of a carrier.
const carrierEnv = "REHEARSE_CARRIER"

// The pipes of a carrier, which it makes: what this process says, and what the carrier says.
const (
	SaidPipe    = "said"
	BroughtPipe = "brought"
)

// CarrierVariable is what tells a test binary where its carrier is.
func CarrierVariable(dir string) string { return carrierEnv + "=" + dir }

// Said is a message to a carrier; one of its fields is set.
type Said struct {
	Hello *Hello
	Begin *Begin
	Order *Order
	// references of answers that have been saved, or are of no use: no worker needs to send them
	// again
	Kept []uint64
	End  bool // the search is over, and with it all its orders
	// a line of a record, for who looks on: see record.Reader
	Told []byte
}

// Hello says who this process is, and how helpers of it are started.
type Hello struct {
	Protocol int
	Package  string   // import path
	Dir      string   // of the package
	Binary   string   // file
	Args     []string // for a helper
	Go       string   // version
}

// Protocol is the version of all that travels.
const Protocol = 1

// Begin announces the orders of a search.
type Begin struct {
	// the beginning of their keys: two searches have different runs, and so have two keepers that
	// have made different items
	Run   string
	Test  string
	Probe []byte // a task for who wants to work, see EncodeTask
	Check uint64 // Report.Check of a machine that does what this one does
}

// Order is a task to be carried.
type Order struct {
	Key  string
	Task []byte
}

// Brought is a message of a carrier.
type Brought struct {
	Workers int // that there are at the moment
	Answer  *Answer
	Lost    string // the key of an order with which too many workers have died
}

// Answer is what a worker has made of an order.
type Answer struct {
	Key    string
	Report []byte // see DecodeReport
	Ref    uint64 // see Said.Kept
}

// Carrier is a connection to what carries tasks to other machines.
type Carrier struct {
	gone    func()
	mu      sync.Mutex // for out
	out     *gob.Encoder
	workers atomic.Int64
	to      atomic.Pointer[Search] // who wants what is brought; nil: nobody does
}

// IsCarried reports whether this process has a carrier.
func IsCarried() bool { return os.Getenv(carrierEnv) != "" }

// Carried connects this process to its carrier. It must be called once, early. The process ends
// when the carrier is gone.
func Carried() (*Carrier, error) {
	dir := os.Getenv(carrierEnv)
	os.Unsetenv(carrierEnv)
	out, err := os.OpenFile(filepath.Join(dir, SaidPipe), os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	in, err := os.OpenFile(filepath.Join(dir, BroughtPipe), os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	const lonely = 2 // an exit code that nobody sees
	return Connect(out, in, func() { os.Exit(lonely) }), nil
}

// Connect speaks with a carrier, until gone is called because the carrier is gone.
func Connect(out io.Writer, in io.Reader, gone func()) *Carrier {
	c := &Carrier{out: gob.NewEncoder(out), gone: gone}
	go c.listen(gob.NewDecoder(in))
	return c
}

func (c *Carrier) listen(in *gob.Decoder) {
	for {
		var b Brought
		if in.Decode(&b) != nil {
			c.gone()
			return
		}
		c.workers.Store(int64(b.Workers))
		if s := c.to.Load(); s != nil {
			s.bring(&b)
		} else if b.Answer != nil {
			c.Say(Said{Kept: []uint64{b.Answer.Ref}})
		}
	}
}

// Say sends a message.
func (c *Carrier) Say(m Said) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.out.Encode(m) != nil {
		c.gone()
	}
}

// Write tells a line of a record. A Carrier is an io.Writer of such lines.
func (c *Carrier) Write(line []byte) (int, error) {
	c.Say(Said{Told: line})
	return len(line), nil
}

// Hello says who this process is, and which arguments a helper gets.
func (c *Carrier) Hello(pkg, dir string, args []string) {
	binary, _ := os.Executable()
	c.Say(Said{Hello: &Hello{Protocol: Protocol, Package: pkg, Dir: dir, Binary: binary,
		Args: args, Go: runtime.Version()}})
}

// Workers is how many workers there are.
func (c *Carrier) Workers() int { return int(c.workers.Load()) }

// Seen makes a checksum of the executions of a search, for Report.Check. For one test and one
// order, machines on which the test behaves alike have the same checksum.
type Seen struct {
	explore.Strategy
	Sum uint64
}

// End implements explore.Strategy.
func (s *Seen) End(x *trace.Execution) {
	h := fnv.New64a()
	for i := range x.Events {
		e := &x.Events[i]
		fmt.Fprintln(h, e.Alt, e.Kind, e.Obj, e.Op.Kind, e.OK, e.Closed)
	}
	fmt.Fprintln(h, x.End, x.Log)
	const prime = 1099511628211
	s.Sum = s.Sum*prime + h.Sum64()
	s.Strategy.End(x)
}
