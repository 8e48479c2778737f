package m

import (
	"bufio"
	"fmt"
	"net"
	"path/filepath"
	"sync"
	"testing"
)

// run has a server that counts lines of two clients.
func run(t *testing.T, locked bool) {
	ln, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	last := 0
	var wg, clients sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer c.Close()
				r := bufio.NewScanner(c)
				for r.Scan() {
					mu.Lock()
					n := last + 1
					if !locked {
						mu.Unlock()
						mu.Lock()
					}
					last = n
					mu.Unlock()
					fmt.Fprintln(c, n)
				}
			})
		}
	})
	for range 2 {
		clients.Go(func() {
			c, err := net.Dial("unix", ln.Addr().String())
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			fmt.Fprintln(c, "next")
			bufio.NewReader(c).ReadString('\n')
		})
	}
	clients.Wait()
	ln.Close()
	wg.Wait()
	if last != 2 {
		t.Errorf("the last ticket is %d", last)
	}
}

func TestBad(t *testing.T)  { run(t, false) }
func TestGood(t *testing.T) { run(t, true) }
