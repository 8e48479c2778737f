package goprog

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// NewNetworks makes the program of a seed whose processes meet at a connection (TCP, Unix or
// net.Pipe), at a listener, at the ends of an os.Pipe, at a socket of datagrams, or at an HTTP
// server with shared state. Each Write is one byte and each Read has room for one, as the kernel
// may join what was written. A process ends with closing its side, and no deadline lies in the
// future.
func NewNetworks(seed uint64) *Program {
	g := newNetworks(seed, 0x6e)
	switch k := g.IntN(10); {
	case k < 4:
		g.connection()
	case k < 6:
		g.listener()
	case k < 7:
		g.filePipe()
	case k < 8:
		g.datagrams()
	default:
		g.server()
	}
	return g.joined()
}

// networks makes one such program.
type networks struct {
	*gen
	procs int
}

// newNetworks begins a program with the variables.
func newNetworks(seed, kind uint64) *networks {
	r := rand.New(rand.NewPCG(seed, kind))
	g := &networks{gen: &gen{Rand: r, p: &Program{Seed: seed, Networked: true}}}
	g.p.body = append(g.p.body, leaf(networkHead))
	return g
}

// joined is the program, which waits for its processes in the end.
func (g *networks) joined() *Program {
	g.p.body = append(g.p.body, leaf("wg.Wait()"), leaf("_ = ch"), leaf("t.Log(got, n)"))
	return g.p
}

// networkHead has the variables. said puts into words how an operation has ended.
const networkHead = `var wg sync.WaitGroup
var mu sync.Mutex
n := 0
ch := make(chan int, 1)
var got [4]string
said := func(count int, err error) string {
	for e, word := range map[error]string{
		nil: fmt.Sprint(count), io.EOF: "EOF", net.ErrClosed: "closed",
		io.ErrClosedPipe: "closed", os.ErrClosed: "closed", os.ErrDeadlineExceeded: "late",
		syscall.ECONNRESET: "reset", syscall.EPIPE: "broken", syscall.ECONNREFUSED: "refused",
	} {
		if err == e || e != nil && errors.Is(err, e) {
			return word + " "
		}
	}
	return "error "
}
_, _ = &mu, said`

// process starts a process of 1 to most operations of list; end comes last.
func (g *networks) process(most int, end string, list ...string) {
	var body []*node
	for i := range 2 + g.IntN(most) {
		text := end
		if i > 0 {
			text = g.choose(list...)
		}
		if text != "" {
			text = strings.ReplaceAll(text, "GOT", fmt.Sprintf("got[%d]", g.procs))
			body = append(body, leaf(text))
		}
	}
	if end != "" {
		body = append(body[1:], body[0])
	}
	g.p.body = append(g.p.body, around("wg.Go(func() {", body, "})"))
	g.procs++
}

// shared are operations that have nothing to do with the network.
func (g *networks) shared() []string {
	return []string{
		"mu.Lock()\nn++\nmu.Unlock()", "mu.Lock()\nGOT += fmt.Sprint(n)\nmu.Unlock()",
		"select {\ncase ch <- 1:\ndefault:\nGOT += \"full \"\n}",
		"select {\ncase <-ch:\ndefault:\nGOT += \"empty \"\n}",
	}
}

// connection has two or three processes at the two sides of a connection.
func (g *networks) connection() {
	network := g.choose("tcp", "tcp", "unix", "pipe")
	switch network {
	case "pipe":
		g.p.body = append(g.p.body, leaf("c, d := net.Pipe()"))
	default:
		addr := `"127.0.0.1:0"`
		if network == "unix" {
			addr = `t.TempDir() + "/s"`
		}
		g.p.body = append(g.p.body, leaf(fmt.Sprintf(`l, err := net.Listen(%q, %s)
if err != nil {
	t.Fatal(err)
}
c, err := net.Dial(%q, l.Addr().String())
if err != nil {
	t.Fatal(err)
}
d, err := l.Accept()
if err != nil {
	t.Fatal(err)
}
l.Close()`, network, addr, network)))
	}
	sides := []string{"c", "d", g.choose("c", "d")}[:2+g.IntN(2)]
	for _, side := range sides {
		list := []string{
			"GOT += said(" + side + ".Write([]byte{7}))", "GOT += said(" + side + ".Write([]byte{7}))",
			"GOT += said(" + side + ".Read(make([]byte, 1)))",
			"GOT += said(" + side + ".Read(make([]byte, 1)))",
			side + ".SetReadDeadline(time.Unix(1, 0))", side + ".SetDeadline(time.Time{})",
		}
		if network != "pipe" {
			list = append(list, "GOT += said(0, "+side+
				".(interface{ CloseWrite() error }).CloseWrite())")
		}
		if network == "tcp" {
			list = append(list, side+".(*net.TCPConn).SetLinger(0)")
		}
		list = append(list, g.choose(g.shared()...))
		g.process(3, "GOT += said(0, "+side+".Close())", list...)
	}
}

// filePipe has processes at the two ends of an os.Pipe.
func (g *networks) filePipe() {
	g.p.body = append(g.p.body, leaf(`r, w, err := os.Pipe()
if err != nil {
	t.Fatal(err)
}`))
	read, write := "GOT += said(r.Read(make([]byte, 1)))", "GOT += said(w.Write([]byte{7}))"
	one, all := read, "{\nb, err := io.ReadAll(r)\nGOT += said(len(b), err)\n}"
	if g.IntN(2) == 0 {
		one, all = all, read
	}
	g.process(3, "GOT += said(0, r.Close())", one, read, g.choose(g.shared()...))
	g.process(3, "GOT += said(0, w.Close())", write, write, g.choose(g.shared()...))
	if g.IntN(4) == 0 {
		g.process(1, "", all)
	}
	if g.IntN(2) == 0 {
		g.process(2, "", write, read, "GOT += said(0, w.Close())")
	}
}

// datagrams has processes that send to a socket, and one that receives and closes it.
func (g *networks) datagrams() {
	g.p.body = append(g.p.body, leaf(`s, err := net.ListenPacket("udp", "127.0.0.1:0")
if err != nil {
	t.Fatal(err)
}
from := func() string {
	b := make([]byte, 1)
	k, _, err := s.ReadFrom(b)
	return string(b[:k]) + said(k, err)
}
_ = from`))
	list := append(g.shared(), "GOT += from()", "GOT += from()",
		"s.SetReadDeadline(time.Unix(1, 0))", "s.SetReadDeadline(time.Time{})")
	g.process(3, "GOT += said(0, s.Close())", list...)
	for _, text := range []string{"a", "b"}[:1+g.IntN(2)] {
		g.p.body = append(g.p.body, leaf(fmt.Sprintf(`c%s, err := net.Dial("udp", s.LocalAddr().String())
if err != nil {
	t.Fatal(err)
}
defer c%[1]s.Close()`, text)))
		g.process(2, "", append(g.shared(), "c"+text+".Write([]byte(\""+text+"\"))",
			"GOT += from()")...)
	}
}

// listener has processes that dial, accept and close.
func (g *networks) listener() {
	g.p.body = append(g.p.body, leaf(`l, err := net.Listen("tcp", "127.0.0.1:0")
if err != nil {
	t.Fatal(err)
}
dial := func(text string) string {
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return said(0, err)
	}
	defer c.Close()
	c.Write([]byte(text))
	return said(c.Read(make([]byte, 1)))
}
accept := func() string {
	c, err := l.Accept()
	if err != nil {
		return said(0, err)
	}
	defer c.Close()
	b := make([]byte, 1)
	k, err := c.Read(b)
	c.Write(b[:k])
	return string(b[:k]) + said(k, err)
}
_, _ = dial, accept`))
	last := g.choose("", "l.Close()")
	accept := "GOT += accept()"
	g.process(2, last, append(g.shared(), accept, accept, accept)...)
	g.process(1, "", `GOT += dial("a")`)
	if g.IntN(2) == 0 {
		g.process(1, "", `GOT += dial("b")`, "GOT += said(0, l.Close())", accept)
	}
	if last == "" {
		g.p.body = append(g.p.body, leaf("l.Close()"))
	}
}

// server has a server with state, clients, and processes that disturb them.
func (g *networks) server() {
	handler := g.choose("mu.Lock()\nn++\nk := n\nmu.Unlock()\nfmt.Fprint(w, k)",
		"mu.Lock()\nfree := n == 0\nmu.Unlock()\n"+
			"if free {\nmu.Lock()\nn++\nmu.Unlock()\n}\nfmt.Fprint(w, free)",
		"select {\ncase ch <- 1:\nfmt.Fprint(w, \"sent\")\ndefault:\nhttp.Error(w, \"full\", 503)\n}",
		"b, err := io.ReadAll(r.Body)\nfmt.Fprint(w, len(b), err)",
		"select {\ncase <-ch:\nfmt.Fprint(w, \"got\")\ncase <-r.Context().Done():\n}")
	g.p.body = append(g.p.body, leaf(`handle := func(w http.ResponseWriter, r *http.Request) {
`+handler+`
}
srv := httptest.NewServer(http.HandlerFunc(handle))
defer srv.Close()
said2 := func(resp *http.Response, err error) string {
	if err != nil {
		return "error "
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return fmt.Sprint(resp.StatusCode, string(b), said(0, err))
}
_ = said2`))
	get := "GOT += said2(srv.Client().Get(srv.URL))"
	post := `GOT += said2(srv.Client().Post(srv.URL, "text/plain", strings.NewReader("abc")))`
	g.process(1, "", get, get, post)
	if strings.Contains(handler, "Done()") {
		g.process(1, "select {\ncase ch <- 1:\ndefault:\n}", g.shared()...)
		return
	}
	switch g.IntN(4) {
	case 0:
		g.process(1, "", get)
	case 1:
		g.process(1, "", "srv.CloseClientConnections()")
	default:
		g.process(2, "", g.shared()...)
	}
}

func (g *networks) choose(list ...string) string { return list[g.IntN(len(list))] }
