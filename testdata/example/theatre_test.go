package example

import "testing"

func TestTheatre(t *testing.T) {
	free, book, done := make(chan int), make(chan bool), make(chan bool)
	go theatre(1, free, book)
	if n := <-free; n != 1 {
		t.Fatalf("%d seats at the start", n)
	}
	go func() {
		buy(free, book)
		close(done)
	}()
	buy(free, book)
	<-done
	if left := <-free; left != 0 {
		t.Errorf("%d seats left", left)
	}
	close(book)
}
