package std

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// maphashHooks give package hash/maphash seeds that are the same in every execution, and its own
// key, which package initialisation draws, too.
var maphashHooks = []hook{{name: "randUint64",
	code: isHere + "{ gate.Fixed(); return gate.Random() }; return rehearseNext()"}}

// hookMaphash exchanges the implementation of hash/maphash that hashes with a random key of the
// process for the one in plain Go, whose random numbers are hooked.
func hookMaphash(goroot string, out map[string][]byte) error {
	if err := hookFile(goroot, "hash/maphash", "//go:build purego", maphashHooks, out); err != nil {
		return err
	}
	dir := filepath.Join(goroot, "src", "hash", "maphash")
	for name, tags := range map[string][2]string{
		"maphash_purego.go":  {"purego", "!purego"},
		"maphash_runtime.go": {"!purego", "purego"},
	} {
		if err := retag(filepath.Join(dir, name), tags[0], tags[1], out); err != nil {
			return err
		}
	}
	return nil
}

// retag exchanges the build constraint of a file.
func retag(name, from, to string, out map[string][]byte) error {
	src := out[name]
	if src == nil {
		var err error
		if src, err = os.ReadFile(name); err != nil {
			return err
		}
	}
	line := []byte("//go:build " + from + "\n")
	if bytes.Count(src, line) != 1 {
		return fmt.Errorf("%s has no build constraint %s", name, from)
	}
	out[name] = bytes.Replace(src, line, []byte("//go:build "+to+"\n"), 1)
	return nil
}
