package worker_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/rehearse-go/rehearse/cmd/rehearse-cluster/internal/broker"
	"github.com/rehearse-go/rehearse/cmd/rehearse-cluster/internal/key"
	"github.com/rehearse-go/rehearse/cmd/rehearse-cluster/internal/worker"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/divide"
	"github.com/rehearse-go/rehearse/explore/items"
	"github.com/rehearse-go/rehearse/explore/papers/dpor"
	"github.com/rehearse-go/rehearse/internal/lab/micro"
)

// poison is a variable for helpers: those that get an item below a step die.
const poison = "CLUSTER_TEST_POISON"

// TestMain makes this binary the one that workers run: a helper whose tests are programs of the
// micro language.
func TestMain(m *testing.M) {
	if !divide.IsHelper() {
		os.Exit(m.Run())
	}
	divide.Join().Work(func(t divide.Task) divide.Report {
		p := t.Item.Path
		if os.Getenv(poison) != "" && len(p) > 0 && p[0].Alt.Proc == 3 {
			os.Exit(9)
		}
		return piece(t, 4*time.Millisecond)
	})
}

// slow is a search whose executions take time.
type slow struct {
	explore.Strategy
	cost time.Duration
}

// Begin implements explore.Strategy.
func (s slow) Begin() bool {
	time.Sleep(s.cost)
	return s.Strategy.Begin()
}

// piece does a task.
func piece(t divide.Task, cost time.Duration) divide.Report {
	d := dpor.Below(t.Item)
	if t.Item.Learn && t.Hungry > 0 {
		t.Most = 1
	}
	seen := &divide.Seen{Strategy: slow{d, cost}}
	x := explore.PreparePart(micro.New(micro.Parse(t.Test)), t.Portion(seen), explore.Limits{})
	x.Run()
	return divide.Report{Part: x.Part(), Left: d.Leave(t.Hungry), Check: seen.Sum}
}

// run is a broker with one keeper.
type run struct {
	key    *key.Server
	server *broker.Server
	alone  int // tasks that the keeper had to do
}

// start starts a broker, with or without TLS.
func start(t *testing.T, secure bool) *run {
	t.Helper()
	k, err := key.New(secure)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s, err := broker.Listen("127.0.0.1:0", dir, k)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return &run{key: k, server: s}
}

// keep explores text, and returns what the workers have counted. begun is called when they can
// join.
func (r *run) keep(t *testing.T, text string, begun func()) explore.Result {
	t.Helper()
	dir := t.TempDir()
	c, err := broker.Carry(r.server.URL(), dir, r.key)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.Log = t.Logf
	said, err := os.OpenFile(filepath.Join(dir, divide.SaidPipe), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	brought, err := os.OpenFile(filepath.Join(dir, divide.BroughtPipe), os.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	carrier := divide.Connect(said, brought, func() {})
	carrier.Hello("example.org/p", dir, nil)
	s := &divide.Search{Test: text, Stop: func() bool { return t.Context().Err() != nil }}
	s.Do = func(task divide.Task) divide.Report {
		r.alone++
		if !task.Alone {
			task.Most = 1 // the rest is for workers
		}
		return piece(task, 0)
	}
	s.Try = func(task divide.Task) divide.Report { return piece(task, 0) }
	s.Remote = divide.NewRemote(carrier, "", text)
	s.BeginItems(items.New(), 0)
	defer s.Close()
	x := explore.PrepareWhole(micro.New(micro.Parse(text)), dpor.New(true), explore.Limits{}, 0,
		nil)
	begun()
	return x.Gather(s.Next)
}

// worker returns one of so many slots.
func (r *run) worker(t *testing.T, slots int) *worker.Worker {
	k := r.key.Worker
	return &worker.Worker{URL: r.server.URL(), Key: &k, Slots: slots, Idle: time.Minute,
		Log: func(format string, args ...any) { t.Logf(format, args...) }}
}

// senders is a program with n! traces.
func senders(n int) string {
	text := fmt.Sprintf("chan a %d\nmain: <-a", n) + strings.Repeat("; <-a", n-1)
	for i := range n {
		text += fmt.Sprintf("\nS%d: a<-%d", i, i)
	}
	return text
}

// TestCluster: over TLS, with workers that go away with an order, and a broker that is stopped and
// started again, each order of six senders is counted once.
func TestCluster(t *testing.T) {
	r := start(t, true)
	var all sync.WaitGroup
	ctx, cancel := context.WithCancel(t.Context())
	got := r.keep(t, senders(6), func() {
		w := r.worker(t, 2)
		all.Go(func() {
			if err := w.Run(ctx); err != nil {
				t.Error(err)
			}
		})
		all.Go(func() {
			quitter, quit := context.WithTimeout(ctx, 600*time.Millisecond)
			defer quit()
			r.worker(t, 1).Run(quitter)
		})
		time.AfterFunc(800*time.Millisecond, func() {
			r.server.Stop()
			if err := r.server.Start(); err != nil {
				t.Error(err)
			}
		})
	})
	cancel()
	all.Wait()
	if got.Executions != 720 || !got.Complete {
		t.Errorf("%d executions, complete %v, want 720", got.Executions, got.Complete)
	}
	if r.alone > 1 {
		t.Errorf("the keeper has done %d tasks itself", r.alone)
	}
}

// TestPoison: an order that kills whoever has it comes back to the keeper, and is not lost.
func TestPoison(t *testing.T) {
	t.Setenv(poison, "1")
	r := start(t, false)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	got := r.keep(t, senders(6), func() {
		w := r.worker(t, 2)
		w.Log = func(string, ...any) {}
		go func() { done <- w.Run(ctx) }()
	})
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if got.Executions != 720 || !got.Complete || r.alone < 2 {
		t.Errorf("%d executions, complete %v, %d tasks by the keeper", got.Executions,
			got.Complete, r.alone)
	}
}

// TestRefused: a worker that is not of the run is told so in one line.
func TestRefused(t *testing.T) {
	r := start(t, true)
	other, err := key.New(true)
	if err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*key.Worker){
		"does not know this key": func(k *key.Worker) { k.Seed = other.Seed },
		"has another certificate than this key": func(k *key.Worker) {
			k.Certificate = other.Certificate
		},
		"not signed with the key": func(k *key.Worker) { k.Secret = other.Secret },
		"for another binary":      func(k *key.Worker) { k.Pin = key.Hash(nil) },
	} {
		var refused error
		ended := make(chan bool)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		got := r.keep(t, senders(3), func() {
			good := r.worker(t, 1)
			bad := r.worker(t, 1)
			change(bad.Key)
			go func() {
				refused = bad.Run(ctx)
				close(ended)
				good.Run(ctx) // which the keeper waits for
			}()
		})
		<-ended
		cancel()
		if refused == nil || !strings.Contains(refused.Error(), want) ||
			strings.Contains(refused.Error(), "\n") {
			t.Errorf("%v, want %q", refused, want)
		}
		if got.Executions != 6 {
			t.Errorf("%d executions, want 6", got.Executions)
		}
	}
}

// TestPermissions: a worker can do what workers do, and nothing else.
func TestPermissions(t *testing.T) {
	r := start(t, false)
	r.keep(t, senders(2), func() {
		denied := make(chan error, 10)
		c, err := broker.Connect(r.server.URL(), r.key.Seed, nil,
			nats.CustomInboxPrefix(broker.Inbox),
			nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
				denied <- err
			}))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		send := func(subject string) func() error {
			return func() error { return c.Publish(subject, nil) }
		}
		read := func(subject string) func() error {
			return func() error { _, err := c.SubscribeSync(subject); return err }
		}
		for what, do := range map[string]func() error{
			"give orders":        send("work"),
			"end the run":        send(broker.Over),
			"make streams":       send("$JS.API.STREAM.CREATE.X"),
			"purge orders":       send("$JS.API.STREAM.PURGE.WORK"),
			"replace the binary": send("$O.BINARY.C.x"),
			"read orders":        read("work"),
			"read answers":       read(broker.Answers),
			"read joins":         read(broker.Join),
		} {
			err := errors.Join(do(), c.Flush())
			select {
			case err = <-denied:
			case <-time.After(2 * time.Second):
			}
			if !errors.Is(err, nats.ErrPermissionViolation) {
				t.Errorf("a worker may %s: %v", what, err)
			}
		}
		js, err := jetstream.New(c)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := js.Consumer(t.Context(), broker.Work, broker.Durable); err != nil {
			t.Errorf("a worker may not pull orders: %v", err)
		}
		w := r.worker(t, 1)
		go w.Run(t.Context())
	})
}

// TestListen: no other machine reaches a broker without TLS.
func TestListen(t *testing.T) {
	k, err := key.New(false)
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0"} {
		_, err := broker.Listen(address, t.TempDir(), k)
		if err == nil || !strings.Contains(err.Error(), "TLS") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
