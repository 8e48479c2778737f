package lockpath

import "sync"

// Bank has two locks, which its methods take in two orders.
type Bank struct {
	accounts, log sync.Mutex
	balance       int
	lines         []string
}

func (b *Bank) Pay(n int) {
	b.accounts.Lock()
	defer b.accounts.Unlock()
	b.balance += n
	b.note("paid")
}

func (b *Bank) note(line string) {
	b.log.Lock() // want `Bank.Pay.* if Bank.Pay and Bank.Print are called at once|Bank.note waits here for ever for the lock b.log, which Bank.Print has locked at client.go:\d+, and waits itself at client.go:\d+, if Bank.Pay and Bank.Print are called at once`
	defer b.log.Unlock()
	b.lines = append(b.lines, line)
}

func (b *Bank) Print() int {
	b.log.Lock()
	defer b.log.Unlock()
	b.accounts.Lock()
	defer b.accounts.Unlock()
	return b.balance + len(b.lines)
}

// MendedBank takes them in one order.
type MendedBank struct {
	accounts, log sync.Mutex
	balance       int
	lines         []string
}

func (b *MendedBank) Pay(n int) {
	b.accounts.Lock()
	defer b.accounts.Unlock()
	b.log.Lock()
	defer b.log.Unlock()
	b.balance += n
}

func (b *MendedBank) Print() int {
	b.accounts.Lock()
	defer b.accounts.Unlock()
	b.log.Lock()
	defer b.log.Unlock()
	return b.balance + len(b.lines)
}

// GuardedBank takes them in two orders, one after the other: a third lock is around both.
type GuardedBank struct {
	door, accounts, log sync.Mutex
}

func (b *GuardedBank) Pay() {
	b.door.Lock()
	defer b.door.Unlock()
	b.pay()
}

func (b *GuardedBank) pay() {
	b.accounts.Lock()
	defer b.accounts.Unlock()
	b.log.Lock()
	defer b.log.Unlock()
}

func (b *GuardedBank) Print() {
	b.door.Lock()
	defer b.door.Unlock()
	b.log.Lock()
	defer b.log.Unlock()
	b.accounts.Lock()
	defer b.accounts.Unlock()
}

// Hub and its members know each other.
type Hub struct {
	mu      sync.Mutex
	members map[string]*Member
}

type Member struct {
	mu   sync.Mutex
	hub  *Hub
	name string
}

func (h *Hub) Join(name string) *Member {
	h.mu.Lock()
	defer h.mu.Unlock()
	m := &Member{hub: h, name: name}
	h.members[name] = m
	return m
}

func (h *Hub) Rename(old, name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	m := h.members[old]
	m.mu.Lock() // want `Hub.Rename waits here for ever for the lock m.mu, which Member.Leave has locked at client.go:\d+, and waits itself at client.go:\d+, if Hub.Rename and Member.Leave are called at once`
	m.name = name
	m.mu.Unlock()
}

func (m *Member) Leave() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.hub.remove(m.name)
}

func (h *Hub) remove(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.members, name)
}

// Leave of a MendedMember gives its own lock up before.
type MendedHub struct {
	mu      sync.Mutex
	members map[string]*MendedMember
}

type MendedMember struct {
	mu   sync.Mutex
	hub  *MendedHub
	name string
}

func (h *MendedHub) Join(name string) *MendedMember {
	h.mu.Lock()
	defer h.mu.Unlock()
	m := &MendedMember{hub: h, name: name}
	h.members[name] = m
	return m
}

func (h *MendedHub) Rename(old, name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	m := h.members[old]
	m.mu.Lock()
	m.name = name
	m.mu.Unlock()
}

func (m *MendedMember) Leave() {
	m.mu.Lock()
	name := m.name
	m.mu.Unlock()
	m.hub.mu.Lock()
	defer m.hub.mu.Unlock()
	delete(m.hub.members, name)
}

// A reader reads again, under its read lock, and a writer comes in between.
type Table struct {
	mu   sync.RWMutex
	vals map[string]int
}

func (t *Table) Get(key string) int {
	t.mu.RLock() // want `Table.Get waits here for ever for the lock t.mu, which it has locked itself at client.go:\d+, if Table.Get2 and Table.Set are called at once|Table.Get waits`
	defer t.mu.RUnlock()
	return t.vals[key]
}

func (t *Table) Get2(a, b string) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.Get(a) + t.Get(b)
}

func (t *Table) Set(key string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.vals[key] = n
}

type MendedTable struct {
	mu   sync.RWMutex
	vals map[string]int
}

func (t *MendedTable) get(key string) int { return t.vals[key] }

func (t *MendedTable) Get2(a, b string) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.get(a) + t.get(b)
}

func (t *MendedTable) Set(key string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.vals[key] = n
}

// Variables of the package.
var left, right sync.Mutex

func LeftFirst() {
	left.Lock()
	defer left.Unlock()
	right.Lock() // want `LeftFirst waits here for ever for the lock right, which RightFirst has locked at client.go:\d+, and waits itself at client.go:\d+, if LeftFirst and RightFirst are called at once`
	defer right.Unlock()
}

func RightFirst() {
	right.Lock()
	defer right.Unlock()
	left.Lock()
	defer left.Unlock()
}

// The opposite order is only when the object is open, and the other one when it is not.
type Gate struct {
	a, b sync.Mutex
	open bool // set when it is made
}

func (g *Gate) In() {
	if !g.open {
		return
	}
	g.a.Lock()
	defer g.a.Unlock()
	g.b.Lock()
	defer g.b.Unlock()
}

func (g *Gate) Out() {
	if g.open {
		return
	}
	g.b.Lock()
	defer g.b.Unlock()
	g.a.Lock()
	defer g.a.Unlock()
}
