package equals

// A participant's inbox gets prepare, and then commit.
const (
	prepare = "prepare"
	commit  = "commit"
)

// Commit commits with n participants, and returns how many have voted for it.
func Commit(n int) int {
	vote, ack := make(chan string, n), make(chan struct{}, n)
	inboxes := start(n, vote, func(int) { ack <- struct{}{} })
	tell(prepare, inboxes)
	yes := count(n, vote)
	tell(commit, inboxes)
	for range n {
		<-ack
	}
	return yes
}

// CommitNumbered is Commit with acknowledgements that say from whom they are, and returns their order.
func CommitNumbered(n int) (order []int) {
	vote, ack := make(chan string, n), make(chan int, n)
	inboxes := start(n, vote, func(i int) { ack <- i })
	tell(prepare, inboxes)
	count(n, vote)
	tell(commit, inboxes)
	for range n {
		order = append(order, <-ack)
	}
	return order
}

func tell(m string, inboxes []chan string) {
	for _, in := range inboxes {
		in <- m
	}
}

func count(n int, vote <-chan string) (yes int) {
	for range n {
		if <-vote == "yes" {
			yes++
		}
	}
	return yes
}

// start starts n participants, of whom the i-th calls acknowledge(i) in the end, and returns their inboxes.
func start(n int, vote chan<- string, acknowledge func(i int)) []chan string {
	inboxes := make([]chan string, n)
	for i := range inboxes {
		in := make(chan string, 2)
		inboxes[i] = in
		go func() {
			for m := range in {
				if m == commit {
					acknowledge(i)
					return
				}
				vote <- "yes"
			}
		}()
	}
	return inboxes
}
