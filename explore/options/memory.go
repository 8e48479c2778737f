package options

import (
	"fmt"
	"strconv"
	"strings"
)

// units of sizes of memory, by their names.
var units = []struct {
	name string
	size int64
}{{"TB", 1 << 40}, {"GB", 1 << 30}, {"MB", 1 << 20}, {"kB", 1 << 10}, {"", 1}}

// MemoryLimit is what -memory says, in bytes; ok is false if it says nothing.
func (o *Options) MemoryLimit() (limit int64, ok bool) {
	limit, err := parseBytes(o.Memory)
	return limit, err == nil && o.Memory != ""
}

func checkMemory(o *Options) error {
	if o.Memory == "" {
		return nil
	}
	if _, err := parseBytes(o.Memory); err != nil {
		return fmt.Errorf("-memory %s: want a size such as 500MB or 8GB, or 0 for any", o.Memory)
	}
	return nil
}

// parseBytes reads "8GB"; the B may be left out, and an i may stand before it.
func parseBytes(text string) (int64, error) {
	plain := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(text), "B"), "I")
	for _, u := range units {
		letter := strings.ToUpper(strings.TrimSuffix(u.name, "B"))
		number, has := strings.CutSuffix(plain, letter)
		if !has {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
		if err != nil || n < 0 || n > 1<<62/u.size {
			return 0, fmt.Errorf("%q is no size", text)
		}
		return n * u.size, nil
	}
	return 0, fmt.Errorf("%q is no size", text)
}

// Bytes is a size as -memory has it: "8GB".
func Bytes(n int64) string {
	for _, u := range units {
		if n >= u.size && u.size > 1 && n%u.size == 0 || n >= 10*u.size {
			return strconv.FormatInt(n/u.size, 10) + u.name
		}
	}
	return strconv.FormatInt(n, 10)
}
