package p

func two(ch chan string) {
	go func() {
		for m := range ch {
			println(m)
		}
	}()
	go func() {
		for m := range ch { // want "mailbox ch has two receivers"
			println("2", m)
		}
	}()
}

func silenced(ch chan int) {
	go func() {
		for m := range ch {
			println(m)
		}
	}()
	go func() {
		//rehearse:ignore uniqueness half of them go to each
		for m := range ch {
			println("2", m)
		}
	}()
}
