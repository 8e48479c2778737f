package words

import (
	"strconv"
	"strings"
	"unsafe"
)

// Stable returns text without the parts that differ between equal executions. These are addresses
// of the heap and, in the dump of a stack, the numbers of goroutines, the arguments of calls and
// the frames below the process's own. A dump need not have its first line, and may be printed as a
// list of bytes, with %v or %#v. Texts are compared in this form; people are shown the text itself.
//
// An address is a hexadecimal number of a length and a size that the heap of this process has.
// Stable is therefore of use only for texts of one process.
//
// LIMITS: an address in decimal, or of a 32-bit machine, is not recognised. A constant that lies in
// the heap's range by chance is taken for an address.
func Stable(text string) string {
	if strings.Contains(text, ", 0x") || len(text) > 2*manyBytes && strings.Contains(text, " 1") {
		text = byteList().ReplaceAllStringFunc(text, stableBytes)
	}
	if strings.Contains(text, "\n\t") || strings.Contains(text, "goroutine ") {
		text = stackDump().ReplaceAllStringFunc(text, stableDump)
	}
	if mayHoldAddress(text) {
		text = longNumber().ReplaceAllStringFunc(text, stableNumber)
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
	longNumber = Pattern(`\b(0x)?[0-9a-f]{9,12}\b`)
	// a whole one,
	stackDump = Pattern(
		`goroutine \d+ (gp=\S+ m=\S+ (mp=\S+ )?)?\[[^\]\n]*\]:(\n[^\n]+)*` +
			// or its frames
			`|(?:[^\s][^\n]*\)(?: in goroutine \d+)?\n\t[^\n]+:\d+(?: \+0x[0-9a-f]+)?(?:\n|$))+`)

	goroutineNumber = Pattern(`goroutine \d+`)
	stackNumber     = Pattern(`0x[0-9a-f]+\??`)
)

// heapObject is the address of some object of the heap; all parts of the heap are near to each
// other.
var heapObject = uint64(uintptr(unsafe.Pointer(new([64]byte))))

func stableNumber(number string) string {
	n, _ := strconv.ParseUint(strings.TrimPrefix(number, "0x"), 16, 64)
	const near = 1 << 35
	if n > heapObject-near && n < heapObject+near {
		return "ADDRESS"
	}
	return number
}

// manyBytes is the length from which on a list of bytes may hold the dump of a stack.
const manyBytes = 60

var byteList = Pattern(
	`\[\d{1,3}(?: \d{1,3}){60,}\]|\{0x[0-9a-f]{1,2}(?:, 0x[0-9a-f]{1,2}){60,}\}`)

// stableBytes reads a list of bytes as a text. A list of numbers that are no bytes stays as it is.
func stableBytes(list string) string {
	var text []byte
	for field := range strings.FieldsFuncSeq(list, func(r rune) bool {
		return strings.ContainsRune("[]{}, ", r)
	}) {
		b, err := strconv.ParseUint(field, 0, 8)
		if err != nil {
			return list
		}
		text = append(text, byte(b))
	}
	return Stable(string(text))
}

// processStart is the function that runs a process: the frames below it belong to whatever the
// goroutine did before.
const processStart = "runtime/sched.(*Sched).runBody("

func stableDump(dump string) string {
	dump, _, _ = strings.Cut(dump, processStart)
	dump = goroutineNumber().ReplaceAllString(dump, "goroutine N")
	return stackNumber().ReplaceAllString(dump, "N")
}
