package m

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"io"
	"sync"
	"testing"
)

// bank is a fake driver: "get" reads the balance, "set" writes it; a transaction has a lock.
type bank struct {
	mu, tx  sync.Mutex
	balance int64
}

func (b *bank) Connect(context.Context) (driver.Conn, error) { return &conn{b: b}, nil }
func (b *bank) Driver() driver.Driver                        { return nil }

type conn struct{ b *bank }

func (c *conn) Prepare(q string) (driver.Stmt, error) { return &stmt{c.b, q}, nil }
func (c *conn) Close() error                          { return nil }
func (c *conn) Begin() (driver.Tx, error)             { c.b.tx.Lock(); return tx{c.b}, nil }

type tx struct{ b *bank }

func (t tx) Commit() error   { t.b.tx.Unlock(); return nil }
func (t tx) Rollback() error { t.b.tx.Unlock(); return nil }

type stmt struct {
	b *bank
	q string
}

func (s *stmt) Close() error  { return nil }
func (s *stmt) NumInput() int { return -1 }
func (s *stmt) Exec(args []driver.Value) (driver.Result, error) {
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	s.b.balance = args[0].(int64)
	return driver.RowsAffected(1), nil
}
func (s *stmt) Query(args []driver.Value) (driver.Rows, error) {
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	return &rows{v: s.b.balance}, nil
}

type rows struct {
	v    int64
	done bool
}

func (r *rows) Columns() []string { return []string{"balance"} }
func (r *rows) Close() error      { return nil }
func (r *rows) Next(dst []driver.Value) error {
	if r.done {
		return io.EOF
	}
	r.done, dst[0] = true, r.v
	return nil
}

type queryer interface {
	QueryRow(string, ...any) *sql.Row
	Exec(string, ...any) (sql.Result, error)
}

func deposit(q queryer) error {
	var n int64
	if err := q.QueryRow("get").Scan(&n); err != nil {
		return err
	}
	_, err := q.Exec("set", n+1)
	return err
}

func run(t *testing.T, f func(*sql.DB) error) {
	b := &bank{}
	db := sql.OpenDB(b)
	defer db.Close()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if err := f(db); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if b.balance != 2 {
		t.Errorf("balance %d", b.balance)
	}
}

func TestBad(t *testing.T) { run(t, func(db *sql.DB) error { return deposit(db) }) }
func TestGood(t *testing.T) {
	run(t, func(db *sql.DB) error {
		tx, err := db.Begin()
		if err != nil {
			return err
		}
		if err := deposit(tx); err != nil {
			tx.Rollback()
			return err
		}
		return tx.Commit()
	})
}

// rowsOf reads rows with one connection, and may not close them.
func rowsOf(t *testing.T, closes bool) {
	db := sql.OpenDB(&bank{})
	defer db.Close()
	db.SetMaxOpenConns(1)
	r, err := db.Query("get")
	if err != nil {
		t.Fatal(err)
	}
	r.Next()
	if closes {
		r.Close()
	}
	if _, err := db.Exec("set", 1); err != nil {
		t.Error(err)
	}
}

func TestRowsBad(t *testing.T)  { rowsOf(t, false) }
func TestRowsGood(t *testing.T) { rowsOf(t, true) }
