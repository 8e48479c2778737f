// Package goker measures rehearse with GoKer, the kernels of real concurrency bugs from the
// benchmark suite GoBench (Yuan et al., "GoBench: A Benchmark Suite of Real-World Go Concurrency
// Bugs", CGO 2021). It has tests only.
//
// Vocabulary: a kernel is one directory of the suite, blocking/PROJECT/NUMBER or
// nonblocking/PROJECT/NUMBER, with one test in one file. A kernel is found when its test has a
// finding of a kind that its class can have. A miss ends complete or incomplete. A repair is a list
// of edits of lines that does what the upstream repair does.
//
// The suite is not part of this repository. The test takes its directory gobench/goker, copies the
// kernels unedited into a temporary module, and runs them with the default flags:
//
//	go test ./internal/lab/goker -goker DIR -timeout 1h                       # all kernels, and all repairs
//	go test ./internal/lab/goker -goker DIR -timeout 1h -kernels etcd/7492    # those that match
//	go test ./internal/lab/goker -goker DIR -timeout 1h -repaired             # the repairs only
//	go test ./internal/lab/goker -goker DIR -copy OUT                         # write the repaired kernels
//	go test ./internal/lab/goker -goker DIR -timeout 1h -update               # and write docs/GOKER.md
//
// testdata/repairs.txt holds the repairs, and explained the reasons of the misses.
//
// LIMITS: a finding's kind is compared, and not its place: that it is the bug of the kernel is not
// checked. Executions within the budget depend on the machine.
package goker
