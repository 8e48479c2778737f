package groups

//rehearse:refine n=1
func RefinePairAB(out chan<- string) (tell chan<- string) { return telling(out, "ab") }

//rehearse:refine n=1
func RefinePairBA(out chan<- string) (tell chan<- string) { return telling(out, "ba") }

//rehearse:refine n=1
func RefinePairEach(out chan<- string) (tell chan<- string) { return telling(out, "each") }

func RefinePairABValues() (tell []string)   { return []string{"go"} }
func RefinePairBAValues() (tell []string)   { return []string{"go"} }
func RefinePairEachValues() (tell []string) { return []string{"go"} }

//rehearse:refine n=2
func RefineWatchSome(out chan<- string) (in chan<- string) { return watching(out, false) }

//rehearse:refine n=2
func RefineWatchAll(out chan<- string) (in chan<- string) { return watching(out, true) }

func telling(out chan<- string, how string) chan<- string {
	tell := make(chan string) //rehearse:mailbox
	go pair(out, tell, how)
	return tell
}

func watching(out chan<- string, always bool) chan<- string {
	in := make(chan string) //rehearse:mailbox
	go watch(out, in, always)
	return in
}

//rehearse:refine n=1
func RefineReaction(out chan<- string) (tell chan<- string) {
	in := make(chan string)
	react(out, in)
	return in
}

//rehearse:refine n=1
func RefineReactionBetween(out chan<- string) (tell chan<- string) {
	in := make(chan string)
	go between(out, in)
	return in
}

func RefineReactionValues() (tell []string)        { return []string{"go"} }
func RefineReactionBetweenValues() (tell []string) { return []string{"go"} }

//rehearse:refine n=1
func RefineTurnsSilent(out chan<- string) (tell chan<- string) { return turns(out, "") }

//rehearse:refine n=1
func RefineTurnsSays(out chan<- string) (tell chan<- string) { return turns(out, "on") }

func RefineTurnsSilentValues() (tell []string) { return []string{"go"} }
func RefineTurnsSaysValues() (tell []string)   { return []string{"go"} }

func turns(out chan<- string, says string) chan<- string {
	tell := make(chan string)
	go func() {
		<-tell
		turning(out, says)
	}()
	return tell
}

//rehearse:refine n=2
func RefineGrowing(out chan<- string) (in chan<- string) { return running(out, growing) }

//rehearse:refine n=2
func RefineSpreading(out chan<- string) (in chan<- string) { return running(out, spreading) }

//rehearse:refine n=1
func RefineEndless(out chan<- string) (in chan<- string) { return running(out, endless) }

func running(out chan<- string, run func(chan<- string, <-chan string)) chan<- string {
	in := make(chan string)
	go run(out, in)
	return in
}

//rehearse:refine n=2
func RefineQueues(out chan<- string) (x, y chan<- string) { return queues(out) }

//rehearse:refine n=2
func RefineQueuesInTurn(out chan<- string) (x, y chan<- string) { return inTurn(out) }

func RefineQueuesValues() (x, y []string)       { return []string{"m"}, []string{"n"} }
func RefineQueuesInTurnValues() (x, y []string) { return []string{"m"}, []string{"n"} }

//rehearse:refine n=3
func RefineLoadsEach(ask <-chan string, load chan<- string, loaded <-chan string, answers chan<- string) {
	go loads(ask, load, loaded, answers, false)
}

//rehearse:refine n=3
func RefineLoadsShared(ask <-chan string, load chan<- string, loaded <-chan string, answers chan<- string) {
	go loads(ask, load, loaded, answers, true)
}

func RefineLoadsEachValues() (ask, loaded []string)   { return []string{"k"}, []string{"v"} }
func RefineLoadsSharedValues() (ask, loaded []string) { return []string{"k"}, []string{"v"} }
