package goker

// explained says, of the kernels that are missed, why. A kernel that is found needs no entry.
var explained = map[string]string{
	"blocking/grpc/862":            "the goroutine that is left behind waits for one timer after the other, and is never blocked for ever",
	"blocking/kubernetes/58107":    "goroutines poll beside a sleeper: found in the same time on a quiet machine, but few executions fit into it on a busy one",
	"nonblocking/kubernetes/82239": "a goroutine polls beside a sleeper: the first execution takes a million steps, to see that it does not end; found on a quiet machine",
	"nonblocking/moby/18412":       "the race is one of a goroutine of os/exec, which copies the output of another process",
}
