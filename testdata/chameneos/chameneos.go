// Package chameneos is the subject chameneos of S. Tasharofi et al., "TransDPOR" (FMOODS/FORTE 2012), after C. Kaiser, J.-F.
// Pradat-Peyre, "Chameneos, a Concurrency Game for Java, Ada and Others" (AICCSA 2003): creatures ask an actor, the mall,
// for somebody to meet. The mall brings together those that come one after the other, and both take the colour that
// neither of two different ones had. After a number of meetings it sends everybody home. The paper does not print its
// source; this is a program of the same kind.
//
// # Counts
//
// A creature has one request under way, and sends the next one when it was answered. Before each meeting all c creatures
// have one, or may have: the mall takes one of c, then one of the others, and both of these come back. After the last meeting
// all are sent home, in c! orders: (c(c-1))^m * c! inequivalent executions for m meetings, 6^2 * 6 = 216 for three creatures
// and two meetings, which is the paper's number with sleep sets. There are as many under each model, for nobody has two
// messages in one mailbox.
//
// The tests log who has met, in order: the orders of those who go home, and of the two in a pair, do not show. Three creatures
// have 3 pairs each time, so 3^m outcomes.
package chameneos

import "fmt"

// request is what a creature sends to the mall.
type request struct {
	name   string
	colour int
	answer chan<- answer
}

// answer is what it gets: the colour of whom it meets, or that it may go.
type answer struct {
	colour int
	home   bool
}

// mall brings creatures together, and tells who has met.
func mall(meetings, creatures int, inbox <-chan request, end chan<- []string) {
	var met []string
	for range meetings {
		a, b := <-inbox, <-inbox
		a.answer <- answer{colour: b.colour}
		b.answer <- answer{colour: a.colour}
		met = append(met, fmt.Sprint(min(a.name, b.name), max(a.name, b.name)))
	}
	for range creatures {
		(<-inbox).answer <- answer{home: true}
	}
	end <- met
}

// creature meets others until it is sent home.
func creature(name string, colour int, mall chan<- request) {
	inbox := make(chan answer, 1)
	for {
		mall <- request{name, colour, inbox}
		a := <-inbox
		if a.home {
			return
		}
		colour = mixed(colour, a.colour)
	}
}

// mixed is the colour of two after a meeting, of 0, 1 and 2.
func mixed(a, b int) int {
	if a == b {
		return a
	}
	return 3 - a - b
}

// Run lets creatures meet, and returns who has met, in order.
func Run(creatures, meetings int) []string {
	inbox, end := make(chan request, creatures), make(chan []string, 1) //rehearse:mailbox
	go mall(meetings, creatures, inbox, end)
	for i := range creatures {
		go creature(string(rune('a'+i)), i%3, inbox)
	}
	return <-end
}
