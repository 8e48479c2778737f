package depend

// Some pairs of effects on one object are dependent only for some keys (trace.Op.Cap):
//
//	m.Store("a", 1)  m.Store("b", 2)    two keys of a sync.Map: independent; one key: dependent
//	s.Stop()         t.Stop()           two timers: independent; one timer: dependent
//	f.Store(true)    g.Store(true)      one atomic variable: equal values independent, others dependent
//
// Lemma K1. Operations on different keys of a map read and write different entries. An operation on
// all entries (Range, Clear) has no key, and depends on both. Stops of different timers change
// different deadlines, and the clock stands still.
//
// Lemma K2. After two stores of one value the variable has that value in either order, and neither
// returns anything.
//
// A key has the same number in all executions, since otherwise executions of two strategies could
// not be compared. The number is made of contents, never of addresses. Keys that differ only in
// their addresses have no number, and an operation on such a key is one on all entries. Different
// keys may have one number, which only adds dependence. Values of stores are exact. TestKeyed and
// TestIndependentStepsCommute attack this.

// entryKind numbers the kinds of objects with keys, by an effect on such a key; 0 for other
// effects.
var entryKind = [numEffects]uint8{keyPeeked: 1, keyChanged: 1, rearmed: 2}

// keyed has the effects that apart looks at.
var keyed = [numEffects]bool{stored: true, keyPeeked: true, keyChanged: true, rearmed: true}

// byKey reports whether effects a and b on one object are dependent for some keys only.
func byKey(a, b effect) bool {
	return a == stored && b == stored ||
		entryKind[a] != 0 && entryKind[a] == entryKind[b] && why[a][b] != ""
}

// apart reports whether effects a and b, with keys k and l, commute although such effects on one
// object depend on each other.
func apart(a, b effect, k, l int32) bool {
	switch {
	case a == stored && b == stored:
		return k == l
	case entryKind[a] != 0 && entryKind[a] == entryKind[b]:
		return k > 0 && l > 0 && k != l
	}
	return false
}
