package bugs

// answer is one of two answers to the same question.
type answer struct {
	from  string
	value int
}

// AskBoth asks a cache and an origin server behind a proxy, and returns the channel on which both answer.
func AskBoth() <-chan answer {
	answers, proxy := make(chan answer, 2), make(chan int)
	go func() { proxy <- 2 }()
	go func() { answers <- answer{"origin", <-proxy} }()
	answers <- answer{"cache", 1}
	return answers
}
