package broker

import (
	"encoding/gob"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/cmd/rehearse-cluster/internal/key"
	"github.com/rehearse-go/rehearse/explore/divide"
)

// TestDismissed: a keeper that the carrier has given up sees the end of what it reads, although it
// has not ended yet.
func TestDismissed(t *testing.T) {
	k, err := key.New(false)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s, err := Listen("127.0.0.1:0", dir, k)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	c, err := Carry(s.URL(), dir, k)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	logged := make(chan string, 1)
	c.Log = func(format string, _ ...any) { logged <- format }
	said, err := os.OpenFile(filepath.Join(dir, divide.SaidPipe), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	brought, err := os.OpenFile(filepath.Join(dir, divide.BroughtPipe), os.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	hello := divide.Said{Hello: &divide.Hello{Protocol: divide.Protocol + 1}}
	if err := gob.NewEncoder(said).Encode(hello); err != nil {
		t.Fatal(err)
	}
	<-logged
	time.Sleep(100 * time.Millisecond) // the carrier must not open the pipe again meanwhile
	if err := brought.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, brought); err != nil {
		t.Error(err)
	}
	said.Close()
	brought.Close()
}

// TestDoubt: what fails for a moment is tried again, and what fails for long is not.
func TestDoubt(t *testing.T) {
	var d doubt
	if d.long(io.EOF) || d.long(nil) {
		t.Error("it doubts at once")
	}
	d.long(io.EOF)
	d.since = d.since.Add(-2 * patience)
	if !d.long(io.EOF) || d.long(nil) || d.long(io.EOF) {
		t.Error("it does not doubt, or for ever")
	}
}

// TestRoom: where nothing can be written, there is no room.
func TestRoom(t *testing.T) {
	dir := t.TempDir()
	if err := (&Carrier{dir: dir}).room(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("it leaves %v, %v", left, err)
	}
	if (&Carrier{dir: filepath.Join(dir, "absent")}).room() == nil {
		t.Error("there is room in a directory that is not there")
	}
}
