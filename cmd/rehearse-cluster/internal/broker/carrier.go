package broker

import (
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/rehearse-go/rehearse/cmd/rehearse-cluster/internal/key"
	"github.com/rehearse-go/rehearse/explore/divide"
)

// Carrier is between the keeper and the workers.
type Carrier struct {
	// Built is called for each binary that a keeper has, before a worker can get it.
	Built func(*key.Manifest) error
	// Told is called for each line of a record that a keeper tells. It must be quick.
	Told func(line []byte)
	// Log is told what the user should know.
	Log func(format string, args ...any)

	ctx  context.Context
	stop context.CancelFunc
	key  *key.Server
	dir  string // with the pipes
	conn *nats.Conn
	js   jetstream.JetStream
	work jetstream.Stream

	mu       sync.Mutex
	changed  *sync.Cond
	manifest *key.Manifest            // nil: there is no binary yet
	orders   map[string][]byte        // without an answer, by key
	unsent   []string                 // those of them that are to be published
	answers  map[uint64]jetstream.Msg // that the keeper has not written down, by reference
	latest   uint64                   // reference
	beats    map[string]beat
	down     []divide.Brought // for the keeper
	results  func()           // ends that answers are taken; nil: none are
	brought  io.Closer        // what the keeper reads; nil: there is no keeper
	closed   bool
}

type beat struct {
	slots int
	at    time.Time
}

// Carry begins to carry for keepers that find their pipes in dir.
func Carry(url, dir string, k *key.Server) (*Carrier, error) {
	c := &Carrier{key: k, dir: dir, orders: map[string][]byte{},
		answers: map[uint64]jetstream.Msg{}, beats: map[string]beat{},
		Built: func(*key.Manifest) error { return nil }, Log: func(string, ...any) {},
		Told: func([]byte) {}}
	c.changed = sync.NewCond(&c.mu)
	c.ctx, c.stop = context.WithCancel(context.Background())
	config, err := k.Worker.TLS()
	if err != nil {
		return nil, err
	}
	c.conn, err = Connect(url, k.ServeSeed, config,
		nats.ReconnectHandler(func(*nats.Conn) { c.sendAgain() }))
	if err != nil {
		return nil, err
	}
	if c.js, err = jetstream.New(c.conn); err != nil {
		return nil, err
	}
	if err := prepare(c.ctx, c.js); err != nil {
		return nil, fmt.Errorf("the broker does not keep streams: %w", err)
	}
	if c.work, err = c.js.Stream(c.ctx, Work); err != nil {
		return nil, err
	}
	for _, pipe := range []string{divide.SaidPipe, divide.BroughtPipe} {
		err := syscall.Mkfifo(filepath.Join(dir, pipe), 0o600)
		if err != nil && !errors.Is(err, os.ErrExist) {
			return nil, err
		}
	}
	const lost = "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES." + Work + "." + Durable
	for subject, handle := range map[string]nats.MsgHandler{
		Join: c.join, Alive: c.alive, lost: c.lost,
	} {
		if _, err := c.conn.Subscribe(subject, handle); err != nil {
			return nil, err
		}
	}
	go c.serve()
	go c.publish()
	go c.count()
	return c, nil
}

// Close tells the workers that the run is over.
func (c *Carrier) Close() {
	c.conn.Publish(Over, nil)
	c.conn.FlushTimeout(time.Second)
	c.mu.Lock()
	c.closed = true
	c.changed.Broadcast()
	c.mu.Unlock()
	c.stop()
	c.conn.Close()
}

// serve serves one keeper after the other: packages, and binaries that are built again, have their
// own.
func (c *Carrier) serve() {
	for c.ctx.Err() == nil {
		said, err := os.OpenFile(filepath.Join(c.dir, divide.SaidPipe), os.O_RDONLY, 0)
		if err != nil {
			return
		}
		brought, err := os.OpenFile(filepath.Join(c.dir, divide.BroughtPipe), os.O_WRONLY, 0)
		if err != nil {
			return
		}
		c.mu.Lock()
		c.brought = brought
		c.mu.Unlock()
		if err := c.keeper(said, brought); err != nil {
			c.Log("%v", err)
		}
		c.dismiss()
		// a keeper that is still there has to see the end of what it reads, before the pipe is
		// opened for the next one
		io.Copy(io.Discard, said)
		said.Close()
	}
}

// keeper speaks with a keeper until that is gone.
func (c *Carrier) keeper(said io.Reader, brought io.Writer) error {
	gone := false
	var speaking sync.WaitGroup
	speaking.Go(func() { c.bring(gob.NewEncoder(brought), &gone) })
	defer func() {
		c.end()
		c.mu.Lock()
		gone, c.manifest, c.down = true, nil, nil
		c.changed.Broadcast()
		c.mu.Unlock()
		speaking.Wait()
	}()
	in := gob.NewDecoder(said)
	for {
		var m divide.Said
		if in.Decode(&m) != nil {
			return nil
		}
		switch {
		case m.Hello != nil:
			if err := c.hello(m.Hello); err != nil {
				return err
			}
		case m.Begin != nil:
			if err := c.begin(m.Begin); err != nil {
				return err
			}
		case m.Order != nil:
			c.mu.Lock()
			c.orders[m.Order.Key] = Pack(m.Order.Task)
			c.unsent = append(c.unsent, m.Order.Key)
			c.changed.Broadcast()
			c.mu.Unlock()
		case m.Told != nil:
			c.Told(m.Told)
		case m.End:
			c.end()
		}
		c.kept(m.Kept)
	}
}

// bring writes to the keeper all that is meant for it, until the keeper is gone. Another goroutine
// reads from the keeper meanwhile, which may be waiting for that.
func (c *Carrier) bring(out *gob.Encoder, gone *bool) {
	for {
		c.mu.Lock()
		for len(c.down) == 0 && !*gone {
			c.changed.Wait()
		}
		if *gone {
			c.mu.Unlock()
			return
		}
		b := c.down[0]
		c.down = c.down[1:]
		b.Workers = c.workers()
		c.mu.Unlock()
		if out.Encode(b) != nil {
			return
		}
	}
}

// tell puts a message for the keeper behind the others; the caller has the lock.
func (c *Carrier) tell(b divide.Brought) {
	c.down = append(c.down, b)
	c.changed.Broadcast()
}

// hello takes the keeper's binary.
func (c *Carrier) hello(h *divide.Hello) error {
	if h.Protocol != divide.Protocol {
		return fmt.Errorf("rehearse has protocol %d, and rehearse-cluster %d: install both in one "+
			"version", h.Protocol, divide.Protocol)
	}
	content, err := os.ReadFile(h.Binary)
	if err != nil {
		return err
	}
	m := &key.Manifest{Protocol: divide.Protocol, Tool: runtime.Version(), OS: runtime.GOOS,
		Arch: runtime.GOARCH, Binary: key.Hash(content), Size: int64(len(content)),
		Package: h.Package, Dir: h.Dir, Args: h.Args}
	err = c.patiently(func(ctx context.Context) error {
		store, err := c.js.ObjectStore(ctx, Binaries)
		if err != nil {
			return err
		}
		if _, err = store.GetInfo(ctx, m.Binary); err != nil {
			_, err = store.PutBytes(ctx, m.Binary, content)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("the broker does not keep the binary: %w", err)
	}
	if err := c.Built(m); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.manifest = m
	c.tell(divide.Brought{})
	return nil
}

// begin begins a search, or goes on with it as another run.
func (c *Carrier) begin(b *divide.Begin) error {
	var consumer jetstream.Consumer
	err := c.patiently(func(ctx context.Context) (err error) {
		const most = 1000 // answers that the keeper has not written down
		consumer, err = c.js.CreateOrUpdateConsumer(ctx, Results, jetstream.ConsumerConfig{
			Durable: "keeper", AckPolicy: jetstream.AckExplicitPolicy, AckWait: 30 * time.Second,
			MaxAckPending: most,
		})
		return err
	})
	if err != nil {
		return fmt.Errorf("the broker does not keep answers: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.manifest == nil {
		return errors.New("the keeper has not said who it is")
	}
	m := *c.manifest
	m.Run, m.Test, m.Probe, m.Check = b.Run, b.Test, b.Probe, b.Check
	c.manifest = &m
	if c.results != nil {
		return nil
	}
	ctx, stop := context.WithCancel(c.ctx)
	c.results = stop
	go c.listen(ctx, consumer)
	return nil
}

// listen takes answers until ctx ends, also when the broker was gone meanwhile.
func (c *Carrier) listen(ctx context.Context, consumer jetstream.Consumer) {
	const many = 64
	var d doubt
	for ctx.Err() == nil {
		batch, err := consumer.Fetch(many, jetstream.FetchMaxWait(Often))
		if err == nil {
			for m := range batch.Messages() {
				if ctx.Err() == nil {
					c.answer(m)
				}
			}
			err = batch.Error()
		}
		if d.long(err) && ctx.Err() == nil {
			c.Log("the broker does not hand answers out: %v", err)
			c.dismiss()
			return
		}
		if err != nil {
			time.Sleep(100 * time.Millisecond)
		}
	}
}

// answer has an answer for the keeper.
func (c *Carrier) answer(m jetstream.Msg) {
	name := m.Headers().Get(Key)
	text, err := Unpack(m.Data())
	if err != nil || name == "" {
		m.Term()
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.latest++
	c.answers[c.latest] = m
	delete(c.orders, name)
	c.tell(divide.Brought{Answer: &divide.Answer{Key: name, Report: text, Ref: c.latest}})
}

// kept acknowledges answers that the keeper has written down.
func (c *Carrier) kept(refs []uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, ref := range refs {
		if m := c.answers[ref]; m != nil {
			m.Ack()
			delete(c.answers, ref)
		}
	}
}

// end ends a search: nobody needs its orders any more.
func (c *Carrier) end() {
	c.mu.Lock()
	if c.results != nil {
		c.results()
		c.results = nil
	}
	clear(c.orders)
	clear(c.answers)
	c.unsent = nil
	if m := c.manifest; m != nil {
		none := *m
		none.Run, none.Test, none.Probe = "", "", nil
		c.manifest = &none
	}
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(c.ctx, Silence)
	defer cancel()
	c.work.Purge(ctx) // what is left of them is of no use, and harms nobody
}

// publish publishes orders, each until the broker has it.
func (c *Carrier) publish() {
	var d doubt
	for {
		c.mu.Lock()
		for len(c.unsent) == 0 && !c.closed {
			d = doubt{} // nothing is tried any more
			c.changed.Wait()
		}
		if c.closed {
			c.mu.Unlock()
			return
		}
		name := c.unsent[0]
		c.unsent = c.unsent[1:]
		task, open := c.orders[name]
		c.mu.Unlock()
		if !open {
			continue
		}
		m := nats.NewMsg(orders)
		m.Header.Set(Key, name)
		m.Data = task
		ctx, cancel := context.WithTimeout(c.ctx, Silence)
		_, err := c.js.PublishMsg(ctx, m)
		cancel()
		if d.long(err) {
			c.Log("the broker does not take orders: %v", err)
			c.dismiss()
			d = doubt{}
		}
		if err != nil {
			c.mu.Lock()
			c.unsent = append(c.unsent, name)
			c.mu.Unlock()
			time.Sleep(100 * time.Millisecond)
		}
	}
}

// join tells a worker what to run.
func (c *Carrier) join(m *nats.Msg) {
	var ask Ask
	const longest = 64
	if json.Unmarshal(m.Data, &ask) != nil || len(ask.Nonce) > longest {
		return
	}
	c.mu.Lock()
	now := c.manifest
	c.mu.Unlock()
	var r Reply
	if now != nil {
		text, err := json.Marshal(now)
		if err != nil {
			return
		}
		r = Reply{text, c.key.Sign(text, ask.Nonce)}
	}
	text, err := json.Marshal(r)
	if err == nil {
		m.Respond(text)
	}
}

// alive counts a worker.
func (c *Carrier) alive(m *nats.Msg) {
	var b Beat
	const mostSlots, mostWorkers = 1 << 12, 1 << 16
	if json.Unmarshal(m.Data, &b) != nil || b.Slots < 0 || b.Slots > mostSlots || len(b.ID) > 64 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.beats) < mostWorkers {
		c.beats[b.ID] = beat{b.Slots, time.Now()}
	}
}

// workers is how many there are; the caller has the lock.
func (c *Carrier) workers() (n int) {
	for id, b := range c.beats {
		if time.Since(b.at) > 3*Often {
			delete(c.beats, id)
		} else {
			n += b.slots
		}
	}
	return n
}

// count tells the keeper when there are more or fewer workers.
func (c *Carrier) count() {
	tick := time.NewTicker(Often / 4)
	defer tick.Stop()
	told, looked := 0, time.Now()
	var d doubt
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-tick.C:
		}
		if time.Since(looked) > Silence {
			looked = time.Now()
			if err := c.room(); d.long(err) {
				c.Log("the broker has no room: %v", err)
				c.dismiss()
				d = doubt{}
			}
		}
		c.mu.Lock()
		if n := c.workers(); n != told && c.manifest != nil {
			c.tell(divide.Brought{})
			told = n
		}
		c.mu.Unlock()
	}
}

// lost says to the keeper that too many workers have died with an order.
func (c *Carrier) lost(m *nats.Msg) {
	var event struct {
		Seq uint64 `json:"stream_seq"`
	}
	if json.Unmarshal(m.Data, &event) != nil {
		return
	}
	ctx, cancel := context.WithTimeout(c.ctx, Silence)
	defer cancel()
	order, err := c.work.GetMsg(ctx, event.Seq)
	if err != nil {
		return // it has been answered after all
	}
	c.work.DeleteMsg(ctx, event.Seq)
	name := order.Header.Get(Key)
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, open := c.orders[name]; open {
		delete(c.orders, name)
		c.tell(divide.Brought{Lost: name})
	}
}
