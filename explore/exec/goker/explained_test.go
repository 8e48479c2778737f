package goker

// explained says, of the kernels that are missed, why. A kernel that is found needs no entry.
var explained = map[string]string{
	"blocking/grpc/862":            "the goroutine that is left behind waits for one timer after the other, and is never blocked for ever",
	"nonblocking/kubernetes/82239": "a goroutine polls beside a sleeper: the first execution goes on for a million steps, to see that it does not end",
	"nonblocking/moby/18412":       "the race is one of a goroutine of os/exec, which copies the output of another process",
}
