// Package filesystem is the second program of "Dynamic partial-order reduction for model checking software" (C.
// Flanagan, P. Godefroid, POPL 2005): N threads create a file each. A thread locks its inode and looks for a free block,
// each of which has a lock, too.
//
// # Counts
//
// There are 32 inodes, so up to 32 threads nobody shares one. Thread t begins to look at block 2t modulo 26: the first 13
// threads have a block each; thread 13+k begins at the block of thread k, and one of the two, whoever comes second, takes
// the next block, which nobody else looks at as it is odd. That makes two orders for each such pair: 2^(N-13)
// inequivalent executions.
package filesystem

import "sync"

const (
	inodes = 32
	blocks = 26
)

type disk struct {
	inodeLock [inodes]sync.Mutex
	blockLock [blocks]sync.Mutex
	inode     [inodes]int
	busy      [blocks]bool
}

// Run returns how many blocks are busy when n threads have created a file.
func Run(n int) int {
	d := &disk{}
	ends := make([]chan bool, n)
	for t := range n {
		ends[t] = make(chan bool, 1)
		go func() {
			d.create(t)
			ends[t] <- true
		}()
	}
	for _, end := range ends {
		<-end
	}
	busy := 0
	for _, b := range d.busy {
		if b {
			busy++
		}
	}
	return busy
}

func (d *disk) create(t int) {
	i := t % inodes
	d.inodeLock[i].Lock()
	defer d.inodeLock[i].Unlock()
	for b := 2 * i % blocks; d.inode[i] == 0; b = (b + 1) % blocks {
		d.take(i, b)
	}
}

func (d *disk) take(i, b int) {
	d.blockLock[b].Lock()
	defer d.blockLock[b].Unlock()
	if !d.busy[b] {
		d.busy[b] = true
		d.inode[i] = b + 1
	}
}
