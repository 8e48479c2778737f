package goker

// explained says, of the kernels that are missed, why. A kernel that is found needs no entry.
var explained = map[string]string{
	"blocking/etcd/7492":        earlyTimer,
	"blocking/grpc/3017":        earlyTimer,
	"blocking/istio/18454":      earlyTimer,
	"blocking/grpc/862":         "the goroutine that is left behind waits for one timer after the other, and is never blocked for ever",
	"blocking/kubernetes/11298": polling,
	"blocking/kubernetes/58107": polling,
	"blocking/moby/27782":       "the data race on the way to the deadlock is found, but not run in its other order",
	"blocking/moby/33293":       "the number that is drawn at random is always the same",

	"nonblocking/cockroach/35501":  "the race is one of a loop variable that closures share",
	"nonblocking/istio/8214":       "the race is one of an atomic access and a copy of the struct",
	"nonblocking/kubernetes/81148": "the race is one of a field that is a struct",
	"nonblocking/kubernetes/82239": "a goroutine polls beside a sleeper, and the race is one of a map behind a pointer",
	"nonblocking/moby/18412":       "the race is one of a goroutine of os/exec, which copies the output of another process",
	"nonblocking/moby/22941":       "the race is one of a loop variable that closures share",
	"nonblocking/serving/4908":     lateLog,
	"nonblocking/serving/6171":     lateLog,
	"nonblocking/serving/6472":     "the race is one of an atomic access and a plain one",
}

// Explanations of several kernels.
const (
	earlyTimer = "a timer of a nanosecond fires while others could go on"
	polling    = "goroutines poll beside a sleeper, which costs 50,000 steps an execution"
	lateLog    = "the test's log is written to after its end, which panics in Go"
)
