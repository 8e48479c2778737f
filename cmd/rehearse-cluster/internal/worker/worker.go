// Package worker works on the orders of a run: it fetches the binary that the manifest names,
// starts helpers from it, and has each do one order after the other.
//
// Vocabulary: a slot is a helper and the code that speaks for it. To join is to get the manifest,
// the binary and helpers that do the work of the keeper's process.
//
// Guarantees: a worker runs one binary: the one whose hash is in a manifest that is signed with the
// run's key, and, with a pin, in the key. The content of orders reaches that binary only, as data.
// An order is acknowledged when the broker has the answer; for others, a worker that dies before
// has done nothing.
//
// LIMITS: the program runs as the user who starts the worker, and may do what that user may.
package worker

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/rehearse-go/rehearse/cmd/rehearse-cluster/internal/broker"
	"github.com/rehearse-go/rehearse/cmd/rehearse-cluster/internal/key"
	"github.com/rehearse-go/rehearse/explore/divide"
	"github.com/rehearse-go/rehearse/explore/isolate"
	"github.com/rehearse-go/rehearse/explore/process"
)

// Worker is one.
type Worker struct {
	URL   string
	Key   *key.Worker
	Slots int // orders that it works on at the same time
	Log   func(format string, args ...any)
	// Idle is how long it waits for a broker that is gone, or not there yet
	Idle time.Duration

	conn     *nats.Conn
	js       jetstream.JetStream
	consumer jetstream.Consumer
	dir      string // with binaries

	mu     sync.Mutex
	joined joined
}

// joined is what the slots of a worker run.
type joined struct {
	key.Manifest
	path string // of the binary
}

// Refused is an error that another try does not mend.
type Refused struct{ error }

func refuse(format string, args ...any) error { return Refused{fmt.Errorf(format, args...)} }

// Run works until the run is over, ctx ends, or the worker is refused.
func (w *Worker) Run(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	dir, remove, err := process.TempDir("rehearse-worker-")
	if err != nil {
		return err
	}
	defer remove()
	w.dir = dir
	since := time.Now() // nothing has gone well
	for ctx.Err() == nil {
		begun := time.Now()
		if err = w.once(ctx, stop); err == nil {
			continue
		}
		if time.Since(begun) > w.Idle { // it has worked meanwhile
			since = time.Now()
		}
		refused := errors.As(err, &Refused{}) || errors.Is(err, broker.ErrDenied)
		if refused || ctx.Err() == nil && time.Since(since) > w.Idle {
			stop(err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(300 * time.Millisecond):
		}
	}
	if err = context.Cause(ctx); errors.Is(err, errOver) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// once connects, joins and works until something is in the way.
func (w *Worker) once(ctx context.Context, stop context.CancelCauseFunc) error {
	config, err := w.Key.TLS()
	if err != nil {
		return Refused{err}
	}
	w.conn, err = broker.Connect(w.URL, w.Key.Seed, config,
		nats.CustomInboxPrefix(broker.Inbox),
		nats.DisconnectErrHandler(func(c *nats.Conn, _ error) {
			if !c.IsClosed() {
				w.Log("the broker is gone")
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { w.Log("the broker is back") }),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) {
			if err = broker.Plain(w.URL, err); errors.Is(err, broker.ErrDenied) {
				stop(err)
			}
		}))
	if err != nil {
		return err
	}
	defer w.conn.Close()
	if w.js, err = jetstream.New(w.conn); err != nil {
		return err
	}
	if _, err := w.conn.Subscribe(broker.Over, func(*nats.Msg) { stop(errOver) }); err != nil {
		return err
	}
	if err = w.join(ctx); err != nil {
		return err
	}
	return w.work(ctx)
}

var errOver = errors.New("the run is over")

// work has all slots work, and says meanwhile that they are there.
func (w *Worker) work(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var err error
	if w.consumer, err = w.js.Consumer(ctx, broker.Work, broker.Durable); err != nil {
		return err
	}
	var slots sync.WaitGroup
	for range w.Slots {
		slots.Go(func() {
			s := &slot{Worker: w}
			defer s.end()
			if err := s.run(ctx); err != nil {
				stop(err)
			}
		})
	}
	id := rand.Text()[:16]
	beat := func(n int) {
		if text, err := json.Marshal(broker.Beat{ID: id, Slots: n}); err == nil {
			w.conn.Publish(broker.Alive, text)
		}
	}
	beat(w.Slots)
	tick := time.NewTicker(broker.Often)
	defer tick.Stop()
	gone := time.Now() // when it was last connected
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-tick.C:
			if w.conn.IsConnected() {
				gone = time.Now()
			} else if time.Since(gone) > w.Idle {
				stop(refuse("%s has been gone for %v", w.URL, w.Idle))
			}
			beat(w.Slots)
		}
	}
	slots.Wait()
	beat(0)
	w.conn.FlushTimeout(time.Second)
	return context.Cause(ctx)
}

// join gets the manifest, and the binary.
func (w *Worker) join(ctx context.Context) error {
	const often = 300 * time.Millisecond
	for {
		m, err := w.manifest(ctx)
		if err != nil || m != nil && m.Run != "" {
			if err == nil {
				err = w.take(ctx, m)
			}
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(often):
		}
	}
}

// manifest asks for it; nil: there is none yet.
func (w *Worker) manifest(ctx context.Context) (*key.Manifest, error) {
	ask := broker.Ask{Nonce: make([]byte, 32)}
	rand.Read(ask.Nonce)
	text, err := json.Marshal(ask)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, broker.Silence)
	defer cancel()
	m, err := w.conn.RequestWithContext(ctx, broker.Join, text)
	if err != nil {
		return nil, nil // the broker or the keeper is not there at the moment
	}
	return w.read(m.Data, ask.Nonce)
}

// read reads a reply with a manifest, and looks whether it is for this worker.
func (w *Worker) read(text, nonce []byte) (*key.Manifest, error) {
	var r broker.Reply
	m := &key.Manifest{}
	switch err := json.Unmarshal(text, &r); {
	case err != nil:
		return nil, refuse("%s does not speak as serve does", w.URL)
	case len(r.Manifest) == 0:
		return nil, nil
	case !w.Key.Signed(r.Manifest, nonce, r.Signature):
		return nil, refuse("%s has a manifest that is not signed with the key of this worker",
			w.URL)
	case json.Unmarshal(r.Manifest, m) != nil || m.Protocol != divide.Protocol:
		return nil, refuse("%s has another version of rehearse-cluster: install the same", w.URL)
	case m.Tool != runtime.Version():
		return nil, refuse("serve was built with %s, and this worker with %s: build both alike",
			m.Tool, runtime.Version())
	case m.OS != runtime.GOOS || m.Arch != runtime.GOARCH:
		return nil, refuse("the tests are built for %s/%s, and this is %s/%s", m.OS, m.Arch,
			runtime.GOOS, runtime.GOARCH)
	case w.Key.Pin != "" && w.Key.Pin != m.Binary:
		return nil, refuse("the key of this worker is for another binary: copy the key file of " +
			"the run")
	}
	return m, nil
}

// take gets the binary of a manifest, and makes it what slots run.
func (w *Worker) take(ctx context.Context, m *key.Manifest) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	path := w.joined.path
	if w.joined.Binary != m.Binary {
		var err error
		if path, err = w.fetch(ctx, m); err != nil {
			return err
		}
	}
	w.joined = joined{*m, path}
	return nil
}

// fetch gets a binary, which has to have the hash of the manifest.
func (w *Worker) fetch(ctx context.Context, m *key.Manifest) (string, error) {
	if info, err := os.Stat(m.Dir); err != nil || !info.IsDir() {
		return "", refuse("the directory of the package, %s, is not here, and the tests may read "+
			"files there", m.Dir)
	}
	const stall = 10 * time.Second // without a byte: the broker was gone meanwhile
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	late := time.AfterFunc(stall, cancel)
	defer late.Stop()
	store, err := w.js.ObjectStore(ctx, broker.Binaries)
	if err != nil {
		return "", err
	}
	object, err := store.Get(ctx, m.Binary)
	if err != nil {
		return "", fmt.Errorf("the binary cannot be fetched: %w", err)
	}
	defer object.Close()
	path := filepath.Join(w.dir, m.Binary+".test")
	moving := moving{object, func() { late.Reset(stall) }}
	if err := verified(path, moving, m); err != nil {
		return "", err
	}
	return path, nil
}

// moving is a reader that tells when there was something to read.
type moving struct {
	io.Reader
	moved func()
}

// Read implements io.Reader.
func (m moving) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	if n > 0 {
		m.moved()
	}
	return n, err
}

// current is what slots are to run.
func (w *Worker) current() joined {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.joined
}

// start is how a helper is started.
func (j *joined) start() isolate.Start {
	return isolate.Start{Path: j.path, Args: append([]string{j.path}, j.Args...), Dir: j.Dir,
		Env: os.Environ()}
}
