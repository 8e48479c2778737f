// Package spawns is pattern P20: a handler starts a goroutine whose result comes back as a message.
package spawns

type result struct{ n int }

type Sub struct {
	urls chan string
	done chan result
	quit chan struct{}
}

func Start(fetch func(string) result) *Sub {
	s := &Sub{make(chan string), make(chan result), make(chan struct{})}
	go s.loop(fetch)
	return s
}

func (s *Sub) loop(fetch func(string) result) {
	var local chan result
	pending := 0
	for {
		select {
		case u := <-s.urls:
			pending++
			go func() { s.done <- fetch(u) }()
			local = make(chan result, 1)
			go func() { local <- fetch(u) }()
		case r := <-s.done:
			pending -= r.n
		case <-local:
			local = nil
		case <-s.quit:
			return
		}
	}
}

// WANT:
// actor Sub.loop select
// mailbox Sub.loop Sub.urls data string 0
// mailbox Sub.loop Sub.done data result 0
// mailbox Sub.loop local reply result 1 nilable
// mailbox Sub.loop Sub.quit control struct{} 0
// handler Sub.loop Sub.urls spawns
// handler Sub.loop Sub.done
// state Sub.loop pending local rw
// ! rejected
// sent Sub.loop Sub.done in (*Sub).loop.func1 by spawned:Sub.loop/Sub.urls
