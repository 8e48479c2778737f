package hook

import (
	"testing"
	"unsafe"
)

// TestHashes: linked hashes depend on all of their arguments, and on nothing else: the numbers are
// the same in every process.
func TestHashes(t *testing.T) {
	hash := func(s string, seed uintptr) uintptr { return Strhash(unsafe.Pointer(&s), seed) }
	text := []byte("abc")
	if hash("abc", 1) != Memhash(unsafe.Pointer(&text[0]), 1, 3) ||
		hash("", 0) != Memhash(nil, 0, 0) {
		t.Error("a string and its bytes have different hashes")
	}
	seen := map[uintptr]string{}
	for _, s := range []string{"", "a", "b", "ab", "ba", "abc", "\x00", "\x00\x00"} {
		for seed := range uintptr(3) {
			h := hash(s, seed)
			if other, ok := seen[h]; ok {
				t.Errorf("%q, %d has the hash of %s", s, seed, other)
			}
			seen[h] = s
		}
	}
	if got := hash("rehearse", 7); uint64(got) != 0xdc25e0c4f0d84d49 {
		t.Errorf("the hash is %#x", got)
	}
}
