package subscribe

import (
	"fmt"
	"testing"
	"time"
)

// site has one more item each time, and comes again after a minute.
type site struct {
	name string
	n    int
}

func (s *site) fetch() ([]string, time.Time, error) {
	s.n++
	return []string{s.name, fmt.Sprint(s.name, s.n)}, time.Now().Add(time.Minute), nil
}

func TestSubscription(t *testing.T) {
	s := subscribe(&site{name: "a"})
	for i, want := range []string{"a", "a1", "a2"} {
		if got := <-s.updates; got != want {
			t.Errorf("%d: %s", i, got)
		}
	}
	if err := s.close(); err != nil {
		t.Error(err)
	}
}

func TestMerge(t *testing.T) {
	m := merge(subscribe(&site{name: "a"}), subscribe(&site{name: "b"}))
	for range 2 {
		<-m.updates
	}
	if err := m.close(); err != nil {
		t.Error(err)
	}
}

// TestNaive: the loop is left behind, blocked on what nobody takes any more.
func TestNaive(t *testing.T) {
	n := &naive{f: &site{name: "a"}, updates: make(chan string)}
	go n.loop()
	<-n.updates
	if err := n.close(); err != nil {
		t.Error(err)
	}
}
