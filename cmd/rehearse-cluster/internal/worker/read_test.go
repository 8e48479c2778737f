package worker

import (
	"bytes"
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/cmd/rehearse-cluster/internal/broker"
	"github.com/rehearse-go/rehearse/cmd/rehearse-cluster/internal/key"
	"github.com/rehearse-go/rehearse/explore/divide"
)

// reply is one with a manifest that has been changed and then signed.
func reply(t testing.TB, k *key.Server, nonce []byte, change func(*key.Manifest)) []byte {
	m := &key.Manifest{Protocol: divide.Protocol, Tool: runtime.Version(), OS: runtime.GOOS,
		Arch: runtime.GOARCH, Binary: key.Hash([]byte("binary")), Size: 6}
	change(m)
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	text, err = json.Marshal(broker.Reply{Manifest: text, Signature: k.Sign(text, nonce)})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestRead: a worker refuses what it cannot run, in one line.
func TestRead(t *testing.T) {
	k, err := key.New(false)
	if err != nil {
		t.Fatal(err)
	}
	nonce := []byte("nonce")
	w := &Worker{Key: &k.Worker}
	w.Key.Pin = key.Hash([]byte("binary"))
	if m, err := w.read(reply(t, k, nonce, func(*key.Manifest) {}), nonce); err != nil || m == nil {
		t.Fatalf("%v", err)
	}
	if m, err := w.read([]byte("{}"), nonce); err != nil || m != nil {
		t.Errorf("no manifest: %v, %v", m, err)
	}
	for want, change := range map[string]func(*key.Manifest){
		"serve was built with go1.0": func(m *key.Manifest) { m.Tool = "go1.0" },
		"built for plan9/":           func(m *key.Manifest) { m.OS = "plan9" },
		"another version":            func(m *key.Manifest) { m.Protocol++ },
		"for another binary":         func(m *key.Manifest) { m.Binary = key.Hash(nil) },
	} {
		_, err := w.read(reply(t, k, nonce, change), nonce)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := w.read(reply(t, k, nonce, func(*key.Manifest) {}), []byte("other")); err == nil {
		t.Error("an old manifest counts")
	}
}

// TestVerified: a binary is the one of the manifest, or there is no file.
func TestVerified(t *testing.T) {
	path := t.TempDir() + "/binary"
	m := &key.Manifest{Binary: key.Hash([]byte("binary")), Size: 6}
	for _, text := range []string{"binarY", "binar", "binary and more"} {
		if err := verified(path, strings.NewReader(text), m); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
	if err := verified(path, bytes.NewReader([]byte("binary")), m); err != nil {
		t.Error(err)
	}
}

// FuzzRead: any reply is refused that is not signed.
func FuzzRead(f *testing.F) {
	k, err := key.New(false)
	if err != nil {
		f.Fatal(err)
	}
	other, err := key.New(false)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(reply(f, other, []byte("nonce"), func(*key.Manifest) {}))
	w := &Worker{Key: &k.Worker}
	f.Fuzz(func(t *testing.T, text []byte) {
		if m, _ := w.read(text, []byte("nonce")); m != nil {
			t.Fatal("a manifest that nobody has signed counts")
		}
	})
}
