package pair

import (
	"sync"
	"testing"

	"github.com/cskr/pubsub"
)

// TestLeave has the subscriber itself unsubscribe, which the documentation forbids.
func TestLeave(t *testing.T) {
	ps := pubsub.New(0)
	news := ps.Sub("topic")
	var publisher sync.WaitGroup
	publisher.Go(func() { ps.Pub("hello", "topic") })
	ps.Unsub(news, "topic")
	publisher.Wait()
	ps.Shutdown()
}

// TestLeaveAsDocumented has somebody else unsubscribe it, while it receives.
func TestLeaveAsDocumented(t *testing.T) {
	ps := pubsub.New(0)
	news := ps.Sub("topic")
	var others sync.WaitGroup
	others.Go(func() { ps.Pub("hello", "topic") })
	others.Go(func() { ps.Unsub(news, "topic") })
	for range news {
	}
	others.Wait()
	ps.Shutdown()
}
