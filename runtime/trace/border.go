package trace

import (
	"slices"
	"strings"
)

// borderDirs are the directories of the library's border, below those that they stand for: packages
// that run goroutines of their own. See package sched.
var borderDirs = []string{"net/http/", "crypto/tls/", "net/rpc/", "database/sql/"}

// cookies has no goroutines: its locks are steps of the process that calls it.
const cookies = "net/http/cookiejar/"

// InBorder reports whether a file of the standard library, by its path there, is the border's.
func InBorder(file string) bool {
	if strings.HasPrefix(file, cookies) {
		return false
	}
	for _, dir := range borderDirs {
		if strings.HasPrefix(file, dir) {
			return true
		}
	}
	return false
}

// AllFine are the patterns that each package matches.
const AllFine = "..."

// IsFine reports whether a package matches one of patterns, a comma list of import paths, in which
// "..." at the end stands for any text.
func IsFine(patterns, path string) bool {
	if patterns == "" {
		return false
	}
	for p := range strings.SplitSeq(patterns, ",") {
		prefix, any := strings.CutSuffix(p, "...")
		if path == strings.TrimSuffix(prefix, "/") || any && strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}

// NotFine returns the first of patterns that no package of the border matches; empty: there is
// none.
func NotFine(patterns string) string {
	for p := range strings.SplitSeq(patterns, ",") {
		fits := func(dir string) bool { return IsFine(p, strings.TrimSuffix(dir, "/")) }
		if !InBorder(strings.TrimSuffix(strings.TrimSuffix(p, "..."), "/")+"/") &&
			!slices.ContainsFunc(borderDirs, fits) {
			return p
		}
	}
	return ""
}
