// Package key has the secrets of a run: those with which a worker takes part, and those with which
// serve lets it.
//
// Vocabulary: a run key is a file with credentials for the broker, the broker's certificate, and a
// secret that manifests are signed with. A manifest says which binary a worker runs, with which
// arguments. A pin is the hash of the only binary that a worker with this key runs.
//
// Guarantees: secrets come from files or the environment, never from arguments. A file that others
// can read is refused. A manifest counts if it is signed with the run's secret and has the nonce of
// the worker that asks. A manifest of another run, or an old one, does not count.
//
// LIMITS: the owner of a worker's key can report anything, and can sign manifests. The key keeps
// strangers out, it does not keep workers honest. TLS and the broker's permissions see to it that
// only serve hands out manifests.
package key

import (
	"cmp"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nkeys"
)

// Variable may have the content of a worker's key file.
const Variable = "REHEARSE_CLUSTER_KEY"

// Worker is the key of a worker.
type Worker struct {
	URL         string
	Seed        string // of the nkey that says who it is
	Secret      []byte // signs manifests
	Certificate string `json:",omitempty"` // of the broker, in PEM; empty: it is not asked for one
	Pin         string `json:",omitempty"` // sha256 of the binary; empty: the manifest says which
}

// Server is the key of serve.
type Server struct {
	Worker
	ServeSeed  string
	PrivateKey string `json:",omitempty"` // of the certificate
}

// Name is the name in the broker's certificate, independent of its address.
const Name = "rehearse"

// lifetime is that of a certificate: longer than any search.
const lifetime = 5 * 365 * 24 * time.Hour

// New makes the keys of a run. Without a certificate for TLS, the broker's address is one that only
// this machine can reach.
func New(secure bool) (*Server, error) {
	s := &Server{Worker: Worker{Secret: make([]byte, sha256.Size)}}
	rand.Read(s.Secret)
	var err error
	if s.Seed, err = newSeed(); err == nil {
		s.ServeSeed, err = newSeed()
	}
	if err == nil && secure {
		s.Certificate, s.PrivateKey, err = newCertificate()
	}
	return s, err
}

func newSeed() (string, error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return "", err
	}
	seed, err := pair.Seed()
	return string(seed), err
}

func newCertificate() (certificate, private string, err error) {
	public, secret, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return "", "", err
	}
	number, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return "", "", err
	}
	c := &x509.Certificate{
		SerialNumber: number, Subject: pkix.Name{CommonName: Name}, DNSNames: []string{Name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(lifetime),
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IsCA:        true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, public, secret)
	if err != nil {
		return "", "", err
	}
	pkcs, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		return "", "", err
	}
	block := func(kind string, bytes []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: bytes}))
	}
	return block("CERTIFICATE", der), block("PRIVATE KEY", pkcs), nil
}

// TLS is the broker's configuration; nil: it speaks in clear.
func (s *Server) TLS() (*tls.Config, error) {
	if s.Certificate == "" {
		return nil, nil
	}
	pair, err := tls.X509KeyPair([]byte(s.Certificate), []byte(s.PrivateKey))
	if err != nil {
		return nil, fmt.Errorf("the key of serve has no good certificate: %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13}, nil
}

// TLS is the configuration of who connects to the broker; nil: in clear.
func (w *Worker) TLS() (*tls.Config, error) {
	if w.Certificate == "" {
		return nil, nil
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM([]byte(w.Certificate)) {
		return nil, errors.New("the certificate in the key is none")
	}
	return &tls.Config{RootCAs: pool, ServerName: Name, MinVersion: tls.VersionTLS13}, nil
}

// Public is the public half of a seed.
func Public(seed string) (string, error) {
	pair, err := nkeys.FromSeed([]byte(seed))
	if err != nil {
		return "", err
	}
	return pair.PublicKey()
}

// Sign signs a manifest for the sender of a nonce.
func (w *Worker) Sign(manifest, nonce []byte) []byte {
	h := hmac.New(sha256.New, w.Secret)
	fmt.Fprintf(h, "rehearse manifest 1\n%d\n", len(nonce))
	h.Write(nonce)
	h.Write(manifest)
	return h.Sum(nil)
}

// Signed reports whether Sign has made a signature.
func (w *Worker) Signed(manifest, nonce, signature []byte) bool {
	return len(w.Secret) == sha256.Size && hmac.Equal(w.Sign(manifest, nonce), signature)
}

// Write writes a key to a file that only its owner can read.
func Write(path string, k any) error {
	text, err := json.MarshalIndent(k, "", "\t")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	tmp := fmt.Sprintf("%s.%d.tmp", path, os.Getpid())
	defer os.Remove(tmp)
	if err := os.WriteFile(tmp, append(text, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

// mostBytes bounds a key file.
const mostBytes = 1 << 20

// Read reads a key from a file.
func Read(path string, k any) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.Mode().Perm()&0o007 != 0:
		return fmt.Errorf("%s can be read by everybody, and has secrets: chmod 600 %s", path, path)
	case info.Size() > mostBytes:
		return fmt.Errorf("%s is no key", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, k); err != nil {
		return fmt.Errorf("%s is no key: %w", path, err)
	}
	return nil
}

// Home is where keys are if nobody says where.
func Home() (string, error) {
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "rehearse-cluster"), err
}

// Find reads a worker's key: from a file, if one is named, else from the environment, else from
// where serve on this machine has left it.
func Find(path string) (*Worker, error) {
	w := &Worker{}
	if text := os.Getenv(Variable); path == "" && text != "" {
		if err := json.Unmarshal([]byte(text), w); err != nil {
			return nil, fmt.Errorf("%s is no key: %w", Variable, err)
		}
		return w, w.check(Variable)
	}
	home, err := Home()
	if err != nil && path == "" {
		return nil, err
	}
	from := cmp.Or(path, filepath.Join(home, "work.key"))
	if err := Read(from, w); errors.Is(err, os.ErrNotExist) && path == "" {
		return nil, errors.New("there is no key: run rehearse-cluster serve on this machine, " +
			"or name the key file of one elsewhere with -key FILE")
	} else if err != nil {
		return nil, err
	}
	return w, w.check(from)
}

func (w *Worker) check(from string) error {
	if len(w.Secret) != sha256.Size || w.Seed == "" {
		return fmt.Errorf("%s is no key of a worker", from)
	}
	return nil
}

// Manifest says what a worker runs.
type Manifest struct {
	Protocol int
	Tool     string // version of Go that rehearse-cluster was built with
	OS, Arch string
	Binary   string // sha256
	Size     int64
	Package  string
	Dir      string   // of the package
	Args     []string // of the binary
	// the search that goes on; Run is empty if there is none at the moment
	Run, Test string
	Probe     []byte // a task, see divide.EncodeTask
	Check     uint64 // what comes of it
}

// Hash is the sha256 of a content.
func Hash(content []byte) string { return fmt.Sprintf("%x", sha256.Sum256(content)) }
