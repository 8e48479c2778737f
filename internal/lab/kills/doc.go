// Package kills kills the helpers of searches that processes divide, with kill -9, and compares the
// reports with that of one process. It has tests only.
//
//	go test ./internal/lab/kills -v -timeout 1h -runs 50 -senders 7 -every 500ms
//
// The kills of a cluster are in its module: go test -run TestKilled in cmd/rehearse-cluster.
//
// LIMITS: the children of a process are read from /proc, so on other systems the test is skipped.
package kills
