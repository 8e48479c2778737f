package divide

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/explore/sample"
)

// Range is a row of blocks of a randomised strategy.
type Range struct {
	Seed     uint64 // of the strategy
	First, N int    // blocks
}

// Blocks is what has come of a Range.
type Blocks struct {
	Done   int // so many of its blocks, from the first one on
	Chance sample.Chance
}

// ranges are the blocks of a randomised strategy, which may have no end. Their parts count in the
// order of the blocks.
type ranges struct {
	jobs    []*job // by block
	seed    uint64
	most    int // executions; 0: any number
	fresh   int // the first block that no job has
	each    int // blocks of a new job: what a process does in a portion
	dropped bool
	took    func(r *Report) // is told of each report that counts
}

// mostAhead bounds the jobs behind the first one that is not done.
const mostAhead = 1000

// BeginRanges begins the exploration of most executions (0: any number) of a randomised strategy.
// took is told of each report that counts, in their order.
func (s *Search) BeginRanges(seed uint64, most int, took func(r *Report)) {
	s.first = &Range{Seed: seed, N: 1}
	s.begin(&ranges{seed: seed, most: most, each: 1, took: took})
}

func (g *ranges) begin(here bool) *job {
	if g.dropped {
		return nil
	}
	for _, j := range g.jobs {
		if j.state == waiting && (here || !j.here) {
			j.state = begun
			return j
		}
	}
	n := g.each
	if g.most > 0 {
		n = min(n, g.blocks()-g.fresh)
	}
	if n <= 0 || len(g.jobs) > mostAhead {
		return nil
	}
	j := &job{blocks: Range{g.seed, g.fresh, n}, state: begun}
	g.fresh += n
	g.jobs = append(g.jobs, j)
	return j
}

// blocks is the number of blocks in all, the last of which may be short.
func (g *ranges) blocks() int { return (g.most + sample.Block - 1) / sample.Block }

func (g *ranges) task(j *job) Task {
	r := j.blocks
	t := Task{Blocks: &r, Most: r.N * sample.Block}
	if g.most > 0 {
		t.Most = min(t.Most, g.most-r.First*sample.Block)
	}
	return t
}

// finish notes the report of j, and makes a job of the blocks that the process has not come to. The
// report also tells how large later jobs are to be.
func (g *ranges) finish(j *job, r Report) bool {
	if r.Odd {
		j.state, j.here = waiting, true
		if g.dropped {
			g.drop()
		}
		return true
	}
	j.state, j.report = done, r
	if g.dropped {
		return false
	}
	rest := j.blocks
	rest.First, rest.N = rest.First+r.Done, rest.N-r.Done
	switch {
	case rest.N > 0 && !r.Last:
		g.each = max(1, r.Done)
		g.jobs = slices.Insert(g.jobs, slices.Index(g.jobs, j)+1, &job{blocks: rest})
	case j.blocks.N == g.each:
		g.each *= 2
	}
	return !g.empty()
}

func (g *ranges) next() (p *explore.Part, last bool) {
	if len(g.jobs) == 0 || g.jobs[0].state != done {
		return nil, false
	}
	r := &g.jobs[0].report
	g.jobs = g.jobs[1:]
	if r.Last {
		g.jobs, g.dropped = nil, true
		return nil, true
	}
	g.took(r)
	return &r.Part, false
}

func (g *ranges) under() bool { return len(g.jobs) > 0 }

func (g *ranges) empty() bool {
	over := g.dropped || g.most > 0 && g.fresh >= g.blocks()
	return over && len(g.jobs) == 0
}

// drop forgets the jobs that no process has begun. Later jobs that are done still count.
func (g *ranges) drop() {
	g.dropped = true
	g.jobs = slices.DeleteFunc(g.jobs, func(j *job) bool { return j.state == waiting })
}
