package std

import "fmt"

// isUnseeded is isHere if the execution has not called Seed of math/rand.
const isUnseeded = "if gate.Here() && rehearseSeeded.Load() == nil "

// randHooks give the top-level functions of math/rand the calling process's own sequence of
// numbers, and let the numbers be choices of the schedule. After a call of Seed they give the
// sequence of that seed. All functions that draw from a range come to three methods.
var randHooks = append([]hook{
	{name: "Seed", code: isHere + "{ rehearseSeed($1); return }"},
	{name: "globalRand", code: isHere + "{ return rehearseRand() }"},
	{recv: "Rand", name: "Int63n",
		code: "if r := rehearsePlain($r); r != nil && $1 > 0 { return int64(gate.Draw(uint64($1), uint64(r.Int63n($1)))) }"},
	{recv: "Rand", name: "Int31n",
		code: "if r := rehearsePlain($r); r != nil && $1 > 0 { return int32(gate.Draw(uint64($1), uint64(r.Int31n($1)))) }"},
	{recv: "Rand", name: "int31n",
		code: "if r := rehearsePlain($r); r != nil { return int32(gate.Draw(uint64($1), uint64(r.int31n($1)))) }"},
	{recv: "Rand", name: "Perm",
		code: "if r := rehearsePlain($r); r != nil && gate.Permutes($1) { return r.Perm($1) }"},
	{recv: "Rand", name: "Shuffle",
		code: "if r := rehearsePlain($r); r != nil && gate.Permutes($1) { r.Shuffle($1, $2); return }"},
	{name: "Read", code: isUnseeded + "{ gate.Fixed() }"},
}, append(sampled(isUnseeded, "rehearsePlain(globalRand())", ranges),
	sampled(isUnseeded, "rehearsePlain(globalRand())", oldRanges)...)...)

// rand2Hooks do the same in math/rand/v2, whose functions all come to one source and, for ranges,
// to one method.
var rand2Hooks = append([]hook{
	{recv: "runtimeSource", name: "Uint64", code: isHere + "{ return gate.Random() }"},
	{recv: "Rand", name: "uint64n",
		code: "if $r == globalRand && gate.Here() { return gate.Draw($1, rehearsePlain.uint64n($1)) }"},
	{recv: "Rand", name: "Perm",
		code: "if $r == globalRand && gate.Here() && gate.Permutes($1) { return rehearsePlain.Perm($1) }"},
	{recv: "Rand", name: "Shuffle",
		code: "if $r == globalRand && gate.Here() && gate.Permutes($1) { rehearsePlain.Shuffle($1, $2); return }"},
}, append(sampled(isHere, "rehearsePlain", ranges),
	sampled(isHere, "rehearsePlain", newRanges)...)...)

// valueRange is the range of a function that has no parameters. If the range has no end, only the
// usual value is drawn.
type valueRange struct{ function, least, greatest string }

var (
	ranges = []valueRange{
		{"Int", "0", "int(^uint(0) >> 1)"},
		{"Uint32", "0", "1<<32 - 1"},
		{"Uint64", "0", "1<<64 - 1"},
		{"Float32", "0", "1 - 1.0/(1<<24)"},
		{"Float64", "0", "1 - 1.0/(1<<53)"},
		{"NormFloat64", "", ""},
		{"ExpFloat64", "", ""},
	}
	oldRanges = []valueRange{{"Int31", "0", "1<<31 - 1"}, {"Int63", "0", "1<<63 - 1"}}
	newRanges = []valueRange{{"Int32", "0", "1<<31 - 1"}, {"Int64", "0", "1<<63 - 1"},
		{"Uint", "0", "^uint(0)"}}
)

// sampled makes the hooks of functions with those ranges, for where a condition holds. plain is the
// generator of the usual values.
func sampled(where, plain string, list []valueRange) (hooks []hook) {
	for _, r := range list {
		h := hook{name: r.function,
			code: fmt.Sprintf(where+"{ return rehearseSample(%s.%s(), %s, %s) }",
				plain, r.function, r.least, r.greatest)}
		if r.least == "" {
			h.code = where + "{ gate.Fixed() }"
		}
		hooks = append(hooks, h)
	}
	return hooks
}

// sysrandHooks do so for all of package crypto, which gets random bytes from one place.
var sysrandHooks = []hook{{name: "Read",
	code: isHere + "{ gate.Fixed(); rehearseFill($1); return }"}}

func hookRand(goroot string, out map[string][]byte) error {
	if err := hookFile(goroot, "math/rand", "func globalRand(", randHooks, out); err != nil {
		return err
	}
	if err := hookFile(goroot, "math/rand/v2", "func (runtimeSource) Uint64(", rand2Hooks,
		out); err != nil {
		return err
	}
	return hookFile(goroot, "crypto/internal/sysrand", "func Read(", sysrandHooks, out)
}
