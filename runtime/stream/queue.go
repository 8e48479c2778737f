package stream

// segment is a segment that has not been read, or the rest of it.
type segment struct {
	seq, left int32
	to        int32 // of an address: the listener
}

// queue is one direction.
type queue struct {
	segments []segment
	sizes    []int32 // of all segments so far
	from     int32   // those before this one have room made for them: they must have left
	sum      int32   // of the sizes from there on
	// segments that have left, though not all before them have
	gone []int32
	low  int32 // all segments before this one have left
}

// needs is the number of the segment that must have left lest n bytes more were too many, negative:
// none; and the sum of the sizes behind it.
func (q *queue) needs(medium Medium, n int32) (seq, sum int32) {
	from, sum := q.from, q.sum+n
	for ; sum > Bound[medium]; from++ {
		sum -= q.sizes[from]
	}
	return from - 1, sum
}

// put appends a segment.
func (q *queue) put(medium Medium, n, to int32, r *Result) {
	r.Seq, r.N, r.To = int32(len(q.sizes)), n, to
	r.Needs, q.sum = q.needs(medium, n)
	q.from = r.Needs + 1
	q.sizes = append(q.sizes, n)
	q.segments = append(q.segments, segment{r.Seq, n, to})
}

// leave takes segment i out of the queue.
func (q *queue) leave(i int) {
	seq := q.segments[i].seq
	q.segments = append(q.segments[:i], q.segments[i+1:]...)
	q.gone = append(q.gone, seq)
	for again := true; again; {
		again = false
		for j, n := range q.gone {
			if n == q.low {
				q.gone = append(q.gone[:j], q.gone[j+1:]...)
				q.low++
				again = true
				break
			}
		}
	}
}
