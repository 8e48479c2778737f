// Package contexts has random programs over contexts and sleeps. They run in two ways that are compared: under
// control, through the tests of this package, and as plain Go in a bubble of testing/synctest, through those of package
// plain. Whatever plain Go does, some order must do, too.
package contexts

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"sync"
	"time"
)

// Seeds is the number of programs.
const Seeds = 24

var errMine = errors.New("mine")

// tree is the contexts of one run: a root with a timeout of three milliseconds, and below it a context that can be
// canceled, one with a cause, and one with a timeout of two.
type tree struct {
	ctx    [4]context.Context
	cancel [4]func()
}

func newTree() *tree {
	t := &tree{}
	t.ctx[0], t.cancel[0] = timeout(context.Background(), 3)
	t.ctx[1], t.cancel[1] = canceled(t.ctx[0])
	ctx, cause := context.WithCancelCause(t.ctx[1])
	t.ctx[2], t.cancel[2] = context.WithValue(ctx, "key", 1), func() { cause(errMine) }
	t.ctx[3], t.cancel[3] = timeout(t.ctx[2], 2)
	return t
}

func timeout(parent context.Context, d time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithTimeout(parent, d*time.Millisecond)
	return ctx, cancel
}

func canceled(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(parent)
	return ctx, cancel
}

// Program runs the program of a seed and returns what its processes have seen. jitter is called before each operation.
func Program(seed int64, jitter func()) string {
	r := rand.New(rand.NewSource(seed))
	t := newTree()
	procs := 2
	seen := make([]strings.Builder, procs)
	var wg sync.WaitGroup
	for p := range procs {
		ops := make([][2]int, 1+r.Intn(2))
		for i := range ops {
			ops[i] = [2]int{r.Intn(6), r.Intn(4)}
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, o := range ops {
				jitter()
				fmt.Fprint(&seen[p], t.do(o[0], o[1]), " ")
			}
		}()
	}
	wg.Wait()
	return seen[0].String() + "| " + seen[1].String()
}

func (t *tree) do(op, i int) any {
	ctx := t.ctx[i]
	switch op {
	case 0:
		t.cancel[i]()
		return "canceled"
	case 1:
		return short(ctx.Err())
	case 2:
		return short(context.Cause(ctx))
	case 3:
		<-ctx.Done()
		return short(ctx.Err())
	case 4:
		time.Sleep(time.Duration(i) * time.Millisecond)
		return "slept"
	default:
		stop := context.AfterFunc(ctx, func() {})
		return stop()
	}
}

func short(err error) string {
	switch err {
	case nil:
		return "ok"
	case context.Canceled:
		return "C"
	case context.DeadlineExceeded:
		return "D"
	}
	return err.Error()
}
