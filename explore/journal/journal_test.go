package journal

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

type numbers struct{ List []int }

var key = Key{Binary: "b1", Options: "-independence=none", Go: "go1.26", Package: "example.org/p",
	Test: "TestX"}

// TestTorn cuts a journal off at every byte, and changes every byte: what is read is a state that
// was written, the last whole one, or an error.
func TestTorn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "below", "j")
	w := NewWriter(path, key)
	var ends []int // of the file, after each state
	for n := range 3 {
		if err := w.Write(numbers{make([]int, n+1)}); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, int(info.Size()))
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		want := 0 // elements
		for i, end := range ends {
			if n >= end {
				want = i + 1
			}
		}
		var got numbers
		k, _, err := decode(whole[:n], &got)
		if (err == nil) != (want > 0) || len(got.List) != want || err == nil && k != key {
			t.Fatalf("%d bytes: %v, %v, want %d elements", n, got, err, want)
		}
		changed := append([]byte(nil), whole...)
		changed[n] ^= 0x40
		got = numbers{}
		if k, _, err := decode(changed, &got); err == nil && (k != key || len(got.List) == 0 ||
			n < ends[0] && n >= len(magic)+prefix && len(got.List) != 3 && n < ends[0]-1) {
			t.Fatalf("byte %d changed: %v, %v", n, k, got)
		}
	}
}

// TestAdd: entries count until the next state, the whole ones of them if the file is torn.
func TestAdd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	w := NewWriter(path, key)
	read := func() (state numbers, n []int) {
		_, entries, err := Read(path, &state)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			var one numbers
			if err := Decode(e, &one); err != nil {
				t.Fatal(err)
			}
			n = append(n, one.List...)
		}
		return state, n
	}
	for round := range 20 {
		if err := w.Write(numbers{[]int{round}}); err != nil {
			t.Fatal(err)
		}
		if s, n := read(); s.List[0] != round || len(n) != 0 {
			t.Fatalf("a new state %d is %v with entries %v", round, s, n)
		}
		err := errors.Join(w.Add([]any{numbers{[]int{1}}, numbers{[]int{2}}}),
			w.Add([]any{numbers{[]int{3}}}))
		if s, n := read(); err != nil || s.List[0] != round || !slices.Equal(n, []int{1, 2, 3}) {
			t.Fatalf("%v, entries %v, %v", s, n, err)
		}
	}
	text, _ := os.ReadFile(path)
	os.WriteFile(path, text[:len(text)-1], 0o666)
	if s, n := read(); s.List[0] != 19 || !slices.Equal(n, []int{1, 2}) {
		t.Errorf("torn: %v, entries %v", s, n)
	}
}

// TestWrite: the file does not grow without bound, and what was damaged is replaced.
func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	w, largest := NewWriter(path, key), int64(0)
	for n := range 100 {
		if err := w.Write(numbers{[]int{n}}); err != nil {
			t.Fatal(err)
		}
		info, _ := os.Stat(path)
		largest = max(largest, info.Size())
		if n == 50 {
			os.Remove(path)
		}
	}
	var got numbers
	if _, _, err := Read(path, &got); err != nil || got.List[0] != 99 || largest > 4096 {
		t.Errorf("%v, %v, up to %d bytes", got, err, largest)
	}
	list, _ := os.ReadDir(filepath.Dir(path))
	if len(list) != 1 {
		t.Errorf("files are left: %v", list)
	}
	if err := NewWriter(filepath.Join(path, "below"), key).Write(got); err == nil {
		t.Error("what cannot be written is no error")
	}
	os.WriteFile(path, []byte("something else"), 0o666)
	if _, _, err := Read(path, &got); !errors.Is(err, ErrDamaged) {
		t.Errorf("another file: %v", err)
	}
}

func TestDiffers(t *testing.T) {
	for want, change := range map[string]func(*Key){
		"":                       func(*Key) {},
		"the test binary":        func(k *Key) { k.Binary = "b2" },
		"the options: none now":  func(k *Key) { k.Options = "" },
		"the Go version: go1.27": func(k *Key) { k.Go, k.Binary = "go1.27", "b2" },
		"the test: ":             func(k *Key) { k.Test = "TestY" },
	} {
		now := key
		change(&now)
		if got := now.Differs(key); !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// FuzzDecode: a file of any bytes, and one of sealed records with any payloads, is read or refused.
func FuzzDecode(f *testing.F) {
	head, _ := Encode(header, key)
	one, _ := Encode(state, numbers{[]int{1, 2}})
	f.Add(append(append([]byte(magic), head...), one...), []byte{}, []byte{}, byte(0))
	f.Add([]byte(magic), head[prefix:], one[prefix:], entry)
	f.Fuzz(func(t *testing.T, text, head, one []byte, kind byte) {
		var s numbers
		decode(text, &s)
		text = append([]byte(magic), Seal(header, head)...)
		text = append(append(text, Seal(state, one)...), Seal(kind, one)...)
		decode(text, &s)
	})
}
