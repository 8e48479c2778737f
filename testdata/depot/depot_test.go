package depot

import (
	"runtime"
	"testing"
)

var list = map[string]int{"tea": 3, "cup": 5}

func TestAsking(t *testing.T) {
	d := New(list)
	done := make(chan int)
	for _, thing := range []string{"tea", "cup"} {
		go func() { d.Buy(thing); done <- 1 }()
	}
	<-done
	<-done
	d.Quit <- true
	t.Log(d.Audit())
}

func TestAuditing(t *testing.T) {
	d := New(list)
	seen := make(chan int)
	go func() { seen <- len(d.Audit()) }()
	if paid := d.Buy("tea"); paid != 3 {
		t.Errorf("tea costs %d", paid)
	}
	t.Log(<-seen)
	d.Quit <- true
}

func TestPacking(t *testing.T) {
	d := New(list)
	d.Pack <- []string{"tea", "cup"}
	d.Quit <- true
	if n := d.Packed(); n != 2 {
		t.Errorf("%d are packed", n)
	}
}

func TestWatching(t *testing.T) {
	d := New(list)
	news := make(chan string, 2)
	d.Watch <- news
	d.Buy("cup")
	d.Quit <- true
	for thing := range news {
		t.Log(thing)
	}
}

func TestCounting(t *testing.T) {
	before := runtime.NumGoroutine()
	d := New(list)
	d.Quit <- true
	t.Log(runtime.NumGoroutine() - before)
}
