// Package commands is patterns P3 and P4: one command channel, told apart by a constant or by a type, in the loop or in
// a method that the loop passes the message to.
package commands

type op int

const (
	sub op = iota
	unsub
	pub
	shutdown
)

type cmd struct {
	op    op
	topic string
	ch    chan string
}

type PubSub struct{ cmds chan cmd }

func New(capacity int) *PubSub {
	ps := &PubSub{make(chan cmd, capacity)}
	go ps.start()
	return ps
}

func (ps *PubSub) start() {
	topics := map[string][]chan string{}
loop:
	for cmd := range ps.cmds {
		switch cmd.op {
		case sub:
			topics[cmd.topic] = append(topics[cmd.topic], cmd.ch)
		case unsub, pub:
			for _, ch := range topics[cmd.topic] {
				ch <- cmd.topic
			}
		case shutdown:
			break loop
		}
	}
}

// Two switches over one message.

func (ps *PubSub) Double() {
	go func() {
		for cmd := range ps.cmds {
			if cmd.ch == nil {
				switch cmd.op {
				case shutdown:
					return
				}
				continue
			}
			for range cmd.topic {
				switch cmd.op {
				case sub:
					cmd.ch <- "ok"
				case shutdown:
					panic("late")
				}
			}
		}
	}()
}

type (
	Message interface{ isMessage() }
	Add     struct{ N int }
	Get     struct{ Reply chan int }
)

func (Add) isMessage()  {}
func (*Get) isMessage() {}

type Manager struct {
	msgs  chan Message
	total int
}

func (m *Manager) Run() {
	for {
		msg, ok := <-m.msgs
		if !ok {
			return
		}
		m.handle(msg)
	}
}

func (m *Manager) handle(msg Message) {
	switch msg := msg.(type) {
	case Add:
		m.total += msg.N
	case *Get:
		msg.Reply <- m.total
	default:
		panic("unknown message")
	}
}

func Launch() *Manager {
	m := &Manager{msgs: make(chan Message)}
	go func() { m.Run() }()
	return m
}

// The op code alone goes to the function with the switch, by way of another; a switch without a tag.

type Parts struct {
	in  chan *cmd
	raw chan cmd
	n   int
}

func (p *Parts) run() {
	for {
		select {
		case c := <-p.in:
			p.step(c.op, c.ch)
		case c := <-p.raw:
			switch {
			case c.op == sub:
				p.n++
			case c.op == pub:
				p.n--
			default:
				return
			}
		}
	}
}

func (p *Parts) step(o op, ch chan string) {
	p.n++
	p.apply(ch, o)
}

func (p *Parts) apply(ch chan string, o op) {
	switch o {
	case sub:
		p.more()
	case unsub:
		p.less()
	}
}

func (p *Parts) more() {}
func (p *Parts) less() {}

func RunParts() {
	p := &Parts{in: make(chan *cmd), raw: make(chan cmd)}
	go p.run()
	p.in <- &cmd{op: unsub}
	p.raw <- cmd{op: pub}
}

// WANT:
// handler Parts.run Parts.in::sub constant
// handler Parts.run Parts.in::unsub constant
// task Parts.run Parts.in::sub more
// task Parts.run Parts.in::unsub less
// sent Parts.run Parts.in in RunParts kinds:unsub by env
// handler Parts.run Parts.raw::sub constant
// handler Parts.run Parts.raw::default constant stops
// sent Parts.run Parts.raw in RunParts kinds:pub by env
// actor PubSub.start range
// mailbox PubSub.start PubSub.cmds data cmd unknown
// handler PubSub.start PubSub.cmds::sub constant
// handler PubSub.start PubSub.cmds::unsub constant sends:ch
// handler PubSub.start PubSub.cmds::pub constant sends:ch
// handler PubSub.start PubSub.cmds::shutdown constant stops
// state PubSub.start topics local rw
// handler PubSub.Double.func1 PubSub.cmds::shutdown constant
// handler PubSub.Double.func1 PubSub.cmds::sub constant reply:cmd.ch sends:cmd.ch
// actor Manager.Run commaok
// mailbox Manager.Run Manager.msgs data Message 0
// handler Manager.Run Manager.msgs::Add type
// handler Manager.Run Manager.msgs::*Get type reply:msg.Reply sends:msg.Reply
// handler Manager.Run Manager.msgs::default type stops
// state Manager.Run Manager.total field rw
// ! rejected
