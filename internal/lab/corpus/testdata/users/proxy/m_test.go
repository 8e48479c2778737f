package m

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"
)

func run(t *testing.T, late bool) {
	var mu sync.Mutex
	free := 1
	back := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		ok := free > 0
		if late {
			mu.Unlock()
			mu.Lock()
		}
		if ok {
			free--
		}
		mu.Unlock()
		if !ok {
			http.Error(w, "sold out", http.StatusConflict)
		}
	}))
	defer back.Close()
	u, _ := url.Parse(back.URL)
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	p := httputil.NewSingleHostReverseProxy(u)
	p.Transport = tr
	front := httptest.NewServer(p)
	defer front.Close()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			resp, err := http.Get(front.URL + "/seats")
			if err != nil {
				t.Error(err)
				return
			}
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		})
	}
	wg.Wait()
	if free < 0 {
		t.Error("the last seat was sold twice")
	}
}

func TestBad(t *testing.T)  { run(t, true) }
func TestGood(t *testing.T) { run(t, false) }
