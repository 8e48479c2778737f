package explore

import (
	"regexp"
	"strings"
)

// Stable returns text without what differs between executions although nothing has happened differently: addresses of
// the heap, and in the dump of a stack the numbers of goroutines, the arguments of calls and the frames below the
// process's own. Texts are compared by it; what is shown is the text itself.
//
// LIMITS: a number that looks like an address of the heap (0xc and nine more hexadecimal digits) is taken for one, so
// two texts that differ in such a number only are one. Addresses in other notations are not recognised.
func Stable(text string) string {
	if strings.Contains(text, "goroutine ") {
		text = stackDump.ReplaceAllStringFunc(text, stableDump)
	}
	if strings.Contains(text, "0xc") {
		text = heapAddress.ReplaceAllString(text, "0xADDRESS")
	}
	return text
}

var (
	heapAddress = regexp.MustCompile(`\b0xc[0-9a-f]{9}\b`)
	stackDump   = regexp.MustCompile(`goroutine \d+ (gp=\S+ m=\S+ (mp=\S+ )?)?\[[^\]\n]*\]:(\n[^\n]+)*`)

	goroutineNumber = regexp.MustCompile(`goroutine \d+`)
	stackNumber     = regexp.MustCompile(`0x[0-9a-f]+\??`)
)

// processStart is the function that runs a process: the frames below it belong to whatever the goroutine did before.
const processStart = "runtime/sched.(*Sched).runBody("

func stableDump(dump string) string {
	dump, _, _ = strings.Cut(dump, processStart)
	dump = goroutineNumber.ReplaceAllString(dump, "goroutine N")
	return stackNumber.ReplaceAllString(dump, "0xN")
}

// stableLog joins the texts of a log for comparison.
func stableLog(log []string) string { return Stable(strings.Join(log, "\n")) }
