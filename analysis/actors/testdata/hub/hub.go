// Package hub is pattern P1: a select over several data mailboxes, the state in struct fields. P18 beside it: the
// write pump of each client is an actor of its own, one per object.
package hub

type Client struct {
	hub  *Hub
	send chan []byte
}

type Hub struct {
	clients    map[*Client]bool
	count      int
	register   chan *Client
	unregister chan *Client
	broadcast  chan []byte
}

func NewHub() *Hub {
	h := &Hub{
		clients:    make(map[*Client]bool),
		register:   make(chan *Client),
		unregister: make(chan *Client),
		broadcast:  make(chan []byte, 8),
	}
	go h.run()
	return h
}

func (h *Hub) run() {
	for {
		select {
		case c := <-h.register:
			h.clients[c] = true
		case c := <-h.unregister:
			h.drop(c)
		case m := <-h.broadcast:
			for c := range h.clients {
				select {
				case c.send <- m:
				default:
					h.drop(c)
				}
			}
		}
	}
}

func (h *Hub) drop(c *Client) {
	delete(h.clients, c)
	h.count = len(h.clients)
	close(c.send)
}

func (h *Hub) Serve(write func([]byte)) *Client {
	c := &Client{hub: h, send: make(chan []byte, 4)}
	h.register <- c
	go c.writePump(write)
	return c
}

func (c *Client) writePump(write func([]byte)) {
	for m := range c.send {
		write(m)
	}
}

func (c *Client) Close() { c.hub.unregister <- c }

func (c *Client) Say(m string) { c.hub.broadcast <- []byte(m) }

// WANT:
// actor Hub.run select
// mailbox Hub.run Hub.register data *Client 0
// mailbox Hub.run Hub.unregister data *Client 0
// mailbox Hub.run Hub.broadcast data []byte 8
// handler Hub.run Hub.register
// handler Hub.run Hub.broadcast sends:c.send
// state Hub.run Hub.clients field rw
// state Hub.run Hub.count field w
// actor Client.writePump range
// mailbox Client.writePump Client.send data []byte 4
// state Client.writePump write local r
// ! state Hub.run Hub.register
// ! rejected
// sent Hub.run Hub.register in (*Hub).Serve by env
// sent Client.writePump Client.send in (*Hub).run by Hub.run/Hub.broadcast
// sent Client.writePump Client.send in (*Hub).drop close by Hub.run/Hub.unregister Hub.run/Hub.broadcast
