package worker

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/rehearse-go/rehearse/cmd/rehearse-cluster/internal/broker"
	"github.com/rehearse-go/rehearse/explore/divide"
)

// slot does one order after the other.
type slot struct {
	*Worker
	helper *divide.Helper // nil: there is none
	of     joined         // what it was started from
	passed string         // whose probe it has passed
	died   int            // helpers that have died since the last order that was done
}

// end ends the helper.
func (s *slot) end() {
	if s.helper != nil {
		s.helper.End()
		s.helper = nil
	}
}

// mostDied is how many helpers may die without an order done in between. The orders that they had
// are given back.
const mostDied = 20

// run does orders until ctx ends.
func (s *slot) run(ctx context.Context) error {
	if err := s.ready(); err != nil {
		return err
	}
	for ctx.Err() == nil {
		m, err := s.next(ctx)
		if err != nil || m == nil {
			continue
		}
		if err := s.order(ctx, m); err != nil {
			return err
		}
		if s.died > mostDied {
			return errors.New("one helper after the other has died here")
		}
	}
	return nil
}

// next is an order; nil: there is none at the moment.
func (s *slot) next(ctx context.Context) (jetstream.Msg, error) {
	batch, err := s.consumer.Fetch(1, jetstream.FetchMaxWait(2*time.Second))
	if err != nil {
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
		return nil, err
	}
	select {
	case m := <-batch.Messages():
		return m, batch.Error()
	case <-ctx.Done(): // an order that comes now is given to another worker
		return nil, ctx.Err()
	}
}

// order does an order, and acknowledges it when the broker has the answer.
func (s *slot) order(ctx context.Context, m jetstream.Msg) error {
	done := make(chan bool)
	defer close(done)
	go func() {
		tick := time.NewTicker(broker.Often)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				m.InProgress()
			}
		}
	}()
	name := m.Headers().Get(broker.Key)
	if run, _, ok := strings.Cut(name, "."); !ok || run != s.current().Run {
		if err := s.join(ctx); err != nil {
			return err
		}
		if run != s.current().Run { // of a search that is over
			m.NakWithDelay(time.Second)
			return nil
		}
	}
	if err := s.ready(); err != nil {
		m.Nak()
		return err
	}
	report, err := s.do(m.Data())
	if err != nil {
		s.Log("a process has died with order %s", name)
		s.died++
		s.helper.End()
		s.helper = nil
		m.Nak()
		return nil
	}
	s.died = 0
	return s.answer(ctx, m, name, report)
}

// do does an order. It is an error if the helper dies of the order. An order that is no task is
// given back.
func (s *slot) do(packed []byte) ([]byte, error) {
	odd := divide.Report{Odd: true}
	text, err := broker.Unpack(packed)
	if err != nil {
		return divide.EncodeReport(&odd)
	}
	t, err := divide.DecodeTask(text)
	if err != nil {
		return divide.EncodeReport(&odd)
	}
	r, err := s.helper.Do(t)
	if err != nil {
		return nil, err
	}
	if text, err = divide.EncodeReport(&r); err != nil { // it is too large to travel
		return divide.EncodeReport(&odd)
	}
	return text, nil
}

// answer publishes an answer until the broker has it.
func (s *slot) answer(ctx context.Context, m jetstream.Msg, name string, report []byte) error {
	out := nats.NewMsg(broker.Answers)
	out.Header.Set(broker.Key, name)
	out.Data = broker.Pack(report)
	for {
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), broker.Silence)
		_, err := s.js.PublishMsg(within, out)
		if err == nil {
			m.DoubleAck(within) // if it is lost, the order comes again, and counts once
			cancel()
			return nil
		}
		cancel()
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// ready has a helper that does what the keeper's process does.
func (s *slot) ready() error {
	j := s.current()
	if s.helper != nil && s.of.Binary != j.Binary {
		s.helper.End()
		s.helper = nil
	}
	if s.helper != nil && s.passed != j.Run && s.of.Test != j.Test {
		s.helper.End() // a helper has one test
		s.helper = nil
	}
	if s.helper == nil {
		h, err := divide.StartHelper(j.start())
		if err != nil {
			return err
		}
		s.helper, s.of, s.passed = h, j, ""
	}
	if s.passed == j.Run {
		return nil
	}
	t, err := divide.DecodeTask(j.Probe)
	if err != nil {
		return refuse("the manifest has no good probe")
	}
	r, err := s.helper.Do(t)
	if err != nil {
		s.end()
		return refuse("%s ends here before it has explored anything%s", j.Package, said(err))
	}
	if r.Check != j.Check {
		return refuse("%s does not do here what it does where serve runs: it may read files or "+
			"variables that differ", j.Test)
	}
	s.of, s.passed = j, j.Run
	return nil
}

func said(err error) string {
	if err == nil || strings.Contains(err.Error(), "EOF") {
		return ""
	}
	return ": " + err.Error()
}
