package explore

import (
	"regexp"
	"strconv"
	"strings"
	"unsafe"
)

// Stable returns text without what differs between executions although nothing has happened differently: addresses of
// the heap, and in the dump of a stack the numbers of goroutines, the arguments of calls and the frames below the
// process's own. Texts are compared by it; what is shown is the text itself.
//
// An address is a hexadecimal number of a length and a size that the heap of this process has. Stable is therefore of
// use only for texts of one process.
//
// LIMITS: an address in decimal, or of a 32-bit machine, is not recognised. A constant that lies in the heap's range
// by chance is taken for an address.
func Stable(text string) string {
	if strings.Contains(text, "goroutine ") {
		text = stackDump.ReplaceAllStringFunc(text, stableDump)
	}
	if mayHoldAddress(text) {
		text = longNumber.ReplaceAllStringFunc(text, stableNumber)
	}
	return text
}

// mayHoldAddress is a quick look: most texts are short and have no long number.
func mayHoldAddress(text string) bool {
	digits := 0
	for i := 0; i < len(text) && digits < minAddress; i++ {
		if c := text[i]; '0' <= c && c <= '9' || 'a' <= c && c <= 'f' {
			digits++
		} else {
			digits = 0
		}
	}
	return digits >= minAddress
}

const minAddress = 9 // digits

var (
	longNumber = regexp.MustCompile(`\b(0x)?[0-9a-f]{9,12}\b`)
	stackDump  = regexp.MustCompile(`goroutine \d+ (gp=\S+ m=\S+ (mp=\S+ )?)?\[[^\]\n]*\]:(\n[^\n]+)*`)

	goroutineNumber = regexp.MustCompile(`goroutine \d+`)
	stackNumber     = regexp.MustCompile(`0x[0-9a-f]+\??`)
)

// heapObject is somewhere in the heap, whose parts are near to each other.
var heapObject = uint64(uintptr(unsafe.Pointer(new([64]byte))))

func stableNumber(number string) string {
	n, _ := strconv.ParseUint(strings.TrimPrefix(number, "0x"), 16, 64)
	const near = 1 << 35
	if n > heapObject-near && n < heapObject+near {
		return "ADDRESS"
	}
	return number
}

// processStart is the function that runs a process: the frames below it belong to whatever the goroutine did before.
const processStart = "runtime/sched.(*Sched).runBody("

func stableDump(dump string) string {
	dump, _, _ = strings.Cut(dump, processStart)
	dump = goroutineNumber.ReplaceAllString(dump, "goroutine N")
	return stackNumber.ReplaceAllString(dump, "N")
}

// stableLog joins the texts of a log for comparison.
func stableLog(log []string) string { return Stable(strings.Join(log, "\n")) }
