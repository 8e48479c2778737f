package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// get is what a GET of url returns.
func get(t *testing.T, url string, change func(*http.Request)) (code int, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	change(r)
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply.StatusCode, string(body)
}

// TestStatus: the page has what was told, while a test goes on and in the end. It shows that to
// nobody who does not know its address, and takes no orders.
func TestStatus(t *testing.T) {
	s, err := openStatus("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := s.url()
	events, err := http.Get(url + "events")
	if err != nil {
		t.Fatal(err)
	}
	defer events.Body.Close()
	in := bufio.NewScanner(events.Body)
	in.Scan() // the page is known
	for _, line := range []string{`{"Record":1,"Package":"example.org/p","Dir":"/p"}`,
		`{"Action":"run","Test":"TestX"}`, `{"Action":"later","Test":"TestX"}`, `no JSON`,
		`{"Action":"found","Test":"TestX","Kind":"deadlock","Message":"stuck",` +
			`"Traces":[{"Role":"passing"},{"Role":"failing","Parting":2}]}`,
		`{"Action":"progress","Test":"TestX","Executions":7,"Summary":"7 explored, 2 workers"}`,
	} {
		s.told([]byte(line))
	}
	for in.Scan() && !strings.Contains(in.Text(), "7 explored") {
	}
	if code, text := get(t, url, func(*http.Request) {}); code != http.StatusOK ||
		!strings.Contains(text, "exploring: TestX") || !strings.Contains(text, "2 workers") ||
		!strings.Contains(text, "deadlock: stuck") {
		t.Errorf("%d, %s", code, text)
	}
	for name, change := range map[string]func(*http.Request){
		"another token":  func(r *http.Request) { r.URL.Path = "/x/" },
		"another host":   func(r *http.Request) { r.Host = "example.org" },
		"another origin": func(r *http.Request) { r.Header.Set("Origin", "http://example.org") },
		"an order": func(r *http.Request) {
			r.Method, r.URL.Path = http.MethodPost, r.URL.Path+"step"
		},
	} {
		if code, text := get(t, url, change); code < 400 || strings.Contains(text, "TestX") {
			t.Errorf("%s: %d, %s", name, code, text)
		}
	}
	s.told([]byte(`{"Action":"result","Test":"TestX","Verdict":"pass","Executions":9}`))
	s.close()
	for in.Scan() && !strings.Contains(in.Text(), `"Executions":9`) {
	}
	if !strings.HasPrefix(in.Text(), `data: {`) || strings.Contains(in.Text(), "exploring") {
		t.Errorf("the last event is %q", in.Text())
	}
}

// TestStatusAddress: an address that is taken is one line, and nobody need have a page.
func TestStatusAddress(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	_, err = openStatus(l.Addr().String())
	if err == nil || !strings.Contains(err.Error(), "-page "+l.Addr().String()) {
		t.Error(err)
	}
	none, err := openStatus(noPage)
	if err != nil {
		t.Fatal(err)
	}
	none.told([]byte("{}"))
	none.close()
	if url := none.url(); url != "" {
		t.Error(url)
	}
	wide, err := openStatus("0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	defer wide.close()
	_, rest, _ := strings.Cut(strings.TrimPrefix(wide.url(), "http://"), ":")
	rest = "http://127.0.0.1:" + rest
	if code, _ := get(t, rest, func(r *http.Request) { r.Host = "pod" }); code != http.StatusOK {
		t.Errorf("by another name: %d", code)
	}
}
