// Package web has four mistakes that services make, each with its mend: a handler that checks and
// acts later, a handler that waits for the server's Shutdown, a client that leaks the body of a
// response, and a server that leaves a request behind at SIGTERM.
//
//	rehearse test ./testdata/web
package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/signal"
	"sync"
	"syscall"
)

// Hall sells seats.
type Hall struct {
	mu   sync.Mutex
	free int
}

// SellLate sells a seat: somebody else may take it between the check and the sale.
func (h *Hall) SellLate(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	free := h.free
	h.mu.Unlock()
	if free == 0 {
		http.Error(w, "sold out", http.StatusConflict)
		return
	}
	h.mu.Lock()
	h.free--
	h.mu.Unlock()
}

// Sell sells a seat.
func (h *Hall) Sell(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.free == 0 {
		http.Error(w, "sold out", http.StatusConflict)
		return
	}
	h.free--
}

// Admin ends its server on demand.
type Admin struct {
	Server http.Server
	wg     sync.WaitGroup
}

// QuitHere waits in a handler until all handlers have ended.
func (a *Admin) QuitHere(w http.ResponseWriter, r *http.Request) {
	a.Server.Shutdown(context.Background())
}

// Quit lets another goroutine wait.
func (a *Admin) Quit(w http.ResponseWriter, r *http.Request) {
	a.wg.Go(func() { a.Server.Shutdown(context.Background()) })
}

// Serve serves until somebody quits.
func (a *Admin) Serve(ln net.Listener) {
	a.Server.Serve(ln)
	a.wg.Wait()
}

// FetchSome reads what is at url, but forgets the body of what is no success.
func FetchSome(url string) (string, error) {
	resp, err := http.Get(url)
	if err != nil {
		return "", err
	}
	if resp.StatusCode != http.StatusOK {
		return "", errors.New(resp.Status)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return string(b), err
}

// Fetch reads what is at url.
func Fetch(url string) (string, error) {
	resp, err := http.Get(url)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return "", errors.New(resp.Status)
	}
	b, err := io.ReadAll(resp.Body)
	return string(b), err
}

// Run serves until SIGTERM. With hasty, it returns when the server accepts no more, as Serve does
// when Shutdown has begun; otherwise when Shutdown has ended.
func Run(ln net.Listener, h http.Handler, hasty bool) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	srv := &http.Server{Handler: h}
	ended := make(chan error, 1)
	go func() {
		<-ctx.Done()
		ended <- srv.Shutdown(context.Background())
	}()
	if err := srv.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	if hasty {
		return nil
	}
	return <-ended
}
