package goprog

import "slices"

// NewServices makes the program of a seed that uses the network as services do: a server that shuts
// down while clients ask, or that tells the program of its connections; a relay between two
// connections; two sockets of datagrams; a Unix listener and its file; an os.Pipe with deadlines;
// signals that the program sends to itself. As in NewNetworks no outcome tells how many bytes a
// Read took.
func NewServices(seed uint64) *Program {
	g := newNetworks(seed, 0x73)
	switch k := g.IntN(12); {
	case k < 4:
		g.shutdown()
	case k < 6:
		g.ends()
	case k < 8:
		g.relay()
	case k < 9:
		g.pair()
	case k < 10:
		g.unixFile()
	case k < 11:
		g.deadlines()
	default:
		g.signals()
	}
	return g.joined()
}

// NewServers makes the program of a seed that has a server of net/http and ends of connections.
func NewServers(seed uint64) *Program {
	g := newNetworks(seed, 0x74)
	switch g.IntN(6) {
	case 0:
		g.shutdown()
	case 1:
		g.ends("GOT += fmt.Sprint(runtime.NumGoroutine(), \" \")")
	default:
		g.ends()
	}
	return g.joined()
}

// NewClients makes the program of a seed that has a server of net/http, and processes with a client
// and connections of their own.
func NewClients(seed uint64) *Program {
	g := newNetworks(seed, 0x75)
	g.clients()
	return g.joined()
}

// NewPools makes the program of a seed that has a server of net/http, and processes with a client
// in common. Some tell connections apart, or have requests that fail.
func NewPools(seed uint64) *Program {
	g := newNetworks(seed, 0x76)
	g.pools()
	return g.joined()
}

// clientText declares ask, which makes one request of a client of the program's.
const clientText = `tr := &http.Transport{}
defer tr.CloseIdleConnections()
client := &http.Client{Transport: tr}
ask := func(ctx context.Context, body string) string {
	req, err := http.NewRequestWithContext(ctx, "POST", url, strings.NewReader(body))
	if err != nil {
		return "error "
	}
	resp, err := client.Do(req)
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return "canceled "
		}
		return "error "
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Sprint(resp.StatusCode, "cut ")
	}
	return fmt.Sprint(resp.StatusCode, string(b), " ")
}
_ = ask`

// shutdown has a server that ends while clients ask.
func (g *networks) shutdown() {
	handler := g.choose("mu.Lock()\nn++\nmu.Unlock()\nfmt.Fprint(w, \"ok\")",
		"mu.Lock()\nk := n\nmu.Unlock()\nfmt.Fprint(w, k)",
		"select {\ncase ch <- 1:\ndefault:\n}\nfmt.Fprint(w, \"ok\")",
		"b, _ := io.ReadAll(r.Body)\nmu.Lock()\nn += len(b)\nmu.Unlock()\nfmt.Fprint(w, len(b))")
	g.p.body = append(g.p.body, leaf(`l, err := net.Listen("tcp", "127.0.0.1:0")
if err != nil {
	t.Fatal(err)
}
url := "http://" + l.Addr().String()
handle := func(w http.ResponseWriter, r *http.Request) {
`+handler+`
}
srv := &http.Server{Handler: http.HandlerFunc(handle)}
served := make(chan error, 1)
go func() { served <- srv.Serve(l) }()
`+clientText))
	ask := `GOT += ask(t.Context(), "ab")`
	end := g.choose("GOT += said(0, srv.Shutdown(context.Background()))",
		"GOT += said(0, srv.Shutdown(context.Background()))", "GOT += said(0, srv.Close())",
		"GOT += said(0, l.Close())")
	g.process(1, "", ask)
	g.process(1, end, g.shared()...)
	if g.IntN(3) == 0 {
		g.process(1, "", "mu.Lock()\nGOT += fmt.Sprint(n)\nmu.Unlock()",
			"tr.CloseIdleConnections()", "select {\ncase <-ch:\nGOT += \"got \"\ndefault:\n}")
	}
	g.p.body = append(g.p.body, leaf("wg.Wait()"), leaf("srv.Close()"),
		leaf("t.Log(errors.Is(<-served, http.ErrServerClosed))"))
}

// ends has a server some of whose connections end while others work, and what may hear of that:
// also is more of it.
func (g *networks) ends(also ...string) {
	hears := g.choose("", "srv.Config.ConnState = func(_ net.Conn, s http.ConnState) {\n"+
		"if s == http.StateClosed {\nmu.Lock()\nn += 10\nmu.Unlock()\n}\n}",
		"srv.Config.SetKeepAlivesEnabled(false)")
	g.p.body = append(g.p.body, leaf(`handle := func(w http.ResponseWriter, r *http.Request) {
`+g.choose("mu.Lock()\nn++\nk := n\nmu.Unlock()\nfmt.Fprint(w, k)",
		"select {\ncase <-r.Context().Done():\ncase ch <- 1:\nfmt.Fprint(w, \"sent\")\n}",
		"select {\ncase ch <- 1:\nfmt.Fprint(w, \"sent\")\ndefault:\nfmt.Fprint(w, \"full\")\n}")+`
}
srv := httptest.NewUnstartedServer(http.HandlerFunc(handle))
`+hears+`
srv.Start()
defer srv.Close()
url := srv.URL
`+clientText+`
ctx, cancel := context.WithCancel(t.Context())
defer cancel()`))
	ask := `GOT += ask(ctx, "a")`
	g.process(2, "", ask)
	list := append(slices.Concat(also, also, g.shared()), "tr.CloseIdleConnections()",
		"tr.CloseIdleConnections()", "cancel()", "srv.CloseClientConnections()",
		"runtime.Gosched()")
	g.process(2, "", list...)
	if g.IntN(3) == 0 {
		g.process(1, "", ask, "tr.CloseIdleConnections()")
	}
	g.p.body = append(g.p.body, leaf("wg.Wait()"), leaf("tr.CloseIdleConnections()"),
		leaf("srv.Close()"))
}

// clients has a server, and processes each of which has its own connections.
func (g *networks) clients() {
	hears := g.choose("", "", "srv.Config.ConnState = func(_ net.Conn, s http.ConnState) {\n"+
		"if s == http.StateNew {\nmu.Lock()\nn += 10\nmu.Unlock()\n}\n}",
		"srv.Config.SetKeepAlivesEnabled(false)")
	g.p.body = append(g.p.body, leaf(`handle := func(w http.ResponseWriter, r *http.Request) {
`+g.choose("mu.Lock()\nn++\nmu.Unlock()\nfmt.Fprint(w, \"ok\")",
		"mu.Lock()\nn++\nk := n\nmu.Unlock()\nfmt.Fprint(w, k)", "fmt.Fprint(w, \"ok\")")+`
}
srv := httptest.NewUnstartedServer(http.HandlerFunc(handle))
`+hears+`
srv.Start()
defer srv.Close()
url := srv.URL`))
	ask := `GOT += ask(t.Context(), "a")`
	for range 2 + g.IntN(2) {
		g.process(1, "", clientText+"\n"+ask,
			clientText+"\n"+ask+"\n"+g.choose(ask, "tr.CloseIdleConnections()"))
	}
	if g.IntN(3) == 0 {
		g.process(1, "", append(g.shared(), "srv.CloseClientConnections()",
			"GOT += said(0, srv.Config.Close())",
			"GOT += said(0, srv.Config.Shutdown(t.Context()))")...)
	}
	g.p.body = append(g.p.body, leaf("wg.Wait()"), leaf("srv.Close()"))
}

// pools has a server, and processes whose connections are in one pool. In one of two programs
// something tells connections apart.
func (g *networks) pools() {
	handler := g.choose("mu.Lock()\nn++\nmu.Unlock()\nfmt.Fprint(w, \"ok\")",
		"mu.Lock()\nn++\nk := n\nmu.Unlock()\nfmt.Fprint(w, k)")
	hears, also := "", ""
	switch g.IntN(16) {
	case 0: // an answer ends before its handler: the next request on the connection waits
		handler = "w.Header().Set(\"Content-Length\", \"2\")\nio.WriteString(w, \"ok\")\n" +
			"w.(http.Flusher).Flush()\nselect {\ncase ch <- 1:\ndefault:\n" +
			"mu.Lock()\nn++\nmu.Unlock()\n}"
	case 1:
		handler = "w.WriteHeader(http.StatusNoContent)\nw.(http.Flusher).Flush()\n" +
			"mu.Lock()\nn++\nk := n\nmu.Unlock()\nif k == 1 {\nch <- 1\n<-ch\n}"
	case 2: // no answer: a request on a connection that was used before is sent again
		handler = "mu.Lock()\nn++\nk := n\nmu.Unlock()\n" +
			"if k == 2 {\npanic(http.ErrAbortHandler)\n}\nfmt.Fprint(w, k)"
	case 3:
		handler = "mu.Lock()\nif froms[r.RemoteAddr] {\nn++\n}\n" +
			"froms[r.RemoteAddr] = true\nmu.Unlock()"
	case 4:
		hears = "srv.Config.ConnState = func(_ net.Conn, s http.ConnState) {\n" +
			"if s == http.StateNew {\nmu.Lock()\nn += 10\nmu.Unlock()\n}\n}"
	case 5:
		hears = "srv.Config.ConnContext = func(ctx context.Context, _ net.Conn) context.Context {" +
			"\n" +
			"mu.Lock()\nn += 10\nmu.Unlock()\nreturn ctx\n}"
	case 6:
		also = "tr.DialContext = func(ctx context.Context, n, a string) (net.Conn, error) {\n" +
			"dialled()\nreturn new(net.Dialer).DialContext(ctx, n, a)\n}"
	case 7:
		also = g.choose("tr.MaxConnsPerHost = 1", "tr.MaxIdleConnsPerHost = 1",
			"tr.DisableKeepAlives = true")
	}
	g.p.body = append(g.p.body, leaf(`froms := map[string]bool{}
dialled := func() {
	mu.Lock()
	n += 10
	mu.Unlock()
}
_, _ = froms, dialled
handle := func(w http.ResponseWriter, r *http.Request) {
`+handler+`
}
srv := httptest.NewUnstartedServer(http.HandlerFunc(handle))
`+hears+`
srv.Start()
defer srv.Close()
url := srv.URL
`+clientText+`
`+also))
	ask := `GOT += ask(t.Context(), "a")`
	read := `if resp, err := client.Get(url); err != nil {
	GOT += "failed "
} else {
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	GOT += fmt.Sprint(resp.StatusCode, " ")
}`
	g.process(2, "", ask, read, ask, read, g.choose(g.shared()...))
	g.process(1, "", ask, read)
	if g.IntN(6) == 0 {
		g.process(1, "", append(g.shared(), "srv.CloseClientConnections()",
			"tr.CloseIdleConnections()", "srv.Config.SetKeepAlivesEnabled(false)",
			"GOT += said(0, srv.Config.Close())",
			"GOT += said(0, srv.Config.Shutdown(t.Context()))")...)
	}
	g.p.body = append(g.p.body, leaf("wg.Wait()"), leaf("tr.CloseIdleConnections()"))
}

// relay has a client, a relay that copies both directions, and a server that answers with what it
// has read.
func (g *networks) relay() {
	g.p.body = append(g.p.body, leaf(`l, err := net.Listen("tcp", "127.0.0.1:0")
if err != nil {
	t.Fatal(err)
}
link := func() (net.Conn, net.Conn) {
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	d, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return c, d
}
c, in := link()
out, d := link()
l.Close()
half := func(c net.Conn) string { return said(0, c.(*net.TCPConn).CloseWrite()) }`))
	g.p.body = append(g.p.body, leaf(`wg.Go(func() {
	io.Copy(out, in)
	half(out)
})`), leaf(`wg.Go(func() {
	io.Copy(in, out)
	half(in)
})`))
	write := g.choose(`c.Write([]byte("abc"))`,
		`(&net.Buffers{[]byte("a"), []byte("bc")}).WriteTo(c)`, `io.WriteString(c, "ab")`)
	g.process(1, "half(c)\nb, err := io.ReadAll(c)\nGOT += string(b) + said(0, err)", write)
	g.process(1, "b, err := io.ReadAll(d)\nd.Write(b)\nGOT += string(b) + said(0, err)\nhalf(d)",
		g.shared()...)
	if g.IntN(2) == 0 {
		g.process(1, "", append(g.shared(), "GOT += half(c)", "in.Close()", "d.Close()",
			"out.SetReadDeadline(time.Unix(1, 0))")...)
	}
	g.p.body = append(g.p.body, leaf("wg.Wait()"),
		leaf("for _, e := range []net.Conn{c, d, in, out} {\ne.Close()\n}"))
}

// pair has two sockets of datagrams that answer each other.
func (g *networks) pair() {
	g.p.body = append(g.p.body, leaf(`open := func() net.PacketConn {
	s, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return s
}
a, b := open(), open()
to := func(from, at net.PacketConn, text string) string {
	return said(from.WriteTo([]byte(text), at.LocalAddr()))
}
get := func(s net.PacketConn) string {
	p := make([]byte, 9)
	k, who, err := s.ReadFrom(p)
	if err == nil && who.String() != a.LocalAddr().String() {
		return string(p[:k]) + "b "
	}
	return string(p[:k]) + said(0, err)
}
_, _ = to, get`))
	for _, side := range []string{"a", "b"} {
		other := map[string]string{"a": "b", "b": "a"}[side]
		g.process(3, "GOT += said(0, "+side+".Close())", append(g.shared(),
			"GOT += to("+side+", "+other+", \"x\")", "GOT += to("+side+", "+other+", \"y\")",
			"GOT += get("+side+")", side+".SetReadDeadline(time.Unix(1, 0))")...)
	}
	if g.IntN(2) == 0 {
		g.process(1, "", "GOT += to(a, a, \"z\")", "GOT += to(b, a, \"w\")",
			"a.SetDeadline(time.Unix(1, 0))")
	}
	g.p.body = append(g.p.body, leaf("wg.Wait()"), leaf("a.Close()"), leaf("b.Close()"))
}

// unixFile has a Unix listener, and processes that ask whether its file is there.
func (g *networks) unixFile() {
	g.p.body = append(g.p.body, leaf(`path := t.TempDir() + "/s"
l, err := net.Listen("unix", path)
if err != nil {
	t.Fatal(err)
}
dial := func() string {
	c, err := net.Dial("unix", path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "nowhere "
	case err != nil:
		return said(0, err)
	}
	defer c.Close()
	return said(c.Read(make([]byte, 1)))
}
accept := func() string {
	c, err := l.Accept()
	if err != nil {
		return said(0, err)
	}
	defer c.Close()
	return said(c.Write([]byte{7}))
}
look := func() string {
	_, err := os.Stat(path)
	return fmt.Sprint(err == nil, " ")
}
_, _ = accept, look`))
	g.process(2, g.choose("", "l.Close()"), "GOT += accept()", "GOT += look()")
	g.process(1, "", "GOT += dial()")
	g.process(1, "", "GOT += look()", "GOT += said(0, l.Close())", "GOT += dial()")
	g.p.body = append(g.p.body, leaf("l.Close()"))
}

// deadlines has the two ends of an os.Pipe with deadlines.
func (g *networks) deadlines() {
	g.p.body = append(g.p.body, leaf(`r, w, err := os.Pipe()
if err != nil {
	t.Fatal(err)
}`))
	read, write := "GOT += said(r.Read(make([]byte, 1)))", "GOT += said(w.Write([]byte{7}))"
	past := ".SetReadDeadline(time.Unix(1, 0))"
	g.process(3, "GOT += said(0, r.Close())", read, read, "r"+past, "r.SetDeadline(time.Time{})")
	g.process(2, "GOT += said(0, w.Close())", write, write,
		"w.SetWriteDeadline(time.Unix(1, 0))", g.choose(g.shared()...))
	if g.IntN(2) == 0 {
		g.process(2, "", "r"+past, write, "r.SetReadDeadline(time.Now().Add(time.Hour))")
	}
}

// signals has processes that send signals to the program, and one that waits for them.
func (g *networks) signals() {
	g.p.body = append(g.p.body, leaf(`sigs := make(chan os.Signal, 4)
signal.Notify(sigs, syscall.SIGUSR1, syscall.SIGUSR2)
kill := func(s syscall.Signal) { syscall.Kill(syscall.Getpid(), s) }
defer signal.Stop(sigs)`))
	g.process(2, "GOT += fmt.Sprint(<-sigs)", append(g.shared(), g.shared()...)...)
	g.process(2, "kill(syscall.SIGUSR1)", g.shared()...)
	if g.IntN(2) == 0 {
		g.process(1, "kill(syscall.SIGUSR2)", g.shared()...)
		if g.IntN(2) == 0 {
			g.p.body = append(g.p.body, leaf("wg.Wait()"), leaf("got[3] = fmt.Sprint(<-sigs)"))
		}
	}
}
