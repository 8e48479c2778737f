package edit

import (
	"go/token"
	"strings"
	"testing"
)

// buffer returns an empty buffer for src, in a file x.go.
func buffer(src string) *Buffer {
	file := token.NewFileSet().AddFile("x.go", -1, len(src))
	file.SetLinesForContent([]byte(src))
	return New([]byte(src), func(offset int) token.Position {
		return file.Position(file.Pos(offset))
	})
}

// span returns where part is in src.
func span(src, part string) (from, to int) {
	from = strings.Index(src, part)
	return from, from + len(part)
}

func TestEdits(t *testing.T) {
	tests := []struct {
		name, src, want string
		edit            func(b *Buffer, span func(part string) (int, int))
	}{
		{"none", "a b", "a b", func(*Buffer, func(string) (int, int)) {}},
		{"nested brackets", "x", "((x))", func(b *Buffer, at func(string) (int, int)) {
			for range 2 {
				b.Open(0, Text("("))
				b.Close(1, Text(")"))
			}
		}},
		{"outer brackets first", "<-x y", "f(g(x)) y", func(b *Buffer, at func(string) (int, int)) {
			b.Open(0, Text("f("))
			b.Close(3, Text(")"))
			b.Replace(0, 2, Text("g("))
			b.Close(3, Text(")"))
		}},
		{"what ends comes before what starts", "ab", "(a)[b]",
			func(b *Buffer, at func(string) (int, int)) {
				b.Open(1, Text("["))
				b.Close(2, Text("]"))
				b.Open(0, Text("("))
				b.Close(1, Text(")"))
			}},
		{"words stay apart", "return<-c", "return recv c",
			func(b *Buffer, at func(string) (int, int)) {
				from, to := at("<-")
				b.Replace(from, to, Text("recv"))
			}},
		{"newlines of a replaced range follow it", "a(\n\nb)\nc", "x\n\n\nc",
			func(b *Buffer, at func(string) (int, int)) {
				from, to := at("a(\n\nb)\n")
				b.Replace(from, to, Text("x"))
			}},
		{"moved range with its edits", "f(a, <-b)", "g(recv(b))",
			func(b *Buffer, at func(string) (int, int)) {
				from, to := at("<-b")
				b.Replace(0, len("f(a, <-b)"), Text("g("), Source(from, to), Text(")"))
				b.Replace(from, from+2, Text("recv("))
				b.Close(to, Text(")"))
			}},
		{"edits that are not moved are lost", "f(a, <-b)", "g",
			func(b *Buffer, at func(string) (int, int)) {
				from, to := at("<-b")
				b.Replace(0, len("f(a, <-b)"), Text("g"))
				b.Open(from, Text("("))
				b.Close(to, Text(")"))
			}},
		{"edits around a moved range stay", "(b)", "b",
			func(b *Buffer, at func(string) (int, int)) {
				b.Close(1, Text("closes before"))
				b.Open(2, Text("opens behind"))
				b.Replace(0, 3, Source(1, 2))
			}},
		{"moved from another line", "x {\na: b\n}", "x(/*line :2:4*/b)/*line :1:3*/{\nc:\n}",
			func(b *Buffer, at func(string) (int, int)) {
				from, to := at("b")
				b.Replace(1, 3, Text("("), Source(from, to), Text(")"), At(2), Text("{"))
				b.Replace(4, to, Text("c:"))
			}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := buffer(test.src)
			test.edit(b, func(part string) (int, int) { return span(test.src, part) })
			if got := string(b.Bytes()); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestFlatten(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"one line", "a /* b */ + c", "a /* b */ + c"},
		{"operators", "a +\n\n\tb", "a + <1>b"},
		{"statements", "func() {\n\ta()\n\tb()\n}", "func() { <0>a(); <1>b(); <2>}"},
		{"line comments", "f( // x\n\ta, // y\n)", "f( <0>a, <1>)"},
		{"block comments", "a /* x\n */ + b", "a; <0>+ b"},
		{"block comment without meaning", "a + /* x\n */ b", "a + <0>b"},
		{"raw strings", "f(`x\n\"y\"`,\n\tz)", `f("x\n\"y\""<0>, <1>z)`},
		{"carriage returns", "f(`x\r\ny`,\r\n\tz)", `f("x\ny"<0>, <1>z)`},
		{"line directives stay", "f(/*line :3:1*/a,\nb)", "f(/*line :3:1*/a, <0>b)"},
		{"keywords and operators", "<-chan int(\nnil)", "<-chan int( <0>nil)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := flatten([]byte(test.text), func(k int) string {
				return "<" + string(rune('0'+k)) + ">"
			})
			if string(got) != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestRangeOutside(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a range outside the source was accepted")
		}
	}()
	buffer("x").Replace(0, 2)
}

func TestEmpty(t *testing.T) {
	b := buffer("x")
	if !b.Empty() {
		t.Error("a new buffer is not empty")
	}
	b.Open(0, Text("y"))
	if b.Empty() {
		t.Error("a buffer with an edit is empty")
	}
}
