package m

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/rpc"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Two calls of net/rpc under way.
type Arith struct {
	mu   sync.Mutex
	n    int
	lock bool
}

func (a *Arith) Add(x int, reply *int) error {
	if a.lock {
		a.mu.Lock()
		defer a.mu.Unlock()
	}
	a.n += x
	*reply = a.n
	return nil
}

func rpcGo(t *testing.T, lock bool) {
	a := &Arith{lock: lock}
	s := rpc.NewServer()
	s.Register(a)
	c1, c2 := net.Pipe()
	go s.ServeConn(c1)
	cl := rpc.NewClient(c2)
	defer cl.Close()
	var r1, r2 int
	x := cl.Go("Arith.Add", 1, &r1, nil)
	y := cl.Go("Arith.Add", 2, &r2, nil)
	<-x.Done
	<-y.Done
	if x.Error != nil || y.Error != nil {
		t.Error(x.Error, y.Error)
	}
	if max(r1, r2) != 3 {
		t.Error(r1, r2)
	}
}
func TestRPCGo(t *testing.T)    { rpcGo(t, true) }
func TestRPCGoBad(t *testing.T) { rpcGo(t, false) }

// Order of async replies is assumed.
func TestRPCOrderBad(t *testing.T) {
	a := &Arith{lock: true}
	s := rpc.NewServer()
	s.Register(a)
	c1, c2 := net.Pipe()
	go s.ServeConn(c1)
	cl := rpc.NewClient(c2)
	defer cl.Close()
	var r1, r2 int
	x := cl.Go("Arith.Add", 1, &r1, nil)
	y := cl.Go("Arith.Add", 2, &r2, nil)
	<-x.Done
	<-y.Done
	if r1 != 1 || r2 != 3 {
		t.Error(r1, r2)
	}
}

// A pool of database/sql with a fake driver.
type drv struct{ open, most atomic.Int32 }
type cn struct{ d *drv }
type stm struct{ q string }

func (d *drv) Open(string) (driver.Conn, error) {
	n := d.open.Add(1)
	for {
		m := d.most.Load()
		if n <= m || d.most.CompareAndSwap(m, n) {
			break
		}
	}
	return &cn{d}, nil
}
func (c *cn) Prepare(q string) (driver.Stmt, error)       { return &stm{q}, nil }
func (c *cn) Close() error                                { c.d.open.Add(-1); return nil }
func (c *cn) Begin() (driver.Tx, error)                   { return c, nil }
func (c *cn) Commit() error                               { return nil }
func (c *cn) Rollback() error                             { return nil }
func (s *stm) Close() error                               { return nil }
func (s *stm) NumInput() int                              { return -1 }
func (s *stm) Exec([]driver.Value) (driver.Result, error) { return driver.RowsAffected(1), nil }
func (s *stm) Query([]driver.Value) (driver.Rows, error)  { return &rws{n: 2}, nil }

type rws struct{ n int }

func (r *rws) Columns() []string { return []string{"a"} }
func (r *rws) Close() error      { return nil }
func (r *rws) Next(d []driver.Value) error {
	if r.n == 0 {
		return io.EOF
	}
	r.n--
	d[0] = int64(r.n)
	return nil
}

func open(t *testing.T) (*sql.DB, *drv) {
	d := &drv{}
	db := sql.OpenDB(connector{d})
	return db, d
}

type connector struct{ d *drv }

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.d.Open("") }
func (c connector) Driver() driver.Driver                        { return c.d }

func TestPool(t *testing.T) {
	db, d := open(t)
	db.SetMaxOpenConns(1)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if _, err := db.Exec("x"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if d.most.Load() != 1 {
		t.Error(d.most.Load())
	}
	db.Close()
	if d.open.Load() != 0 {
		t.Error("open")
	}
}

// Rows not closed: the second query waits for ever for the one connection.
func TestPoolBad(t *testing.T) {
	db, _ := open(t)
	defer db.Close()
	db.SetMaxOpenConns(1)
	rows, err := db.Query("a")
	if err != nil {
		t.Fatal(err)
	}
	rows.Next()
	if _, err := db.Exec("x"); err != nil {
		t.Error(err)
	}
	rows.Close()
}

// With a context the second gives up.
func TestPoolCtx(t *testing.T) {
	db, _ := open(t)
	defer db.Close()
	db.SetMaxOpenConns(1)
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := db.ExecContext(ctx, "x"); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	tx.Rollback()
}

// TLS with client certificates.
func cert(t *testing.T) (tls.Certificate, *x509.CertPool) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	tmpl := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "me"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, IsCA: true, BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"}}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	c, _ := x509.ParseCertificate(der)
	pool := x509.NewCertPool()
	pool.AddCert(c)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

func TestMutualTLS(t *testing.T) {
	cr, pool := cert(t)
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.TLS.PeerCertificates[0].Subject.CommonName)
	}))
	srv.TLS = &tls.Config{Certificates: []tls.Certificate{cr}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: pool}
	srv.StartTLS()
	defer srv.Close()
	tr := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, Certificates: []tls.Certificate{cr}}}
	defer tr.CloseIdleConnections()
	resp, err := (&http.Client{Transport: tr}).Get(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, _ := io.ReadAll(resp.Body); string(b) != "me" {
		t.Error(string(b))
	}
}

func TestMutualTLSNoCert(t *testing.T) {
	cr, pool := cert(t)
	srv := httptest.NewUnstartedServer(http.NotFoundHandler())
	srv.TLS = &tls.Config{Certificates: []tls.Certificate{cr}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: pool}
	srv.StartTLS()
	defer srv.Close()
	tr := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	defer tr.CloseIdleConnections()
	resp, err := (&http.Client{Transport: tr}).Get(srv.URL)
	if err == nil {
		resp.Body.Close()
		t.Error("no error")
	}
}

// An echo over TLS.
func TestTLSEcho(t *testing.T) {
	cr, pool := cert(t)
	ln, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{cr}})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		c, err := ln.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		io.Copy(c, c)
	}()
	c, err := tls.Dial("tcp", ln.Addr().String(), &tls.Config{RootCAs: pool})
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(c, "hello")
	c.CloseWrite()
	b, err := io.ReadAll(c)
	if string(b) != "hello" || err != nil {
		t.Error(string(b), err)
	}
	c.Close()
	ln.Close()
	<-done
}
