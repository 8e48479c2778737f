/*
Rehearse-cluster explores the orders of a test on several machines, with the counts of one process.

	rehearse-cluster serve [flags] [flags of rehearse test] ./pkg
	rehearse-cluster work  [flags]
	rehearse-cluster key   -url URL DIR

serve builds the tests and explores them as rehearse test does, with its report and its exit codes,
and lets workers take part where a search takes long and can be divided. It prints the line to
paste on another machine. It needs rehearse, beside itself or on the PATH. Flags, before or among
those of rehearse test:

	-listen ADDR    where workers connect to, ":7480"; by default an address that only this machine
	                reaches. Any other address uses TLS
	-url URL        what workers call that address, if the name of this machine does not do
	-journal FILE   write what was accepted to FILE, and go on with it if it is there
	-workers N      workers on this machine; by default one for each processor
	-key FILE       a key of serve that rehearse-cluster key has made
	-monitor ADDR   say by HTTP how many orders wait, for what starts and ends workers
	-page ADDR      where the status page is, by default a free port that only this machine reaches.
	                It is the page of rehearse test -html, with progress and what was found so far.
	                Its address, which serve prints, has a secret word. "off" is for no page

work takes part in the run of a serve, until that is over. On the machine of serve it needs no
flags:

	-connect URL    the address of serve; by default the one in the key
	-key FILE       the worker's key that serve has made; by default that of the latest serve on
	                this machine. REHEARSE_CLUSTER_KEY may have its content instead
	-workers N      orders to work on at the same time; by default one for each processor
	-wait D         how long to wait for a serve that is gone or not there yet; by default 10m

key makes the keys of a run before it begins, serve.key and work.key, for machines that cannot copy
files later.

A worker runs the binary that serve has built, as the user who starts it, in the directory of the
package, which has to be there. It refuses binaries that its key does not vouch for. See
docs/SCALE.md and docs/kubernetes.md of the project.
*/
package main

import (
	_ "embed"
	"strings"
)

//go:embed doc.go
var source string

// helpText is the comment above.
func helpText() string {
	_, text, _ := strings.Cut(source, "/*\n")
	text, _, _ = strings.Cut(text, "*/")
	return text
}
