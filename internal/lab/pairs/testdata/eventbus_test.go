package pair

import (
	"sync"
	"testing"

	"tailscale.com/util/eventbus"
)

type tick struct{ n int }

// TestPublish publishes under a lock that the subscriber takes, too, more than the bus has queues for.
func TestPublish(t *testing.T) {
	const many = 40
	bus := eventbus.New()
	defer bus.Close()
	client := bus.Client("both")
	var mu sync.Mutex
	var received sync.WaitGroup
	received.Add(many)
	eventbus.SubscribeFunc(client, func(tick) {
		mu.Lock()
		defer mu.Unlock()
		received.Done()
	})
	publisher := eventbus.Publish[tick](client)
	for n := range many {
		mu.Lock()
		publisher.Publish(tick{n})
		mu.Unlock()
	}
	received.Wait()
}
