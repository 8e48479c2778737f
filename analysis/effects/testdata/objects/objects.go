// Package objects has an actor whose tasks work on variables of all kinds: its own, those of the loop, captured ones, those
// that they make.
package objects

type (
	newNode  struct{}
	setNode  struct{ v int }
	alias    struct{ v int }
	local    struct{}
	total    struct{ v int }
	last     struct{ v int }
	floating struct{ v float64 }
	capture  struct{}
	each     struct{}
	clearAll struct{}
	byKey    struct{ k string }
	one      struct{}
	two      struct{}
	grow     struct{ v int }
	whole    struct{ in inner }
	part     struct{}
)

type inner struct{ a, b int }

type node struct {
	v    int
	next *node
}

type server struct {
	in    chan any
	head  *node
	m     map[string]int
	list  []int
	in1   inner
	ratio float64
}

func (s *server) loop() {
	sum, latest, seen := 0, 0, 0
	note := func() { seen++ }
	for msg := range s.in {
		switch m := msg.(type) {
		case newNode:
			n := &node{v: 1}
			n.v = 2
			n.next = &node{}
			s.head = n
		case setNode:
			s.head.v = m.v
		case alias:
			p := s.head
			p = p.next
			p.v = m.v
		case local:
			x := 1
			x += len(s.list)
			_ = x
		case total:
			sum += m.v
		case last:
			latest = m.v
		case floating:
			s.ratio += m.v
		case capture:
			note()
		case each:
			for k := range s.m {
				s.list = append(s.list, len(k))
			}
		case clearAll:
			clear(s.m)
		case byKey:
			s.m[m.k]++
		case one:
			s.m["one"] = 1
		case two:
			s.m["two"] = 2
		case grow:
			s.list = append(s.list, m.v)
		case whole:
			s.in1 = m.in
		case part:
			s.in1.b = 4
		}
	}
	println(sum, latest, seen)
}

func Start() chan any {
	s := &server{in: make(chan any), m: map[string]int{}, head: &node{}}
	go s.loop()
	return s.in
}

// WANT:
// newNode: write server.head field
// ! newNode: write node.v
// ! newNode: write node.next
// setNode: read server.head field
// setNode: write node.v = m.v field
// alias: read node.next field
// alias: write node.v = m.v field
// local: read server.list field
// ! local: write
// ! local: update
// total: update sum by + local
// ! total: read sum
// ! total: write
// last: write latest = m.v local
// ! last: read
// floating: read server.ratio field
// floating: write server.ratio field
// ! floating: update
// capture: update seen by + captured
// ! capture: write
// each: read server.m entry
// each: write server.list[] element
// clearAll: write server.m entry
// byKey: update server.m[m.k] by + entry
// ! byKey: write
// one: write server.m["one"] = 1 entry
// two: write server.m["two"] = 2 entry
// grow: write server.list field
// grow: write server.list[] element
// whole: write server.in1 = m.in field
// part: write inner.b = 4 field
// pair total total: independent
// pair last last: commute when m1.v == m2.v
// pair floating floating: dependent
// pair capture capture: independent
// pair total last: independent
// pair each byKey: dependent
// pair clearAll byKey: dependent
// pair byKey byKey: independent
// pair one two: independent
// pair one one: independent
// pair byKey one: commute when m1.k != "one"
// pair grow grow: dependent
// pair whole part: dependent
// pair part part: independent
// pair newNode setNode: dependent
// pair setNode alias: independent
// pair local grow: dependent
// pair local total: independent
