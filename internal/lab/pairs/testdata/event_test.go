package pair

import (
	"context"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/event"
)

// TestUnsubscribe unsubscribes when the producer has ended, or is about to.
func TestUnsubscribe(t *testing.T) {
	over := make(chan struct{})
	producer := func(<-chan struct{}) error {
		close(over)
		return nil
	}
	sub := event.Resubscribe(time.Second, func(context.Context) (event.Subscription, error) {
		return event.NewSubscription(producer), nil
	})
	<-over
	sub.Unsubscribe()
}
