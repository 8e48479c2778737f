package machine

import "github.com/rehearse-go/rehearse/runtime/trace"

// native does what a function of a library does.
type native func(c *call)

// The names of functions of golang.org/x/sync, and of the methods of its types.
const (
	errgroups    = "golang.org/x/sync/errgroup."
	errgroupType = "(*golang.org/x/sync/errgroup.Group)."
	semaphores   = "golang.org/x/sync/semaphore."
	weighted     = "(*golang.org/x/sync/semaphore.Weighted)."
	flights      = "(*golang.org/x/sync/singleflight.Group)."
)

// library has the functions that the machine knows.
var library map[string]native

func init() {
	library = map[string]native{
		"(*sync.Mutex).Lock":        lock(trace.Lock, trace.Mutex),
		"(*sync.Mutex).Unlock":      lock(trace.Unlock, trace.Mutex),
		"(*sync.Mutex).TryLock":     lock(trace.TryLock, trace.Mutex),
		"(*sync.RWMutex).Lock":      lock(trace.WLock, trace.RWMutex),
		"(*sync.RWMutex).Unlock":    lock(trace.WUnlock, trace.RWMutex),
		"(*sync.RWMutex).TryLock":   lock(trace.WTryLock, trace.RWMutex),
		"(*sync.RWMutex).RLock":     lock(trace.RLock, trace.RWMutex),
		"(*sync.RWMutex).RUnlock":   lock(trace.RUnlock, trace.RWMutex),
		"(*sync.RWMutex).TryRLock":  lock(trace.RTryLock, trace.RWMutex),
		"(*sync.RWMutex).RLocker":   readLocker,
		"(*sync.WaitGroup).Add":     groupAdd,
		"(*sync.WaitGroup).Done":    groupDone,
		"(*sync.WaitGroup).Wait":    groupWait,
		"(*sync.WaitGroup).Go":      groupGo,
		"(*sync.Once).Do":           onceDo,
		"sync.OnceFunc":             onceFunc,
		"sync.OnceValue":            onceFunc,
		"sync.OnceValues":           onceFunc,
		"sync.NewCond":              newCond,
		"(*sync.Cond).Wait":         condWait,
		"(*sync.Cond).Signal":       condWake(trace.CondSignal),
		"(*sync.Cond).Broadcast":    condWake(trace.CondBroadcast),
		"time.After":                timeAfter,
		"time.Tick":                 timeTick,
		"time.NewTimer":             newTimer,
		"time.NewTicker":            newTicker,
		"time.AfterFunc":            afterFunc,
		"time.Sleep":                nothing,
		"(*time.Timer).Stop":        stopTimer,
		"(*time.Timer).Reset":       resetTimer,
		"(*time.Ticker).Stop":       ticks(false),
		"(*time.Ticker).Reset":      ticks(true),
		"os/signal.Notify":          notify,
		"os/signal.Stop":            stopNotifying,
		"runtime.Gosched":           nothing,
		"context.Background":        background,
		"context.TODO":              background,
		"context.WithCancel":        withCancel(false),
		"context.WithCancelCause":   withCancel(false),
		"context.WithTimeout":       withCancel(true),
		"context.WithDeadline":      withCancel(true),
		"context.WithTimeoutCause":  withCancel(true),
		"context.WithDeadlineCause": withCancel(true),
		"context.WithValue":         withValue,
		"context.WithoutCancel":     background,
		"(*testing.common).Context": background,
		errgroups + "WithContext":   errgroupWith,
		errgroupType + "Go":         errgroupGo,
		errgroupType + "TryGo":      errgroupTry,
		errgroupType + "SetLimit":   errgroupLimit,
		errgroupType + "Wait":       errgroupWait,
		semaphores + "NewWeighted":  newWeighted,
		weighted + "Acquire":        acquire,
		weighted + "TryAcquire":     tryAcquire,
		weighted + "Release":        release,
		flights + "Do":              flightDo,
		flights + "Forget":          flightForget,
		"(*testing.T).Parallel": func(c *call) {
			c.p.m.unfinished("a subtest goes on later")
		},
	}
}

func nothing(*call) {}
