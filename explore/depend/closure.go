package depend

import (
	"math/bits"
	"slices"

	"github.com/rehearse-go/rehearse/runtime/trace"
)

// MaxEvents is the number of events of an execution for which an Order knows happens-before. It
// bounds the memory of an Order to some 20 MB.
const MaxEvents = 1 << 14

// closure is happens-before among events that are added one by one, as a row of bits for each: the
// events before it. A row is cheaper than a clock per process as long as executions are short, and
// bounded by MaxEvents when they are not.
type closure struct {
	rows []row    // of each event
	bits []uint64 // of all rows, one after the other
}

// row is what a closure keeps of one event.
type row struct {
	hash     uint64 // of the event and all before it: the same in all equivalent executions
	sum      uint64 // of the hashes up to and including this one
	at       int32  // where its bits begin
	lastPred int32  // the last event that happens directly before it, -1 if none
}

// Len returns the number of events.
func (c *closure) Len() int { return len(c.rows) }

// Hash is the same for equivalent executions, and, collisions aside, different for others.
func (c *closure) Hash() uint64 {
	if len(c.rows) == 0 {
		return 0
	}
	return c.rows[len(c.rows)-1].sum
}

// Before reports whether event i happens before event k, for i < k < MaxEvents. i may be -1.
func (c *closure) Before(i, k int32) bool {
	return i >= 0 && k >= 0 && i < k && c.bits[c.rows[k].at+i>>6]&(1<<(i&63)) != 0
}

// After appends to dst, for each event in turn, a row of bits: the events that happen after it. It
// looks at the first MaxEvents events only.
func (c *closure) After(dst []uint64) []uint64 {
	width := (min(len(c.rows), MaxEvents) + 63) >> 6
	dst = append(dst, make([]uint64, width<<6*width)...)
	var block [64]uint64
	for i := range width {
		for k := i; k < width; k++ {
			c.block(&block, i, k)
			transpose(&block)
			for r, b := range block {
				dst[(i<<6+r)*width+k] = b
			}
		}
	}
	return dst
}

// Following is one row of After: the events that happen after event i, a bit for each. It is for an
// order of at most 64 events, if few rows are needed.
func (c *closure) Following(i int32) (set uint64) {
	for k := i + 1; int(k) < len(c.rows); k++ {
		set |= c.bits[c.rows[k].at] >> (i & 63) & 1 << (k & 63)
	}
	return set
}

// block fills b with word i of the rows from 64 * k on.
func (c *closure) block(b *[64]uint64, i, k int) {
	for r := range b {
		b[r] = 0
		if n := k<<6 + r; n < min(len(c.rows), MaxEvents) && i < (n+63)>>6 {
			b[r] = c.bits[int(c.rows[n].at)+i]
		}
	}
}

// transpose exchanges bit c of word r and bit r of word c, for all r and c.
func transpose(b *[64]uint64) {
	for j, m := 32, uint64(1<<32-1); j != 0; j, m = j>>1, m^m<<(j>>1) {
		for k := 0; k < 64; k = (k | j + 1) &^ j {
			t := (b[k]>>j ^ b[k|j]) & m
			b[k] ^= t << j
			b[k|j] ^= t
		}
	}
}

// LastPredecessor returns the last event that happens before event k, or -1.
func (c *closure) LastPredecessor(k int32) int32 { return c.rows[k].lastPred }

// Immediate appends the immediate predecessors of event k, the last one first: events that happen
// before k, and before no other event that does.
func (c *closure) Immediate(dst []int32, k int32) []int32 {
	if k >= MaxEvents {
		return append(dst, k-1)
	}
	left := slices.Clone(c.bits[c.rows[k].at : int(c.rows[k].at)+int(k+63)>>6])
	for w := len(left) - 1; w >= 0; w-- {
		for left[w] != 0 {
			p := int32(w<<6 + 63 - bits.LeadingZeros64(left[w]))
			dst = append(dst, p)
			left[w] &^= 1 << (p & 63)
			for i, b := range c.bits[c.rows[p].at : int(c.rows[p].at)+int(p+63)>>6] {
				left[i] &^= b
			}
		}
	}
	return dst
}

// Row returns the events that happen before event k, a bit for each.
func (c *closure) Row(k int32) []uint64 { return c.bits[c.rows[k].at : c.rows[k].at+(k+63)>>6] }

// CountBefore returns how many events happen before event k.
func (c *closure) CountBefore(k int32) (n int) {
	for _, word := range c.Row(k) {
		n += bits.OnesCount64(word)
	}
	return n
}

// Past identifies event k and all that happens before it. It is the same in all executions with
// these events.
func (c *closure) Past(k int32) uint64 { return c.rows[k].hash }

// add adds the next event, which comes after the events of found, sorted from the last one on, and
// all before them. label identifies it among the events with the same predecessors. Only direct
// predecessors, which happen before no other one, count for its hash: equivalent executions agree
// on these.
func (c *closure) add(found []int32, label uint64) {
	k := len(c.rows)
	s := row{at: int32(len(c.bits)), lastPred: -1}
	c.bits = grow(c.bits, (k+63)>>6)
	before := c.bits[s.at:]
	if len(found) > 0 {
		s.lastPred = found[0]
	}
	for _, p := range found {
		if before[p>>6]&(1<<(p&63)) != 0 {
			continue
		}
		before[p>>6] |= 1 << (p & 63)
		q := &c.rows[p]
		for w, b := range c.bits[q.at : q.at+(p+63)>>6] {
			before[w] |= b
		}
		label += mix(q.hash)
	}
	c.append(s, mix(label))
}

// addLast adds an event beyond MaxEvents, without bits: it happens after the one before.
func (c *closure) addLast(label uint64) {
	k := int32(len(c.rows))
	c.append(row{at: int32(len(c.bits)), lastPred: k - 1}, mix(label+mix(c.rows[k-1].hash)))
}

func (c *closure) append(s row, hash uint64) {
	s.hash, s.sum = hash, mix(hash)
	if k := len(c.rows); k > 0 {
		s.sum += c.rows[k-1].sum
	}
	c.rows = append(c.rows, s)
}

// rewind forgets all events from n on.
func (c *closure) rewind(n int) {
	if n < len(c.rows) {
		c.bits, c.rows = c.bits[:c.rows[n].at], c.rows[:n]
	}
}

func grow(s []uint64, n int) []uint64 {
	for range n {
		s = append(s, 0)
	}
	return s
}

// mix spreads a number over 64 bits.
func mix(x uint64) uint64 {
	hi, lo := bits.Mul64(x^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return hi ^ lo ^ x>>29
}

// labels names events by what they are, without their numbers. It keeps the hashes of the names of
// processes from one execution to the next.
type labels struct {
	paths  []string // of each process, as of their hashes
	hashes []uint64 // of the paths
}

// of identifies an event among those with the same predecessors, across executions.
func (l *labels) of(x *trace.Execution, e *trace.Event) uint64 {
	h := l.pathHash(x, e.Proc) + uint64(e.Kind)<<8 + uint64(uint32(e.Case))<<16
	if e.Partner >= 0 {
		h = mix(h) + l.pathHash(x, e.Partner) + uint64(uint32(e.PartnerCase))
	}
	// no predecessor tells which message it is if the sender takes one of its own
	if m := e.Takes; m.Number > 0 {
		h = mix(h) + l.pathHash(x, m.Sender) + uint64(m.Number)
	}
	return mix(h)
}

// pathHash hashes the stable name of process q.
func (l *labels) pathHash(x *trace.Execution, q int32) uint64 {
	for int(q) >= len(l.paths) {
		l.paths, l.hashes = append(l.paths, ""), append(l.hashes, 0)
	}
	if path := x.Procs[q].Path; l.paths[q] != path {
		h := uint64(14695981039346656037)
		for i := range len(path) {
			h = (h ^ uint64(path[i])) * 1099511628211
		}
		l.paths[q], l.hashes[q] = path, mix(h)
	}
	return l.hashes[q]
}
