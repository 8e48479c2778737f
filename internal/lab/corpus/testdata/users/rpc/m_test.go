package m

import (
	"net"
	"net/rpc"
	"sync"
	"testing"
)

type Hall struct {
	mu   sync.Mutex
	free int
	late bool
}

func (h *Hall) Sell(n int, ok *bool) error {
	h.mu.Lock()
	*ok = h.free >= n
	if h.late {
		h.mu.Unlock()
		h.mu.Lock()
	}
	if *ok {
		h.free -= n
	}
	h.mu.Unlock()
	return nil
}

func sell(t *testing.T, h *Hall) {
	srv := rpc.NewServer()
	srv.Register(h)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { srv.ServeConn(c) })
		}
	})
	defer serving.Wait()
	defer ln.Close()
	c, err := rpc.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			var ok bool
			if err := c.Call("Hall.Sell", 1, &ok); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if h.free < 0 {
		t.Error("the last seat was sold twice")
	}
}

func TestBad(t *testing.T)  { sell(t, &Hall{free: 1, late: true}) }
func TestGood(t *testing.T) { sell(t, &Hall{free: 1}) }

// Counter counts without a lock.
type Counter struct{ n int }

func (c *Counter) Inc(n int, to *int) error {
	c.n += n
	*to = c.n
	return nil
}

func TestRaceBad(t *testing.T) {
	srv := rpc.NewServer()
	srv.Register(&Counter{})
	a, b := net.Pipe()
	var wg sync.WaitGroup
	wg.Go(func() { srv.ServeConn(a) })
	c := rpc.NewClient(b)
	x := c.Go("Counter.Inc", 1, new(int), nil)
	y := c.Go("Counter.Inc", 1, new(int), nil)
	<-x.Done
	<-y.Done
	c.Close()
	wg.Wait()
}
