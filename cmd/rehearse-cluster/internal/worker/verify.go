package worker

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/rehearse-go/rehearse/cmd/rehearse-cluster/internal/key"
)

// largest bounds a binary.
const largest = 4 << 30

// verified writes a binary to a file, unless it is not the one of the manifest.
func verified(path string, r io.Reader, m *key.Manifest) error {
	if m.Size < 0 || m.Size > largest {
		return refuse("the manifest has a binary of %d bytes", m.Size)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o700)
	if err != nil {
		return err
	}
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(file, h), io.LimitReader(r, m.Size+1))
	err = errors.Join(err, file.Close())
	if got := fmt.Sprintf("%x", h.Sum(nil)); err == nil && (n != m.Size || got != m.Binary) {
		err = refuse("the binary that was sent is not the one of the manifest: its sha256 is %s",
			got)
	}
	if err != nil {
		os.Remove(path)
	}
	return err
}
