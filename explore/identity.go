package explore

import (
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore/words"
	"github.com/rehearse-go/rehearse/runtime/trace"
)

// identity tells problems apart. Two executions in which processes are blocked for ever show the
// same thing if the same functions wait at the same lines for the same operations, however many
// processes run them. Data races are the same if their texts are, which name lines. Panics are the
// same if they come from one line and their texts agree up to numbers. Other findings are the same
// if their messages agree up to numbers, which vary between executions that go wrong in the same
// way. Numbers that are a part of a name count; how many numbers a list has does not.
func identity(kind FindingKind, message string, x *trace.Execution) string {
	switch {
	case kind == Deadlock:
		return identify(kind, blockedAt(x, x.Blocked))
	case kind == Leak:
		return identify(kind, blockedAt(x, Leaked(x)))
	case kind == Panic && x != nil && x.Crash != nil:
		return identify(kind, []string{withoutNumbers(words.Stable(message)), x.Crash.Site})
	case kind == Race:
		return identify(kind, []string{message})
	}
	return identify(kind, []string{withoutNumbers(words.Stable(message))})
}

func identify(kind FindingKind, parts []string) string {
	return string(kind) + "\n" + strings.Join(parts, "\n")
}

// blockedAt describes processes that wait for ever by function, operation and place: each such
// description once.
func blockedAt(x *trace.Execution, procs []int32) (list []string) {
	for i, b := range x.Blocked {
		if !slices.Contains(procs, b) {
			continue
		}
		p := &x.Procs[b]
		what := p.Name + " " + Waits(&p.Pending)
		if i < len(x.BlockedSites) {
			what += " " + x.BlockedSites[i]
		}
		list = append(list, what)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// withoutNumbers replaces the digits of each word of text that begins with one: those of "17ms",
// not those of "worker2". A hexadecimal number is replaced as a whole, and so is a list of numbers.
func withoutNumbers(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		n := wordLength(text[i:])
		word := text[i : i+max(n, 1)]
		i += len(word)
		switch {
		case n == 0 || !isDigit(word[0]):
			b.WriteString(word)
		case strings.HasPrefix(word, "0x"):
			b.WriteByte('#')
		default:
			writeWithoutDigits(&b, word)
		}
	}
	return withoutLists(b.String())
}

// withoutLists makes one # of several between which there are only brackets, commas and the like:
// "[[# #] [#]]" becomes "[[#]]".
func withoutLists(text string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "#")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteByte('#')
		for text = after; ; text = after[1:] {
			after = strings.TrimLeft(text, "[](){},; -")
			if len(after) == len(text) || !strings.HasPrefix(after, "#") {
				break
			}
		}
	}
}

func writeWithoutDigits(b *strings.Builder, word string) {
	for i := range len(word) {
		if !isDigit(word[i]) {
			b.WriteByte(word[i])
		} else if i == 0 || !isDigit(word[i-1]) {
			b.WriteByte('#')
		}
	}
}

// wordLength is the length of the letters and digits that text begins with.
func wordLength(text string) int {
	for i := range len(text) {
		if c := text[i]; !isDigit(c) && c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && c < 0x80 {
			return i
		}
	}
	return len(text)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
