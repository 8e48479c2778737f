package broker

import (
	"bytes"
	"testing"

	"github.com/rehearse-go/rehearse/explore/divide"
)

// TestPack: a message is what was packed, and one that would be too large is refused.
func TestPack(t *testing.T) {
	text := bytes.Repeat([]byte("order "), 1000)
	packed := Pack(text)
	got, err := Unpack(packed)
	if err != nil || !bytes.Equal(got, text) || len(packed) > len(text)/10 {
		t.Errorf("%d bytes of %d, %v", len(packed), len(text), err)
	}
	if _, err := Unpack(Pack(make([]byte, divide.Largest+1))); err == nil {
		t.Error("a message that is too large is taken")
	}
	if _, err := Unpack(packed[:len(packed)/2]); err == nil {
		t.Error("half a message is taken")
	}
}

// FuzzUnpack: any bytes are unpacked or refused.
func FuzzUnpack(f *testing.F) {
	f.Add(Pack([]byte("order")))
	f.Fuzz(func(t *testing.T, packed []byte) {
		if text, err := Unpack(packed); err == nil {
			if again, err := Unpack(Pack(text)); err != nil || !bytes.Equal(again, text) {
				t.Fatal("a message changes")
			}
		}
	})
}
