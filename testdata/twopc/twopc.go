// Package twopc is two-phase commit without failures: the coordinator sends prepare to N participants, all vote yes, it
// sends commit, all acknowledge.
//
// # Counts
//
// The votes arrive in any of N! orders; all are there before the coordinator decides, so the acknowledgements arrive,
// independently of that order, in any of N! orders. A participant's inbox has one sender and one receiver. (N!)^2
// inequivalent executions; the tests log both orders, which tells all of them apart.
package twopc

// The messages of a participant, in the order in which it gets them.
const (
	prepare = "prepare"
	commit  = "commit"
)

// Run commits with n participants and returns the order of their votes and that of their acknowledgements.
func Run(n int) (votes, acks []int) {
	vote, ack := make(chan int, n), make(chan int, n)
	inboxes := make([]chan string, n)
	for i := range inboxes {
		inboxes[i] = make(chan string, 2)
		go participant(i, inboxes[i], vote, ack)
	}
	votes = phase(prepare, inboxes, vote)
	acks = phase(commit, inboxes, ack)
	return votes, acks
}

// phase sends m to all and collects their answers.
func phase(m string, inboxes []chan string, answers <-chan int) []int {
	for _, in := range inboxes {
		in <- m
	}
	got := make([]int, len(inboxes))
	for i := range got {
		got[i] = <-answers
	}
	return got
}

func participant(i int, inbox <-chan string, vote, ack chan<- int) {
	for {
		switch <-inbox {
		case prepare:
			vote <- i
		case commit:
			ack <- i
			return
		}
	}
}
