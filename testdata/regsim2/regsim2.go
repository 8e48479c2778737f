// Package regsim2 is the subject regsim-2-level of S. Tasharofi et al., "TransDPOR" (FMOODS/FORTE 2012): clients register at
// the registry of their group, and the groups' registries at the root. The paper does not print its source; this is a
// program of the same kind.
//
// # Counts
//
// With g groups of g clients each there are g + 1 registries with g registrations each. Nothing orders those at one registry, for
// each comes from another sender, and a group that is full registers with the root whatever was first in it:
// (g!)^(g+1) inequivalent executions, 8 for g = 2, and 1296 for g = 3, which is the paper's number with sleep sets. Nobody
// sends twice to one mailbox, so there are as many under each model. The root tells the order of everything: as many
// outcomes.
package regsim2

// registration is what clients and registries send.
type registration struct {
	name  int
	names []int // of a registry: those registered with it, in order
}

// registry takes n registrations, and then registers itself with its parent.
func registry(name, n int, inbox <-chan registration, parent chan<- registration) {
	var names []int
	for range n {
		r := <-inbox
		names = append(names, r.name)
		names = append(names, r.names...)
	}
	parent <- registration{name, names}
}

func client(name int, group chan<- registration) { group <- registration{name: name} }

// Run registers g groups of g clients, and returns the groups in order, each followed by its clients.
func Run(g int) []int {
	root := make(chan registration, g) //rehearse:mailbox
	result := make(chan registration, 1)
	go registry(0, g, root, result)
	for group := range g {
		inbox := make(chan registration, g) //rehearse:mailbox
		go registry(10*(group+1), g, inbox, root)
		for i := range g {
			go client(10*(group+1)+i+1, inbox)
		}
	}
	return (<-result).names
}
