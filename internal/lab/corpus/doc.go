// Package corpus holds rehearse against the tests of well-known packages that talk over channels:
// it runs them natively and under control, and says what became of each test. It has tests only.
//
// Vocabulary: a subject is a package of a module at a version, or a program of this repository with
// the shape of a published program that is no module. A test of it is complete, incomplete, failing
// (with a finding), refused (not run), or uncontrolled (given up when it came to an operation that
// is not controlled).
//
// The modules are fetched with the go command and copied, because nothing is written into go's
// module cache. They are not part of this repository. As that takes the network and a budget for
// each subject, it is done on request only:
//
//	go test ./internal/lab/corpus -fetch -timeout 1h            # 60s for each subject
//	go test ./internal/lab/corpus -fetch -timeout 1h -update    # and write docs/CORPUS.md
//	go test ./internal/lab/corpus -fetch -fresh 20s -timeout 2h # others, each failing test judged; -update writes docs/FINDINGS.md
//	go test ./internal/lab/corpus -run Modules -fetch -modules 25s -rows FILE # others; -update writes docs/MODULES.md
//	go test ./internal/lab/corpus -run Unseen -fetch -unseen 60s -rows FILE # others, without -short; -update writes docs/UNSEEN.md
//	go test ./internal/lab/corpus -fetch -twelve 20s -timeout 2h # twelve, with and without what leaves out orders; -update: docs/TWELVE.md
//	go test ./internal/lab/corpus -fetch -wide 10s -timeout 1h  # many small packages, for a short time; -update writes their section
//
// LIMITS: the numbers of executions depend on the machine. That a finding is true is checked by
// reading, and said in verified, and in fresh.
package corpus
