package nostop

// What a test leaves behind ends with it.
func aTest() {
	in := make(chan int)
	go tested(in)
	in <- 1
}
