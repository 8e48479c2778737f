// Package idle has a mark at a variable that no make is assigned to.
package idle

func f(c chan int) {
	own := c //rehearse:mailbox
	_ = own
}
