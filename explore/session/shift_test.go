package session

import (
	"encoding/gob"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/divide"
	"github.com/rehearse-go/rehearse/explore/options"
	"github.com/rehearse-go/rehearse/explore/whole"
)

// TestOffered: a search is offered to the workers of a cluster before it is long enough for
// processes of this machine, if there are workers, and if the estimate says that it is worth it.
func TestOffered(t *testing.T) {
	defer func(c *divide.Carrier) { carrier = c }(carrier)
	for _, c := range []struct {
		workers int // -1: there is no carrier
		elapsed time.Duration
		total   float64 // of which 100 are done
		want    bool
	}{
		{-1, patient, 0, true},
		{-1, patient - 1, 0, false},
		{-1, patient, 299, false},
		{-1, patient, 301, true},
		{0, patient - 1, 0, false},
		{0, patient, 0, true},
		{2, offered, 0, true},
		{2, offered - 1, 0, false},
		{2, offered, 299, false},
		{2, offered, 301, true},
	} {
		carrier = carrierOf(c.workers)
		// whether it has been decided is seen from why it is not divided
		f := &shift{e: &exploration{trial: &trial{suite: &suite{}}}}
		f.summary = func() *explore.Summary { return &explore.Summary{Name: whole.Name} }
		p := &explore.Progress{Result: explore.Result{Executions: 100, Elapsed: c.elapsed}}
		p.Total = c.total
		f.progress(func(*explore.Progress) {})(p)
		if got := f.why == wholeSteps; got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestWeigh: two processes give a search up once hardly any execution comes to its end, also if
// that begins late.
func TestWeigh(t *testing.T) {
	for _, c := range []struct {
		parts []explore.Part // each of 100 executions
		want  bool
	}{
		{slices.Repeat([]explore.Part{cutOff(80)}, 40), false},
		{slices.Repeat([]explore.Part{cutOff(80)}, 100), true},
		{slices.Repeat([]explore.Part{cutOff(95)}, 9), false},
		{slices.Repeat([]explore.Part{cutOff(95)}, 10), true},
		{append(slices.Repeat([]explore.Part{cutOff(0)}, 80),
			slices.Repeat([]explore.Part{cutOff(95)}, 10)...), true},
	} {
		opts := &common{opts: &options.Options{}}
		d := &pieces{e: &exploration{trial: &trial{suite: &suite{common: opts}}},
			processes: 2}
		for _, p := range c.parts {
			d.weigh(&p)
		}
		if got := d.whole == redundant; got != c.want {
			t.Errorf("%d parts, the last one with %d redundant executions: given up is %v",
				len(c.parts), c.parts[len(c.parts)-1].Blocked, got)
		}
	}
}

// cutOff is a part of 100 executions, of which so many were cut off.
func cutOff(n int) explore.Part {
	return explore.Part{Result: explore.Result{Executions: 100 - n, Blocked: n}}
}

// carrierOf returns a carrier that has so many workers; nil if they are fewer than 0.
func carrierOf(workers int) *divide.Carrier {
	if workers < 0 {
		return nil
	}
	in, brought := io.Pipe()
	c := divide.Connect(io.Discard, in, func() {})
	gob.NewEncoder(brought).Encode(divide.Brought{Workers: workers})
	for c.Workers() != workers {
		time.Sleep(time.Millisecond)
	}
	return c
}
