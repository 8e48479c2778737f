package key

import (
	"crypto/tls"
	"path/filepath"
	"testing"
)

// TestSigned: a manifest counts with its nonce and its key only.
func TestSigned(t *testing.T) {
	k, err := New(false)
	if err != nil {
		t.Fatal(err)
	}
	other, err := New(false)
	if err != nil {
		t.Fatal(err)
	}
	m, nonce := []byte("manifest"), []byte("nonce")
	signature := k.Sign(m, nonce)
	for name, good := range map[string]bool{
		"another manifest": k.Signed([]byte("manifesT"), nonce, signature),
		"another nonce":    k.Signed(m, []byte("once"), signature),
		"a shifted nonce":  k.Signed([]byte("emanifest"), []byte("nonc"), signature),
		"no signature":     k.Signed(m, nonce, nil),
		"another key":      other.Signed(m, nonce, signature),
		"a key of nothing": (&Worker{}).Signed(m, nonce, (&Worker{}).Sign(m, nonce)),
	} {
		if good {
			t.Errorf("%s counts", name)
		}
	}
	if !k.Signed(m, nonce, signature) {
		t.Error("what was signed does not count")
	}
}

// TestWrite: a key is what was written, and the certificate is good for TLS 1.3 alone.
func TestWrite(t *testing.T) {
	k, err := New(true)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "below", "k")
	if err := Write(path, k); err != nil {
		t.Fatal(err)
	}
	var got Server
	if err := Read(path, &got); err != nil || got.PrivateKey != k.PrivateKey ||
		got.Certificate != k.Certificate || string(got.Secret) != string(k.Secret) {
		t.Fatalf("%v: another key is read", err)
	}
	config, err := got.TLS()
	if err != nil || config.MinVersion != tls.VersionTLS13 {
		t.Errorf("%v", err)
	}
}
