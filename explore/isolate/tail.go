package isolate

import (
	"bytes"
	"io"
	"os"
	"strings"
	"time"
)

// tail keeps the end of a child's standard error, and passes all of it on.
type tail struct {
	to   io.Writer
	file *os.File
	text []byte
	done chan struct{} // closed when there will be no more
}

// kept is how much is kept: more than the Go runtime prints of a hundred goroutines.
const kept = 1 << 20

func newTail(to io.Writer) *tail { return &tail{to: to, done: make(chan struct{})} }

// follow reads f to its end.
func (t *tail) follow(f *os.File) {
	t.file = f
	go func() {
		io.Copy(t, f)
		close(t.done)
	}()
}

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if len(t.text) > 2*kept {
		t.text = append(t.text[:0], t.text[len(t.text)-kept:]...)
	}
	t.to.Write(p)
	return len(p), nil
}

// end waits until all has been read. A process that the child has left behind may hold the pipe
// open: it is not waited for.
func (t *tail) end() {
	select {
	case <-t.done:
	case <-time.After(time.Second):
		t.file.SetReadDeadline(time.Now())
		<-t.done
	}
	t.file.Close()
}

// lastLine is ": " and the last line, if there is one.
func (t *tail) lastLine() string {
	lines := strings.Split(strings.TrimSpace(string(t.text)), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return ": " + last
	}
	return ""
}

// crash finds the message with which the Go runtime has ended the program, and the stack of the
// first goroutine in it. The message is empty if there is none.
func (t *tail) crash() (message string, stack []byte) {
	start := -1
	for _, word := range []string{"fatal error: ", "panic: ", "SIG"} {
		if start < 0 {
			start = lastLineWith(t.text, word)
		}
	}
	if start < 0 {
		return "", nil
	}
	blocks := bytes.Split(t.text[start:], []byte("\n\n"))
	message, _, _ = strings.Cut(string(blocks[0]), "\n")
	for _, b := range blocks {
		if stack == nil && bytes.HasPrefix(b, []byte("goroutine ")) {
			stack = b
		}
	}
	return strings.TrimPrefix(message, "panic: "), stack
}

// lastLineWith returns where the last line begins that begins with word, or -1.
func lastLineWith(text []byte, word string) int {
	if i := bytes.LastIndex(text, []byte("\n"+word)); i >= 0 {
		return i + 1
	}
	if bytes.HasPrefix(text, []byte(word)) {
		return 0
	}
	return -1
}
